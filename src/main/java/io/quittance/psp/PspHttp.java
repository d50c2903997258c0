package io.quittance.psp;

import io.vertx.circuitbreaker.CircuitBreaker;
import io.vertx.circuitbreaker.CircuitBreakerOptions;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The way out to one PSP account: a shared HTTP client with a time limit a call, behind a circuit breaker of its own.
 */
public final class PspHttp {

    /** Answers larger than this, in bytes, are not read: no PSP's answer about one payment comes near it. */
    private static final int MAX_ANSWER_BYTES = 1 << 20;

    private final HttpClient client;
    private final CircuitBreaker breaker;
    private final Duration callLimit;

    /**
     * @param name the breaker's name, for logs and metrics
     * @param callLimit how long one call may take from start to the last byte of the answer
     */
    public PspHttp(Vertx vertx, HttpClient client, String name, Duration callLimit) {
        this.client = client;
        this.callLimit = callLimit;
        this.breaker = CircuitBreaker.create(
                name,
                vertx,
                new CircuitBreakerOptions()
                        .setMaxFailures(5)
                        .setResetTimeout(2_000)
                        .setTimeout(-1)
                        .setNotificationAddress(null));
    }

    /**
     * Sends one request. Fails if the connection breaks, the limit is reached, the answer is too large, or the breaker
     * is open; an answer with status 500 or above counts against the breaker and is returned all the same.
     */
    public Future<Answer> send(HttpMethod method, String url, Map<String, String> headers, Buffer body) {
        return breaker.<Answer>execute(promise -> call(method, url, headers, body)
                        .compose(PspHttp::failOnServerError)
                        .onComplete(promise))
                .recover(PspHttp::unwrapServerError);
    }

    /** Says why there was no answer, in a word that names neither addresses nor secrets. */
    public static String reason(Throwable failure) {
        return "no answer: " + failure.getClass().getSimpleName();
    }

    /** The breaker counts failures only, so a server error has to look like one while it passes the breaker. */
    private static Future<Answer> failOnServerError(Answer answer) {
        return answer.status() >= 500 ? Future.failedFuture(new ServerError(answer)) : Future.succeededFuture(answer);
    }

    private static Future<Answer> unwrapServerError(Throwable failure) {
        return failure instanceof ServerError error
                ? Future.succeededFuture(error.answer)
                : Future.failedFuture(failure);
    }

    private Future<Answer> call(HttpMethod method, String url, Map<String, String> headers, Buffer body) {
        RequestOptions options = new RequestOptions()
                .setMethod(method)
                .setAbsoluteURI(url)
                .setConnectTimeout(callLimit.toMillis())
                .setIdleTimeout(callLimit.toMillis());
        headers.forEach(options::putHeader);
        return client.request(options)
                .compose(request -> sendAndRead(request, body)
                        .timeout(callLimit.toMillis(), TimeUnit.MILLISECONDS)
                        .onFailure(failure -> request.reset()))
                .timeout(callLimit.toMillis(), TimeUnit.MILLISECONDS);
    }

    private Future<Answer> sendAndRead(HttpClientRequest request, Buffer body) {
        return request.send(body).compose(response -> {
            Buffer read = Buffer.buffer();
            response.handler(chunk -> {
                if (read.length() + chunk.length() > MAX_ANSWER_BYTES) {
                    request.reset();
                } else {
                    read.appendBuffer(chunk);
                }
            });
            return response.end().map(end -> new Answer(response.statusCode(), response.headers(), read));
        });
    }

    /** A PSP's answer, as received. */
    public record Answer(int status, MultiMap headers, Buffer body) {}

    /** An answer that the breaker counts as a failure. It has no stack trace, since it is not an error of ours. */
    private static final class ServerError extends Exception {

        private final transient Answer answer;

        ServerError(Answer answer) {
            super("status " + answer.status(), null, false, false);
            this.answer = answer;
        }
    }
}
