package io.quittance.psp;

import java.io.ByteArrayInputStream;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;

/** Reads RSA keys as PSPs hand them out: PEM, or the bare base64 of the same bytes. */
public final class RsaKeys {

    private static final int MIN_BITS = 2048;
    private static final String CERTIFICATE = "-----BEGIN CERTIFICATE-----";

    private RsaKeys() {}

    /**
     * Reads an X.509 certificate in PEM, or a SubjectPublicKeyInfo in PEM or bare base64.
     *
     * @throws IllegalArgumentException if it is none of these or not RSA of 2048 bits or more; the message does not
     *     quote it
     */
    public static PublicKey publicKey(String text) {
        return isCertificate(text) ? certificate(text).getPublicKey() : subjectPublicKey(text);
    }

    public static boolean isCertificate(String text) {
        return text.strip().startsWith(CERTIFICATE);
    }

    /**
     * Reads an X.509 certificate in PEM that holds an RSA key.
     *
     * @throws IllegalArgumentException if it is not one; the message does not quote it
     */
    public static X509Certificate certificate(String pem) {
        try {
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            X509Certificate read =
                    (X509Certificate) factory.generateCertificate(new ByteArrayInputStream(decoded(pem)));
            requireStrongRsa(read.getPublicKey());
            return read;
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("is not an X.509 certificate", e);
        }
    }

    /**
     * Reads a PKCS#8 private key in PEM or bare base64.
     *
     * @throws IllegalArgumentException if it is not one, or not RSA of 2048 bits or more; the message does not quote it
     */
    public static PrivateKey privateKey(String text) {
        if (text.contains("BEGIN RSA PRIVATE KEY")) {
            throw new IllegalArgumentException("is a PKCS#1 key; convert it with: openssl pkcs8 -topk8 -nocrypt");
        }
        try {
            PrivateKey read = KeyFactory.getInstance("RSA").generatePrivate(new PKCS8EncodedKeySpec(decoded(text)));
            requireStrongRsa(read);
            return read;
        } catch (GeneralSecurityException e) {
            // The cause is dropped on purpose: it may quote the key.
            throw new IllegalArgumentException("is not an RSA private key in PKCS#8");
        }
    }

    /** Whether both are halves of one pair: then somebody configured the own key where the PSP's belongs. */
    public static boolean isPair(PrivateKey privateKey, PublicKey publicKey) {
        return privateKey instanceof RSAKey own
                && publicKey instanceof RSAKey other
                && own.getModulus().equals(other.getModulus());
    }

    private static PublicKey subjectPublicKey(String text) {
        try {
            PublicKey read = KeyFactory.getInstance("RSA").generatePublic(new X509EncodedKeySpec(decoded(text)));
            requireStrongRsa(read);
            return read;
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("is not an RSA public key", e);
        }
    }

    private static void requireStrongRsa(Key key) {
        if (!(key instanceof RSAKey rsa)) {
            throw new IllegalArgumentException("is not an RSA key");
        }
        if (rsa.getModulus().bitLength() < MIN_BITS) {
            throw new IllegalArgumentException("has fewer than " + MIN_BITS + " bits");
        }
    }

    private static byte[] decoded(String text) {
        String base64 = text.replaceAll("-----(BEGIN|END) [A-Z ]+-----", "").replaceAll("\\s", "");
        try {
            return Base64.getDecoder().decode(base64);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("is neither PEM nor base64");
        }
    }
}
