package io.quittance.domain;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * All that is known about one order at one moment.
 *
 * @param reviews the review items that are open
 * @param stock whether stock was asked for in the same transaction, and with what result
 * @param audience who is told of the order's conclusions
 */
public record Snapshot(
        OrderState order,
        List<AttemptState> attempts,
        List<RefundState> refunds,
        List<ReviewState> reviews,
        StockAnswer stock,
        Audience audience) {

    /** For an audience that only wants to hear of paid orders. */
    public Snapshot(
            OrderState order,
            List<AttemptState> attempts,
            List<RefundState> refunds,
            List<ReviewState> reviews,
            StockAnswer stock) {
        this(order, attempts, refunds, reviews, stock, Audience.ofPaid(""));
    }

    /**
     * The order itself.
     *
     * @param effectiveAttemptId the attempt that paid the order; set once
     * @param hold what became of the stock held when the order was placed; absent if it holds none, and perhaps if it is paid
     * @param takesOnPayment whether it has items whose stock is only taken when it is paid
     * @param calledOff whether its merchant wants it called off; it still is paid if the money was on its way
     * @param closedForGood whether it was closed unpaid and its target may have been told so: it is never paid any more
     */
    public record OrderState(
            UUID id,
            OrderStatus status,
            Money amount,
            @Nullable UUID effectiveAttemptId,
            LatePolicy latePolicy,
            @Nullable HoldStatus hold,
            boolean takesOnPayment,
            boolean calledOff,
            boolean closedForGood) {}

    /**
     * One attempt to pay it.
     *
     * @param pspPaymentId the PSP's id, once it is known
     * @param received the money that the PSP reported, for a success
     */
    public record AttemptState(
            UUID id,
            AttemptStatus status,
            String psp,
            String account,
            @Nullable String pspPaymentId,
            @Nullable Money received) {}

    /** One refund of one attempt. */
    public record RefundState(
            UUID id,
            UUID attemptId,
            RefundStatus status,
            Money amount,
            RefundReason reason,
            @Nullable String pspRefundId) {}

    /** An open review item. */
    public record ReviewState(UUID attemptId, ReviewReason reason) {}

    /** What the store said when it was asked to take the order's stock in the transaction that is now open. */
    public enum StockAnswer {
        NOT_ASKED,
        TAKEN,
        NONE_LEFT
    }

    public Optional<AttemptState> attempt(UUID attemptId) {
        return attempts.stream()
                .filter(attempt -> attempt.id().equals(attemptId))
                .findFirst();
    }

    public boolean hasOpenReview(UUID attemptId, ReviewReason reason) {
        return reviews.contains(new ReviewState(attemptId, reason));
    }

    /** Whether any other attempt than this one may still be paid. */
    public boolean hasOtherLiveAttempt(UUID attemptId) {
        return attempts.stream()
                .anyMatch(
                        other -> !other.id().equals(attemptId) && other.status().isLive());
    }

    /** The refunds of an attempt that are done or under way, in minor units. */
    public long refundedOrUnderWayMinor(UUID attemptId) {
        return refunds.stream()
                .filter(refund ->
                        refund.attemptId().equals(attemptId) && refund.status().isUnderWayOrDone())
                .mapToLong(refund -> refund.amount().minor())
                .sum();
    }

    /**
     * What nobody may promise to send back once more, in minor units: refunds that are done or under way, and those that
     * are before a person, because a PSP may still say that one of them was made after all.
     */
    public long spokenForMinor(UUID attemptId) {
        boolean beforeAPerson = hasOpenReview(attemptId, ReviewReason.REFUND_FAILED)
                || hasOpenReview(attemptId, ReviewReason.REFUND_UNKNOWN);
        return refunds.stream()
                .filter(refund -> refund.attemptId().equals(attemptId))
                .filter(refund -> beforeAPerson || refund.status().isUnderWayOrDone())
                .mapToLong(refund -> refund.amount().minor())
                .sum();
    }

    /** The refunds of an attempt that are done, in minor units. */
    public long refundedMinor(UUID attemptId) {
        return refunds.stream()
                .filter(refund -> refund.attemptId().equals(attemptId) && refund.status() == RefundStatus.SUCCEEDED)
                .mapToLong(refund -> refund.amount().minor())
                .sum();
    }

    public Snapshot withStock(StockAnswer answer) {
        return new Snapshot(order, attempts, refunds, reviews, answer, audience);
    }

    public Snapshot withAudience(Audience listener) {
        return new Snapshot(order, attempts, refunds, reviews, stock, listener);
    }
}
