package io.quittance.domain;

/** How far money is on its way back. */
public enum RefundStatus {
    /** Decided and durable; the PSP was not asked yet. */
    REQUESTED,
    /** The PSP was asked, and has not said that it is done. */
    PROCESSING,
    /** The PSP gave no answer; it is asked about under the same key and never treated as failed. */
    UNKNOWN,
    /** The money went back. */
    SUCCEEDED,
    /** The PSP refused, or the money came back to us. */
    FAILED,
    /** A person must decide; a review item is open. */
    MANUAL_REVIEW;

    /** Whether the money went back or is still on its way. */
    public boolean isUnderWayOrDone() {
        return this != FAILED && this != MANUAL_REVIEW;
    }
}
