package io.quittance.psp;

import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/**
 * HMAC-SHA256 (RFC 2104) under one key, for any thread. To look the algorithm up and to prepare the key costs more than the
 * code of a short message, so that each thread does it once.
 */
public final class HmacSha256 {

    /** Its name in Java, as a key's algorithm too. */
    public static final String ALGORITHM = "HmacSHA256";

    private final SecretKey key;
    private final ThreadLocal<Mac> macs = ThreadLocal.withInitial(this::mac);

    /** Under this key. */
    public HmacSha256(SecretKey key) {
        this.key = key;
    }

    /**
     * Under these bytes.
     *
     * @throws IllegalArgumentException if the key is empty
     */
    public static HmacSha256 of(byte[] key) {
        return new HmacSha256(new SecretKeySpec(key, ALGORITHM));
    }

    /** The 32 bytes that authenticate a message. */
    public byte[] code(SignedBytes message) {
        Mac mac = macs.get();
        try {
            message.into(mac::update);
            return mac.doFinal();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a MAC takes any bytes", e);
        } finally {
            // what was taken of a message that failed must not count for the next one
            mac.reset();
        }
    }

    private Mac mac() {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return mac;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has " + ALGORITHM, e);
        }
    }
}
