package io.quittance.redis;

import io.vertx.circuitbreaker.CircuitBreaker;
import io.vertx.circuitbreaker.CircuitBreakerOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;

/** The way to Redis, behind a circuit breaker: when Redis is away, calls fail at once and everybody goes on without. */
public final class RedisLink {

    private final Redis redis;
    private final CircuitBreaker breaker;

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
    }

    Future<Response> send(Request request) {
        return breaker.execute(() -> redis.send(request));
    }

    public Future<Void> close() {
        breaker.close();
        return redis.close();
    }
}
