package io.quittance.loadtest.benchmarks;

import io.quittance.psp.PspAdapter;
import io.quittance.psp.RawNotification;
import java.security.PublicKey;
import java.util.Optional;

/**
 * A notification of a success of about 1 KiB, and the adapter that believes it.
 *
 * @param signed what a bare check of its signature is about; empty for an HMAC
 */
record SignedNotification(PspAdapter adapter, RawNotification raw, Optional<RsaSigned> signed) {

    /** An RSA signature, the bytes that it is over and the key that it is right under. */
    record RsaSigned(PublicKey key, byte[] message, byte[] signature) {}
}
