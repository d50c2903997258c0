package io.quittance.domain;

/** Why money goes back. */
public enum RefundReason {
    /** The order was closed before the payment came, and its policy says refund. */
    LATE_PAYMENT,
    /** Another attempt had paid the order. */
    DOUBLE_PAYMENT,
    /** Paid, but nothing was left to sell. */
    OUT_OF_STOCK,
    /** The target refused to fulfil the order for good. */
    FULFILMENT_FAILED,
    /** The merchant wants it. */
    MERCHANT_REQUEST,
    /** Made at the PSP without us, for example in its dashboard. */
    MADE_AT_PSP
}
