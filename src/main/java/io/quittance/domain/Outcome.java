package io.quittance.domain;

/** What became of a fact. */
public enum Outcome {
    /** It changed something. */
    APPLIED,
    /** It was known. */
    DUPLICATE,
    /** Later or stronger knowledge stands against it. */
    STALE,
    /** It is kept on record and changes nothing. */
    NOTED,
    /** Nothing can be concluded from it yet. */
    WAITING,
    /** It asks for what cannot be. */
    REFUSED,
    /** It does not fit the attempt that it names; a person decides. */
    MISMATCH,
    /** The decision depends on stock: try to take it, then decide again. */
    NEEDS_STOCK,
    /** It names nothing that is known here (yet). */
    UNMATCHED,
    /** It is not about anything that is kept here. */
    IGNORED
}
