package io.quittance.redis;

import static io.quittance.testing.Bench.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.quittance.redis.NotificationDedup.Marks;
import io.quittance.redis.NotificationDedup.State;
import io.quittance.testing.Logs;
import io.quittance.testing.RestartableRedis;
import io.quittance.testing.Services;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.Request;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is in flight and what is done. */
class NotificationDedupTest {

    private final Vertx vertx = Vertx.vertx();
    private final String prefix = "test:" + UUID.randomUUID() + ":";

    @AfterEach
    void close() {
        await(vertx.close());
    }

    /** One connection: what is sent without waiting is there before what is asked next. */
    private RedisLink link(String uri, long resetAfterMs) {
        return new RedisLink(vertx, uri, new RedisLink.Limits(1, 5_000, 3, resetAfterMs));
    }

    private NotificationDedup shared() {
        return new NotificationDedup(link(Services.redisUri(), 1_000), prefix, Marks.USUAL);
    }

    @Test
    void a_notification_is_fresh_for_its_worker_in_flight_for_others_and_done_after_its_commit() {
        NotificationDedup dedup = shared();

        assertThat(await(dedup.begin(List.of("a", "b"), "me"))).containsExactly(State.FRESH, State.FRESH);
        assertThat(await(dedup.begin(List.of("a", "c"), "you"))).containsExactly(State.IN_FLIGHT, State.FRESH);
        assertThat(await(dedup.begin(List.of("a"), "me"))).as("mine already").containsExactly(State.FRESH);
        dedup.done(Set.of("a"));

        assertThat(await(dedup.begin(List.of("a", "b"), "you"))).containsExactly(State.DONE, State.IN_FLIGHT);
    }

    @Test
    void all_that_was_taken_up_together_is_done_by_one_word() {
        NotificationDedup dedup = shared();
        await(dedup.begin(List.of("a", "b"), "me"));
        await(dedup.begin(List.of("b", "c"), "you"));

        dedup.allDone("me");

        assertThat(await(dedup.begin(List.of("a", "b", "c", "d"), "they")))
                .containsExactly(State.DONE, State.DONE, State.IN_FLIGHT, State.FRESH);
    }

    @Test
    void what_nobody_ended_in_time_is_free_and_whoever_was_too_slow_does_not_end_it_for_the_next_one() {
        NotificationDedup brief = new NotificationDedup(
                link(Services.redisUri(), 1_000), prefix, new Marks(Duration.ofMillis(50), Duration.ofHours(5)));
        NotificationDedup dedup = shared();
        await(brief.begin(List.of("a", "b", "c"), "slow"));
        Redis redis = Redis.createClient(vertx, Services.redisUri());
        while (ttlMs(redis, "token:slow") > 0) {
            assertThat(ttlMs(redis, "a")).as("its marks stay").isPositive();
        }

        assertThat(await(dedup.begin(List.of("a", "b"), "next"))).containsExactly(State.FRESH, State.FRESH);
        dedup.allDone("slow");

        assertThat(await(dedup.begin(List.of("a", "b", "c"), "they")))
                .containsExactly(State.IN_FLIGHT, State.IN_FLIGHT, State.DONE);
    }

    /** As some hosted ones do. Nothing is lost, since the database knows repetitions too; but nobody would know why it is slow. */
    @Test
    void a_redis_that_refuses_scripts_is_gone_without_and_told_of_once() {
        Redis admin = Redis.createClient(vertx, Services.redisUri());
        String user = "u" + UUID.randomUUID();
        await(admin.send(Request.cmd(Command.ACL)
                .arg("SETUSER")
                .arg(user)
                .arg("on")
                .arg(">secret")
                .arg("~*")
                .arg("+@all")
                .arg("-@scripting")));
        String uri = Services.redisUri().replaceFirst("redis://([^@/]*@)?", "redis://" + user + ":secret@");
        try (Logs logs = new Logs("io.quittance.redis")) {
            NotificationDedup dedup = new NotificationDedup(link(uri, 1), prefix, Marks.USUAL);
            for (int i = 0; i < 20; i++) {
                assertThat(await(dedup.begin(List.of("a", "b"), "me"))).containsExactly(State.FRESH, State.FRESH);
            }
            assertThat(logs.lines())
                    .singleElement()
                    .asString()
                    .startsWith("WARN Redis is not to be had, and everything goes on without it")
                    .contains("NOPERM")
                    .doesNotContain("secret");
        } finally {
            await(admin.send(Request.cmd(Command.ACL).arg("DELUSER").arg(user)));
        }
    }

    @Test
    void only_its_owner_gives_a_notification_back_and_nobody_undoes_what_is_done() {
        NotificationDedup dedup = shared();
        await(dedup.begin(List.of("a", "b"), "me"));
        dedup.done(Set.of("b"));

        dedup.release(Set.of("a", "b"), "you");
        assertThat(await(dedup.begin(List.of("a", "b"), "you"))).containsExactly(State.IN_FLIGHT, State.DONE);
        dedup.release(Set.of("a", "b"), "me");

        assertThat(await(dedup.begin(List.of("a", "b"), "you"))).containsExactly(State.FRESH, State.DONE);
    }

    @Test
    void marks_stay_as_long_as_they_are_meant_to() {
        Marks marks = new Marks(Duration.ofMinutes(2), Duration.ofHours(5));
        NotificationDedup dedup = new NotificationDedup(link(Services.redisUri(), 1_000), prefix, marks);
        Redis redis = Redis.createClient(vertx, Services.redisUri());

        await(dedup.begin(List.of("a", "b"), "me"));
        assertThat(ttlMs(redis, "token:me")).as("in flight").isBetween(minutes(1), minutes(2));
        dedup.allDone("me");
        dedup.done(Set.of("b"));
        await(dedup.begin(List.of("a", "b"), "you"));

        assertThat(ttlMs(redis, "token:me")).as("done").isBetween(minutes(299), minutes(300));
        assertThat(ttlMs(redis, "a")).isBetween(minutes(299), minutes(300));
        assertThat(ttlMs(redis, "b")).isBetween(minutes(299), minutes(300));
    }

    private static long minutes(int minutes) {
        return Duration.ofMinutes(minutes).toMillis();
    }

    @Test
    void gateways_with_other_prefixes_do_not_know_each_others_marks() {
        RedisLink link = link(Services.redisUri(), 1_000);
        await(new NotificationDedup(link, prefix + "1:", Marks.USUAL).begin(List.of("a"), "me"));

        assertThat(await(new NotificationDedup(link, prefix + "2:", Marks.USUAL).begin(List.of("a"), "you")))
                .containsExactly(State.FRESH);
    }

    @Test
    void without_redis_everything_is_fresh_and_after_a_few_failures_nobody_asks_any_more() {
        try (RestartableRedis redis = RestartableRedis.started()) {
            NotificationDedup dedup =
                    new NotificationDedup(link(redis.uri(), Duration.ofHours(1).toMillis()), prefix, Marks.USUAL);
            await(dedup.begin(List.of("a"), "me"));
            redis.stop();

            for (int failure = 0; failure < 4; failure++) {
                assertThat(await(dedup.begin(List.of("a", "b"), "you"))).containsExactly(State.FRESH, State.FRESH);
            }
            dedup.done(Set.of("a"));
            dedup.release(Set.of("b"), "you");
            redis.start();
            markDone(redis.uri(), "a");

            assertThat(await(dedup.begin(List.of("a"), "you")))
                    .as("the breaker is open, so the mark is not seen")
                    .containsExactly(State.FRESH);
        }
    }

    @Test
    void when_redis_is_back_its_marks_are_seen_again() {
        try (RestartableRedis redis = RestartableRedis.started()) {
            NotificationDedup dedup = new NotificationDedup(link(redis.uri(), 20), prefix, Marks.USUAL);
            redis.stop();
            for (int failure = 0; failure < 4; failure++) {
                await(dedup.begin(List.of("b"), "me"));
            }
            redis.start();
            markDone(redis.uri(), "a");

            long end = System.nanoTime() + Duration.ofSeconds(10).toNanos();
            while (await(dedup.begin(List.of("a"), "me")).get(0) != State.DONE) {
                assertThat(System.nanoTime()).as("Redis is not asked again").isLessThan(end);
            }
        }
    }

    private long ttlMs(Redis redis, String key) {
        return await(redis.send(Request.cmd(Command.PTTL).arg(prefix + key))).toLong();
    }

    private void markDone(String uri, String key) {
        Redis redis = Redis.createClient(vertx, uri);
        await(redis.send(Request.cmd(Command.SET).arg(prefix + key).arg("done")));
    }
}
