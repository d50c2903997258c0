package io.quittance.endtoend;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/** Payers' browsers, which the PSPs send back to the gateway. */
final class Browser {

    private static final int CONNECTIONS_MAX = 256;

    private final HttpClient client;
    private final Stage stage;
    private final Signer signer = new Signer(Stage.KEYS);

    Browser(Vertx vertx, Stage stage) {
        this.client =
                vertx.createHttpClient(new HttpClientOptions(), new PoolOptions().setHttp1MaxSize(CONNECTIONS_MAX));
        this.stage = stage;
    }

    /**
     * What a browser was answered.
     *
     * @param location where it was sent; empty if nowhere
     */
    record Shown(int status, String location, String body) {}

    /** The query with which a PSP sends the browser of a payment back. */
    String query(String psp, String attempt) {
        return switch (psp) {
            case "stripe" ->
                "payment_intent=" + stage.psp().payment(attempt).orElseThrow().pspPaymentId()
                        + "&payment_intent_client_secret=pi_secret_of_the_payer&redirect_status=succeeded";
            case "alipay" -> alipay(attempt, "19.99");
            case "wechatpay" -> "out_trade_no=" + attempt;
            default -> throw new IllegalArgumentException(psp);
        };
    }

    private String alipay(String attempt, String amount) {
        JsonObject keys = Stage.KEYS.toJson().getJsonObject("alipay");
        Map<String, String> fields = new TreeMap<>();
        fields.put("app_id", keys.getString("app_id"));
        fields.put("charset", "utf-8");
        fields.put("method", "alipay.trade.page.pay.return");
        fields.put("out_trade_no", attempt);
        fields.put("seller_id", keys.getString("seller_id"));
        fields.put("timestamp", "2026-03-01 20:00:00");
        fields.put("total_amount", amount);
        fields.put("trade_no", stage.psp().payment(attempt).orElseThrow().pspPaymentId());
        fields.put("version", "1.0");
        return signer.alipay(fields).body().toString();
    }

    /** Comes back with a GET. */
    Future<Shown> comeBack(String psp, String query) {
        return send(HttpMethod.GET, "/v1/return/" + psp + "/" + Stage.ACCOUNT + "?" + query, "", "en");
    }

    /** Comes back with a posted form. */
    Future<Shown> comeBackPosting(String psp, String form) {
        return send(HttpMethod.POST, "/v1/return/" + psp + "/" + Stage.ACCOUNT, form, "en");
    }

    /** Goes where it was sent. The gateway's public address is the mailbox's here. */
    Future<Shown> follow(Shown sent, String languages) {
        URI location = URI.create(sent.location());
        return send(HttpMethod.GET, location.getRawPath() + "?" + location.getRawQuery(), "", languages);
    }

    private Future<Shown> send(HttpMethod method, String path, String form, String languages) {
        RequestOptions options = new RequestOptions()
                .setMethod(method)
                .setFollowRedirects(false)
                .setAbsoluteURI(stage.url() + path)
                .putHeader("Accept-Language", languages);
        if (method.equals(HttpMethod.POST)) {
            options.putHeader("Content-Type", "application/x-www-form-urlencoded");
        }
        // The body is asked for where the answer arrives: a thread of ours may come too late for it, and wait for ever.
        return client.request(options).compose(request -> request.send(form).compose(response -> response.body()
                .map(body -> new Shown(
                        response.statusCode(),
                        response.getHeader("Location") == null ? "" : response.getHeader("Location"),
                        body.toString(StandardCharsets.UTF_8)))));
    }
}
