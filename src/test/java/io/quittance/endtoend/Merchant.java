package io.quittance.endtoend;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** A merchant's server, which uses the gateway's API like anybody else. */
final class Merchant {

    private static final int CONNECTIONS_MAX = 16;

    private final HttpClient client;
    private final String gateway;
    private final String key;
    private final String account;

    Merchant(Vertx vertx, String gateway, String key, String account) {
        this.client =
                vertx.createHttpClient(new HttpClientOptions(), new PoolOptions().setHttp1MaxSize(CONNECTIONS_MAX));
        this.gateway = gateway;
        this.key = key;
        this.account = account;
    }

    Future<JsonObject> product(String sku, String strategy, long supplied) {
        return send(
                HttpMethod.PUT,
                "/v1/products/" + sku,
                new JsonObject().put("strategy", strategy).put("supplied", supplied));
    }

    /** An order of one item that waits for an hour. */
    Future<JsonObject> order(String orderNo, String value, String sku, String latePolicy) {
        return order(orderNo, value, sku, latePolicy, "PT1H");
    }

    /** An order of one item. */
    Future<JsonObject> order(String orderNo, String value, String sku, String latePolicy, String expiresIn) {
        return send(
                HttpMethod.POST,
                "/v1/orders",
                new JsonObject()
                        .put("order_no", orderNo)
                        .put("amount", new JsonObject().put("value", value).put("currency", "CNY"))
                        .put(
                                "items",
                                new JsonArray()
                                        .add(new JsonObject().put("sku", sku).put("quantity", 1)))
                        .put("expires_in", expiresIn)
                        .put("late_policy", latePolicy));
    }

    Future<JsonObject> attempt(String orderNo, String psp) {
        return send(
                HttpMethod.POST,
                "/v1/orders/" + orderNo + "/attempts",
                new JsonObject().put("psp", psp).put("account", account));
    }

    Future<JsonObject> show(String orderNo) {
        return send(HttpMethod.GET, "/v1/orders/" + orderNo, new JsonObject());
    }

    /** All that is left of what was paid. */
    Future<JsonObject> refund(String orderNo, String refundNo) {
        return send(HttpMethod.POST, "/v1/orders/" + orderNo + "/refunds", new JsonObject().put("refund_no", refundNo));
    }

    Future<JsonObject> cancel(String orderNo) {
        return send(HttpMethod.POST, "/v1/orders/" + orderNo + "/cancel", new JsonObject());
    }

    /** The order, after the PSP was asked. */
    Future<JsonObject> refresh(String orderNo) {
        return send(HttpMethod.POST, "/v1/orders/" + orderNo + "/refresh", new JsonObject());
    }

    private Future<JsonObject> send(HttpMethod method, String path, JsonObject body) {
        RequestOptions options = new RequestOptions()
                .setMethod(method)
                .setAbsoluteURI(gateway + path)
                .putHeader("Authorization", "Bearer " + key)
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
