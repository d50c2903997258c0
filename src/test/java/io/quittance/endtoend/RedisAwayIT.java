package io.quittance.endtoend;

import static io.quittance.endtoend.Stage.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.quittance.testing.RestartableRedis;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Redis makes things cheaper; the gateway does not need it. */
class RedisAwayIT {

    private static final int ORDERS = 150;
    private static final int PLACED_AT_ONCE = 16;
    private static final int COPIES = 2;
    private static final int SUCCESSES_BEFORE_STOP = 60;
    private static final int AT_ONCE = 24;

    private RestartableRedis redis;
    private TestGateway gateway;
    private Stage stage;
    private LogTape tape;

    @BeforeEach
    void start() {
        redis = RestartableRedis.started();
        gateway = TestGateway.start(redis.uri());
        stage = gateway.stage();
        tape = new LogTape();
    }

    @AfterEach
    void close() {
        gateway.close();
        redis.close();
        tape.close();
    }

    @Test
    void the_gateway_goes_on_without_redis_and_uses_it_again_when_it_is_back() {
        await(stage.merchant().product("tee", "STOCK", 2 * ORDERS));
        List<Notification> news = paid("first");
        assertThat(keys()).as("keys before").isZero();

        Promise<Void> stopped = Promise.promise();
        List<Notification> all = new ArrayList<>();
        for (int copy = 0; copy < COPIES; copy++) {
            all.addAll(news);
        }
        stream(all, stopped);
        assertThat(stopped.future().isComplete()).as("Redis was stopped").isTrue();

        stage.awaitSettled();
        assertThat(stage.target().records()).hasSize(ORDERS);

        redis.start();
        List<Notification> later = paid("second");
        stage.awaitUntil("Redis is used again", () -> {
            await(stage.poster().post(later.get(0)));
            return keys() > 0;
        });
        all(later);
        stage.awaitSettled();

        assertThat(keys()).as("notifications remembered").isGreaterThanOrEqualTo(later.size() / 2);
        assertThat(stage.violations()).isEmpty();
        assertThat(stage.target().records()).hasSize(2 * ORDERS);
        assertThat(stage.target().counts().doubles()).isZero();
    }

    /** A few at a time, one after the other; Redis goes in the middle. Each is answered with a success at once. */
    private void stream(List<Notification> news, Promise<Void> stopped) {
        List<Future<Void>> lanes = new ArrayList<>();
        for (int lane = 0; lane < AT_ONCE; lane++) {
            lanes.add(lane(news, lane, stopped));
        }
        await(Future.all(lanes));
    }

    private Future<Void> lane(List<Notification> news, int next, Promise<Void> stopped) {
        if (next >= news.size()) {
            return Future.succeededFuture();
        }
        return stage.poster().post(news.get(next)).compose(success -> {
            if (!success) {
                return Future.failedFuture("refused: " + news.get(next).eventId());
            }
            Future<Void> before = Future.succeededFuture();
            if (stage.poster().successesInTotal() >= SUCCESSES_BEFORE_STOP && stopped.tryComplete()) {
                Callable<Void> stop = () -> {
                    redis.stop();
                    return null;
                };
                before = stage.vertx().executeBlocking(stop, false);
            }
            return before.compose(gone -> lane(news, next + AT_ONCE, stopped));
        });
    }

    private void all(List<Notification> news) {
        await(Future.all(news.stream()
                .map(notification -> stage.poster().postUntilSuccess(notification, 1))
                .toList()));
    }

    private List<Notification> paid(String prefix) {
        stage.mailbox().hold();
        for (int from = 0; from < ORDERS; from += PLACED_AT_ONCE) {
            List<Future<Void>> together = new ArrayList<>();
            for (int i = from; i < Math.min(from + PLACED_AT_ONCE, ORDERS); i++) {
                together.add(stage.placeAndOpen(prefix + "-" + i, Stage.PSPS.get(i % Stage.PSPS.size()), "REFUND")
                        .compose(attempt -> stage.psp().pay(attempt)));
            }
            await(Future.all(together));
        }
        await(stage.psp().settled());
        return stage.mailbox().take();
    }

    private long keys() {
        Redis client = Redis.createClient(stage.vertx(), redis.uri());
        try {
            return await(client.send(Request.cmd(Command.DBSIZE))).toLong();
        } finally {
            await(client.close());
        }
    }
}
