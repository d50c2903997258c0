package io.quittance.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.quittance.app.Gateway;
import io.quittance.config.Config;
import io.quittance.psp.sandbox.SandboxKeys;
import io.quittance.testing.Services;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Keys change while the gateway runs and notifications come in. */
class ReloadIT {

    private static final String OLD_KEYS = "old";
    private static final String NEW_KEYS = "new";
    private static final int BURST = 200;
    private static final long SECONDS_MAX = 20;

    private final SandboxKeys others = SandboxKeys.generate();
    private final Semaphore reads = new Semaphore(0);
    private Stage stage;
    private Gateway gateway;
    private LogTape tape;

    @TempDir
    private Path directory;

    @BeforeEach
    void start() throws IOException {
        tape = new LogTape().withInfoOf("io.quittance.app");
        stage = Stage.set(Services.redisUri());
        write("stripe-" + OLD_KEYS, secret(Stage.KEYS));
        write("stripe-" + NEW_KEYS, secret(others));
        write("quittance.yaml", config(List.of(OLD_KEYS)).encode());
        Config config = read();
        gateway = Stage.await(Gateway.start(stage.vertx(), config, Clock.systemUTC()));
        gateway.watch(() -> {
            reads.release();
            return read();
        });
    }

    @AfterEach
    void stop() {
        Stage.await(gateway.close());
        stage.close();
        tape.close();
    }

    @Test
    void a_secret_is_rotated_in_a_burst_without_a_gap_and_without_a_restart() throws Exception {
        assertThat(post("evt_1", Stage.KEYS)).isEqualTo(200);
        assertThat(post("evt_2", others)).isEqualTo(401);

        List<Future<Integer>> burst = burst("evt_burst_");
        reconfigure(config(List.of(OLD_KEYS, NEW_KEYS)));
        for (Future<Integer> answered : burst) {
            assertThat(Stage.await(answered)).isEqualTo(200);
        }
        assertThat(post("evt_2", others)).isEqualTo(200);
        assertThat(post("evt_3", Stage.KEYS)).isEqualTo(200);
        assertThat(stage.rows("select key_label from callbacks where event_id = 'evt_2'"))
                .singleElement()
                .satisfies(row -> assertThat(row.getString(0)).isEqualTo("secret 2"));

        reconfigure(config(List.of(NEW_KEYS)));
        assertThat(post("evt_4", Stage.KEYS)).isEqualTo(401);
        assertThat(post("evt_4", others)).isEqualTo(200);
        assertThat(Stage.await(stage.count("select count(*) from callbacks"))).isEqualTo(4 + BURST);
        assertThat(tape.events().toString())
                .contains("stripe/acme has new settings")
                .doesNotContain(secret(Stage.KEYS), secret(others));
    }

    @Test
    void a_file_that_an_entry_points_to_is_looked_at_as_well() throws Exception {
        write("stripe-" + OLD_KEYS, secret(others));
        awaitReads();
        assertThat(post("evt_1", Stage.KEYS)).isEqualTo(401);
        assertThat(post("evt_1", others)).isEqualTo(200);
    }

    @Test
    void mistakes_change_nothing_and_are_told() throws Exception {
        JsonObject publishable = config(List.of(OLD_KEYS));
        publishable.getJsonArray("psp").getJsonObject(0).put("api_key", "pk_live_x");
        reconfigure(publishable);
        write("quittance.yaml", "psp: [");
        awaitReads();
        Files.delete(directory.resolve("quittance.yaml"));
        awaitReads();
        assertThat(post("evt_1", Stage.KEYS)).isEqualTo(200);
        assertThat(tape.events().toString())
                .contains("api_key is a publishable key", "this is not YAML", "it cannot be read")
                .doesNotContain("pk_live_x");
    }

    @Test
    void an_account_that_is_taken_out_stays_until_the_next_start_and_a_new_one_comes_at_once() throws Exception {
        JsonObject config = config(List.of(OLD_KEYS));
        config.getJsonArray("psp").getJsonObject(0).put("account", "second");
        reconfigure(config);
        Notification signed = signed("evt_1", Stage.KEYS);
        assertThat(send(signed)).isEqualTo(200);
        assertThat(send(signed.withPath("/v1/notify/stripe/second"))).isEqualTo(200);
        assertThat(send(signed.withPath("/v1/notify/stripe/third"))).isEqualTo(404);
    }

    @Test
    void a_merchants_key_is_rotated_too() throws Exception {
        JsonObject config = config(List.of(OLD_KEYS));
        config.getJsonArray("merchants").getJsonObject(0).put("api_key_sha256", new JsonArray().add("0".repeat(64)));
        assertThat(Stage.await(stage.merchant().product("tee", "STOCK", 1).map(200)))
                .isEqualTo(200);
        reconfigure(config);
        assertThat(Stage.await(stage.merchant()
                        .product("tee", "STOCK", 1)
                        .map("let in")
                        .otherwise("kept out")))
                .isEqualTo("kept out");
    }

    private List<Future<Integer>> burst(String prefix) {
        List<Future<Integer>> answers = new ArrayList<>();
        for (int i = 0; i < BURST; i++) {
            answers.add(
                    stage.poster().send(signed(prefix + i, Stage.KEYS), false).map(Poster.Answer::status));
        }
        return answers;
    }

    private void reconfigure(JsonObject config) throws Exception {
        write("quittance.yaml", config.encode());
        awaitReads();
    }

    /** The fourth look from now began when the third was over, and two are enough for a change to be taken. */
    private void awaitReads() throws InterruptedException {
        reads.drainPermits();
        assertThat(reads.tryAcquire(4, SECONDS_MAX, TimeUnit.SECONDS)).isTrue();
    }

    private Config read() {
        return Config.load(directory.resolve("quittance.yaml"), Map.of(), Config.Mode.SERVE);
    }

    private JsonObject config(List<String> stripeSecrets) {
        JsonObject config = stage.config();
        JsonObject stripe = config.getJsonArray("psp").getJsonObject(0);
        assertThat(stripe.getString("name")).isEqualTo("stripe");
        JsonArray secrets = new JsonArray();
        stripeSecrets.forEach(name -> secrets.add("${file:stripe-" + name + "}"));
        stripe.put("webhook_secrets", secrets);
        config.getJsonObject("ops").put("reload_poll", "PT0.02S");
        return config;
    }

    private int post(String eventId, SandboxKeys keys) {
        return send(signed(eventId, keys));
    }

    private int send(Notification notification) {
        return Stage.await(stage.poster().send(notification, false)).status();
    }

    private static Notification signed(String eventId, SandboxKeys keys) {
        String body = new JsonObject()
                .put("id", eventId)
                .put("object", "event")
                .put("type", "customer.created")
                .put("livemode", false)
                .encode();
        return new Signer(keys).stripe(body, Instant.now().getEpochSecond());
    }

    private static String secret(SandboxKeys keys) {
        return keys.toJson().getJsonObject("stripe").getString("webhook_secret");
    }

    private void write(String name, String content) throws IOException {
        Files.write(directory.resolve(name), Buffer.buffer(content).getBytes());
    }
}
