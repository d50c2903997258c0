package io.quittance.domain;

/** Why a person must decide. */
public enum ReviewReason {
    /** The PSP reports money that does not fit the attempt (see {@link Mismatch}). */
    MISMATCH,
    /** A second payment under the number of an attempt that had its payment. */
    SECOND_PAYMENT,
    /** Paid after the order was closed, and its policy says review. */
    LATE_PAYMENT,
    /** Nobody could find out in time whether the attempt was paid. */
    OUTCOME_UNKNOWN,
    /** A refund that we owe failed, or came back. */
    REFUND_FAILED,
    /** Nobody could find out in time whether a refund was made. */
    REFUND_UNKNOWN,
    /** A notification named an attempt that never appeared. */
    UNMATCHED,
    /** A conclusion could not be delivered to its target. */
    SYNC_EXHAUSTED
}
