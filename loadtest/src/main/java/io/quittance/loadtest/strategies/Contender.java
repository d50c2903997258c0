package io.quittance.loadtest.strategies;

import io.quittance.dev.LoopbackPorts;
import io.quittance.domain.Audience;
import io.quittance.domain.Evidence;
import io.quittance.domain.FactKind;
import io.quittance.domain.FactSource;
import io.quittance.domain.Ids;
import io.quittance.domain.LatePolicy;
import io.quittance.domain.PaymentFact;
import io.quittance.engine.EngineOptions;
import io.quittance.engine.EngineVerticle;
import io.quittance.http.HttpOptions;
import io.quittance.http.HttpVerticle;
import io.quittance.http.LiveOptions;
import io.quittance.http.Merchants;
import io.quittance.http.NotifyCounters;
import io.quittance.http.OrderTerms;
import io.quittance.http.ResultLinks;
import io.quittance.message.Addresses;
import io.quittance.message.Bus;
import io.quittance.message.RareLog;
import io.quittance.message.Submission;
import io.quittance.message.Submission.Verdict;
import io.quittance.psp.CallbackUrls;
import io.quittance.psp.Psps;
import io.quittance.psp.standardwebhooks.StandardWebhooksAdapter;
import io.quittance.psp.standardwebhooks.StandardWebhooksSettings;
import io.quittance.redis.NotificationDedup;
import io.quittance.redis.NotificationDedup.Marks;
import io.quittance.redis.RedisLink;
import io.quittance.store.Database;
import io.quittance.store.Database.PoolLimits;
import io.quittance.store.DecisionStore;
import io.quittance.store.OrderReads;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisOptions;
import io.vertx.sqlclient.Pool;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * A scheme behind the gateway's own door: HTTP, verification, translation and the bus are the same for all; what answers
 * at the engine's address differs.
 */
final class Contender implements AutoCloseable {

    private static final int SHARDS = 2;
    private static final int ENGINE_CONNECTIONS = 4;
    /** The row schemes wait for Postgres with each statement: more connections, up to here, made them faster. */
    private static final int ROW_CONNECTIONS = 32;

    private static final int ROW_WAITING_MAX = 100_000;
    /** As in the gateway's configuration. */
    static final int USUAL_IN_FLIGHT_MAX = 2_000;

    private static final int BODY_BYTES_MAX = 1 << 20;
    private static final long UNMATCHED_REVIEW_MS = 3_600_000;
    private static final RedisLink.Limits REDIS = new RedisLink.Limits(4, 5_000, 10, 1_000);

    private final Vertx vertx;
    private final Pool pool;
    private final Bus bus;
    private final int port;
    private final Runnable redis;

    private Contender(Vertx vertx, Pool pool, Bus bus, int port, Runnable redis) {
        this.vertx = vertx;
        this.pool = pool;
        this.bus = bus;
        this.port = port;
        this.redis = redis;
    }

    /**
     * Starts one on a database of its own.
     *
     * @param eventLoops threads that the gateway may use
     * @param inFlightMax notifications at once; the next one is answered with 503
     */
    static Contender start(
            Scheme scheme, String database, String redisUri, byte[] key, int eventLoops, int inFlightMax) {
        Vertx vertx =
                Vertx.vertx(new VertxOptions().setEventLoopPoolSize(eventLoops).setPreferNativeTransport(true));
        Bus bus = new Bus(vertx, SHARDS, Clock.systemUTC());
        Pool pool;
        Runnable redis;
        if (scheme == Scheme.QUITTANCE) {
            pool = Database.keyedPool(vertx, database, PoolLimits.of("engine", ENGINE_CONNECTIONS));
            RedisLink link = new RedisLink(vertx, redisUri, REDIS);
            redis = () -> Servers.await(link.close());
            EngineOptions usual = EngineOptions.defaults(merchant -> Audience.ofPaid("erp"));
            for (int shard = 0; shard < SHARDS; shard++) {
                DecisionStore decisions = new DecisionStore(UNMATCHED_REVIEW_MS, (psp, account) -> false);
                NotificationDedup dedup = new NotificationDedup(link, "q:", Marks.USUAL);
                Servers.await(vertx.deployVerticle(new EngineVerticle(shard, bus, usual, pool, decisions, dedup)));
            }
        } else {
            // As the engine's: otherwise the server plans the reading of an order anew for each of them.
            pool = Database.keyedPool(
                    vertx,
                    database,
                    new PoolLimits("rows", ROW_CONNECTIONS, 1, ROW_WAITING_MAX, 256, Duration.ofSeconds(60)));
            Redis client = Redis.createClient(
                    vertx,
                    new RedisOptions()
                            .setConnectionString(redisUri)
                            .setMaxPoolSize(8)
                            .setMaxPoolWaiting(ROW_WAITING_MAX)
                            .setMaxWaitingHandlers(ROW_WAITING_MAX));
            redis = () -> Servers.await(client.close());
            Strategy strategy = strategy(scheme, vertx, pool, client);
            for (int shard = 0; shard < SHARDS; shard++) {
                Servers.await(bus.<Submission, Verdict>serve(Addresses.engine(shard), strategy::apply)
                        .ready());
            }
        }
        int port = LoopbackPorts.free();
        Supplier<HttpVerticle> doors = doors(bus, key, pool, port, inFlightMax);
        Servers.await(vertx.deployVerticle(doors, new DeploymentOptions().setInstances(eventLoops)));
        return new Contender(vertx, pool, bus, port, redis);
    }

    private static Strategy strategy(Scheme scheme, Vertx vertx, Pool pool, Redis redis) {
        return switch (scheme) {
            case NONE -> RowStrategies.none(pool);
            case PESSIMISTIC -> RowStrategies.pessimistic(pool);
            case OPTIMISTIC -> RowStrategies.optimistic(pool);
            case LOCK -> RowStrategies.lock(vertx, pool, redis);
            case QUITTANCE -> throw new IllegalArgumentException("the engine is no row strategy");
        };
    }

    /** The gateway's own door, as often as there are event loops. */
    private static Supplier<HttpVerticle> doors(Bus bus, byte[] key, Pool pool, int port, int inFlightMax) {
        StandardWebhooksSettings settings = StandardWebhooksSettings.parse(new JsonObject()
                .put(
                        "webhook_secrets",
                        new JsonArray().add("whsec_" + Base64.getEncoder().encodeToString(key))));
        // Nothing here calls a PSP, so that the adapter needs no way out.
        Psps psps = new Psps(List.of(new StandardWebhooksAdapter(Workload.ACCOUNT, settings, null, Clock.systemUTC())));
        HttpOptions options = new HttpOptions(
                port,
                "127.0.0.1",
                BODY_BYTES_MAX,
                inFlightMax,
                Duration.ofMinutes(1),
                new OrderTerms(
                        50,
                        Duration.ofMinutes(30),
                        Duration.ofMinutes(1),
                        Duration.ofDays(7),
                        Map.<String, LatePolicy>of()),
                Duration.ofSeconds(5),
                new ResultLinks(new CallbackUrls("http://127.0.0.1"), new byte[ResultLinks.SECRET_BYTES_MIN]),
                LiveOptions.of(1));
        Merchants nobody = new Merchants(Map.of());
        OrderReads orders = new OrderReads(pool);
        NotifyCounters counters = new NotifyCounters();
        RareLog rareLog = new RareLog(Clock.systemUTC());
        return () -> new HttpVerticle(options, nobody, psps, bus, orders, counters, rareLog, Clock.systemUTC());
    }

    int port() {
        return port;
    }

    /** What the timeout tracker says when an order's time ends: closed at the PSP, then out of time. */
    Future<Void> endTime(Workload.Race race) {
        Evidence asked = new Evidence(
                FactSource.QUERY,
                Workload.PSP,
                Workload.ACCOUNT,
                null,
                Clock.systemUTC().instant());
        PaymentFact closed =
                PaymentFact.payment(FactKind.PAYMENT_CLOSED, Ids.hex(race.attempt()), asked, null, "closed");
        PaymentFact over = PaymentFact.bare(
                FactKind.ORDER_TIME_OVER,
                Ids.hex(race.order()),
                Evidence.ours(FactSource.TIMER, Clock.systemUTC().instant()),
                null);
        return bus.submit(closed).compose(ended -> bus.submit(over)).mapEmpty();
    }

    @Override
    public void close() {
        for (String deployment : vertx.deploymentIDs()) {
            Servers.await(vertx.undeploy(deployment));
        }
        Servers.await(pool.close());
        redis.run();
        Servers.await(vertx.close());
    }
}
