package io.quittance.dev;

import io.quittance.app.Gateway;
import io.quittance.config.Config;
import io.quittance.config.ServiceUri;
import io.quittance.http.ResultLinks;
import io.quittance.psp.sandbox.Faults;
import io.quittance.psp.sandbox.SandboxKeys;
import io.quittance.psp.sandbox.SandboxOptions;
import io.quittance.psp.sandbox.SandboxPsp;
import io.quittance.store.Migrations;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Everything on one machine, for trying and for demonstrations: the gateway with a Postgres and a Redis of its own, a
 * sandbox that plays the PSPs, and a target that plays the system which acts on conclusions. The data is kept between
 * runs. Starting and stopping block the caller.
 */
public final class DevMode implements AutoCloseable {

    /** The key with which the sandbox merchant authorises; it is worth nothing outside this mode. */
    public static final String API_KEY = "dev-key";

    static final String ACCOUNT = "acme";

    /** The demonstration's target hears everything. */
    private static final JsonArray CONCLUSIONS =
            new JsonArray(List.of("PAID", "FAILED", "EXPIRED", "CANCELLED", "REFUNDED"));

    /** Long enough for the demonstration's late payers, and short enough to be waited for. */
    private static final String FINAL_AFTER = "PT12S";

    static final String TARGET_SECRET = "whsec_ZGV2LW1vZGUtdGFyZ2V0LXNlY3JldC0wMQ==";

    private static final long STEP_SECONDS_MAX = 60;

    private final Vertx vertx;
    private final EmbeddedPostgres17 postgres;
    private final EmbeddedRedis redis;
    private final @Nullable Stage stage;
    private final Config config;
    private final Gateway gateway;

    /** The sandbox and the target; absent if the configuration brings PSPs of its own. */
    record Stage(SandboxPsp psp, int pspPort, SandboxTarget target, int targetPort) {}

    private DevMode(
            Vertx vertx,
            EmbeddedPostgres17 postgres,
            EmbeddedRedis redis,
            @Nullable Stage stage,
            Config config,
            Gateway gateway) {
        this.vertx = vertx;
        this.postgres = postgres;
        this.redis = redis;
        this.stage = stage;
        this.config = config;
        this.gateway = gateway;
    }

    /**
     * How to start.
     *
     * @param data where the data is kept
     * @param configFile a configuration with PSPs and targets of its own; absent for the sandbox
     * @param httpPort the public port, unless the configuration file or the environment says another; 0 for any free one
     * @param sandboxPort the sandbox PSP's port; 0 for any free one
     */
    public record Options(Path data, @Nullable Path configFile, int httpPort, int sandboxPort) {}

    /**
     * Starts everything, or closes again what it had started and says why it cannot.
     *
     * @throws EmbeddedServerFailed if a server does not start
     */
    public static DevMode start(Options options, Map<String, String> environment) throws IOException {
        Vertx vertx = Gateway.eventLoops();
        EmbeddedPostgres17 postgres = null;
        EmbeddedRedis redis = null;
        Stage stage = null;
        try {
            Files.createDirectories(options.data());
            postgres = EmbeddedPostgres17.start(
                    EmbeddedPostgres17.Settings.in(options.data().resolve("postgres")));
            redis = EmbeddedRedis.start(0);
            Config config;
            if (options.configFile() == null) {
                int httpPort = options.httpPort() == 0 ? LoopbackPorts.free() : options.httpPort();
                stage = stage(vertx, options, httpPort);
                String secret = viewTokenSecret(options.data().resolve("view-token-secret"));
                config = Config.parse(
                        document(stage, httpPort, secret).encode(), options.data(), environment, Config.Mode.DEV);
                stage.psp().notifyBase("http://127.0.0.1:" + config.http().port() + "/v1/notify");
            } else {
                config = Config.load(options.configFile(), environment, Config.Mode.DEV);
            }
            config = config.withServers(new ServiceUri(postgres.uri("postgres")), new ServiceUri(redis.uri()));
            Migrations.run(config.postgres().uri().value());
            Gateway gateway = await(Gateway.start(vertx, config, Clock.systemUTC()));
            watch(gateway, config, options.configFile(), environment);
            return new DevMode(vertx, postgres, redis, stage, config, gateway);
        } catch (IOException | RuntimeException failure) {
            close(vertx, stage, redis, postgres);
            throw failure;
        }
    }

    private static void watch(
            Gateway gateway, Config config, @Nullable Path configFile, Map<String, String> environment) {
        if (configFile != null) {
            gateway.watch(() -> Config.load(configFile, environment, Config.Mode.DEV)
                    .withServers(config.postgres().uri(), config.redis().uri()));
        }
    }

    private static Stage stage(Vertx vertx, Options options, int httpPort) throws IOException {
        SandboxKeys keys = keys(options.data().resolve("sandbox-keys.json"));
        String notifyBase = "http://127.0.0.1:" + httpPort + "/v1/notify";
        SandboxPsp psp = SandboxPsp.create(
                vertx, SandboxOptions.of(ACCOUNT, notifyBase).withKeys(keys).withFaults(Faults.none()));
        int pspPort = await(psp.start(options.sandboxPort())
                .recover(failure -> Future.failedFuture(new IllegalStateException(
                        "The sandbox PSP cannot listen on port " + options.sandboxPort()
                                + ". Choose another with --sandbox-port, 0 for any free one. ("
                                + failure.getMessage() + ")",
                        failure))));
        SandboxTarget target =
                SandboxTarget.create(vertx, TARGET_SECRET, SandboxTarget.Repeats.NAIVE, Clock.systemUTC());
        int targetPort = await(target.start(0));
        return new Stage(psp, pspPort, target, targetPort);
    }

    /** The sandbox keeps its keys, so that what it signed before a restart is still believed after it. */
    private static SandboxKeys keys(Path file) throws IOException {
        SandboxKeys keys = Files.exists(file)
                ? SandboxKeys.fromJson(new JsonObject(Files.readString(file)))
                : SandboxKeys.generate();
        // written again, since keys of an earlier version may have got new ones beside them
        Files.writeString(file, keys.toJson().encode());
        return keys;
    }

    /** Kept as well, so that links to result pages outlive a restart. */
    private static String viewTokenSecret(Path file) throws IOException {
        if (Files.exists(file)) {
            return Files.readString(file);
        }
        byte[] random = new byte[ResultLinks.SECRET_BYTES_MIN];
        new SecureRandom().nextBytes(random);
        String secret = Base64.getEncoder().encodeToString(random);
        Files.writeString(file, secret);
        return secret;
    }

    private static JsonObject document(Stage stage, int httpPort, String viewTokenSecret) {
        String targetUrl = "http://127.0.0.1:" + stage.targetPort() + "/orders";
        JsonArray accounts = new JsonArray();
        for (String psp : new String[] {"stripe", "alipay", "wechatpay", "adyen", "standardwebhooks"}) {
            accounts.add(stage.psp()
                    .accountSettings(psp)
                    .copy()
                    .put("name", psp)
                    .put("account", ACCOUNT)
                    .put("allow_private", true));
        }
        return new JsonObject()
                .put(
                        "http",
                        new JsonObject()
                                .put("host", "127.0.0.1")
                                .put("port", httpPort)
                                .put("view_token_secret", viewTokenSecret))
                .put("checkout", new JsonObject().put("expires_in_min", "PT1S"))
                .put(
                        "timeout",
                        new JsonObject()
                                .put("poll", "PT0.5S")
                                .put("retry_first", "PT0.5S")
                                .put("retry_max", "PT5S")
                                .put("grace", "PT1S"))
                .put(
                        "refund",
                        new JsonObject()
                                .put("poll", "PT0.5S")
                                .put("retry_first", "PT0.5S")
                                .put("retry_max", "PT5S"))
                .put(
                        "dispatch",
                        new JsonObject()
                                .put("retry_first", "PT0.2S")
                                .put("retry_max", "PT5S")
                                .put("call_timeout", "PT2S"))
                .put(
                        "merchants",
                        new JsonArray()
                                .add(new JsonObject()
                                        .put("id", ACCOUNT)
                                        .put("api_key_sha256", new JsonArray().add(sha256(API_KEY)))
                                        .put("target", "erp")))
                .put("psp", accounts)
                .put(
                        "targets",
                        new JsonArray()
                                .add(new JsonObject()
                                        .put("name", "erp")
                                        .put("url", targetUrl)
                                        .put("secret", TARGET_SECRET)
                                        .put("lookup_url", targetUrl + "/{order_no}")
                                        .put("conclusions", CONCLUSIONS)
                                        .put("final_after", FINAL_AFTER)
                                        .put("allow_private", true)));
    }

    private static String sha256(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JDK has SHA-256", impossible);
        }
    }

    Vertx vertx() {
        return vertx;
    }

    public Config config() {
        return config;
    }

    @Nullable Stage stage() {
        return stage;
    }

    public String gatewayUrl() {
        return "http://127.0.0.1:" + config.http().port();
    }

    /** Where the sandbox PSP listens; empty if there is none. */
    public String sandboxUrl() {
        return stage == null ? "" : "http://127.0.0.1:" + stage.pspPort();
    }

    public String postgresUri() {
        return config.postgres().uri().value();
    }

    /** In order: the gateway, those who talk to it, Redis, Postgres. */
    @Override
    public void close() {
        await(gateway.close().otherwiseEmpty());
        close(vertx, stage, redis, postgres);
    }

    private static void close(
            Vertx vertx, @Nullable Stage stage, @Nullable EmbeddedRedis redis, @Nullable EmbeddedPostgres17 postgres) {
        if (stage != null) {
            await(stage.psp().close().otherwiseEmpty());
            await(stage.target().close().otherwiseEmpty());
        }
        await(vertx.close().otherwiseEmpty());
        if (redis != null) {
            redis.close();
        }
        if (postgres != null) {
            postgres.close();
        }
    }

    static <T> T await(Future<T> future) {
        try {
            return future.await(STEP_SECONDS_MAX, TimeUnit.SECONDS);
        } catch (TimeoutException late) {
            throw new IllegalStateException("a step took more than " + STEP_SECONDS_MAX + " seconds", late);
        }
    }
}
