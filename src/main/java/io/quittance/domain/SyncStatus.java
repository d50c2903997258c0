package io.quittance.domain;

/** How far a final conclusion has been carried to the system that acts on it. */
public enum SyncStatus {
    /** Waiting to be sent. */
    PENDING,
    /** A dispatcher holds the lease and is sending it. */
    PROCESSING,
    /** The target has it, and its id is kept. */
    COMPLETED,
    /** The last try did not get through, or nobody knows whether it did; there will be another. */
    FAILED,
    /** The target refused it for good as a matter of business; the order is refunded. */
    REJECTED,
    /** Out of tries; a person must look. */
    REVIEW,
    /** The order had become something else before its target could hear this; it was not sent. */
    WITHDRAWN
}
