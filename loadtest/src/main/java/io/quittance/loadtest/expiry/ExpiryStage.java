package io.quittance.loadtest.expiry;

import io.quittance.app.Gateway;
import io.quittance.config.Config;
import io.quittance.dev.EmbeddedPostgres17;
import io.quittance.dev.EmbeddedRedis;
import io.quittance.dev.LoopbackPorts;
import io.quittance.dev.SandboxTarget;
import io.quittance.loadtest.load.LoadGenerator;
import io.quittance.loadtest.load.Shot;
import io.quittance.loadtest.sender.News;
import io.quittance.loadtest.sender.Sender;
import io.quittance.loadtest.sender.Signing;
import io.quittance.loadtest.sender.StandardWebhooksSender;
import io.quittance.psp.sandbox.SandboxOptions;
import io.quittance.psp.sandbox.SandboxPsp;
import io.quittance.store.Database;
import io.quittance.store.Database.PoolLimits;
import io.quittance.store.Migrations;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.Tuple;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A gateway with everything around it, in one process: its own event loops for it, others for the PSP, the target and the
 * load; a durable Postgres and a Redis of its own.
 */
final class ExpiryStage implements AutoCloseable {

    static final int PSP_ANSWER_MS = 5;

    private static final String ACCOUNT = "acme";
    private static final String TOLD_BY = "standardwebhooks";
    private static final String ASKED = "stripe";
    private static final String TARGET_SECRET = "whsec_bG9hZC10ZXN0LXRhcmdldC1zZWNyZXQtMDAwMQ==";
    private static final long AMOUNT_MINOR = 1_999;
    private static final int AT_ONCE = 16;

    /** Of the PSP that tells. */
    private static final int CONNECTIONS = 256;

    private static final long STEP_SECONDS_MAX = 120;

    private static final String ALL_END_AT_ONCE = """
            with ending as (
                update orders set expires_at = now() + $1::bigint * interval '1 millisecond'
                where order_no like 'storm-%' returning id, expires_at
            )
            update timers t set due_at = ending.expires_at from ending where t.order_id = ending.id
            """;

    private final Vertx gatewayLoops = Vertx.vertx();
    private final Vertx others = Vertx.vertx();
    private final EmbeddedPostgres17 postgres = EmbeddedPostgres17.start(EmbeddedPostgres17.Settings.temporary());
    private final EmbeddedRedis redis = EmbeddedRedis.start(0);
    private final HttpClient merchant = others.createHttpClient(new PoolOptions().setHttp1MaxSize(AT_ONCE));
    private final String uri = postgres.uri("postgres");
    private final Pool pool = Database.pool(others, uri, PoolLimits.of("loadtest", 2));
    private final int port;
    private final String gatewayUrl;
    private final SlowPsp psp;
    private final Sender sender;
    private final Config config;
    private final Gateway gateway;

    ExpiryStage() throws IOException {
        Migrations.run(uri);
        port = LoopbackPorts.free();
        gatewayUrl = "http://127.0.0.1:" + port;
        SandboxPsp sandbox = SandboxPsp.create(others, SandboxOptions.of(ACCOUNT, gatewayUrl + "/v1/notify"));
        int sandboxPort = await(sandbox.start(0));
        psp = new SlowPsp(others, sandboxPort, PSP_ANSWER_MS);
        int slowPort = await(psp.start());
        SandboxTarget target =
                SandboxTarget.create(others, TARGET_SECRET, SandboxTarget.Repeats.NAIVE, Clock.systemUTC());
        await(target.start(0));
        JsonObject told = sandbox.accountSettings(TOLD_BY);
        String asked = sandbox.accountSettings(ASKED).encode().replace(":" + sandboxPort, ":" + slowPort);
        sender = StandardWebhooksSender.of(told.getJsonArray("webhook_secrets").getString(0));
        config = Config.parse(
                document(told, new JsonObject(asked), target).encode(), Path.of(""), Map.of(), Config.Mode.SERVE);
        gateway = await(Gateway.start(gatewayLoops, config, Clock.systemUTC()));
        await(call(
                HttpMethod.PUT,
                "/v1/products/tee",
                new JsonObject().put("strategy", "STOCK").put("supplied", 1_000_000)));
    }

    /** All limits at their defaults. */
    private JsonObject document(JsonObject told, JsonObject asked, SandboxTarget target) {
        return new JsonObject()
                .put("http", new JsonObject().put("host", "127.0.0.1").put("port", port))
                .put("postgres", new JsonObject().put("uri", uri))
                .put("redis", new JsonObject().put("uri", redis.uri()))
                .put(
                        "merchants",
                        new JsonArray()
                                .add(new JsonObject()
                                        .put("id", ACCOUNT)
                                        .put("api_key_sha256", new JsonArray().add(Signing.sha256Hex("loadtest-key")))
                                        .put("target", "erp")))
                .put("psp", new JsonArray().add(account(told, TOLD_BY)).add(account(asked, ASKED)))
                .put(
                        "targets",
                        new JsonArray()
                                .add(new JsonObject()
                                        .put("name", "erp")
                                        .put("url", target.url())
                                        .put("secret", TARGET_SECRET)
                                        .put("lookup_url", target.lookupUrl())
                                        .put("allow_private", true)));
    }

    private static JsonObject account(JsonObject settings, String name) {
        return settings.copy().put("name", name).put("account", ACCOUNT).put("allow_private", true);
    }

    SlowPsp psp() {
        return psp;
    }

    int callsPerSecond() {
        return config.timeout().callsPerSecond();
    }

    /** Says that these attempts were paid, so many a second, whatever the answers do; blocks until all are answered. */
    Latencies tell(List<String> attempts, int perSecond) {
        Latencies latencies = new Latencies();
        Instant now = Instant.now();
        List<Shot> shots = attempts.stream().map(attempt -> paid(attempt, now)).toList();
        await(new LoadGenerator<>(others, List.of(port), CONNECTIONS, latencies).openLoop(shots, perSecond));
        return latencies;
    }

    private Shot paid(String attempt, Instant now) {
        News news = new News(News.Kind.SUCCEEDED, attempt, "pay_" + attempt, AMOUNT_MINOR, "CNY", now);
        return Shot.of(sender.sign(news, now).request("/v1/notify/" + TOLD_BY + "/" + ACCOUNT));
    }

    /** Attempts whose PSP only tells. */
    List<String> attemptsToBeTold(int howMany) {
        return attempts("told", howMany, TOLD_BY);
    }

    /** Live attempts whose PSP must be asked when their orders end. */
    void attemptsToBeAsked(String round, int howMany) {
        attempts("storm-" + round, howMany, ASKED);
    }

    private List<String> attempts(String prefix, int howMany, String account) {
        List<String> ids = new ArrayList<>();
        for (int from = 0; from < howMany; from += AT_ONCE) {
            List<Future<JsonObject>> together = new ArrayList<>();
            for (int i = from; i < Math.min(from + AT_ONCE, howMany); i++) {
                together.add(open(prefix + "-" + i, account));
            }
            together.forEach(attempt -> ids.add(await(attempt).getString("id")));
        }
        return ids;
    }

    private Future<JsonObject> open(String orderNo, String account) {
        JsonObject order = new JsonObject()
                .put("order_no", orderNo)
                .put("amount", new JsonObject().put("value", "19.99").put("currency", "CNY"))
                .put(
                        "items",
                        new JsonArray().add(new JsonObject().put("sku", "tee").put("quantity", 1)))
                .put("expires_in", "PT1H");
        JsonObject attempt = new JsonObject().put("psp", account).put("account", ACCOUNT);
        return call(HttpMethod.POST, "/v1/orders", order)
                .compose(placed -> call(HttpMethod.POST, "/v1/orders/" + orderNo + "/attempts", attempt));
    }

    private Future<JsonObject> call(HttpMethod method, String path, JsonObject body) {
        RequestOptions options = new RequestOptions()
                .setMethod(method)
                .setAbsoluteURI(gatewayUrl + path)
                .putHeader("Authorization", "Bearer loadtest-key")
                .putHeader("Content-Type", "application/json");
        return merchant.request(options).compose(request -> request.send(body.toBuffer())
                .compose(answer -> answer.body().map(read -> {
                    if (answer.statusCode() >= 300) {
                        throw new IllegalStateException(path + " was answered with " + read);
                    }
                    return new JsonObject(read);
                })));
    }

    /** Lets the time of all orders that must be asked about end in so many milliseconds, by the database's clock. */
    void endAllIn(long ms) {
        await(pool.preparedQuery(ALL_END_AT_ONCE).execute(Tuple.of(ms)));
    }

    /** How many of them have not expired. */
    long notExpired() {
        return number("select count(*) from orders where order_no like 'storm-%' and status <> 'EXPIRED'");
    }

    long number(String query) {
        return await(pool.query(query).execute()).iterator().next().getLong(0);
    }

    String postgresVersion() {
        return await(pool.query("show server_version").execute())
                .iterator()
                .next()
                .getString(0);
    }

    static <T> T await(Future<T> future) {
        try {
            return future.await(STEP_SECONDS_MAX, TimeUnit.SECONDS);
        } catch (TimeoutException late) {
            throw new IllegalStateException("a step took more than " + STEP_SECONDS_MAX + " seconds", late);
        }
    }

    @Override
    public void close() {
        await(gateway.close().otherwiseEmpty());
        await(pool.close().otherwiseEmpty());
        await(gatewayLoops.close().otherwiseEmpty());
        await(others.close().otherwiseEmpty());
        redis.close();
        postgres.close();
    }
}
