package io.quittance.psp;

import io.quittance.domain.Money;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One account at one PSP, in both directions. An adapter knows the PSP's format and nothing about orders.
 *
 * <p>Calls to the PSP never fail because of the PSP: whatever cannot be understood, or does not come in time, is
 * {@link PaymentReport.Status#NO_ANSWER}. A failed future is a bug.
 */
public interface PspAdapter {

    /** The PSP's name in the configuration and in addresses, for example {@code stripe}. */
    String psp();

    /** The account's name in the configuration and in addresses. */
    String account();

    Capabilities capabilities();

    /** The kind of body that its notifications have. */
    BodyFormat notificationFormat();

    /**
     * Checks the signature over the bytes as received, in constant time, before anything is parsed. A PSP that signs fields
     * and not the body is read within limits first, and nothing of it is believed until then.
     */
    Verification verify(RawNotification raw);

    /** Says what a verified notification means. It never throws, whatever the body. */
    Translation translate(Verification.Verified verified);

    PspAnswer acknowledge(Acknowledgement acknowledgement);

    /**
     * Says which payment a payer's browser came back from. It never throws, whatever the fields. Who names a payment is
     * shown its order's number, amount and state: without a signature, only an id counts that nobody can guess.
     */
    Returned readReturn(BrowserReturn back);

    /** Whether a payer's browser may bring back nothing but the PSP's id of the payment. */
    default boolean isReturnedByPaymentId() {
        return false;
    }

    /** The settlement files of this PSP; empty for one that has none. */
    Optional<SettlementFormat> settlement();

    /** Creates the payment, under the attempt's id as the idempotency key. */
    Future<PaymentReport> create(NewPayment payment);

    /** Asks what became of a payment. */
    Future<PaymentReport> query(PaymentRef payment);

    /** Closes a payment that nobody has paid, so that nobody can. If it was paid meanwhile, says so. */
    Future<PaymentReport> close(PaymentRef payment);

    /** Sends money back, under the refund's id as the idempotency key. */
    Future<RefundReport> refund(RefundOrder refund);

    /** Asks what became of a refund. */
    Future<RefundReport> queryRefund(RefundOrder refund);

    /**
     * What this account can do.
     *
     * @param query it can be asked about a payment
     * @param close an unpaid payment can be closed
     * @param refund money can be sent back
     * @param notFoundProvesNotExecuted once a payment's time is over, "not found" means that it can no longer be paid
     */
    record Capabilities(boolean query, boolean close, boolean refund, boolean notFoundProvesNotExecuted) {}

    /**
     * A payment to be created.
     *
     * @param attemptId 32 hex characters: the merchant order number at the PSP
     * @param orderNo the merchant's own number, for the PSP's description field
     * @param expiresAt when the PSP should stop taking the payment
     * @param notifyUrl where the PSP sends its notifications, for those that want it in each call
     * @param returnUrl where the payer's browser goes afterwards
     */
    record NewPayment(
            String attemptId, String orderNo, Money amount, Instant expiresAt, String notifyUrl, String returnUrl) {}

    /**
     * A payment that should exist at the PSP.
     *
     * @param attemptId 32 hex characters
     * @param pspPaymentId the PSP's id, if it is known
     * @param original what was, or would have been, created: for PSPs that can only be asked by repeating the call
     */
    record PaymentRef(String attemptId, @Nullable String pspPaymentId, NewPayment original) {}

    /**
     * A refund of a payment.
     *
     * @param refundId 32 hex characters: the idempotency key
     * @param paid the whole payment's amount
     * @param amount what goes back
     * @param reason a short text that the payer may see
     */
    record RefundOrder(String refundId, PaymentRef payment, Money paid, Money amount, String reason) {}
}
