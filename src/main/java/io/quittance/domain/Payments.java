package io.quittance.domain;

import io.quittance.domain.Snapshot.AttemptState;
import io.quittance.domain.Snapshot.OrderState;
import io.quittance.domain.Snapshot.StockAnswer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rules for money that a PSP says has moved. It is always recorded, and never without a place to go. */
final class Payments {

    private Payments() {}

    static Decision succeeded(Snapshot snapshot, AttemptState attempt, PaymentFact fact) {
        Mismatch mismatch = mismatch(snapshot.order(), attempt, fact);
        if (mismatch == Mismatch.PAYMENT_ID && attempt.status() == AttemptStatus.SUCCEEDED) {
            return secondPayment(snapshot, attempt);
        }
        if (mismatch != null) {
            return mismatched(snapshot, attempt, mismatch);
        }
        if (attempt.status() == AttemptStatus.SUCCEEDED) {
            return Decision.nothing(Outcome.DUPLICATE, "this success is known");
        }
        return settle(snapshot, attempt, fact);
    }

    private static @Nullable Mismatch mismatch(OrderState order, AttemptState attempt, PaymentFact fact) {
        if (fact.mismatch() != null) {
            return fact.mismatch();
        }
        Money amount = fact.amount();
        if (amount == null) {
            return Mismatch.NO_AMOUNT;
        }
        if (!amount.currency().equals(order.amount().currency())) {
            return Mismatch.CURRENCY;
        }
        if (amount.minor() != order.amount().minor()) {
            return Mismatch.AMOUNT;
        }
        Evidence evidence = fact.evidence();
        if (!attempt.psp().equals(evidence.psp()) || !attempt.account().equals(evidence.account())) {
            return Mismatch.ACCOUNT;
        }
        boolean otherPayment = attempt.pspPaymentId() != null
                && fact.pspPaymentId() != null
                && !attempt.pspPaymentId().equals(fact.pspPaymentId());
        return otherPayment ? Mismatch.PAYMENT_ID : null;
    }

    private static Decision secondPayment(Snapshot snapshot, AttemptState attempt) {
        if (snapshot.hasOpenReview(attempt.id(), ReviewReason.SECOND_PAYMENT)) {
            return Decision.nothing(Outcome.DUPLICATE, "a person already has it");
        }
        return new Decision(
                Outcome.MISMATCH,
                "a second payment under the same number",
                List.of(new Change.ReviewOpened(
                        attempt.id(), ReviewReason.SECOND_PAYMENT, "another payment id for an attempt that was paid")));
    }

    private static Decision mismatched(Snapshot snapshot, AttemptState attempt, Mismatch mismatch) {
        List<Change> changes = new ArrayList<>();
        boolean settled =
                attempt.status() == AttemptStatus.SUCCEEDED || attempt.status() == AttemptStatus.MANUAL_REVIEW;
        if (!settled) {
            changes.add(
                    new Change.AttemptMoved(attempt.id(), attempt.status(), AttemptStatus.MANUAL_REVIEW, null, null));
        }
        if (!snapshot.hasOpenReview(attempt.id(), ReviewReason.MISMATCH)) {
            changes.add(new Change.ReviewOpened(
                    attempt.id(), ReviewReason.MISMATCH, "a success that differs in: " + mismatch));
        }
        return changes.isEmpty()
                ? Decision.nothing(Outcome.DUPLICATE, "a person already has it")
                : new Decision(Outcome.MISMATCH, "a success that differs in: " + mismatch, changes);
    }

    private static Decision settle(Snapshot snapshot, AttemptState attempt, PaymentFact fact) {
        OrderState order = snapshot.order();
        List<Change> changes = new ArrayList<>();
        changes.add(new Change.AttemptMoved(
                attempt.id(), attempt.status(), AttemptStatus.SUCCEEDED, fact.pspPaymentId(), fact.amount()));
        if (snapshot.refundedMinor(attempt.id()) >= order.amount().minor()) {
            return new Decision(Outcome.APPLIED, "paid, and the money had gone back before we knew", changes);
        }
        if (order.status().isPaidFor()) {
            return refund(
                    changes, snapshot, attempt, RefundReason.DOUBLE_PAYMENT, "another attempt had paid the order");
        }
        if (mustGoBack(order)) {
            return refund(changes, snapshot, attempt, RefundReason.LATE_PAYMENT, "paid after the order was closed");
        }
        if (order.status().isClosedUnpaid() && order.latePolicy() == LatePolicy.REVIEW) {
            String reason = "paid after the order was " + order.status();
            changes.add(new Change.ReviewOpened(attempt.id(), ReviewReason.LATE_PAYMENT, reason));
            return new Decision(Outcome.APPLIED, reason, changes);
        }
        boolean holdIsGone = order.hold() != null && order.hold() != HoldStatus.ACTIVE;
        if (!order.takesOnPayment() && !holdIsGone) {
            return pay(changes, snapshot, attempt);
        }
        return switch (snapshot.stock()) {
            case NOT_ASKED -> Decision.nothing(Outcome.NEEDS_STOCK, "paid; the stock must be taken first");
            case TAKEN -> pay(changes, snapshot, attempt);
            case NONE_LEFT -> soldOut(changes, snapshot, attempt);
        };
    }

    private static boolean mustGoBack(OrderState order) {
        boolean late = order.status().isClosedUnpaid();
        return late && (order.latePolicy() == LatePolicy.REFUND || order.closedForGood());
    }

    private static Decision pay(List<Change> changes, Snapshot snapshot, AttemptState attempt) {
        OrderState order = snapshot.order();
        changes.add(new Change.OrderMoved(order.status(), OrderStatus.PAID, attempt.id()));
        if (order.hold() == HoldStatus.ACTIVE) {
            changes.add(new Change.HoldMoved(HoldStatus.ACTIVE, HoldStatus.CONSUMED));
        }
        if (snapshot.stock() == StockAnswer.TAKEN) {
            changes.add(new Change.StockSold());
        }
        Conclusions.of(snapshot, OrderStatus.PAID).ifPresent(changes::add);
        if (snapshot.refundedMinor(attempt.id()) > 0) {
            changes.add(new Change.OrderMoved(OrderStatus.PAID, OrderStatus.PARTIALLY_REFUNDED, null));
        }
        if (snapshot.hasOtherLiveAttempt(attempt.id())) {
            changes.add(new Change.AttentionNeeded());
        }
        String reason = order.status() == OrderStatus.PENDING ? "paid in full" : "paid late, and revived";
        return new Decision(Outcome.APPLIED, reason, changes);
    }

    private static Decision soldOut(List<Change> changes, Snapshot snapshot, AttemptState attempt) {
        OrderState order = snapshot.order();
        if (order.status() == OrderStatus.PENDING) {
            changes.add(new Change.OrderMoved(OrderStatus.PENDING, OrderStatus.FAILED, null));
            Conclusions.of(snapshot, OrderStatus.FAILED).ifPresent(changes::add);
        }
        if (order.hold() == HoldStatus.ACTIVE) {
            changes.add(new Change.HoldMoved(HoldStatus.ACTIVE, HoldStatus.RELEASED));
        }
        if (snapshot.hasOtherLiveAttempt(attempt.id())) {
            changes.add(new Change.AttentionNeeded());
        }
        return refund(changes, snapshot, attempt, RefundReason.OUT_OF_STOCK, "paid, but nothing was left to sell");
    }

    private static Decision refund(
            List<Change> changes, Snapshot snapshot, AttemptState attempt, RefundReason reason, String why) {
        Money paid = snapshot.order().amount();
        long owed = paid.minor() - snapshot.refundedOrUnderWayMinor(attempt.id());
        if (owed > 0) {
            changes.add(new Change.RefundRequested(
                    Refunds.refundId(attempt.id(), reason), attempt.id(), new Money(owed, paid.currency()), reason));
        }
        return new Decision(Outcome.APPLIED, why, changes);
    }
}
