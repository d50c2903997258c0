package io.quittance.dispatch;

import io.quittance.domain.OrderStatus;
import io.quittance.store.OutboxStore.Claimed;
import io.vertx.circuitbreaker.CircuitBreaker;
import io.vertx.circuitbreaker.CircuitBreakerOptions;
import io.vertx.circuitbreaker.CircuitBreakerState;
import io.vertx.circuitbreaker.OpenCircuitException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import java.time.Clock;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;

/** The way to one target, behind a circuit breaker of its own. */
final class TargetDoor {

    private static final String JSON = "application/json";

    private final Target target;
    private final DispatchOptions options;
    private final HttpClient client;
    private final Clock clock;
    private final CircuitBreaker breaker;

    TargetDoor(Vertx vertx, HttpClient client, Target target, DispatchOptions options, Clock clock) {
        this.client = client;
        this.target = target;
        this.options = options;
        this.clock = clock;
        this.breaker = CircuitBreaker.create(
                "target-" + target.name(),
                vertx,
                new CircuitBreakerOptions()
                        .setMaxFailures(options.breakerFailuresMax())
                        .setFailuresRollingWindow(options.breakerWindow().toMillis())
                        .setResetTimeout(options.breakerReset().toMillis())
                        // Calls have limits of their own.
                        .setTimeout(-1)
                        .setNotificationAddress(null));
    }

    String name() {
        return target.name();
    }

    boolean rests() {
        return breaker.state() == CircuitBreakerState.OPEN;
    }

    boolean takesCorrections() {
        return target.takesCorrections();
    }

    boolean canBeAsked() {
        return target.lookupUrl() != null;
    }

    /** Asks whether the target has the order. Never fails. */
    Future<Reply> ask(Claimed order, LeaseTerm lease) {
        String url = target.lookupOf(order.orderNo()).orElseThrow();
        RequestOptions request = signed(HttpMethod.GET, url, order, Buffer.buffer());
        return call(request, Buffer.buffer(), lease, Reply::toLookup);
    }

    /** Gives the order to the target. Never fails. */
    Future<Reply> post(Claimed order, LeaseTerm lease) {
        Buffer body = OrderDocument.of(order);
        RequestOptions request = signed(HttpMethod.POST, target.url(), order, body)
                .putHeader("Content-Type", JSON)
                .putHeader("Idempotency-Key", OrderDocument.idempotencyKey(order));
        return call(request, body, lease, order.conclusion() == OrderStatus.PAID ? Reply::toPost : Reply::toNotice);
    }

    void close() {
        breaker.close();
    }

    private RequestOptions signed(HttpMethod method, String url, Claimed order, Buffer body) {
        String id = OrderDocument.messageId(order);
        long now = clock.instant().getEpochSecond();
        return new RequestOptions()
                .setMethod(method)
                .setAbsoluteURI(url)
                .setConnectTimeout(options.connectLimit().toMillis())
                .putHeader("Accept", JSON)
                .putHeader(WebhookSignature.ID_HEADER, id)
                .putHeader(WebhookSignature.TIMESTAMP_HEADER, Long.toString(now))
                .putHeader(WebhookSignature.SIGNATURE_HEADER, WebhookSignature.sign(target.secret(), id, now, body));
    }

    private Future<Reply> call(
            RequestOptions request, Buffer body, LeaseTerm lease, BiFunction<Integer, Buffer, Reply> meaning) {
        return breaker.execute(() -> exchange(request, body, lease))
                .map(answer -> meaning.apply(answer.status, answer.body))
                .otherwise(this::understand);
    }

    /** A call that could outlast the lease is not begun: by then another dispatcher may be at it. */
    private Future<Answer> exchange(RequestOptions options, Buffer body, LeaseTerm lease) {
        return client.request(options)
                .recover(failure -> Future.failedFuture(
                        new NeverLeft("no connection: " + failure.getClass().getSimpleName())))
                .compose(request -> {
                    if (!lease.covers(this.options.answerLimit())) {
                        request.reset();
                        return Future.failedFuture(new NeverLeft("the lease was too short for a call"));
                    }
                    return sendAndRead(request, body)
                            .timeout(this.options.answerLimit().toMillis(), TimeUnit.MILLISECONDS)
                            .onFailure(failure -> request.reset());
                })
                .compose(TargetDoor::failOnServerError);
    }

    private static Future<Answer> sendAndRead(HttpClientRequest request, Buffer body) {
        return request.send(body).compose(TargetDoor::read);
    }

    private static Future<Answer> read(HttpClientResponse response) {
        Promise<Answer> answer = Promise.promise();
        Buffer read = Buffer.buffer();
        response.exceptionHandler(answer::tryFail);
        response.handler(chunk -> {
            if (read.length() + chunk.length() > DispatchOptions.ANSWER_BYTES_MAX) {
                answer.tryFail(new Oversized());
            } else {
                read.appendBuffer(chunk);
            }
        });
        response.endHandler(end -> answer.tryComplete(new Answer(response.statusCode(), read)));
        return answer.future();
    }

    /** The breaker counts failures only, so a server error has to look like one while it passes the breaker. */
    private static Future<Answer> failOnServerError(Answer answer) {
        boolean overloaded = answer.status == 429 || answer.status >= 500;
        return overloaded ? Future.failedFuture(new ServerError(answer.status)) : Future.succeededFuture(answer);
    }

    /** In our own words: neither addresses nor anything that the target wrote. */
    private Reply understand(Throwable failure) {
        if (failure instanceof OpenCircuitException) {
            return new Reply.Resting();
        }
        if (failure instanceof NeverLeft neverLeft) {
            return new Reply.NotSent(neverLeft.reason);
        }
        if (failure instanceof ServerError error) {
            return new Reply.Unclear("answered " + error.status);
        }
        if (failure instanceof Oversized) {
            return new Reply.Unclear("its answer was over " + DispatchOptions.ANSWER_BYTES_MAX + " bytes");
        }
        if (failure instanceof TimeoutException) {
            return new Reply.Unclear("no answer within " + options.answerLimit().toMillis() + " ms");
        }
        return new Reply.Unclear("no answer: " + failure.getClass().getSimpleName());
    }

    private record Answer(int status, Buffer body) {}

    /** Without a stack trace, as the others below: these are not errors of ours. */
    private static final class NeverLeft extends Exception {

        private final String reason;

        NeverLeft(String reason) {
            super(reason, null, false, false);
            this.reason = reason;
        }
    }

    private static final class ServerError extends Exception {

        private final int status;

        ServerError(int status) {
            super("status " + status, null, false, false);
            this.status = status;
        }
    }

    private static final class Oversized extends Exception {

        Oversized() {
            super("oversized answer", null, false, false);
        }
    }
}
