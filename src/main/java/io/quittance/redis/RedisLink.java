package io.quittance.redis;

import io.vertx.circuitbreaker.CircuitBreaker;
import io.vertx.circuitbreaker.CircuitBreakerOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The way to Redis, behind a circuit breaker: when Redis is away, calls fail at once and everybody goes on without. */
public final class RedisLink {

    private static final Logger LOG = LoggerFactory.getLogger(RedisLink.class);

    private final Redis redis;
    private final CircuitBreaker breaker;
    private final AtomicBoolean isMissed = new AtomicBoolean();
    private volatile String lastFailure = "no answer in time";

    /**
     * What the link may cost.
     *
     * @param connections connections to Redis
     * @param callLimitMs how long one batch may take, in milliseconds
     * @param failuresMax failures in a row that open the breaker
     * @param resetAfterMs how long the breaker stays open, in milliseconds
     */
    public record Limits(int connections, long callLimitMs, int failuresMax, long resetAfterMs) {
        public static Limits defaults() {
            return new Limits(4, 500, 3, 1_000);
        }
    }

    public RedisLink(Vertx vertx, String uri, Limits limits) {
        this.redis = Redis.createClient(
                vertx,
                new RedisOptions()
                        .setConnectionString(uri)
                        .setMaxPoolSize(limits.connections())
                        .setMaxPoolWaiting(4096)
                        .setMaxWaitingHandlers(4096));
        this.breaker = CircuitBreaker.create(
                "redis",
                vertx,
                new CircuitBreakerOptions()
                        .setMaxFailures(limits.failuresMax())
                        .setTimeout(limits.callLimitMs())
                        .setResetTimeout(limits.resetAfterMs())
                        .setNotificationAddress(null));
        breaker.openHandler(opened -> missed());
        breaker.closeHandler(closed -> found());
    }

    /** Told once, and not at each try: it may be away for hours, or may not let us do what we need. */
    private void missed() {
        if (isMissed.compareAndSet(false, true)) {
            LOG.warn("Redis is not to be had, and everything goes on without it: {}", lastFailure);
        }
    }

    private void found() {
        if (isMissed.compareAndSet(true, false)) {
            LOG.info("Redis is there again");
        }
    }

    Future<Response> send(Request request) {
        return breaker.execute(() -> redis.send(request).onFailure(failure -> lastFailure = failure.toString()));
    }

    public Future<Void> close() {
        breaker.close();
        return redis.close();
    }
}
