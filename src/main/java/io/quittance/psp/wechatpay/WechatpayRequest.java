package io.quittance.psp.wechatpay;

import io.quittance.psp.JsonFields;
import io.quittance.psp.PspHttp;
import io.quittance.psp.PspHttp.Answer;
import io.quittance.psp.RawNotification;
import io.quittance.psp.RsaSha256;
import io.quittance.psp.Verification.Verified;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Signs requests with the merchant's key, and believes only answers that are signed by WeChat Pay. */
final class WechatpayRequest {

    private static final int NONCE_BYTES = 16;

    private final WechatpaySettings settings;
    private final WechatpaySignature signature;
    private final PspHttp http;
    private final Clock clock;
    private final SecureRandom random = new SecureRandom();

    WechatpayRequest(WechatpaySettings settings, PspHttp http, Clock clock) {
        this.settings = settings;
        this.signature = new WechatpaySignature(settings.platformKeys());
        this.http = http;
        this.clock = clock;
    }

    /** Empty if the answer is not signed or is a server error. A failed future is a broken call. */
    Future<Optional<Reply>> get(String pathAndQuery) {
        return send(HttpMethod.GET, pathAndQuery, "");
    }

    /** As {@link #get}. */
    Future<Optional<Reply>> post(String path, JsonObject body) {
        return send(HttpMethod.POST, path, body.encode());
    }

    private Future<Optional<Reply>> send(HttpMethod method, String pathAndQuery, String body) {
        String url = settings.apiBase() + pathAndQuery;
        Map<String, String> headers = Map.of(
                "Authorization", authorization(method, URI.create(url), body),
                "Accept", "application/json",
                "Content-Type", "application/json");
        return http.send(method, url, headers, Buffer.buffer(body)).map(this::believed);
    }

    /** The query is signed with the path, and a body that is absent is signed as empty. */
    private String authorization(HttpMethod method, URI url, String body) {
        String query = url.getRawQuery() == null ? "" : "?" + url.getRawQuery();
        long timestamp = clock.instant().getEpochSecond();
        byte[] nonceBytes = new byte[NONCE_BYTES];
        random.nextBytes(nonceBytes);
        String nonce = HexFormat.of().formatHex(nonceBytes);
        String message =
                method.name() + "\n" + url.getRawPath() + query + "\n" + timestamp + "\n" + nonce + "\n" + body + "\n";
        String sign = RsaSha256.sign(settings.merchantPrivateKey(), message.getBytes(StandardCharsets.UTF_8));
        return WechatpaySignature.SCHEME + " mchid=\"" + settings.mchId() + "\",nonce_str=\"" + nonce
                + "\",signature=\"" + sign + "\",timestamp=\"" + timestamp + "\",serial_no=\""
                + settings.merchantSerial() + "\"";
    }

    private Optional<Reply> believed(Answer answer) {
        RawNotification raw = new RawNotification(answer.headers(), answer.body(), clock.instant());
        boolean signed = signature.verify(raw) instanceof Verified;
        return signed && answer.status() < 500
                ? Optional.of(new Reply(answer.status(), JsonFields.parse(answer.body())))
                : Optional.empty();
    }

    /**
     * A verified answer.
     *
     * @param body null if there is none, or it is not a JSON object
     */
    record Reply(int status, @Nullable JsonObject body) {

        /** The error's code word. */
        String code() {
            return JsonFields.code(body, "code");
        }

        boolean isUnknown() {
            return status == 404
                    && (code().equals("ORDER_NOT_EXIST")
                            || code().equals("ORDERNOTEXIST")
                            || code().equals("RESOURCE_NOT_EXISTS"));
        }

        String detail() {
            return "status " + status + ", " + code();
        }
    }
}
