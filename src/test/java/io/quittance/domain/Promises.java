package io.quittance.domain;

import static org.assertj.core.api.Assertions.assertThat;

import io.quittance.domain.Snapshot.AttemptState;
import io.quittance.domain.Snapshot.OrderState;
import java.util.EnumSet;
import java.util.Set;
import java.util.UUID;

/** The invariants I1, I2, I3, I4, I5, I6 and I8, for one order, in the words of a test. */
final class Promises {

    private static final Set<FactKind> PROOFS_OF_AN_END = EnumSet.of(FactKind.PAYMENT_FAILED, FactKind.PAYMENT_CLOSED);

    private Promises() {}

    static void check(World world) {
        for (UUID attempt : world.paidAtPsp()) {
            moneyIsNeverOrphaned(world, attempt);
        }
        paidMeansPaid(world);
        oneEffectivePayment(world);
        oneConclusionForEachPaidOrder(world);
        closedForGoodStaysClosed(world);
        stockIsSoldOnce(world);
        atMostOneLiveAttempt(world);
    }

    /** I6 and I8: what may be written at all. That a change is an edge is checked by its constructor. */
    static void check(World world, PaymentFact fact, Decision decision) {
        for (Change change : decision.changes()) {
            if (change instanceof Change.AttemptMoved moved) {
                boolean ends = moved.to() == AttemptStatus.FAILED || moved.to() == AttemptStatus.EXPIRED;
                assertThat(!ends || PROOFS_OF_AN_END.contains(fact.kind()))
                        .as("I8: %s ended an attempt in %s", fact.kind(), world)
                        .isTrue();
                assertThat(moved.to() != AttemptStatus.SUCCEEDED || fact.kind() == FactKind.PAYMENT_SUCCEEDED)
                        .as("I2: only a success makes a success")
                        .isTrue();
            }
        }
        assertThat(decision.reason()).isNotBlank();
        boolean changing = decision.outcome() == Outcome.APPLIED || decision.outcome() == Outcome.MISMATCH;
        assertThat(decision.changesAnything()).as("%s", decision).isEqualTo(changing);
    }

    private static void moneyIsNeverOrphaned(World world, UUID attempt) {
        Snapshot snapshot = world.snapshot();
        OrderState order = snapshot.order();
        boolean paidTheOrder = order.status().isPaidFor() && attempt.equals(order.effectiveAttemptId());
        boolean goesBack = snapshot.refunds().stream()
                .anyMatch(refund ->
                        refund.attemptId().equals(attempt) && refund.status().isUnderWayOrDone());
        boolean beforeAPerson = snapshot.reviews().stream()
                .anyMatch(review -> review.attemptId().equals(attempt));
        assertThat(paidTheOrder || goesBack || beforeAPerson)
                .as("I1: money of %s is orphaned in %s", attempt, world)
                .isTrue();
    }

    private static void paidMeansPaid(World world) {
        OrderState order = world.snapshot().order();
        UUID effective = order.effectiveAttemptId();
        assertThat(effective != null)
                .as("I2: %s", world)
                .isEqualTo(order.status().isPaidFor());
        if (effective == null) {
            return;
        }
        AttemptState attempt = world.snapshot().attempt(effective).orElseThrow();
        assertThat(attempt.status()).as("I2: %s", world).isEqualTo(AttemptStatus.SUCCEEDED);
        assertThat(attempt.received()).as("I2: %s", world).isEqualTo(order.amount());
        assertThat(world.paidAtPsp()).as("I2: %s", world).contains(effective);
    }

    private static void closedForGoodStaysClosed(World world) {
        OrderState order = world.snapshot().order();
        assertThat(!order.closedForGood() || order.status().isClosedUnpaid())
                .as("I4: told as closed, and %s in %s", order.status(), world)
                .isTrue();
    }

    private static void oneEffectivePayment(World world) {
        Snapshot snapshot = world.snapshot();
        for (AttemptState attempt : snapshot.attempts()) {
            boolean extra = attempt.status() == AttemptStatus.SUCCEEDED
                    && !attempt.id().equals(snapshot.order().effectiveAttemptId());
            boolean coveredByRefund = snapshot.refundedOrUnderWayMinor(attempt.id())
                    >= snapshot.order().amount().minor();
            boolean beforeAPerson = snapshot.reviews().stream()
                    .anyMatch(review -> review.attemptId().equals(attempt.id()));
            assertThat(!extra || coveredByRefund || beforeAPerson)
                    .as("I3: a payment too many is kept in %s", world)
                    .isTrue();
            long sentBackByUs = snapshot.refunds().stream()
                    .filter(refund -> refund.attemptId().equals(attempt.id()))
                    .filter(refund -> refund.reason() != RefundReason.MADE_AT_PSP)
                    .filter(refund -> refund.status().isUnderWayOrDone())
                    .mapToLong(refund -> refund.amount().minor())
                    .sum();
            assertThat(sentBackByUs)
                    .as("never more sent back than came in: %s", world)
                    .isLessThanOrEqualTo(snapshot.order().amount().minor());
        }
    }

    private static void oneConclusionForEachPaidOrder(World world) {
        int expected = world.snapshot().order().status().isPaidFor() ? 1 : 0;
        assertThat(world.conclusions()).as("I4: %s", world).isEqualTo(expected);
    }

    private static void stockIsSoldOnce(World world) {
        OrderState order = world.snapshot().order();
        boolean sells = order.hold() != null || order.takesOnPayment();
        int expected = order.status().isPaidFor() && sells ? 1 : 0;
        assertThat(world.sold()).as("I5: %s", world).isEqualTo(expected);
        assertThat(order.hold() == HoldStatus.ACTIVE && order.status() != OrderStatus.PENDING)
                .as("I5: a hold outlives its order in %s", world)
                .isFalse();
    }

    private static void atMostOneLiveAttempt(World world) {
        assertThat(world.snapshot().attempts().stream()
                        .filter(attempt -> attempt.status().isLive())
                        .count())
                .as("I8: %s", world)
                .isLessThanOrEqualTo(1);
    }
}
