package io.quittance.psp.sandbox;

/**
 * A payment as the sandbox keeps it.
 *
 * @param pspPaymentId the sandbox's own id in the PSP's form
 * @param amountMinor in the minor units in which this PSP counts the currency
 * @param currency ISO 4217, upper case
 * @param refundedMinor the sum of all refunds
 */
public record SandboxPayment(
        String psp,
        String attemptId,
        String pspPaymentId,
        State state,
        long amountMinor,
        String currency,
        long refundedMinor) {

    /** What has become of it. */
    public enum State {
        OPEN,
        PAID,
        CLOSED
    }
}
