package io.quittance.domain;

import org.jspecify.annotations.Nullable;

/**
 * One piece of knowledge about a payment, whatever the channel it came through. Everything that can change an order
 * enters as one of these.
 *
 * @param reference what the fact is about, as its sender wrote it: an attempt's id in 32 lower-case hex characters, or
 *     an order's for the kinds whose subject is an order. It may name nothing of ours.
 * @param pspPaymentId the PSP's own id of the payment
 * @param amount what was paid, for a success
 * @param mismatch what the adapter found not to fit its configuration: the account or the mode
 * @param refund for the kinds about refunds
 * @param detail a short reason in the sender's words, without personal data
 */
public record PaymentFact(
        FactKind kind,
        String reference,
        Evidence evidence,
        @Nullable String pspPaymentId,
        @Nullable Money amount,
        @Nullable Mismatch mismatch,
        @Nullable RefundNews refund,
        @Nullable String detail) {

    public PaymentFact {
        if (kind.isAboutRefund() != (refund != null)) {
            throw new IllegalArgumentException("a fact has refund news exactly if its kind is about a refund: " + kind);
        }
    }

    /**
     * What is said about one refund.
     *
     * @param reference our id of the refund in 32 hex characters as we sent it, or whatever stands in its place for a
     *     refund that was not ours
     * @param pspRefundId the PSP's own id of the refund
     * @param amount the money of this refund alone
     * @param refundedInTotal all that was refunded of the payment so far, for PSPs that say only this; it is set and
     *     never added
     */
    public record RefundNews(
            @Nullable String reference,
            @Nullable String pspRefundId,
            @Nullable Money amount,
            @Nullable Money refundedInTotal) {}

    /** A fact that carries nothing but its kind. */
    public static PaymentFact bare(FactKind kind, String reference, Evidence evidence, @Nullable String detail) {
        return new PaymentFact(kind, reference, evidence, null, null, null, null, detail);
    }

    /** A success. */
    public static PaymentFact succeeded(
            String reference, Evidence evidence, @Nullable String pspPaymentId, @Nullable Money amount) {
        return new PaymentFact(FactKind.PAYMENT_SUCCEEDED, reference, evidence, pspPaymentId, amount, null, null, null);
    }

    /** News about a payment that is not a success. */
    public static PaymentFact payment(
            FactKind kind,
            String reference,
            Evidence evidence,
            @Nullable String pspPaymentId,
            @Nullable String detail) {
        return new PaymentFact(kind, reference, evidence, pspPaymentId, null, null, null, detail);
    }

    /** News about a refund. */
    public static PaymentFact refund(
            FactKind kind, String reference, Evidence evidence, RefundNews refund, @Nullable String detail) {
        return new PaymentFact(kind, reference, evidence, null, null, null, refund, detail);
    }

    /** The same fact with something that does not fit. */
    public PaymentFact withMismatch(Mismatch found) {
        return new PaymentFact(kind, reference, evidence, pspPaymentId, amount, found, refund, detail);
    }
}
