package io.quittance.redis;

import static io.quittance.testing.Bench.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.quittance.testing.RestartableRedis;
import io.quittance.testing.Services;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Leases keep two workers apart while Redis is there, and keep nobody from working while it is not. */
class LeasesTest {

    private static final long LONG_MS = 60_000;

    private final Vertx vertx = Vertx.vertx();

    @AfterEach
    void close() {
        await(vertx.close());
    }

    private Leases leases(String uri) {
        RedisLink.Limits limits =
                new RedisLink.Limits(1, 5_000, 3, Duration.ofHours(1).toMillis());
        return new Leases(new RedisLink(vertx, uri, limits), "test:" + UUID.randomUUID() + ":");
    }

    @Test
    void a_lease_is_granted_to_one_owner_and_ended_by_that_owner_only() {
        Leases leases = leases(Services.redisUri());

        assertThat(await(leases.acquire("order:1", "me", LONG_MS))).isTrue();
        assertThat(await(leases.acquire("order:1", "you", LONG_MS))).isFalse();
        assertThat(await(leases.acquire("order:2", "you", LONG_MS))).isTrue();
        await(leases.release("order:1", "you"));
        assertThat(await(leases.acquire("order:1", "you", LONG_MS)))
                .as("not released by who does not own it")
                .isFalse();
        await(leases.release("order:1", "me"));

        assertThat(await(leases.acquire("order:1", "you", LONG_MS))).isTrue();
    }

    @Test
    void a_lease_whose_owner_is_gone_ends_by_itself() {
        Leases leases = leases(Services.redisUri());
        await(leases.acquire("order:1", "gone", 50));

        long end = System.nanoTime() + Duration.ofSeconds(10).toNanos();
        while (!await(leases.acquire("order:1", "me", LONG_MS))) {
            assertThat(System.nanoTime()).as("the lease does not end").isLessThan(end);
        }
        await(leases.release("order:1", "gone"));
        assertThat(await(leases.acquire("order:1", "you", LONG_MS)))
                .as("the one that is gone cannot end what is another's now")
                .isFalse();
    }

    @Test
    void a_lease_is_renewed_by_its_owner_only() {
        Leases leases = leases(Services.redisUri());
        await(leases.acquire("order:1", "me", LONG_MS));
        await(leases.acquire("order:2", "me", LONG_MS));

        await(leases.renew("order:1", "you", 1));
        await(leases.renew("order:2", "me", 1));

        long end = System.nanoTime() + Duration.ofSeconds(10).toNanos();
        while (!await(leases.acquire("order:2", "you", LONG_MS))) {
            assertThat(System.nanoTime()).as("the lease does not end").isLessThan(end);
        }
        assertThat(await(leases.acquire("order:1", "you", LONG_MS))).isFalse();
    }

    @Test
    void without_redis_every_lease_is_granted_and_giving_it_back_fails_for_nobody() {
        try (RestartableRedis redis = RestartableRedis.started()) {
            Leases leases = leases(redis.uri());
            assertThat(await(leases.acquire("order:1", "me", LONG_MS))).isTrue();
            redis.stop();

            for (int failure = 0; failure < 5; failure++) {
                assertThat(await(leases.acquire("order:1", "you", LONG_MS))).isTrue();
            }
            await(leases.renew("order:1", "you", LONG_MS));
            await(leases.release("order:1", "you"));
        }
    }
}
