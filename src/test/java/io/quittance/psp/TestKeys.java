package io.quittance.psp;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.util.Base64;

/** Keys that are made anew in each run: nothing secret stands in the repository. */
public final class TestKeys {

    /** The PSP's pair: we know its public half. */
    public static final KeyPair PSP = generate();

    /** Our own pair, which signs our calls. */
    public static final KeyPair OWN = generate();

    /** A pair that nobody configured. */
    public static final KeyPair STRANGER = generate();

    private TestKeys() {}

    public static String base64(PrivateKey key) {
        return Base64.getEncoder().encodeToString(key.getEncoded());
    }

    public static String base64(PublicKey key) {
        return Base64.getEncoder().encodeToString(key.getEncoded());
    }

    public static String pem(PrivateKey key) {
        return "-----BEGIN PRIVATE KEY-----\n" + base64(key) + "\n-----END PRIVATE KEY-----\n";
    }

    public static String pem(PublicKey key) {
        return "-----BEGIN PUBLIC KEY-----\n" + base64(key) + "\n-----END PUBLIC KEY-----\n";
    }

    private static KeyPair generate() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(2048);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
