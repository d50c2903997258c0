package io.quittance.psp.sandbox;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;

/** RSA PKCS#1 v1.5 with SHA-256 in base64, as Alipay (RSA2) and WeChat Pay v3 use it. */
final class Rsa {

    private static final int KEY_BITS = 2048;
    private static final int PEM_LINE_CHARS = 64;

    private Rsa() {}

    static KeyPair generate() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(KEY_BITS);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has RSA", e);
        }
    }

    static String sign(PrivateKey key, byte[] message) {
        try {
            Signature signature = Signature.getInstance("SHA256withRSA");
            signature.initSign(key);
            signature.update(message);
            return Base64.getEncoder().encodeToString(signature.sign());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("cannot sign", e);
        }
    }

    /** False for whatever is not the base64 of a right signature. */
    static boolean verify(PublicKey key, byte[] message, String base64) {
        try {
            Signature signature = Signature.getInstance("SHA256withRSA");
            signature.initVerify(key);
            signature.update(message);
            return signature.verify(Base64.getDecoder().decode(base64));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            return false;
        }
    }

    /** Base64 of SPKI. */
    static String text(PublicKey key) {
        return Base64.getEncoder().encodeToString(key.getEncoded());
    }

    /** Base64 of PKCS#8. */
    static String text(PrivateKey key) {
        return Base64.getEncoder().encodeToString(key.getEncoded());
    }

    static String pem(PublicKey key) {
        return pem("PUBLIC KEY", key.getEncoded());
    }

    static String pem(PrivateKey key) {
        return pem("PRIVATE KEY", key.getEncoded());
    }

    /**
     * Reads what {@link #text} wrote.
     *
     * @throws IllegalArgumentException if it is not that
     */
    static KeyPair pair(String publicText, String privateText) {
        try {
            KeyFactory factory = KeyFactory.getInstance("RSA");
            Base64.Decoder base64 = Base64.getDecoder();
            return new KeyPair(
                    factory.generatePublic(new X509EncodedKeySpec(base64.decode(publicText))),
                    factory.generatePrivate(new PKCS8EncodedKeySpec(base64.decode(privateText))));
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("not an RSA key pair", e);
        }
    }

    private static String pem(String label, byte[] der) {
        String lines = Base64.getMimeEncoder(PEM_LINE_CHARS, new byte[] {'\n'}).encodeToString(der);
        return "-----BEGIN " + label + "-----\n" + lines + "\n-----END " + label + "-----\n";
    }
}
