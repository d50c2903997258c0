package io.quittance.dispatch;

import io.quittance.domain.Evidence;
import io.quittance.domain.FactKind;
import io.quittance.domain.FactSource;
import io.quittance.domain.Ids;
import io.quittance.domain.OrderStatus;
import io.quittance.domain.Outcome;
import io.quittance.domain.PaymentFact;
import io.quittance.message.Bus;
import io.quittance.message.Submission.Verdict;
import io.quittance.store.OutboxStore;
import io.quittance.store.OutboxStore.Claimed;
import io.quittance.store.OutboxStore.IdTaken;
import io.vertx.core.Future;
import java.time.Clock;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries one claimed conclusion to its target and writes down what came of it. */
final class Courier {

    private static final Logger LOG = LoggerFactory.getLogger(Courier.class);
    private static final String REFUSED = "the target refused to fulfil the order";

    /** After these the money is on its way back, or nothing is left to go back. */
    private static final Set<Outcome> REFUND_IS_SETTLED = EnumSet.of(Outcome.APPLIED, Outcome.DUPLICATE, Outcome.STALE);

    private final OutboxStore outbox;
    private final Bus bus;
    private final Map<String, TargetDoor> doors;
    private final DispatchOptions options;
    private final Clock clock;
    private final RandomGenerator random;

    Courier(
            OutboxStore outbox,
            Bus bus,
            Map<String, TargetDoor> doors,
            DispatchOptions options,
            Clock clock,
            RandomGenerator random) {
        this.outbox = outbox;
        this.bus = bus;
        this.doors = doors;
        this.options = options;
        this.clock = clock;
        this.random = random;
    }

    /**
     * One try. If it cannot be written down, the lease lapses, and the next one to take the row asks first.
     *
     * @return how it ended; never fails
     */
    Future<Ending> carry(Claimed order, LeaseTerm lease) {
        return Future.succeededFuture().compose(start -> attempt(order, lease)).recover(failure -> {
            LOG.warn(
                    "order {}: the result of try {} could not be written down ({})",
                    Ids.hex(order.orderId()),
                    order.tries(),
                    failure.getClass().getSimpleName());
            return Future.succeededFuture(Ending.LEASE_LAPSES);
        });
    }

    private Future<Ending> attempt(Claimed order, LeaseTerm lease) {
        TargetDoor door = doors.get(order.target());
        if (order.tries() > options.triesMax()) {
            return review(order, "out of tries: the last lease was lost");
        }
        if (door == null) {
            return missed(order, "the configuration has no such target", false);
        }
        return order.isOutdated()
                ? withdraw(order, door, lease)
                : standing(order, door).compose(standing -> switch (standing) {
                    case STANDS -> send(order, door, lease);
                    case OUTDATED -> withdraw(order, door, lease);
                    case MAY_CHANGE ->
                        postpone(
                                order,
                                "it may still change",
                                options.backoffMax().toMillis());
                });
    }

    private Future<Ending> send(Claimed order, TargetDoor door, LeaseTerm lease) {
        return Future.succeededFuture()
                .compose(start -> reach(door, order, lease))
                .otherwise(broken -> new Reply.NotSent(
                        "no request can be made of it: " + broken.getClass().getSimpleName()))
                .compose(reply -> settle(order, reply));
    }

    /**
     * A paid order stays paid. What else there is to tell is looked at again under the lease; and a target that takes no
     * corrections is told of a closed order only once that can no longer change.
     */
    private Future<Standing> standing(Claimed order, TargetDoor door) {
        if (order.conclusion() == OrderStatus.PAID) {
            return Future.succeededFuture(Standing.STANDS);
        }
        if (!order.conclusion().isClosedUnpaid() || door.takesCorrections()) {
            return outbox.statusOf(order.orderId())
                    .map(now -> now == order.conclusion() ? Standing.STANDS : Standing.OUTDATED);
        }
        PaymentFact fact = PaymentFact.bare(
                FactKind.ORDER_CLOSED_FOR_GOOD,
                Ids.hex(order.orderId()),
                Evidence.ours(FactSource.TIMER, clock.instant()),
                null);
        return bus.submit(fact).map(verdict -> switch (verdict.outcome()) {
            case APPLIED, DUPLICATE -> Standing.STANDS;
            case STALE -> Standing.OUTDATED;
            default -> Standing.MAY_CHANGE;
        });
    }

    /** Whether the target got it before is asked, if that matters; what was never told need not be. */
    private Future<Ending> withdraw(Claimed order, TargetDoor door, LeaseTerm lease) {
        String reason = "the order is " + order.orderStatus() + " by now";
        if (order.conclusion() != OrderStatus.PAID || !order.uncertain()) {
            return ended(outbox.withdrawn(order.orderId(), order.lease(), reason), Ending.DONE);
        }
        if (!door.canBeAsked()) {
            return review(order, reason + ", and nobody knows whether the target has it");
        }
        return door.ask(order, lease)
                .compose(reply -> reply instanceof Reply.Lacks
                        ? ended(outbox.withdrawn(order.orderId(), order.lease(), reason), Ending.DONE)
                        : settle(order, reply));
    }

    private Future<Ending> postpone(Claimed order, String reason, long millis) {
        return ended(outbox.postponed(order.orderId(), order.lease(), "not tried: " + reason, millis), Ending.WAITS);
    }

    private Future<Reply> reach(TargetDoor door, Claimed order, LeaseTerm lease) {
        boolean creates = order.conclusion() == OrderStatus.PAID;
        if (!creates || !order.uncertain() || !door.canBeAsked()) {
            return door.post(order, lease);
        }
        return door.ask(order, lease)
                .compose(reply ->
                        reply instanceof Reply.Lacks ? door.post(order, lease) : Future.succeededFuture(reply));
    }

    private Future<Ending> settle(Claimed order, Reply reply) {
        if (reply instanceof Reply.Has has) {
            return complete(order, has.id());
        }
        if (reply instanceof Reply.Heard) {
            return complete(order, null);
        }
        if (reply instanceof Reply.Refuses) {
            return refund(order);
        }
        if (reply instanceof Reply.Resting) {
            return postpone(order, "the target is left alone", restMillis());
        }
        if (reply instanceof Reply.NotSent notSent) {
            return missed(order, notSent.reason(), false);
        }
        String reason = reply instanceof Reply.Unclear unclear ? unclear.reason() : "no answer";
        return missed(order, reason, true);
    }

    private Future<Ending> complete(Claimed order, @Nullable String id) {
        return ended(outbox.complete(order.orderId(), order.lease(), id), Ending.DONE)
                .recover(failure -> failure instanceof IdTaken
                        ? review(order, "the target gave an id that another order has")
                        : Future.failedFuture(failure));
    }

    /** First the fact, then the note: whoever dies in between leaves a row that is tried, refused and told again. */
    private Future<Ending> refund(Claimed order) {
        PaymentFact fact = PaymentFact.bare(
                FactKind.FULFILMENT_REJECTED,
                Ids.hex(order.orderId()),
                Evidence.ours(FactSource.TARGET, clock.instant()),
                REFUSED);
        return bus.submit(fact).map(Verdict::outcome).transform(told -> {
            if (told.succeeded() && REFUND_IS_SETTLED.contains(told.result())) {
                return ended(outbox.rejected(order.orderId(), order.lease(), REFUSED), Ending.DONE);
            }
            String why = told.succeeded()
                    ? told.result().name()
                    : told.cause().getClass().getSimpleName();
            return missed(order, "refused, and the refund could not be requested: " + why, false);
        });
    }

    private Future<Ending> missed(Claimed order, String reason, boolean uncertain) {
        if (order.tries() >= options.triesMax()) {
            return review(order, reason);
        }
        LOG.warn(
                "order {} was not delivered to {}: {} (try {} of {})",
                Ids.hex(order.orderId()),
                order.target(),
                reason,
                order.tries(),
                options.triesMax());
        long wait = backoffMillis(options, order.tries(), random);
        return ended(outbox.failed(order.orderId(), order.lease(), reason, wait, uncertain), Ending.WAITS);
    }

    private Future<Ending> review(Claimed order, String reason) {
        LOG.warn(
                "order {} could not be delivered to {} in {} tries, a person must look: {}",
                Ids.hex(order.orderId()),
                order.target(),
                order.tries(),
                reason);
        return ended(outbox.review(order.orderId(), order.lease(), reason), Ending.DONE);
    }

    private static Future<Ending> ended(Future<Boolean> change, Ending ending) {
        return change.map(changed -> changed ? ending : Ending.LEASE_LOST);
    }

    /** Gives back a row that nothing was tried for. */
    Future<Ending> giveBack(Claimed order) {
        return postpone(order, "shutting down", 0);
    }

    /** Somewhat after the next time that the breaker lets a call through, and not all at once. */
    long restMillis() {
        long reset = options.breakerReset().toMillis();
        return reset + random.nextLong(reset);
    }

    /** Exponential backoff with full jitter: anything up to the doubled base, so that failed rows do not march in step. */
    static long backoffMillis(DispatchOptions options, int tries, RandomGenerator random) {
        long longest = options.backoffMax().toMillis();
        long base = options.backoffBase().toMillis();
        int doublings = Math.min(tries - 1, Long.SIZE - 2);
        long bound = base > longest >> doublings ? longest : base << doublings;
        return 1 + random.nextLong(bound);
    }

    /** Whether a conclusion may be told. */
    private enum Standing {
        STANDS,
        OUTDATED,
        MAY_CHANGE
    }

    /** How a try ended for its row. */
    enum Ending {
        /** Nothing more will be tried. */
        DONE,
        /** There will be another try. */
        WAITS,
        /** Somebody else has the row. */
        LEASE_LOST,
        /** The database could not be told, so the lease will lapse. */
        LEASE_LAPSES
    }
}
