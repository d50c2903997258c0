package io.quittance.domain;

/** What is known about one attempt to pay an order through one PSP. */
public enum AttemptStatus {
    /** Recorded; the PSP was not called yet. */
    CREATED,
    /** The call that creates the payment at the PSP is in flight. */
    PROCESSING,
    /** The PSP knows the payment and waits for the payer. */
    PENDING,
    /** The PSP gave no answer, so nobody knows. It is asked about and never treated as failed. */
    UNKNOWN,
    /** The money moved. */
    SUCCEEDED,
    /** The PSP said that this payment cannot succeed. */
    FAILED,
    /** The payment was closed at the PSP unpaid, or its PSP cannot be asked and told nothing in time. */
    EXPIRED,
    /** A person must decide; a review item with the evidence is open. */
    MANUAL_REVIEW;

    /** Whether the payer may still pay it, so that no second attempt may start beside it. */
    public boolean isLive() {
        return this == CREATED || this == PROCESSING || this == PENDING || this == UNKNOWN;
    }

    /** Whether it keeps its order from being closed and from being paid in another way. */
    public boolean blocksOrder() {
        return isLive() || this == MANUAL_REVIEW;
    }
}
