package io.quittance.loadtest.sender;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.util.Base64;
import java.util.HexFormat;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** The PSPs' side of the signatures. Keys are made anew in each run. */
public final class Signing {

    private static final int RSA_BITS = 2_048;
    private static final int HMAC_KEY_BYTES = 32;
    private static final int GCM_TAG_BITS = 128;

    private Signing() {}

    public static KeyPair rsaPair() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(RSA_BITS);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    public static byte[] rsa(PrivateKey key, byte[] message) {
        try {
            Signature signature = Signature.getInstance("SHA256withRSA");
            signature.initSign(key);
            signature.update(message);
            return signature.sign();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    public static byte[] randomKey() {
        byte[] key = new byte[HMAC_KEY_BYTES];
        new SecureRandom().nextBytes(key);
        return key;
    }

    public static byte[] hmac(byte[] key, String message) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac.doFinal(utf8(message));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The ciphertext with its tag, in base64. */
    public static String aesGcm(String key, String nonce, String associatedData, String plain) {
        try {
            Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
            GCMParameterSpec parameters = new GCMParameterSpec(GCM_TAG_BITS, utf8(nonce));
            cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(utf8(key), "AES"), parameters);
            cipher.updateAAD(utf8(associatedData));
            return base64(cipher.doFinal(utf8(plain)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    public static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    public static String base64(Key key) {
        return base64(key.getEncoded());
    }

    public static String sha256Hex(String text) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(utf8(text)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    public static String pem(Key key) {
        String kind = key instanceof PrivateKey ? "PRIVATE KEY" : "PUBLIC KEY";
        return "-----BEGIN " + kind + "-----\n" + base64(key) + "\n-----END " + kind + "-----\n";
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
