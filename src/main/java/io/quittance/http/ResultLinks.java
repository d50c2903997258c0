package io.quittance.http;

import io.quittance.psp.CallbackUrls;
import io.quittance.psp.HmacSha256;
import io.quittance.psp.SignedBytes;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Optional;

/**
 * Links to the pages on which payers see what became of their orders. A link's token is the merchant's id and an
 * HMAC-SHA256 over merchant and order number, so that an order has one link, which nobody can make from its number. The
 * merchant stands in the token because order numbers are only unique within one.
 */
public final class ResultLinks {

    /** As long as the hash that it keys. */
    public static final int SECRET_BYTES_MIN = 32;

    /** Longer tokens are not ours: 63 characters of a merchant's id, a dot, 43 of a hash. */
    private static final int TOKEN_CHARS_MAX = 128;

    /** Keeps this use of the secret apart from any other one. */
    private static final String PURPOSE = "quittance result page 1";

    private final CallbackUrls urls;
    private final HmacSha256 key;

    /**
     * @param urls where payers reach this gateway
     * @param secret the same in all processes that shall know each other's links
     * @throws IllegalArgumentException if the secret is shorter than 32 bytes
     */
    public ResultLinks(CallbackUrls urls, byte[] secret) {
        if (secret.length < SECRET_BYTES_MIN) {
            throw new IllegalArgumentException("the secret must have at least " + SECRET_BYTES_MIN + " bytes");
        }
        this.urls = urls;
        this.key = HmacSha256.of(secret);
    }

    /** The address of an order's page. */
    String to(String merchantId, String orderNo) {
        return urls.publicUrl() + "/pay/" + orderNo + "?token=" + token(merchantId, orderNo);
    }

    String token(String merchantId, String orderNo) {
        return merchantId + "." + hash(merchantId, orderNo);
    }

    /** Whose order of this number a token shows; empty if it shows none. */
    Optional<String> merchantOf(String token, String orderNo) {
        int dot = token.lastIndexOf('.');
        if (dot <= 0 || token.length() > TOKEN_CHARS_MAX) {
            return Optional.empty();
        }
        String merchantId = token.substring(0, dot);
        byte[] given = token.substring(dot + 1).getBytes(StandardCharsets.UTF_8);
        byte[] right = hash(merchantId, orderNo).getBytes(StandardCharsets.UTF_8);
        return MessageDigest.isEqual(given, right) ? Optional.of(merchantId) : Optional.empty();
    }

    private String hash(String merchantId, String orderNo) {
        String named = PURPOSE + "\n" + merchantId + "\n" + orderNo;
        byte[] hash = key.code(SignedBytes.of(named.getBytes(StandardCharsets.UTF_8)));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(hash);
    }
}
