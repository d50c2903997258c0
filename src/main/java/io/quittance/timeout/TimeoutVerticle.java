package io.quittance.timeout;

import io.quittance.domain.Ids;
import io.quittance.message.Addresses;
import io.quittance.message.Alarm;
import io.quittance.message.Bus;
import io.quittance.psp.Psps;
import io.quittance.redis.Leases;
import io.quittance.store.TimerStore;
import io.quittance.store.TimerStore.Due;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Clock;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Wakes when the next order is due by the database clock, takes it for itself with a lease, and has it looked after.
 * Expiry is a conversation with the PSP ({@link Conversation}), not a clock.
 */
public final class TimeoutVerticle extends VerticleBase {

    private static final Logger LOG = LoggerFactory.getLogger(TimeoutVerticle.class);

    private final Bus bus;
    private final TimerStore timers;
    private final Conversation conversation;
    private final Leases leases;
    private final TimeoutOptions options;
    private @Nullable Alarm alarm;

    public TimeoutVerticle(Bus bus, TimerStore timers, Psps psps, Leases leases, TimeoutOptions options, Clock clock) {
        this.bus = bus;
        this.timers = timers;
        this.conversation = new Conversation(bus, psps, options, clock);
        this.leases = leases;
        this.options = options;
    }

    @Override
    public Future<?> start() {
        Alarm created = new Alarm(vertx, "timeout", options.pauseMaxMs(), this::round, timers::nextDue);
        alarm = created;
        created.nudge();
        return bus.hear(Addresses.TIMER_SET, order -> created.nudge()).completion();
    }

    @Override
    public Future<?> stop() {
        return alarm == null ? Future.succeededFuture() : alarm.stop();
    }

    private Future<Boolean> round() {
        return timers.sweep(options.batchMax() * 10)
                .compose(swept ->
                        timers.claim(options.batchMax(), options.leaseMs(), options.graceMs(), options.ageLimitMs()))
                .compose(due -> Future.join(due.stream().map(this::lookAfter).toList())
                        .map(done -> due.size() == options.batchMax()));
    }

    private Future<Void> lookAfter(Due due) {
        String owner = Ids.hex(UUID.randomUUID());
        String lease = "order:" + Ids.hex(due.orderId());
        return leases.acquire(lease, owner, options.leaseMs())
                .compose(granted -> granted
                        ? conversation
                                .hold(due)
                                .compose(next -> apply(due, next))
                                .eventually(() -> leases.release(lease, owner))
                        : timers.postpone(due, options.backoff().pauseMs(due.tries())))
                .recover(failure -> {
                    LOG.warn(
                            "order {} could not be looked after and will be again: {}",
                            due.orderNo(),
                            failure.toString());
                    return Future.succeededFuture();
                });
    }

    private Future<Void> apply(Due due, Conversation.Next next) {
        return switch (next) {
            case DONE -> timers.remove(due);
            case WAIT_FOR_EXPIRY -> timers.untilExpiry(due);
            case LOOK_AGAIN -> timers.postpone(due, options.backoff().pauseMs(due.tries()));
            case LOOK_AGAIN_RARELY -> timers.postpone(due, options.backoff().maxMs());
        };
    }
}
