package io.quittance.dev;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.json.JsonObject;

/** A merchant's server, as far as the demonstration needs one: it uses the gateway's API like anybody else. */
final class Shop {

    private static final int CONNECTIONS_MAX = 16;

    private static final long ASK_AGAIN_MS = 100;

    private final Vertx vertx;
    private final HttpClient client;
    private final String gateway;

    Shop(Vertx vertx, String gateway) {
        this.vertx = vertx;
        this.client =
                vertx.createHttpClient(new HttpClientOptions(), new PoolOptions().setHttp1MaxSize(CONNECTIONS_MAX));
        this.gateway = gateway;
    }

    Future<JsonObject> product(String sku, String strategy, long supplied) {
        return send(
                HttpMethod.PUT,
                "/v1/products/" + sku,
                new JsonObject().put("strategy", strategy).put("supplied", supplied));
    }

    Future<JsonObject> order(JsonObject order) {
        return send(HttpMethod.POST, "/v1/orders", order);
    }

    Future<JsonObject> attempt(String orderNo, String psp) {
        return send(
                HttpMethod.POST,
                "/v1/orders/" + orderNo + "/attempts",
                new JsonObject().put("psp", psp).put("account", DevMode.ACCOUNT));
    }

    /** Opens an attempt as soon as the one before it has ended; asks at most so many times. */
    Future<JsonObject> attemptWhenFree(String orderNo, String psp, int asksMax) {
        return attempt(orderNo, psp)
                .recover(failure -> asksMax <= 1
                        ? Future.failedFuture(failure)
                        : vertx.timer(ASK_AGAIN_MS).compose(later -> attemptWhenFree(orderNo, psp, asksMax - 1)));
    }

    /** Cancels a payment at the sandbox's Stripe, as one would in the PSP's dashboard. */
    Future<Void> cancelAtStripe(JsonObject settings, String paymentIntent) {
        RequestOptions options = new RequestOptions()
                .setMethod(HttpMethod.POST)
                .setAbsoluteURI(settings.getString("api_base") + "/v1/payment_intents/" + paymentIntent + "/cancel")
                .putHeader("Authorization", "Bearer " + settings.getString("api_key"))
                .putHeader("Content-Type", "application/x-www-form-urlencoded");
        return client.request(options)
                .compose(HttpClientRequest::send)
                .compose(response -> response.statusCode() < 300
                        ? Future.<Void>succeededFuture()
                        : Future.failedFuture(new IllegalStateException("cancelling: " + response.statusCode())));
    }

    /** Makes the payment at the PSP, which the gateway cannot do at one that has no calls. */
    Future<Void> payAtStandardWebhooks(String sandboxUrl, String attemptId, JsonObject amount) {
        RequestOptions options = new RequestOptions()
                .setMethod(HttpMethod.POST)
                .setAbsoluteURI(sandboxUrl + "/standardwebhooks/payments")
                .putHeader("Content-Type", "application/json");
        JsonObject payment = new JsonObject().put("reference", attemptId).put("amount", amount);
        return client.request(options)
                .compose(request -> request.send(payment.toBuffer()))
                .compose(response -> response.statusCode() < 300
                        ? Future.<Void>succeededFuture()
                        : Future.failedFuture(new IllegalStateException("a payment: " + response.statusCode())));
    }

    private Future<JsonObject> send(HttpMethod method, String path, JsonObject body) {
        RequestOptions options = new RequestOptions()
                .setMethod(method)
                .setAbsoluteURI(gateway + path)
                .putHeader("Authorization", "Bearer " + DevMode.API_KEY)
                .putHeader("Content-Type", "application/json");
        // The body is asked for where the answer arrives: a thread of ours may come too late for it, and wait for ever.
        return client.request(options)
                .compose(request -> request.send(Buffer.buffer(body.encode())).compose(response -> response.body()
                        .compose(read -> response.statusCode() < 300
                                ? Future.succeededFuture(new JsonObject(read))
                                : Future.failedFuture(new IllegalStateException(method + " " + path
                                        + " was answered with " + response.statusCode() + ": " + read)))));
    }
}
