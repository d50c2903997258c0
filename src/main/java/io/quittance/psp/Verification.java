package io.quittance.psp;

import org.jspecify.annotations.Nullable;

/** Whether a notification really comes from the PSP. */
public sealed interface Verification {

    /**
     * The signature is right.
     *
     * @param raw what was verified
     * @param keyLabel which key matched, in a form that may be logged: a position or a public serial, never the key
     * @param reading what had to be read for that, so that it is not read again; null where the signature is over bytes
     */
    record Verified(
            RawNotification raw, String keyLabel, @Nullable Reading reading) implements Verification {

        public Verified(RawNotification raw, String keyLabel) {
            this(raw, keyLabel, null);
        }
    }

    /** A body as its PSP's own adapter reads it; nobody else looks into it. */
    interface Reading {}

    /**
     * The notification must not be believed.
     *
     * @param detail what was wrong with which field, without the values of signatures and keys
     */
    record Refused(Reason reason, String detail) implements Verification {}

    /** Why a notification is refused; each is counted on its own. */
    enum Reason {
        /** A needed header or field is missing, repeated or not well-formed. */
        MALFORMED_SIGNATURE,
        /** No key that is configured matches. */
        BAD_SIGNATURE,
        /** The key that it names is not configured. */
        UNKNOWN_KEY,
        /** Signed too long ago, or in the future. */
        STALE,
        /** The PSP's own test of whether bad signatures are refused. */
        SIGNATURE_PROBE
    }
}
