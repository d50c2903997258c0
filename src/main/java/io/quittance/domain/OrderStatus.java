package io.quittance.domain;

/** What is concluded about an order's payment. Whether the conclusion was carried out is {@link SyncStatus}. */
public enum OrderStatus {
    /** No conclusion yet. */
    PENDING,
    /** Paid in full by exactly one attempt. */
    PAID,
    /** It ran out of time and its last attempt had failed for good, or nothing was left to sell. */
    FAILED,
    /** It ran out of time unpaid. */
    EXPIRED,
    /** The merchant called it off. */
    CANCELLED,
    /** Paid, and a part of the money went back. */
    PARTIALLY_REFUNDED,
    /** Paid, and all of the money went back. */
    REFUNDED;

    /** Whether an attempt has paid this order, whatever went back since. */
    public boolean isPaidFor() {
        return this == PAID || this == PARTIALLY_REFUNDED || this == REFUNDED;
    }

    /** Whether the order was closed without being paid; only the late-payment policy opens it again. */
    public boolean isClosedUnpaid() {
        return this == FAILED || this == EXPIRED || this == CANCELLED;
    }
}
