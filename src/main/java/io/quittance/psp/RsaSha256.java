package io.quittance.psp;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.util.Base64;
import java.util.Optional;

/** RSA PKCS#1 v1.5 with SHA-256, the one algorithm of Alipay (RSA2) and WeChat Pay; never chosen by the message. */
public final class RsaSha256 {

    private static final String ALGORITHM = "SHA256withRSA";

    private RsaSha256() {}

    /** The signature in base64. */
    public static String sign(PrivateKey key, byte[] message) {
        try {
            Signature signature = Signature.getInstance(ALGORITHM);
            signature.initSign(key);
            signature.update(message);
            return Base64.getEncoder().encodeToString(signature.sign());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a key that was accepted at start-up cannot sign", e);
        }
    }

    /** Whether the signature is right; false for whatever cannot be one. */
    public static boolean verify(PublicKey key, byte[] message, byte[] signature) {
        return verify(key, SignedBytes.of(message), signature);
    }

    /** As {@link #verify(PublicKey, byte[], byte[])}. */
    public static boolean verify(PublicKey key, SignedBytes message, byte[] signature) {
        try {
            Signature verifier = Signature.getInstance(ALGORITHM);
            verifier.initVerify(key);
            message.into(verifier::update);
            return verifier.verify(signature);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    /**
     * The bytes of a signature in base64.
     *
     * @return empty for an empty text and for anything but the one canonical spelling: a lenient reader accepts several
     *     texts for one signature
     */
    public static Optional<byte[]> decodeSignature(String base64) {
        try {
            byte[] bytes = Base64.getDecoder().decode(base64);
            boolean canonical =
                    bytes.length > 0 && base64.equals(Base64.getEncoder().encodeToString(bytes));
            return canonical ? Optional.of(bytes) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
