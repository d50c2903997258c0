package io.quittance.psp;

/** What we want to tell the PSP; each PSP has its own words for it. */
public enum Acknowledgement {
    /** It is durable here; do not send it again. */
    ACCEPTED,
    /** It is not believed. */
    REFUSED,
    /** It cannot be read. */
    UNREADABLE,
    /** Send it again later. */
    RETRY_LATER
}
