package io.quittance.testing;

import io.quittance.domain.Audience;
import io.quittance.engine.EngineOptions;
import io.quittance.engine.EngineVerticle;
import io.quittance.message.Bus;
import io.quittance.redis.NotificationDedup;
import io.quittance.redis.NotificationDedup.Marks;
import io.quittance.redis.RedisLink;
import io.quittance.store.Database;
import io.quittance.store.Database.PoolLimits;
import io.quittance.store.DecisionStore;
import io.vertx.core.Deployable;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import io.vertx.sqlclient.Pool;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.UUID;

/** What stands in one process of a gateway: its own event loops, bus, connections and engines. */
public final class BenchProcess implements AutoCloseable {

    private static final RedisLink.Limits REDIS = new RedisLink.Limits(4, 5_000, 3, 1_000);

    private final Vertx vertx = Vertx.vertx();
    private final Deque<String> deployed = new ArrayDeque<>();
    private final String prefix = "test:" + UUID.randomUUID() + ":";
    private final int shards;
    private final Pool pool;
    private final Bus bus;
    private final RedisLink link;
    private final Redis redis;

    BenchProcess(String database, int shards) {
        this.shards = shards;
        this.pool = Database.pool(vertx, database, PoolLimits.of("test", 8).withConnectTimeout(Duration.ofSeconds(10)));
        this.bus = new Bus(vertx, shards, Clock.systemUTC());
        this.link = new RedisLink(vertx, Services.redisUri(), REDIS);
        this.redis = Redis.createClient(vertx, Services.redisUri());
    }

    public Vertx vertx() {
        return vertx;
    }

    public Pool pool() {
        return pool;
    }

    public Bus bus() {
        return bus;
    }

    public RedisLink link() {
        return link;
    }

    public static EngineOptions engineOptions() {
        return EngineOptions.defaults(merchant -> Audience.ofPaid("target of " + merchant));
    }

    /** Starts the engine, all shards of it. */
    public BenchProcess withEngine() {
        return withEngine(engineOptions());
    }

    public BenchProcess withEngine(EngineOptions options) {
        return withEngine(options, Marks.USUAL);
    }

    /** Starts the engine with marks of its own in the dedup store. */
    public BenchProcess withEngine(EngineOptions options, Marks marks) {
        for (int shard = 0; shard < shards; shard++) {
            DecisionStore decisions = new DecisionStore(Duration.ofMinutes(10).toMillis(), (psp, account) -> true);
            NotificationDedup dedup = dedup(marks);
            deploy(new EngineVerticle(shard, bus, options, pool, decisions, dedup));
        }
        return this;
    }

    public String deploy(Deployable verticle) {
        String id = Bench.await(vertx.deployVerticle(verticle));
        deployed.push(id);
        return id;
    }

    /** The engine's dedup store, as another process on the same Redis has it. */
    public NotificationDedup dedup(Marks marks) {
        return new NotificationDedup(link, prefix, marks);
    }

    /** A notification's name in the dedup store. */
    public static String dedupKey(String eventId) {
        return Bench.PSP + ":" + Bench.ACCOUNT + ":" + eventId + ":0";
    }

    /** Sends a command to Redis; null for nil. */
    public String redis(Command command, Object... arguments) {
        Request request = Request.cmd(command);
        for (Object argument : arguments) {
            request.arg(String.valueOf(argument));
        }
        Response answer = Bench.await(redis.send(request));
        return answer == null ? null : answer.toString();
    }

    /** The last one that was started goes first, as in a gateway; a closing Vert.x would take their pools away before. */
    @Override
    public void close() {
        while (!deployed.isEmpty()) {
            String id = deployed.pop();
            if (vertx.deploymentIDs().contains(id)) {
                Bench.await(vertx.undeploy(id));
            }
        }
        Bench.await(vertx.close());
    }
}
