package io.quittance.timeout;

import io.quittance.domain.Ids;
import io.quittance.message.Addresses;
import io.quittance.message.Alarm;
import io.quittance.message.Bus;
import io.quittance.psp.PspAdapter;
import io.quittance.psp.Psps;
import io.quittance.redis.Leases;
import io.quittance.store.TimerStore;
import io.quittance.store.TimerStore.Due;
import io.quittance.store.TimerStore.PutOff;
import io.quittance.timeout.Conversation.Next;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Wakes when the next order is due by the database clock, takes it for itself with a lease, and has it looked after.
 * Expiry is a conversation with the PSP ({@link Conversation}), not a clock, and each account is asked at its pace: an
 * order whose turn does not come soon waits in the database.
 */
public final class TimeoutVerticle extends VerticleBase {

    private static final Logger LOG = LoggerFactory.getLogger(TimeoutVerticle.class);

    /** Finished timers are removed this many times as fast as orders are taken in. */
    private static final int SWEEP_FACTOR = 10;

    /**
     * Between two rounds that nobody asked for. What was put off comes back one after the other, and a round for each would
     * cost the database more than all that is said about them.
     */
    private static final long ROUND_PAUSE_MIN_MS = 50;

    /** An order may wait for its turn for this part of its lease; the rest is for the calls. */
    private static final int WAITING_PART_OF_LEASE = 4;

    private final Bus bus;
    private final TimerStore timers;
    private final Psps psps;
    private final Leases leases;
    private final TimeoutOptions options;
    private final Clock clock;
    private @Nullable Running running;

    public TimeoutVerticle(Bus bus, TimerStore timers, Psps psps, Leases leases, TimeoutOptions options, Clock clock) {
        this.bus = bus;
        this.timers = timers;
        this.psps = psps;
        this.leases = leases;
        this.options = options;
        this.clock = clock;
    }

    @Override
    public Future<?> start() {
        Running started = new Running();
        running = started;
        started.alarm.nudge();
        return bus.hear(Addresses.TIMER_SET, order -> started.alarm.nudge()).completion();
    }

    @Override
    public Future<?> stop() {
        Running started = running;
        return started == null ? Future.succeededFuture() : started.stop();
    }

    /** What there is between start and stop. */
    private final class Running {

        private final Accounts accounts = new Accounts(vertx, context, options.callsPerSecond());
        private final Conversation conversation = new Conversation(bus, psps, timers, accounts, options, clock);
        private final Alarm alarm = new Alarm(vertx, "timeout", options.pauseMaxMs(), this::round, this::nextDue);
        private final Promise<Void> quiet = Promise.promise();
        private int inHand;
        private boolean full;
        /** Read where calls end, which may be elsewhere. */
        private volatile boolean stopped;

        private Future<Boolean> round() {
            int room = options.ordersMax() - inHand;
            if (room <= 0) {
                full = true;
                return Future.succeededFuture(false);
            }
            return timers.sweep(options.ordersMax() * SWEEP_FACTOR)
                    .compose(swept -> timers.claim(room, options.leaseMs(), options.graceMs(), options.ageLimitMs()))
                    .compose(due -> takeUp(due).map(taken -> taken && due.size() == room));
        }

        /** Who is full need not know what is due. */
        private Future<OptionalLong> nextDue() {
            return full
                    ? Future.succeededFuture(OptionalLong.empty())
                    : timers.nextDue().map(TimeoutVerticle::notTooSoon);
        }

        /**
         * Whether one was taken in. A burst of which all must wait is told so in steps, and not as fast as it can be; what
         * came due behind it is found so many steps later.
         */
        private Future<Boolean> takeUp(List<Due> due) {
            List<PutOff> later = new ArrayList<>();
            for (Due order : due) {
                Optional<PspAdapter> adapter = conversation.toAsk(order);
                if (adapter.isEmpty()) {
                    lookAfter(order, () -> conversation.withoutAsking(order), () -> {});
                    continue;
                }
                Account account = accounts.of(adapter.get());
                if (account.takeIn(ordersAnAccountMax(), options.leaseMs() / WAITING_PART_OF_LEASE)) {
                    lookAfter(order, () -> conversation.ask(order, adapter.get()), account::letGo);
                } else {
                    later.add(new PutOff(order, account.putOffMs()));
                }
            }
            boolean taken = later.size() < due.size();
            return later.isEmpty()
                    ? Future.succeededFuture(taken)
                    : timers.putOff(later).map(done -> taken);
        }

        /** All accounts together leave room, so that what is due at the others is always found. */
        private int ordersAnAccountMax() {
            int share = Math.max(1, options.ordersMax() / (psps.all().size() + 1));
            return Math.min(options.ordersAnAccountMax(), share);
        }

        private void lookAfter(Due due, Supplier<Future<Next>> conversation, Runnable whenDone) {
            inHand++;
            withLease(due, conversation)
                    .onComplete(done -> context.runOnContext(here -> {
                        whenDone.run();
                        ended();
                    }));
        }

        private void ended() {
            inHand--;
            if (full && inHand <= options.ordersMax() / 2) {
                full = false;
                alarm.nudge();
            }
            if (stopped && inHand == 0) {
                quiet.tryComplete();
            }
        }

        private Future<Void> stop() {
            stopped = true;
            accounts.close();
            return alarm.stop().compose(still -> inHand == 0 ? Future.succeededFuture() : quiet.future());
        }
    }

    private static OptionalLong notTooSoon(OptionalLong dueInMs) {
        return dueInMs.isPresent() ? OptionalLong.of(Math.max(dueInMs.getAsLong(), ROUND_PAUSE_MIN_MS)) : dueInMs;
    }

    private Future<Void> withLease(Due due, Supplier<Future<Next>> conversation) {
        String owner = Ids.hex(UUID.randomUUID());
        String lease = "order:" + Ids.hex(due.orderId());
        return leases.acquire(lease, owner, options.leaseMs())
                .compose(granted -> granted
                        ? conversation
                                .get()
                                .compose(next -> apply(due, next))
                                .eventually(() -> leases.release(lease, owner))
                        : timers.postpone(due, options.backoff().pauseMs(due.tries())))
                .recover(failure -> {
                    // who stops leaves what has not begun to the next one, and that is no news
                    if (!isStopping()) {
                        LOG.warn(
                                "order {} could not be looked after and will be again: {}",
                                due.orderNo(),
                                failure.toString());
                    }
                    return Future.succeededFuture();
                });
    }

    private boolean isStopping() {
        Running started = running;
        return started == null || started.stopped;
    }

    private Future<Void> apply(Due due, Next next) {
        return switch (next) {
            case DONE -> timers.remove(due);
            case WAIT_FOR_END -> timers.untilEnd(due);
            case LOOK_AGAIN -> timers.postpone(due, options.backoff().pauseMs(due.tries()));
            case LOOK_AGAIN_RARELY -> timers.postpone(due, options.backoff().maxMs());
        };
    }
}
