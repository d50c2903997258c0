package io.quittance.psp.wechatpay;

import io.quittance.psp.JsonFields;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.Optional;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/** Decrypts a {@code resource}: AES-GCM under the APIv3 key, with the last 16 bytes as tag. */
final class WechatpayCipher {

    private static final String ALGORITHM = "AEAD_AES_256_GCM";
    private static final int TAG_BITS = 128;
    private static final int NONCE_BYTES = 12;

    /** Finding the algorithm takes longer than decrypting a notification, and a cipher is for one thread at a time. */
    private static final ThreadLocal<Cipher> CIPHER = ThreadLocal.withInitial(WechatpayCipher::cipher);

    private WechatpayCipher() {}

    /** Empty if the resource is incomplete, of another algorithm, or does not open under the key. */
    static Optional<byte[]> open(SecretKeySpec key, JsonObject resource) {
        byte[] ciphertext = JsonFields.bytes(resource, "ciphertext");
        String nonce = JsonFields.text(resource, "nonce");
        if (!ALGORITHM.equals(JsonFields.text(resource, "algorithm")) || ciphertext == null || nonce == null) {
            return Optional.empty();
        }
        return decrypt(key, JsonFields.text(resource, "associated_data"), nonce, ciphertext);
    }

    /**
     * The plain bytes.
     *
     * @param associatedData null and empty are the same
     * @param ciphertext in base64
     * @return empty if anything does not fit
     */
    static Optional<byte[]> decrypt(
            SecretKeySpec key, @Nullable String associatedData, String nonce, byte[] ciphertext) {
        byte[] iv = nonce.getBytes(StandardCharsets.UTF_8);
        if (iv.length != NONCE_BYTES) {
            return Optional.empty();
        }
        try {
            Cipher cipher = CIPHER.get();
            cipher.init(Cipher.DECRYPT_MODE, key, new GCMParameterSpec(TAG_BITS, iv));
            if (associatedData != null) {
                cipher.updateAAD(associatedData.getBytes(StandardCharsets.UTF_8));
            }
            byte[] sealed = Base64.getDecoder().decode(ciphertext);
            // Java throws something unchecked for a text that is too short for a tag.
            return sealed.length < TAG_BITS / 8 ? Optional.empty() : Optional.of(cipher.doFinal(sealed));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static Cipher cipher() {
        try {
            return Cipher.getInstance("AES/GCM/NoPadding");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has AES-GCM", e);
        }
    }
}
