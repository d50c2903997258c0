package io.quittance.psp.standardwebhooks;

import io.quittance.psp.HmacSha256;
import java.io.ByteArrayOutputStream;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import java.util.HexFormat;
import javax.crypto.spec.SecretKeySpec;

/** Reads keys as the specification writes them: a prefix, which may be missing, and base64. */
final class WebhookKeys {

    static final String ED25519 = "Ed25519";

    private static final int SECRET_BYTES_MIN = 24;
    private static final int SECRET_BYTES_MAX = 64;
    private static final int PUBLIC_KEY_BYTES = 32;

    /** What stands before the 32 bytes of an Ed25519 key in its SubjectPublicKeyInfo (RFC 8410, section 4). */
    private static final byte[] SPKI_HEAD = HexFormat.of().parseHex("302a300506032b6570032100");

    private WebhookKeys() {}

    /** @throws IllegalArgumentException with a message fit to follow the setting's name */
    static SecretKeySpec secret(String text) {
        byte[] bytes = decoded("whsec_", text);
        if (bytes.length < SECRET_BYTES_MIN || bytes.length > SECRET_BYTES_MAX) {
            throw new IllegalArgumentException("must be base64 of " + SECRET_BYTES_MIN + " to " + SECRET_BYTES_MAX
                    + " bytes, with or without whsec_ before it");
        }
        return new SecretKeySpec(bytes, HmacSha256.ALGORITHM);
    }

    /** @throws IllegalArgumentException with a message fit to follow the setting's name */
    static PublicKey publicKey(String text) {
        byte[] bytes = decoded("whpk_", text);
        try {
            if (bytes.length == PUBLIC_KEY_BYTES) {
                ByteArrayOutputStream encoded = new ByteArrayOutputStream();
                encoded.writeBytes(SPKI_HEAD);
                encoded.writeBytes(bytes);
                PublicKey key =
                        KeyFactory.getInstance(ED25519).generatePublic(new X509EncodedKeySpec(encoded.toByteArray()));
                // Only its use shows whether the bytes are a point of the curve.
                Signature.getInstance(ED25519).initVerify(key);
                return key;
            }
        } catch (GeneralSecurityException e) {
            // reported below like a key of another length
        }
        throw new IllegalArgumentException("must be base64 of an ed25519 public key of " + PUBLIC_KEY_BYTES
                + " bytes, with or without whpk_ before it");
    }

    /** Nothing, which is too short for any key, if it is not base64. */
    private static byte[] decoded(String prefix, String text) {
        try {
            return Base64.getDecoder().decode(text.startsWith(prefix) ? text.substring(prefix.length()) : text);
        } catch (IllegalArgumentException e) {
            return new byte[0];
        }
    }
}
