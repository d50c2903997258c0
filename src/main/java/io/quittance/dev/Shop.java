package io.quittance.dev;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.json.JsonObject;

/** A merchant's server, as far as the demonstration needs one: it uses the gateway's API like anybody else. */
final class Shop {

    private static final int CONNECTIONS_MAX = 16;

    private final HttpClient client;
    private final String gateway;

    Shop(Vertx vertx, String gateway) {
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

    private Future<JsonObject> send(HttpMethod method, String path, JsonObject body) {
        RequestOptions options = new RequestOptions()
                .setMethod(method)
                .setAbsoluteURI(gateway + path)
                .putHeader("Authorization", "Bearer " + DevMode.API_KEY)
                .putHeader("Content-Type", "application/json");
        return client.request(options)
                .compose(request -> request.send(Buffer.buffer(body.encode())))
                .compose(response -> response.body()
                        .compose(read -> response.statusCode() < 300
                                ? Future.succeededFuture(new JsonObject(read))
                                : Future.failedFuture(new IllegalStateException(method + " " + path
                                        + " was answered with " + response.statusCode() + ": " + read))));
    }
}
