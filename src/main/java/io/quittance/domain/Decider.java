package io.quittance.domain;

import io.quittance.domain.Snapshot.AttemptState;
import io.quittance.domain.Snapshot.OrderState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The rules: what a fact means for an order in a given state. Total and pure: every combination of order, attempt and
 * fact has an answer, and the same one every time.
 */
public final class Decider {

    private Decider() {}

    /**
     * Decides.
     *
     * @param snapshot the order that the fact's reference belongs to
     * @return {@link Outcome#UNMATCHED} if the reference names nothing in the snapshot
     */
    public static Decision decide(Snapshot snapshot, PaymentFact fact) {
        Optional<UUID> subject = Ids.parseHex(fact.reference());
        if (subject.isEmpty()) {
            return Decision.nothing(Outcome.UNMATCHED, "the reference is not one of ours");
        }
        if (fact.kind().subject() == FactKind.Subject.ORDER) {
            return aboutOrder(snapshot, subject.get(), fact);
        }
        return snapshot.attempt(subject.get())
                .map(attempt -> aboutAttempt(snapshot, attempt, fact))
                .orElseGet(() -> Decision.nothing(Outcome.UNMATCHED, "no such attempt"));
    }

    private static Decision aboutOrder(Snapshot snapshot, UUID orderId, PaymentFact fact) {
        if (!snapshot.order().id().equals(orderId)) {
            return Decision.nothing(Outcome.UNMATCHED, "no such order");
        }
        return switch (fact.kind()) {
            case ORDER_TIME_OVER -> timeOver(snapshot);
            case ORDER_CALLED_OFF -> calledOff(snapshot);
            case ORDER_CLOSED_FOR_GOOD -> Conclusions.closedForGood(snapshot);
            case REFUND_WANTED -> Refunds.wanted(snapshot, fact);
            case FULFILMENT_REJECTED -> fulfilmentRejected(snapshot);
            default -> throw new AssertionError(fact.kind() + " is about an attempt");
        };
    }

    private static Decision aboutAttempt(Snapshot snapshot, AttemptState attempt, PaymentFact fact) {
        return switch (fact.kind()) {
            case PAYMENT_SUCCEEDED -> Payments.succeeded(snapshot, attempt, fact);
            case PAYMENT_FAILED -> ended(snapshot, attempt, AttemptStatus.FAILED, fact);
            case PAYMENT_CLOSED -> ended(snapshot, attempt, AttemptStatus.EXPIRED, fact);
            case PAYMENT_PENDING -> pending(attempt, fact);
            case PAYMENT_DECLINED -> declined(attempt);
            case PAYMENT_NO_ANSWER -> noAnswer(attempt);
            case PAYMENT_AGE_LIMIT -> ageLimit(attempt);
            case REFUND_STARTED, REFUND_SUCCEEDED, REFUND_FAILED, REFUND_PENDING, REFUND_NO_ANSWER, REFUND_AGE_LIMIT ->
                Refunds.decide(snapshot, attempt, fact);
            case ORDER_TIME_OVER, ORDER_CALLED_OFF, ORDER_CLOSED_FOR_GOOD, REFUND_WANTED, FULFILMENT_REJECTED ->
                throw new AssertionError(fact.kind() + " is about an order");
        };
    }

    private static Decision ended(Snapshot snapshot, AttemptState attempt, AttemptStatus end, PaymentFact fact) {
        if (attempt.status() == end) {
            return Decision.nothing(Outcome.DUPLICATE, "already " + end);
        }
        if (attempt.status() == AttemptStatus.MANUAL_REVIEW
                && snapshot.hasOpenReview(attempt.id(), ReviewReason.MISMATCH)) {
            return Decision.nothing(Outcome.STALE, "money that does not fit is before a person");
        }
        if (!attempt.status().blocksOrder()) {
            return Decision.nothing(Outcome.STALE, "the attempt is already " + attempt.status());
        }
        return applied(
                endReason(end, fact),
                new Change.AttemptMoved(attempt.id(), attempt.status(), end, fact.pspPaymentId(), null));
    }

    /** Where no PSP said it, the trail must tell why the attempt ended all the same. */
    private static String endReason(AttemptStatus end, PaymentFact fact) {
        if (fact.evidence().source() == FactSource.TIMER && fact.detail() != null) {
            return fact.detail();
        }
        return end == AttemptStatus.FAILED ? "the payment failed at the PSP" : "the payment was closed at the PSP";
    }

    private static Decision pending(AttemptState attempt, PaymentFact fact) {
        return switch (attempt.status()) {
            case CREATED, PROCESSING, UNKNOWN ->
                applied(
                        "the PSP knows the payment and waits",
                        new Change.AttemptMoved(
                                attempt.id(), attempt.status(), AttemptStatus.PENDING, fact.pspPaymentId(), null));
            case PENDING ->
                fact.pspPaymentId() != null && attempt.pspPaymentId() == null
                        ? applied(
                                "the PSP's id became known",
                                new Change.AttemptIdentified(attempt.id(), fact.pspPaymentId()))
                        : Decision.nothing(Outcome.DUPLICATE, "already waiting for the payer");
            case SUCCEEDED, FAILED, EXPIRED, MANUAL_REVIEW ->
                Decision.nothing(Outcome.STALE, "the attempt is already " + attempt.status());
        };
    }

    private static Decision declined(AttemptState attempt) {
        return attempt.status().isLive()
                ? Decision.nothing(Outcome.NOTED, "declined; the payer may try another method")
                : Decision.nothing(Outcome.STALE, "the attempt is already " + attempt.status());
    }

    private static Decision noAnswer(AttemptState attempt) {
        return switch (attempt.status()) {
            case CREATED, PROCESSING, PENDING ->
                applied(
                        "the PSP gave no answer",
                        new Change.AttemptMoved(attempt.id(), attempt.status(), AttemptStatus.UNKNOWN, null, null));
            case UNKNOWN -> Decision.nothing(Outcome.WAITING, "still unknown");
            case SUCCEEDED, FAILED, EXPIRED, MANUAL_REVIEW ->
                Decision.nothing(Outcome.STALE, "the attempt is already " + attempt.status());
        };
    }

    private static Decision ageLimit(AttemptState attempt) {
        return switch (attempt.status()) {
            case PENDING, UNKNOWN ->
                applied(
                        "undecided past the age limit",
                        new Change.AttemptMoved(
                                attempt.id(), attempt.status(), AttemptStatus.MANUAL_REVIEW, null, null),
                        new Change.ReviewOpened(
                                attempt.id(), ReviewReason.OUTCOME_UNKNOWN, "undecided past the age limit"));
            case CREATED, PROCESSING -> Decision.nothing(Outcome.WAITING, "the PSP must be asked first");
            case SUCCEEDED, FAILED, EXPIRED, MANUAL_REVIEW ->
                Decision.nothing(Outcome.STALE, "the attempt is already " + attempt.status());
        };
    }

    private static Decision timeOver(Snapshot snapshot) {
        OrderState order = snapshot.order();
        if (order.status() != OrderStatus.PENDING) {
            return Decision.nothing(Outcome.STALE, "the order is already " + order.status());
        }
        if (snapshot.attempts().stream().anyMatch(attempt -> attempt.status().blocksOrder())) {
            return Decision.nothing(Outcome.WAITING, "an attempt may still have been paid");
        }
        if (order.calledOff()) {
            return closed(snapshot, OrderStatus.CANCELLED, HoldStatus.RELEASED, "called off, and nothing can be paid");
        }
        List<AttemptState> attempts = snapshot.attempts();
        boolean failed =
                !attempts.isEmpty() && attempts.get(attempts.size() - 1).status() == AttemptStatus.FAILED;
        OrderStatus end = failed ? OrderStatus.FAILED : OrderStatus.EXPIRED;
        return closed(snapshot, end, HoldStatus.EXPIRED, "out of time");
    }

    /** A payment that may be on its way is closed at its PSP first; if it gets through, the order is paid after all. */
    private static Decision calledOff(Snapshot snapshot) {
        OrderState order = snapshot.order();
        if (order.status() == OrderStatus.CANCELLED) {
            return Decision.nothing(Outcome.DUPLICATE, "already called off");
        }
        if (order.status() != OrderStatus.PENDING) {
            return Decision.nothing(Outcome.REFUSED, "the order is already " + order.status());
        }
        boolean nothingLive = snapshot.attempts().stream()
                .noneMatch(attempt -> attempt.status().blocksOrder());
        if (nothingLive) {
            return closed(snapshot, OrderStatus.CANCELLED, HoldStatus.RELEASED, "called off by the merchant");
        }
        return order.calledOff()
                ? Decision.nothing(Outcome.WAITING, "being called off; an attempt may still have been paid")
                : applied(
                        "to be called off; the attempt is closed at the PSP first",
                        new Change.CallOffNoted(),
                        new Change.AttentionNeeded());
    }

    private static Decision closed(Snapshot snapshot, OrderStatus end, HoldStatus held, String reason) {
        List<Change> changes = new ArrayList<>();
        changes.add(new Change.OrderMoved(OrderStatus.PENDING, end, null));
        if (snapshot.order().hold() == HoldStatus.ACTIVE) {
            changes.add(new Change.HoldMoved(HoldStatus.ACTIVE, held));
        }
        Conclusions.of(snapshot, end).ifPresent(changes::add);
        return new Decision(Outcome.APPLIED, reason, changes);
    }

    private static Decision fulfilmentRejected(Snapshot snapshot) {
        OrderState order = snapshot.order();
        UUID effective = order.effectiveAttemptId();
        if (!order.status().isPaidFor() || effective == null) {
            return Decision.nothing(Outcome.STALE, "the order is " + order.status());
        }
        long remaining = order.amount().minor() - snapshot.spokenForMinor(effective);
        UUID refundId = Refunds.refundId(effective, RefundReason.FULFILMENT_FAILED);
        boolean known =
                snapshot.refunds().stream().anyMatch(refund -> refund.id().equals(refundId));
        if (known || remaining <= 0) {
            return Decision.nothing(Outcome.DUPLICATE, "the money is already going back");
        }
        Money amount = new Money(remaining, order.amount().currency());
        return applied(
                "the target refused to fulfil the order",
                new Change.RefundRequested(refundId, effective, amount, RefundReason.FULFILMENT_FAILED));
    }

    static Decision applied(String reason, Change... changes) {
        return new Decision(Outcome.APPLIED, reason, List.of(changes));
    }
}
