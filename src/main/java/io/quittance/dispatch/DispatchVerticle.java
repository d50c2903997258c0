package io.quittance.dispatch;

import io.quittance.domain.Ids;
import io.quittance.message.Addresses;
import io.quittance.message.Bus;
import io.quittance.store.OutboxStore;
import io.quittance.store.OutboxStore.Claim;
import io.quittance.store.OutboxStore.Claimed;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.PoolOptions;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Empties the outbox. It looks when it is told of a conclusion, when the next row comes due by the database's clock, and
 * when a delivery ends while more may be waiting. Only as much is claimed as can start at once, so no lease runs out in a
 * queue. Any number of instances may run side by side.
 */
public final class DispatchVerticle extends VerticleBase {

    private static final Logger LOG = LoggerFactory.getLogger(DispatchVerticle.class);

    private final OutboxStore outbox;
    private final Bus bus;
    private final List<Target> targets;
    private final DispatchOptions options;
    private final Clock clock;
    private final RandomGenerator random;
    private @Nullable Running running;

    private int inFlight;
    private boolean claiming;
    /** Whether rows may be waiting that the last claim did not take. */
    private boolean moreWaiting;

    private boolean stopping;
    private @Nullable Long timer;
    /** How often the outbox was asked for its next due row; only the answer to the last question counts. */
    private long questions;

    private final Promise<Void> drained = Promise.promise();

    /** What there is between start and stop. */
    private record Running(
            HttpClient client,
            Map<String, TargetDoor> doors,
            Courier courier,
            MessageConsumer<Addresses.Nudge> nudges) {}

    /** @param random for jitter and lease ids; if several instances share it, it must be safe for threads */
    public DispatchVerticle(
            OutboxStore outbox,
            Bus bus,
            List<Target> targets,
            DispatchOptions options,
            Clock clock,
            RandomGenerator random) {
        this.outbox = outbox;
        this.bus = bus;
        this.targets = List.copyOf(targets);
        this.options = options;
        this.clock = clock;
        this.random = random;
    }

    /** Fails if two targets have one name. */
    @Override
    public Future<?> start() {
        HttpClient client = vertx.createHttpClient(
                new HttpClientOptions()
                        .setConnectTimeout(
                                Math.toIntExact(options.connectLimit().toMillis())),
                new PoolOptions().setHttp1MaxSize(options.inFlightMax()));
        Map<String, TargetDoor> doors = targets.stream()
                .map(target -> new TargetDoor(vertx, client, target, options, clock))
                .collect(Collectors.toMap(TargetDoor::name, Function.identity()));
        Courier courier = new Courier(outbox, bus, doors, options, clock, random);
        running = new Running(client, doors, courier, bus.hear(Addresses.CONCLUDED, orderId -> look()));
        look();
        return Future.succeededFuture();
    }

    /** Claims nothing any more and waits for what is on its way, no longer than a lease. */
    @Override
    public Future<?> stop() {
        Running now = running();
        stopping = true;
        cancelTimer();
        reportIfDrained();
        return now.nudges
                .unregister()
                .compose(silent -> drained.future())
                .timeout(options.lease().toMillis(), TimeUnit.MILLISECONDS)
                .otherwiseEmpty()
                .compose(ended -> {
                    now.doors.values().forEach(TargetDoor::close);
                    return now.client.close();
                });
    }

    private void look() {
        if (stopping) {
            return;
        }
        int free = options.inFlightMax() - inFlight;
        if (claiming || free == 0) {
            moreWaiting = true;
            return;
        }
        int limit = Math.min(free, options.claimMax());
        claiming = true;
        moreWaiting = false;
        cancelTimer();
        LeaseTerm lease = LeaseTerm.startingNow(options.lease());
        claim(limit).onComplete(done -> {
            claiming = false;
            if (done.succeeded()) {
                claimed(done.result(), limit, lease);
            } else {
                LOG.warn(
                        "the outbox cannot be read: {}", done.cause().getClass().getSimpleName());
                sleep(options.sleepMax().toMillis());
            }
            reportIfDrained();
        });
    }

    private Future<Claim> claim(int limit) {
        Running now = running();
        Set<String> resting = now.doors.values().stream()
                .filter(TargetDoor::rests)
                .map(TargetDoor::name)
                .collect(Collectors.toSet());
        UUID lease = Ids.version7(clock.millis(), random.nextLong(), random.nextLong());
        return outbox.claim(limit, options.lease().toMillis(), lease, resting, now.courier.restMillis());
    }

    private void claimed(Claim claim, int limit, LeaseTerm lease) {
        claim.rows().forEach(order -> begin(order, lease));
        moreWaiting |= claim.touched() == limit;
        if (moreWaiting) {
            look();
        } else {
            sleepUntilDue();
        }
    }

    private void begin(Claimed order, LeaseTerm lease) {
        Courier courier = running().courier;
        inFlight++;
        bus.changed(order.orderId());
        Future<Courier.Ending> ending = stopping ? courier.giveBack(order) : courier.carry(order, lease);
        ending.onComplete(done -> {
            inFlight--;
            bus.changed(order.orderId());
            reportIfDrained();
            if (moreWaiting) {
                look();
            } else if (done.result() == Courier.Ending.WAITS) {
                sleepUntilDue();
            }
        });
    }

    private void sleepUntilDue() {
        if (stopping || claiming) {
            return;
        }
        long question = ++questions;
        outbox.nextDue().onComplete(next -> {
            if (question != questions) {
                return;
            }
            Long wait = next.succeeded() ? next.result() : null;
            long longest = options.sleepMax().toMillis();
            sleep(wait == null ? longest : Math.min(wait, longest));
        });
    }

    private void sleep(long millis) {
        if (stopping || claiming) {
            return;
        }
        cancelTimer();
        timer = vertx.setTimer(Math.max(1, millis), fired -> {
            timer = null;
            look();
        });
    }

    private void cancelTimer() {
        if (timer != null) {
            vertx.cancelTimer(timer);
            timer = null;
        }
    }

    private void reportIfDrained() {
        if (stopping && inFlight == 0 && !claiming) {
            drained.tryComplete();
        }
    }

    private Running running() {
        if (running == null) {
            throw new IllegalStateException("not started");
        }
        return running;
    }
}
