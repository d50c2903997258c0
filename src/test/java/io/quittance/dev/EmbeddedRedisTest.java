package io.quittance.dev;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quittance.testing.RestartableRedis;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
class EmbeddedRedisTest {

    @Test
    void listens_on_loopback_and_writes_nothing_to_disk(Vertx vertx) throws Exception {
        try (EmbeddedRedis server = EmbeddedRedis.start(0)) {
            assertThat(setting(vertx, server.uri(), "bind")).contains("127.0.0.1");
            assertThat(setting(vertx, server.uri(), "save")).doesNotContain("3600");
            assertThat(setting(vertx, server.uri(), "appendonly")).contains("no");
        }
    }

    @Test
    void a_taken_port_is_named() {
        try (EmbeddedRedis first = EmbeddedRedis.start(0)) {
            assertThatThrownBy(() -> EmbeddedRedis.start(first.port()).close())
                    .isInstanceOf(EmbeddedServerFailed.class)
                    .hasMessage(
                            "The embedded Redis cannot use port " + first.port() + ": another program listens on it.");
        }
    }

    @Test
    void a_test_can_stop_its_own_redis_and_start_it_at_the_same_address(Vertx vertx) throws Exception {
        try (RestartableRedis redis = RestartableRedis.started()) {
            assertThat(setting(vertx, redis.uri(), "appendonly")).contains("no");
            redis.stop();
            assertThatThrownBy(() -> setting(vertx, redis.uri(), "appendonly")).isNotNull();
            redis.start();
            assertThat(setting(vertx, redis.uri(), "appendonly")).contains("no");
        }
    }

    private static String setting(Vertx vertx, String uri, String name) throws Exception {
        Redis client = Redis.createClient(vertx, uri);
        Future<Response> answer =
                client.send(Request.cmd(Command.CONFIG).arg("GET").arg(name));
        try {
            return answer.toCompletionStage()
                    .toCompletableFuture()
                    .get(10, TimeUnit.SECONDS)
                    .toString();
        } finally {
            client.close();
        }
    }
}
