package io.quittance.http;

import io.quittance.domain.AttemptStatus;
import io.quittance.domain.RefundStatus;
import io.quittance.domain.SyncStatus;
import io.quittance.store.OrderView;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One sentence or two about an order that may be shown to the one who pays. Whenever a payment may still turn out to have
 * gone through, they end with "Do not pay again."
 */
final class OrderMessage {

    private OrderMessage() {}

    /** In so many words, everywhere. */
    static final String DO_NOT_PAY_AGAIN = " Do not pay again.";

    static String of(OrderView order) {
        return sentence(order) + (PageState.mustNotPayAgain(order) ? DO_NOT_PAY_AGAIN : "");
    }

    private static String sentence(OrderView order) {
        return switch (order.status()) {
            case PENDING -> pending(order);
            case PAID -> paid(order.syncStatus());
            case PARTIALLY_REFUNDED -> "Paid. A part of the money was sent back.";
            case REFUNDED -> "The payment was sent back in full.";
            case FAILED -> closed(order, "The payment did not succeed, and the order is closed.");
            case EXPIRED -> closed(order, "The order was not paid in time and is closed.");
            case CANCELLED -> closed(order, "The order was called off.");
        };
    }

    /** What may be said about an attempt whose creation was just answered, or not answered. */
    static String ofAttempt(AttemptStatus status) {
        return switch (status) {
            case CREATED, PROCESSING, UNKNOWN ->
                "The payment provider has not answered, and is being asked. Do not pay"
                        + " again: look at the order until its status changes.";
            case PENDING -> "Waiting for the payer.";
            case SUCCEEDED -> "Paid.";
            case FAILED, EXPIRED -> "This payment cannot succeed. Another attempt may be opened.";
            case MANUAL_REVIEW -> "The payment is being looked at by a person. Do not pay again.";
        };
    }

    private static String pending(OrderView order) {
        if (order.calledOff()) {
            return "The order is being called off; a payment that was begun is closed at its provider first.";
        }
        if (any(order, status -> status == AttemptStatus.UNKNOWN)) {
            return "It is not known yet whether the payment went through; the payment provider is being asked.";
        }
        if (any(order, status -> status == AttemptStatus.MANUAL_REVIEW)) {
            return "A payment has arrived that does not fit, and a person is looking at it.";
        }
        if (any(order, status -> status.isLive() || status == AttemptStatus.SUCCEEDED)) {
            return "A payment is under way; waiting for the payer.";
        }
        if (order.secondsLeft() == 0) {
            return "The time to pay is over, and the order is being closed.";
        }
        return order.attempts().isEmpty()
                ? "Waiting to be paid."
                : "The last payment did not succeed. The order can still be paid.";
    }

    private static String paid(@Nullable SyncStatus sync) {
        if (sync == null) {
            return "Paid.";
        }
        return switch (sync) {
            case COMPLETED -> "Paid, and the order is confirmed.";
            case PENDING, PROCESSING -> "Paid. The order is being handed over.";
            case FAILED -> "Paid. Handing the order over takes longer than usual; it is tried again.";
            case WITHDRAWN -> "Paid. Its money came back to us after a refund, and a person is looking after it.";
            case REJECTED -> "Paid, but the order cannot be fulfilled; the money is sent back.";
            case REVIEW -> "Paid. A person is looking after the handing over of the order.";
        };
    }

    private static String closed(OrderView order, String sentence) {
        if (order.refunds().isEmpty()) {
            boolean late =
                    any(order, status -> status == AttemptStatus.SUCCEEDED || status == AttemptStatus.MANUAL_REVIEW);
            return late ? sentence + " A payment that came too late is being looked at by a person." : sentence;
        }
        if (anyRefund(order, RefundStatus.FAILED) || anyRefund(order, RefundStatus.MANUAL_REVIEW)) {
            return sentence + " A payment that came too late must go back, and a person is looking after that.";
        }
        boolean back = order.refunds().stream().allMatch(refund -> refund.status() == RefundStatus.SUCCEEDED);
        return sentence + " A payment that came too late " + (back ? "was sent back." : "is being sent back.");
    }

    private static boolean anyRefund(OrderView order, RefundStatus status) {
        return order.refunds().stream().anyMatch(refund -> refund.status() == status);
    }

    private static boolean any(OrderView order, Predicate<AttemptStatus> status) {
        return order.attempts().stream().map(OrderView.Attempt::status).anyMatch(status);
    }
}
