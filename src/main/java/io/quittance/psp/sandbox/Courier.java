package io.quittance.psp.sandbox;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Posts notifications over HTTP/1.1 without pipelining or redirects, so that what is sent at once has connections of its own. */
final class Courier {

    /** An answer larger than this, in bytes, counts as none. */
    private static final int ANSWER_BYTES_MAX = 64 * 1024;

    private final HttpClient client;
    private final long answerLimitMillis;

    Courier(Vertx vertx, Duration answerLimit) {
        this.client = vertx.createHttpClient(
                new HttpClientOptions(), new PoolOptions().setHttp1MaxSize(Delivery.IN_FLIGHT_MAX));
        this.answerLimitMillis = answerLimit.toMillis();
    }

    /** Fails if no complete answer comes within the limit. */
    Future<Answer> post(String url, Notice.Signed signed) {
        RequestOptions request;
        try {
            request = new RequestOptions()
                    .setMethod(HttpMethod.POST)
                    .setAbsoluteURI(url)
                    .setConnectTimeout(answerLimitMillis)
                    .setIdleTimeout(answerLimitMillis);
        } catch (RuntimeException e) {
            return Future.failedFuture(e);
        }
        signed.headers().forEach(request::putHeader);
        return client.request(request).compose(opened -> exchange(opened, signed.body()));
    }

    private Future<Answer> exchange(HttpClientRequest request, Buffer body) {
        return request.send(body)
                .compose(response -> read(request, response))
                .timeout(answerLimitMillis, TimeUnit.MILLISECONDS)
                .onFailure(late -> request.reset());
    }

    private static Future<Answer> read(HttpClientRequest request, HttpClientResponse response) {
        Buffer read = Buffer.buffer();
        response.handler(chunk -> {
            if (read.length() + chunk.length() > ANSWER_BYTES_MAX) {
                request.reset();
            } else {
                read.appendBuffer(chunk);
            }
        });
        return response.end().map(end -> new Answer(response.statusCode(), read));
    }

    /** The gateway's answer. */
    record Answer(int status, Buffer body) {

        /** Nothing came, or too late. */
        static final Answer NONE = new Answer(0, Buffer.buffer());
    }
}
