package io.quittance.app;

import io.quittance.checkout.CheckoutOptions;
import io.quittance.checkout.CheckoutVerticle;
import io.quittance.config.Config;
import io.quittance.config.Limits;
import io.quittance.config.Secret;
import io.quittance.dispatch.DispatchOptions;
import io.quittance.dispatch.DispatchVerticle;
import io.quittance.dispatch.Target;
import io.quittance.domain.Audience;
import io.quittance.domain.LatePolicy;
import io.quittance.domain.OrderStatus;
import io.quittance.engine.EngineOptions;
import io.quittance.engine.EngineVerticle;
import io.quittance.http.HttpOptions;
import io.quittance.http.HttpVerticle;
import io.quittance.http.LiveOptions;
import io.quittance.http.Merchants;
import io.quittance.http.NotifyCounters;
import io.quittance.http.OrderTerms;
import io.quittance.http.ResultLinks;
import io.quittance.inquiry.InquiryOptions;
import io.quittance.inquiry.InquiryVerticle;
import io.quittance.message.Backoff;
import io.quittance.message.Bus;
import io.quittance.message.RareLog;
import io.quittance.psp.CallbackUrls;
import io.quittance.psp.PspAdapter;
import io.quittance.psp.Psps;
import io.quittance.psp.WarmUp;
import io.quittance.recovery.RecoveryVerticle;
import io.quittance.redis.Leases;
import io.quittance.redis.NotificationDedup;
import io.quittance.redis.NotificationDedup.Marks;
import io.quittance.redis.RedisLink;
import io.quittance.refund.RefundOptions;
import io.quittance.refund.RefundVerticle;
import io.quittance.store.CheckoutStore;
import io.quittance.store.CheckoutStore.AttemptLimits;
import io.quittance.store.Database;
import io.quittance.store.Database.PoolLimits;
import io.quittance.store.DecisionStore;
import io.quittance.store.InquiryStore;
import io.quittance.store.OrderReads;
import io.quittance.store.OutboxStore;
import io.quittance.store.RefundStore;
import io.quittance.store.TimerStore;
import io.quittance.store.UnmatchedStore;
import io.quittance.timeout.TimeoutOptions;
import io.quittance.timeout.TimeoutVerticle;
import io.vertx.core.Deployable;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.sqlclient.Pool;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One gateway: everything built, connected and started in order, and stopped in the reverse order, so that nothing is
 * taken in that cannot be finished and nobody loses a store that he still needs.
 */
public final class Gateway {

    /** So many failed calls within the window, and a target is left alone until the reset. */
    private static final int TARGET_BREAKER_FAILURES = 10;

    private static final Duration TARGET_BREAKER_WINDOW = Duration.ofSeconds(10);
    private static final Duration TARGET_BREAKER_RESET = Duration.ofSeconds(2);

    /** Timeout tracker and inquiries take the same leases. */
    private static final String LEASE_PREFIX = "quittance:l:";

    private static final Logger LOG = LoggerFactory.getLogger(Gateway.class);

    private final Vertx vertx;
    private final Config config;
    private final Clock clock;
    private final Deque<String> deployed = new ArrayDeque<>();
    private final NotifyCounters counters = new NotifyCounters();
    private final Pool enginePool;
    private final Pool workPool;
    private final RedisLink redis;
    private final Psps psps;
    private final Merchants merchants;
    private final Reload reload;
    private final Bus bus;
    private @Nullable ConfigWatch watch;

    private Gateway(Vertx vertx, Config config, Clock clock) {
        this.vertx = vertx;
        this.config = config;
        this.clock = clock;
        Adapters adapters = new Adapters(vertx, clock);
        this.psps = new Psps(adapters.build(config.psp()));
        this.merchants = new Merchants(Reload.merchantByKey(config));
        this.reload = new Reload(adapters, psps, merchants, config);
        String uri = config.postgres().uri().value();
        int engineConnections =
                config.postgres().engineConnections() * config.engine().shards();
        this.enginePool = Database.keyedPool(vertx, uri, limits("engine", engineConnections));
        this.workPool = Database.servingPool(
                vertx, uri, limits("work", config.postgres().workConnections()));
        this.redis = new RedisLink(
                vertx,
                config.redis().uri().value(),
                new RedisLink.Limits(
                        config.redis().connections(),
                        config.redis().callTimeout().toMillis(),
                        config.redis().breakerFailures(),
                        config.redis().breakerReset().toMillis()));
        this.bus = new Bus(vertx, config.engine().shards(), clock);
    }

    /** Event loops as a gateway likes them best: with the system's own transport where there is one. */
    public static Vertx eventLoops() {
        return Vertx.vertx(new VertxOptions().setPreferNativeTransport(true));
    }

    /**
     * Starts a gateway on a database whose schema is up to date. Fails, with everything closed again, if a port is
     * taken or an account's settings cannot be used.
     */
    public static Future<Gateway> start(Vertx vertx, Config config, Clock clock) {
        return Future.succeededFuture()
                .map(now -> new Gateway(vertx, config, clock))
                .compose(gateway -> gateway.deployAll().map(done -> gateway).recover(failure -> gateway.close()
                        .transform(closed -> Future.<Gateway>failedFuture(failure))));
    }

    /**
     * Has the configuration read again and again, and takes over what can change while the gateway runs.
     *
     * @param reader reads the whole of it; it may block
     */
    public void watch(Supplier<Config> reader) {
        watch = new ConfigWatch(vertx, reader, config, reload::apply);
    }

    /** What came in and was refused, by PSP and reason. */
    public NotifyCounters counters() {
        return counters;
    }

    /** Lets what is under way end, in order: the door, the workers, the engine, the stores. */
    public Future<Void> close() {
        Future<Void> unwatched = watch == null ? Future.succeededFuture() : watch.close();
        return unwatched
                .compose(still -> undeployNext())
                .eventually(workPool::close)
                .eventually(enginePool::close)
                .eventually(redis::close)
                .mapEmpty();
    }

    private Future<Void> undeployNext() {
        String id = deployed.poll();
        return id == null ? Future.succeededFuture() : vertx.undeploy(id).transform(gone -> undeployNext());
    }

    private Future<Void> deployAll() {
        return deployEngines(0)
                .compose(done -> deploy(checkout()))
                .compose(done -> deploy(timeouts()))
                .compose(done -> deploy(refunds()))
                .compose(done -> deploy(recovery()))
                .compose(done -> deploy(dispatch()))
                .compose(done -> deploy(inquiries()))
                .compose(done -> warmUp())
                .compose(done -> deployDoors());
    }

    private Future<Void> warmUp() {
        return vertx.executeBlocking(() -> {
            WarmUp.read(psps.all());
            return null;
        });
    }

    private Future<Void> deployEngines(int shard) {
        if (shard == config.engine().shards()) {
            return Future.succeededFuture();
        }
        Map<String, Audience> audiences = audiences();
        EngineOptions options = new EngineOptions(
                config.engine().batchMax(),
                config.engine().batchesInFlight(),
                config.engine().queueMax(),
                EngineOptions.defaults(Audience::ofPaid).roundsMax(),
                EngineOptions.PATIENCE_MS,
                EngineOptions.defaults(Audience::ofPaid).waitForOtherMs(),
                merchant -> audiences.getOrDefault(merchant, Audience.ofPaid("")));
        DecisionStore decisions =
                new DecisionStore(config.engine().unmatchedReviewAfter().toMillis(), this::isReturnedByPaymentId);
        NotificationDedup dedup = new NotificationDedup(
                redis,
                "quittance:seen:",
                new Marks(config.redis().inFlight(), config.redis().done()));
        return deploy(new EngineVerticle(shard, bus, options, enginePool, decisions, dedup))
                .compose(done -> deployEngines(shard + 1));
    }

    private boolean isReturnedByPaymentId(String psp, String account) {
        return psps.find(psp, account)
                .map(PspAdapter::isReturnedByPaymentId)
                // gone from the configuration while its payments are under way
                .orElse(true);
    }

    private Map<String, Audience> audiences() {
        Map<String, Audience> byTarget = new HashMap<>();
        for (Config.Target target : config.targets()) {
            Set<OrderStatus> wants =
                    target.conclusions().stream().map(OrderStatus::valueOf).collect(Collectors.toSet());
            byTarget.put(
                    target.name(),
                    new Audience(
                            target.name(),
                            wants,
                            target.corrections(),
                            target.finalAfter().toMillis()));
        }
        Map<String, Audience> byMerchant = new HashMap<>();
        config.merchants()
                .forEach(merchant -> byMerchant.put(
                        merchant.id(), Objects.requireNonNull(byTarget.get(merchant.target()), "checked when read")));
        return byMerchant;
    }

    private Deployable checkout() {
        long abandonedAfterMs = 60_000;
        CheckoutOptions options = new CheckoutOptions(
                urls(),
                new AttemptLimits(
                        config.recovery().callLease().toMillis(),
                        config.checkout().attemptsMax()),
                config.timeout().sessionAfterMax(),
                abandonedAfterMs);
        return new CheckoutVerticle(bus, psps, new CheckoutStore(workPool), new TimerStore(workPool), options, clock);
    }

    private Deployable timeouts() {
        var limits = config.timeout();
        TimeoutOptions options = new TimeoutOptions(
                urls(),
                limits.batchMax(),
                limits.callsInFlight(),
                limits.callsPerSecond(),
                limits.poll().toMillis(),
                limits.lease().toMillis(),
                limits.grace().toMillis(),
                limits.ageMax().toMillis(),
                limits.sessionAfterMax(),
                new Backoff(limits.retryFirst().toMillis(), limits.retryMax().toMillis()));
        Leases leases = new Leases(redis, LEASE_PREFIX);
        return new TimeoutVerticle(bus, new TimerStore(workPool), psps, leases, options, clock);
    }

    private Deployable inquiries() {
        var limits = config.inquiry();
        InquiryOptions options = new InquiryOptions(
                urls(),
                limits.callsInFlight(),
                limits.lease().toMillis(),
                limits.pauseMin().toMillis());
        Leases leases = new Leases(redis, LEASE_PREFIX);
        return new InquiryVerticle(bus, new InquiryStore(workPool), psps, leases, options, clock);
    }

    private Deployable refunds() {
        var limits = config.refund();
        RefundOptions options = new RefundOptions(
                urls(),
                limits.callsInFlight(),
                limits.poll().toMillis(),
                limits.lease().toMillis(),
                limits.ageMax().toMillis(),
                new Backoff(limits.retryFirst().toMillis(), limits.retryMax().toMillis()));
        return new RefundVerticle(bus, new RefundStore(workPool), psps, options, clock);
    }

    private Deployable recovery() {
        var limits = config.recovery();
        return new RecoveryVerticle(
                bus,
                new UnmatchedStore(workPool),
                limits.batchMax(),
                limits.poll().toMillis());
    }

    private Deployable dispatch() {
        var limits = config.dispatch();
        DispatchOptions options = new DispatchOptions(
                limits.batchMax(),
                limits.callsInFlight(),
                limits.lease(),
                Limits.Dispatch.CONNECT_TIMEOUT,
                limits.callTimeout(),
                limits.triesMax(),
                limits.retryFirst(),
                limits.retryMax(),
                limits.poll(),
                TARGET_BREAKER_FAILURES,
                TARGET_BREAKER_WINDOW,
                TARGET_BREAKER_RESET);
        List<Target> targets = config.targets().stream()
                .map(target -> Target.of(
                        target.name(),
                        target.url(),
                        target.secret().reveal(),
                        target.lookupUrl(),
                        target.corrections()))
                .toList();
        return new DispatchVerticle(new OutboxStore(workPool), bus, targets, options, clock, new SecureRandom());
    }

    private OrderTerms orderTerms() {
        Map<String, LatePolicy> policies = new HashMap<>();
        config.merchants().forEach(merchant -> policies.put(merchant.id(), LatePolicy.valueOf(merchant.latePolicy())));
        Limits.Checkout limits = config.checkout();
        return new OrderTerms(
                limits.itemsMax(), limits.expiresIn(), limits.expiresInMin(), limits.expiresInMax(), policies);
    }

    /** One an event loop that has a core of its own; a port that nobody chose cannot be shared. */
    private Future<Void> deployDoors() {
        HttpOptions options = httpOptions();
        RareLog rareLog = new RareLog(clock);
        OrderReads orders = new OrderReads(workPool);
        int instances = options.port() == 0 ? 1 : Runtime.getRuntime().availableProcessors();
        return vertx.deployVerticle(
                        () -> new HttpVerticle(options, merchants, psps, bus, orders, counters, rareLog, clock),
                        new DeploymentOptions().setInstances(instances))
                .onSuccess(deployed::push)
                .mapEmpty();
    }

    private HttpOptions httpOptions() {
        return new HttpOptions(
                config.http().port(),
                config.http().host(),
                config.http().bodyBytesMax(),
                config.http().inFlightMax(),
                config.http().idleTimeout(),
                orderTerms(),
                config.inquiry().returnWait(),
                new ResultLinks(urls(), viewTokenSecret()),
                LiveOptions.of(config.http().eventStreamsMax()));
    }

    private byte[] viewTokenSecret() {
        Secret configured = config.http().viewTokenSecret();
        if (configured != null) {
            return Base64.getDecoder().decode(configured.reveal());
        }
        LOG.warn("http.view_token_secret is not configured: links to result pages end when this process does, and no"
                + " other process knows them");
        byte[] random = new byte[ResultLinks.SECRET_BYTES_MIN];
        new SecureRandom().nextBytes(random);
        return random;
    }

    private CallbackUrls urls() {
        String configured = config.http().publicUrl();
        return new CallbackUrls(
                configured != null
                        ? configured
                        : "http://127.0.0.1:" + config.http().port());
    }

    private Future<Void> deploy(Deployable verticle) {
        return vertx.deployVerticle(verticle).onSuccess(deployed::push).mapEmpty();
    }

    private PoolLimits limits(String name, int connections) {
        return PoolLimits.of(name, connections)
                .withPipelining(config.postgres().pipelining())
                .withConnectTimeout(config.postgres().connectTimeout());
    }
}
