package io.quittance.domain;

/** What happens to money that arrives after its order was closed. */
public enum LatePolicy {
    /** Take stock again and conclude PAID after all; refund if none is left. */
    REVIVE,
    /** Send the money back. */
    REFUND,
    /** Put it before a person. */
    REVIEW
}
