package io.quittance.endtoend;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Sends notifications to a gateway as a PSP does, each on a connection of its own, and remembers the successes. */
final class Poster {

    private static final int CONNECTIONS_MAX = 512;
    private static final long ANSWER_SECONDS_MAX = 20;
    private static final long AGAIN_MS = 100;

    private final Vertx vertx;
    private final HttpClient client;
    private final String gateway;
    private final Map<String, AtomicInteger> successes = new ConcurrentHashMap<>();
    private final AtomicInteger total = new AtomicInteger();

    /** @param gateway for example {@code http://127.0.0.1:8080} */
    Poster(Vertx vertx, String gateway) {
        this.vertx = vertx;
        this.client =
                vertx.createHttpClient(new HttpClientOptions(), new PoolOptions().setHttp1MaxSize(CONNECTIONS_MAX));
        this.gateway = gateway;
    }

    /** What a gateway answered. */
    record Answer(int status, Buffer body) {

        /** Whether the PSP would stop repeating. */
        boolean isSuccessFor(String psp) {
            return status / 100 == 2
                    && (!psp.equals("alipay") || body.toString().equals("success"));
        }
    }

    /** How often each event was answered with a success, by its id. */
    Map<String, AtomicInteger> successes() {
        return successes;
    }

    int successesInTotal() {
        return total.get();
    }

    /** Whether it was answered with a success; fails if it was not answered. */
    Future<Boolean> post(Notification notification) {
        return send(notification, false).map(answer -> {
            boolean success = answer.isSuccessFor(notification.psp());
            if (success) {
                successes
                        .computeIfAbsent(notification.eventId(), id -> new AtomicInteger())
                        .incrementAndGet();
                total.incrementAndGet();
            }
            return success;
        });
    }

    /** Sends it until it is answered with a success, at most so often. */
    Future<Void> postUntilSuccess(Notification notification, int timesMax) {
        return post(notification).otherwise(false).compose(success -> {
            if (success) {
                return Future.succeededFuture();
            }
            return timesMax <= 1
                    ? Future.failedFuture("never answered with a success: " + notification.eventId())
                    : vertx.timer(AGAIN_MS).compose(later -> postUntilSuccess(notification, timesMax - 1));
        });
    }

    /** @param chunked whether the length of the body is not said beforehand */
    Future<Answer> send(Notification notification, boolean chunked) {
        return send(HttpMethod.POST, notification, chunked);
    }

    Future<Answer> send(HttpMethod method, Notification notification, boolean chunked) {
        RequestOptions options = new RequestOptions().setMethod(method).setAbsoluteURI(gateway + notification.path());
        return client.request(options)
                .compose(request -> exchange(request, notification, chunked))
                .timeout(ANSWER_SECONDS_MAX, TimeUnit.SECONDS);
    }

    private static Future<Answer> exchange(HttpClientRequest request, Notification notification, boolean chunked) {
        request.headers().addAll(notification.headers());
        request.setChunked(chunked);
        Future<Answer> answer = request.response()
                .compose(response -> response.body().map(body -> new Answer(response.statusCode(), body)));
        // A refusal may come before the whole body is taken; the answer counts, not the rest of the sending.
        request.end(notification.body());
        return answer;
    }
}
