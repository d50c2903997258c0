package io.quittance.domain;

import io.quittance.domain.Snapshot.OrderState;
import java.util.List;
import java.util.Optional;

/** The rules for what is told to the system that acts on conclusions, and when: nothing that can still change. */
final class Conclusions {

    private Conclusions() {}

    /** What is to be told because the order becomes this; empty if nobody wants to hear it. */
    static Optional<Change> of(Snapshot snapshot, OrderStatus conclusion) {
        Audience audience = snapshot.audience();
        if (!audience.wants().contains(conclusion)) {
            return Optional.empty();
        }
        long waitMs = canChange(snapshot, conclusion) ? audience.finalAfterMs() : 0;
        return Optional.of(new Change.ConclusionQueued(conclusion, waitMs));
    }

    private static boolean canChange(Snapshot snapshot, OrderStatus conclusion) {
        if (conclusion == OrderStatus.REFUNDED) {
            // the PSP may still say that the money came back to us; that goes to a person, and is no correction
            return true;
        }
        boolean closing = conclusion.isClosedUnpaid();
        boolean lateMoneyCounts = snapshot.order().latePolicy() != LatePolicy.REFUND
                && !snapshot.attempts().isEmpty();
        return closing && lateMoneyCounts && !snapshot.audience().takesCorrections();
    }

    /** From now on, money that comes for the closed order goes back: somebody is about to be told that it is closed. */
    static Decision closedForGood(Snapshot snapshot) {
        OrderState order = snapshot.order();
        if (!order.status().isClosedUnpaid()) {
            return Decision.nothing(Outcome.STALE, "the order is " + order.status());
        }
        if (order.closedForGood()) {
            return Decision.nothing(Outcome.DUPLICATE, "already closed for good");
        }
        boolean mayBePaid = snapshot.attempts().stream()
                .anyMatch(attempt -> attempt.status().blocksOrder());
        if (mayBePaid) {
            return Decision.nothing(Outcome.WAITING, "an attempt may still have been paid");
        }
        boolean beforeAPerson =
                snapshot.reviews().stream().anyMatch(review -> review.reason() == ReviewReason.LATE_PAYMENT);
        if (beforeAPerson) {
            return Decision.nothing(Outcome.WAITING, "a person may still decide that late money pays it");
        }
        return new Decision(Outcome.APPLIED, "late money can no longer revive it", List.of(new Change.ClosedForGood()));
    }
}
