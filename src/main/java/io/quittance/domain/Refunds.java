package io.quittance.domain;

import io.quittance.domain.PaymentFact.RefundNews;
import io.quittance.domain.Snapshot.AttemptState;
import io.quittance.domain.Snapshot.OrderState;
import io.quittance.domain.Snapshot.RefundState;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/** The rules for money that goes back. What is refunded is the sum over refunds that are done, never a counter. */
final class Refunds {

    private Refunds() {}

    /** The id, and so the key at the PSP, of the one refund that an attempt can get for a reason of ours. */
    static UUID refundId(UUID attemptId, RefundReason reason) {
        return Ids.derived(attemptId, "refund:" + reason);
    }

    static Decision decide(Snapshot snapshot, AttemptState attempt, PaymentFact fact) {
        RefundNews news = Objects.requireNonNull(fact.refund());
        Optional<RefundState> known = find(snapshot, attempt, news);
        if (known.isEmpty()) {
            return notOurs(snapshot, attempt, fact, news);
        }
        RefundState refund = known.get();
        return switch (fact.kind()) {
            case REFUND_SUCCEEDED -> succeeded(snapshot, refund, fact, news);
            case REFUND_FAILED -> failed(snapshot, refund, news);
            case REFUND_STARTED, REFUND_PENDING -> pending(refund, news);
            case REFUND_NO_ANSWER -> noAnswer(refund);
            case REFUND_AGE_LIMIT -> toPerson(snapshot, refund, fact);
            default -> throw new AssertionError(fact.kind() + " is not about a refund");
        };
    }

    /** The merchant names the refund, so that asking twice gives one; without an amount it is all that is left. */
    static Decision wanted(Snapshot snapshot, PaymentFact fact) {
        RefundNews news = Objects.requireNonNull(fact.refund());
        OrderState order = snapshot.order();
        UUID paidBy = order.effectiveAttemptId();
        Optional<UUID> id = Optional.ofNullable(news.reference()).flatMap(Ids::parseHex);
        if (id.isEmpty()) {
            return Decision.nothing(Outcome.REFUSED, "the refund has no id");
        }
        if (!order.status().isPaidFor() || paidBy == null) {
            return Decision.nothing(Outcome.REFUSED, "the order is " + order.status());
        }
        Money asked = news.amount();
        Optional<RefundState> known = snapshot.refunds().stream()
                .filter(refund -> refund.id().equals(id.get()))
                .findFirst();
        if (known.isPresent()) {
            boolean same = asked == null || asked.equals(known.get().amount());
            return same
                    ? Decision.nothing(Outcome.DUPLICATE, "this refund was asked for before")
                    : Decision.nothing(Outcome.REFUSED, "this refund was asked for with another amount");
        }
        if (asked != null && !asked.currency().equals(order.amount().currency())) {
            return Decision.nothing(Outcome.REFUSED, "the order was paid in another currency");
        }
        long left = order.amount().minor() - snapshot.spokenForMinor(paidBy);
        long minor = asked == null ? left : asked.minor();
        if (minor <= 0 || minor > left) {
            return Decision.nothing(Outcome.REFUSED, "less is left to be refunded");
        }
        Money amount = new Money(minor, order.amount().currency());
        return Decider.applied(
                "the merchant wants it",
                new Change.RefundRequested(id.get(), paidBy, amount, RefundReason.MERCHANT_REQUEST));
    }

    private static Optional<RefundState> find(Snapshot snapshot, AttemptState attempt, RefundNews news) {
        Optional<UUID> ours = Optional.ofNullable(news.reference()).flatMap(Ids::parseHex);
        UUID foreign = foreignId(attempt.id(), news);
        return snapshot.refunds().stream()
                .filter(refund -> refund.attemptId().equals(attempt.id()))
                .filter(refund -> ours.filter(refund.id()::equals).isPresent()
                        || refund.id().equals(foreign)
                        || (news.pspRefundId() != null && news.pspRefundId().equals(refund.pspRefundId())))
                .findFirst();
    }

    private static UUID foreignId(UUID attemptId, RefundNews news) {
        String key = news.pspRefundId() != null ? news.pspRefundId() : String.valueOf(news.reference());
        return Ids.derived(attemptId, "refund at psp:" + key);
    }

    private static Decision succeeded(Snapshot snapshot, RefundState refund, PaymentFact fact, RefundNews news) {
        if (refund.status() == RefundStatus.SUCCEEDED) {
            return Decision.nothing(Outcome.DUPLICATE, "this refund is known");
        }
        if (news.amount() != null && !news.amount().equals(refund.amount())) {
            return review(snapshot, refund, ReviewReason.MISMATCH, "the PSP refunded another amount than was asked");
        }
        boolean hearsay = fact.evidence().source() == FactSource.NOTIFICATION;
        if (refund.status() == RefundStatus.FAILED && hearsay) {
            return Decider.applied(
                    "told of a success after a failure; the PSP is asked which is true",
                    new Change.RefundMoved(refund.id(), refund.status(), RefundStatus.UNKNOWN, news.pspRefundId()));
        }
        return moved(snapshot, refund, RefundStatus.SUCCEEDED, news, "the money went back");
    }

    private static Decision failed(Snapshot snapshot, RefundState refund, RefundNews news) {
        if (refund.status() == RefundStatus.FAILED) {
            return Decision.nothing(Outcome.DUPLICATE, "this failure is known");
        }
        Decision moved = moved(snapshot, refund, RefundStatus.FAILED, news, "the refund failed");
        if (snapshot.hasOpenReview(refund.attemptId(), ReviewReason.REFUND_FAILED)) {
            return moved;
        }
        List<Change> changes = new ArrayList<>(moved.changes());
        changes.add(new Change.ReviewOpened(
                refund.attemptId(), ReviewReason.REFUND_FAILED, "a refund failed; the money is still here"));
        return new Decision(moved.outcome(), moved.reason(), changes);
    }

    private static Decision pending(RefundState refund, RefundNews news) {
        return switch (refund.status()) {
            case REQUESTED, UNKNOWN ->
                Decider.applied(
                        "the PSP has the refund",
                        new Change.RefundMoved(
                                refund.id(), refund.status(), RefundStatus.PROCESSING, news.pspRefundId()));
            case PROCESSING -> Decision.nothing(Outcome.WAITING, "the refund is under way");
            case SUCCEEDED, FAILED, MANUAL_REVIEW ->
                Decision.nothing(Outcome.STALE, "the refund is already " + refund.status());
        };
    }

    private static Decision noAnswer(RefundState refund) {
        return switch (refund.status()) {
            case REQUESTED, PROCESSING ->
                Decider.applied(
                        "the PSP gave no answer about the refund",
                        new Change.RefundMoved(refund.id(), refund.status(), RefundStatus.UNKNOWN, null));
            case UNKNOWN -> Decision.nothing(Outcome.WAITING, "still unknown");
            case SUCCEEDED, FAILED, MANUAL_REVIEW ->
                Decision.nothing(Outcome.STALE, "the refund is already " + refund.status());
        };
    }

    private static Decision toPerson(Snapshot snapshot, RefundState refund, PaymentFact fact) {
        if (refund.status() == RefundStatus.SUCCEEDED
                || refund.status() == RefundStatus.FAILED
                || refund.status() == RefundStatus.MANUAL_REVIEW) {
            return Decision.nothing(Outcome.STALE, "the refund is already " + refund.status());
        }
        String why = fact.detail() != null ? fact.detail() : "a refund could not be settled in time";
        List<Change> changes = new ArrayList<>();
        changes.add(new Change.RefundMoved(refund.id(), refund.status(), RefundStatus.MANUAL_REVIEW, null));
        if (!snapshot.hasOpenReview(refund.attemptId(), ReviewReason.REFUND_UNKNOWN)) {
            changes.add(new Change.ReviewOpened(refund.attemptId(), ReviewReason.REFUND_UNKNOWN, why));
        }
        return new Decision(Outcome.APPLIED, why, changes);
    }

    private static Decision notOurs(Snapshot snapshot, AttemptState attempt, PaymentFact fact, RefundNews news) {
        if (fact.kind() != FactKind.REFUND_SUCCEEDED) {
            return Decision.nothing(Outcome.NOTED, "about a refund that is not ours");
        }
        Money said = news.refundedInTotal() != null ? news.refundedInTotal() : news.amount();
        Money paid = snapshot.order().amount();
        if (said == null || !said.currency().equals(paid.currency())) {
            return Decision.nothing(Outcome.NOTED, "a refund without an amount in the order's currency");
        }
        long before = snapshot.refundedMinor(attempt.id());
        long more = news.refundedInTotal() != null ? said.minor() - before : said.minor();
        // a sum and its parts may both be told: never count more back than came in
        Money amount = new Money(Math.min(more, paid.minor() - before), paid.currency());
        if (amount.minor() <= 0) {
            return Decision.nothing(Outcome.DUPLICATE, "nothing more was refunded than is known");
        }
        List<Change> changes = new ArrayList<>();
        changes.add(new Change.RefundRecorded(foreignId(attempt.id(), news), attempt.id(), amount, news.pspRefundId()));
        changes.addAll(orderMove(snapshot, attempt.id(), before + amount.minor()));
        return new Decision(Outcome.APPLIED, "refunded at the PSP without us", changes);
    }

    private static Decision moved(
            Snapshot snapshot, RefundState refund, RefundStatus to, RefundNews news, String reason) {
        List<Change> changes = new ArrayList<>();
        changes.add(new Change.RefundMoved(refund.id(), refund.status(), to, news.pspRefundId()));
        long before =
                refund.status() == RefundStatus.SUCCEEDED ? refund.amount().minor() : 0;
        long after = to == RefundStatus.SUCCEEDED ? refund.amount().minor() : 0;
        long refunded = snapshot.refundedMinor(refund.attemptId()) - before + after;
        changes.addAll(orderMove(snapshot, refund.attemptId(), refunded));
        return new Decision(Outcome.APPLIED, reason, changes);
    }

    private static Decision review(Snapshot snapshot, RefundState refund, ReviewReason reason, String detail) {
        if (snapshot.hasOpenReview(refund.attemptId(), reason)) {
            return Decision.nothing(Outcome.DUPLICATE, "a person already has it");
        }
        return new Decision(
                Outcome.MISMATCH, detail, List.of(new Change.ReviewOpened(refund.attemptId(), reason, detail)));
    }

    private static List<Change> orderMove(Snapshot snapshot, UUID attemptId, long refundedMinor) {
        OrderState order = snapshot.order();
        if (!order.status().isPaidFor() || !attemptId.equals(order.effectiveAttemptId())) {
            return List.of();
        }
        OrderStatus target = refundStatusOf(order, refundedMinor);
        if (target == order.status()) {
            return List.of();
        }
        List<Change> changes = new ArrayList<>();
        changes.add(new Change.OrderMoved(order.status(), target, null));
        if (target == OrderStatus.REFUNDED) {
            Conclusions.of(snapshot, target).ifPresent(changes::add);
        }
        return changes;
    }

    private static OrderStatus refundStatusOf(OrderState order, long refundedMinor) {
        if (refundedMinor <= 0) {
            return OrderStatus.PAID;
        }
        return refundedMinor >= order.amount().minor() ? OrderStatus.REFUNDED : OrderStatus.PARTIALLY_REFUNDED;
    }
}
