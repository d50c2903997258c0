package io.quittance.domain;

/**
 * Through which channel a fact was learned. The rules hardly depend on it (an answer outweighs hearsay about a refund);
 * the audit trail and the proofs do.
 */
public enum FactSource {
    /** A signed notification of a PSP. */
    NOTIFICATION,
    /** A PSP's answer to a question of ours. */
    QUERY,
    /** A PSP's answer to the call that creates, closes or refunds a payment. */
    CALL,
    /** The database clock. */
    TIMER,
    /** The system that acts on conclusions. */
    TARGET,
    /** The merchant's own server. */
    MERCHANT
}
