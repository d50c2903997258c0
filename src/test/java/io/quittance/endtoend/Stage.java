package io.quittance.endtoend;

import io.quittance.dev.LoopbackPorts;
import io.quittance.dev.SandboxTarget;
import io.quittance.psp.sandbox.Faults;
import io.quittance.psp.sandbox.SandboxKeys;
import io.quittance.psp.sandbox.SandboxOptions;
import io.quittance.psp.sandbox.SandboxPsp;
import io.quittance.store.Database;
import io.quittance.store.Database.PoolLimits;
import io.quittance.store.Invariants;
import io.quittance.store.Invariants.Violation;
import io.quittance.testing.Services;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Everything around a gateway: a database of its own, the sandbox PSP behind a gate, a target that knows nothing of
 * idempotency, a mailbox for notifications, and a merchant.
 */
final class Stage implements AutoCloseable {

    static final List<String> PSPS = List.of("stripe", "alipay", "wechatpay");
    static final String ACCOUNT = "acme";

    /** Making RSA keys takes a while; who signs is the same for all tests. */
    static final SandboxKeys KEYS = SandboxKeys.generate();

    static final String API_KEY = "endtoend-key";
    private static final String TARGET_SECRET = "whsec_ZW5kLXRvLWVuZC10ZXN0cy10YXJnZXQtc2VjcmV0";
    private static final long STEP_SECONDS_MAX = 60;
    private static final long LOOK_EVERY_MS = 50;

    /** How many orders, attempts, conclusions and refunds are not at their end. */
    private static final String OPEN = """
            select (select count(*) from orders where status = 'PENDING' and expires_at <= now() + interval '1 minute')
                 + (select count(*) from attempts a join orders o on o.id = a.order_id
                    where a.status in ('CREATED', 'PROCESSING', 'PENDING', 'UNKNOWN') and o.status <> 'PENDING')
                 + (select count(*) from outbox where status in ('PENDING', 'PROCESSING', 'FAILED'))
                 + (select count(*) from refunds where status in ('REQUESTED', 'PROCESSING', 'UNKNOWN'))
            """;

    private final Vertx vertx = Vertx.vertx();
    private final String database = Services.freshDatabase();
    private final int port = LoopbackPorts.free();
    private final String redisUri;
    private final SandboxPsp psp;
    private final SandboxTarget target;
    private final Mailbox mailbox;
    private final Gate gate;
    private final Pool pool;
    private final Poster poster;
    private final Merchant merchant;
    private final int pspPort;

    private Stage(String redisUri) {
        this.redisUri = redisUri;
        this.mailbox = await(Mailbox.open(vertx));
        this.psp = SandboxPsp.create(
                vertx,
                SandboxOptions.of(ACCOUNT, mailbox.base() + "/v1/notify")
                        .withKeys(KEYS)
                        .withFaults(Faults.none()));
        this.pspPort = await(psp.start(0));
        this.gate = await(Gate.open(vertx, pspPort));
        this.target = SandboxTarget.create(vertx, TARGET_SECRET, SandboxTarget.Repeats.NAIVE, Clock.systemUTC());
        await(target.start(0));
        this.pool = Database.pool(vertx, database, PoolLimits.of("test", 4));
        this.poster = new Poster(vertx, url());
        this.merchant = new Merchant(vertx, url(), API_KEY, ACCOUNT);
    }

    /** @param redisUri what the gateway shall use */
    static Stage set(String redisUri) {
        return new Stage(redisUri);
    }

    Vertx vertx() {
        return vertx;
    }

    SandboxPsp psp() {
        return psp;
    }

    SandboxTarget target() {
        return target;
    }

    Mailbox mailbox() {
        return mailbox;
    }

    Gate gate() {
        return gate;
    }

    Pool pool() {
        return pool;
    }

    Poster poster() {
        return poster;
    }

    Merchant merchant() {
        return merchant;
    }

    /** Where the gateway is to listen. */
    int port() {
        return port;
    }

    String url() {
        return "http://127.0.0.1:" + port;
    }

    /** The gateway's configuration: everything quick, and PSPs told to send their notifications to the mailbox. */
    JsonObject config() {
        JsonArray accounts = new JsonArray();
        for (String name : PSPS) {
            String settings = psp.accountSettings(name).encode().replace(":" + pspPort + "/", ":" + gate.port() + "/");
            accounts.add(new JsonObject(settings)
                    .put("name", name)
                    .put("account", ACCOUNT)
                    .put("allow_private", true));
        }
        JsonObject erp = new JsonObject()
                .put("name", "erp")
                .put("url", target.url())
                .put("secret", TARGET_SECRET)
                .put("lookup_url", target.lookupUrl())
                .put("allow_private", true);
        JsonObject owner = new JsonObject()
                .put("id", ACCOUNT)
                .put("api_key_sha256", new JsonArray().add(sha256(API_KEY)))
                .put("target", "erp");
        return limits().put(
                        "http",
                        new JsonObject()
                                .put("host", "127.0.0.1")
                                .put("port", port)
                                .put("public_url", mailbox.base())
                                .put("view_token_secret", "ZW5kLXRvLWVuZC10ZXN0cy12aWV3LXRva2VuLXNlY3JldA=="))
                .put("ops", new JsonObject().put("port", 0))
                .put("postgres", new JsonObject().put("uri", database))
                .put("redis", new JsonObject().put("uri", redisUri).put("breaker_reset", "PT0.2S"))
                .put("merchants", new JsonArray().add(owner))
                .put("psp", accounts)
                .put("targets", new JsonArray().add(erp));
    }

    private static JsonObject limits() {
        return new JsonObject()
                .put("checkout", new JsonObject().put("expires_in_min", "PT1S"))
                .put(
                        "timeout",
                        worker("PT0.01S", "PT5S")
                                .put("batch_max", 200)
                                .put("calls_in_flight", 64)
                                .put("calls_per_second", 1_000)
                                .put("grace", "PT1S"))
                .put("refund", worker("PT0.05S", "PT3S"))
                .put("dispatch", worker("PT0.05S", "PT8S").put("call_timeout", "PT1S"))
                .put(
                        "inquiry",
                        new JsonObject()
                                .put("calls_in_flight", 200)
                                .put("lease", "PT5S")
                                .put("pause_min", "PT0.01S")
                                .put("return_wait", "PT1S"))
                .put("recovery", new JsonObject().put("poll", "PT0.1S").put("call_lease", "PT1S"));
    }

    private static JsonObject worker(String poll, String lease) {
        return new JsonObject()
                .put("poll", poll)
                .put("lease", lease)
                .put("retry_first", "PT0.1S")
                .put("retry_max", "PT1S");
    }

    /** An order of one tee with an attempt that can be paid; the attempt's id. */
    Future<String> placeAndOpen(String orderNo, String at, String latePolicy) {
        return merchant.order(orderNo, "19.99", "tee", latePolicy)
                .compose(order -> merchant.attempt(orderNo, at))
                .compose(attempt -> {
                    String page = attempt.getJsonObject("pay").getString("url");
                    Future<Void> opened = page == null ? Future.succeededFuture() : psp.open(page);
                    return opened.map(done -> attempt.getString("id"));
                });
    }

    /** Waits until every order that is over, its conclusion and its refunds are at their end. */
    void awaitSettled() {
        awaitUntil("everything is settled", () -> await(psp.settled().compose(sent -> count(OPEN))) == 0);
    }

    /** Looks again and again, for at most a minute. */
    void awaitUntil(String what, Supplier<Boolean> condition) {
        long looks = TimeUnit.SECONDS.toMillis(STEP_SECONDS_MAX) / LOOK_EVERY_MS;
        for (long i = 0; i < looks; i++) {
            if (condition.get()) {
                return;
            }
            await(vertx.timer(LOOK_EVERY_MS));
        }
        throw new AssertionError("not within " + STEP_SECONDS_MAX + " s: " + what);
    }

    Future<Long> count(String sql) {
        return pool.query(sql).execute().map(rows -> rows.iterator().next().getLong(0));
    }

    List<Row> rows(String sql, Object... values) {
        List<Row> found = new ArrayList<>();
        await(pool.preparedQuery(sql).execute(Tuple.wrap(values))).forEach(found::add);
        return found;
    }

    /** What contradicts the promises. */
    List<Violation> violations() {
        return await(new Invariants(pool).check());
    }

    static <T> T await(Future<T> future) {
        try {
            return future.await(STEP_SECONDS_MAX, TimeUnit.SECONDS);
        } catch (TimeoutException late) {
            throw new AssertionError("a step took more than " + STEP_SECONDS_MAX + " seconds", late);
        }
    }

    @Override
    public void close() {
        await(psp.close().otherwiseEmpty());
        await(target.close().otherwiseEmpty());
        await(pool.close().otherwiseEmpty());
        await(vertx.close().otherwiseEmpty());
    }

    private static String sha256(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JDK has SHA-256", impossible);
        }
    }
}
