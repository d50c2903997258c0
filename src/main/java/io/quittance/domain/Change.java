package io.quittance.domain;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One thing to be written. A change of state that is not an edge of the state graph cannot be expressed. */
public sealed interface Change {

    /**
     * An attempt changed its state.
     *
     * @param pspPaymentId the PSP's id, if it became known with this
     * @param received the money, for a success
     */
    record AttemptMoved(
            UUID attemptId,
            AttemptStatus from,
            AttemptStatus to,
            @Nullable String pspPaymentId,
            @Nullable Money received)
            implements Change {
        public AttemptMoved {
            StateGraph.ATTEMPT.require(from, to);
        }
    }

    /** The PSP's id of an attempt became known; its state stays. */
    record AttemptIdentified(UUID attemptId, String pspPaymentId) implements Change {}

    /**
     * The order's conclusion changed.
     *
     * @param effectiveAttemptId the attempt that paid, when the order becomes paid
     */
    record OrderMoved(
            OrderStatus from, OrderStatus to, @Nullable UUID effectiveAttemptId) implements Change {
        public OrderMoved {
            StateGraph.ORDER.require(from, to);
        }
    }

    /** All active holds of the order. */
    record HoldMoved(HoldStatus from, HoldStatus to) implements Change {
        public HoldMoved {
            StateGraph.HOLD.require(from, to);
        }
    }

    /** The stock that was taken in this transaction is sold to the order. */
    record StockSold() implements Change {}

    /** Money is owed to the payer. */
    record RefundRequested(UUID refundId, UUID attemptId, Money amount, RefundReason reason) implements Change {}

    /** Money went back without us. */
    record RefundRecorded(
            UUID refundId,
            UUID attemptId,
            Money amount,
            @Nullable String pspRefundId) implements Change {}

    /** A refund changed its state. */
    record RefundMoved(
            UUID refundId,
            RefundStatus from,
            RefundStatus to,
            @Nullable String pspRefundId) implements Change {
        public RefundMoved {
            StateGraph.REFUND.require(from, to);
        }
    }

    /** A person must decide. */
    record ReviewOpened(UUID attemptId, ReviewReason reason, String detail) implements Change {}

    /** The merchant's wish to call the order off is on record, and stays there. */
    record CallOffNoted() implements Change {}

    /**
     * A conclusion is to be carried to the target.
     *
     * @param waitMs how long it waits before that, because it could still change, in milliseconds
     */
    record ConclusionQueued(OrderStatus conclusion, long waitMs) implements Change {}

    /** The order was closed unpaid and stays so: late money goes back whatever the policy was. */
    record ClosedForGood() implements Change {}

    /** Something at the PSP must be looked after at once: a live attempt that nobody needs any more. */
    record AttentionNeeded() implements Change {}
}
