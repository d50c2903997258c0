package io.quittance.psp;

import org.jspecify.annotations.Nullable;

/**
 * What a PSP said about a refund when it was asked for it or about it.
 *
 * @param pspRefundId the PSP's id, if it said one
 * @param detail a short reason in the PSP's words, without personal data
 */
public record RefundReport(Status status, @Nullable String pspRefundId, String detail) {

    /** What is known now. */
    public enum Status {
        SUCCEEDED,
        PENDING,
        /** The PSP refused it for good, or it failed. */
        FAILED,
        NOT_FOUND,
        NO_ANSWER
    }

    public static RefundReport noAnswer(String detail) {
        return new RefundReport(Status.NO_ANSWER, null, detail);
    }
}
