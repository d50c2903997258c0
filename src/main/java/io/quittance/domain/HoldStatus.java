package io.quittance.domain;

/** What became of the stock that an order holds. */
public enum HoldStatus {
    /** Held for the order until it is paid or closed. */
    ACTIVE,
    /** Sold to the order. */
    CONSUMED,
    /** Given back because the order was called off. */
    RELEASED,
    /** Given back because the order ran out of time. */
    EXPIRED
}
