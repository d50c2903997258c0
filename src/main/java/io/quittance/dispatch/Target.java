package io.quittance.dispatch;

import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * A system that acts on orders' conclusions.
 *
 * @param name in the configuration, and in the outbox
 * @param url where orders are posted
 * @param secret of the Standard Webhooks signature
 * @param lookupUrl where it can be asked for an order, with {@code {order_no}} in place of the number; without it, the
 *     target must know a repeated Idempotency-Key
 * @param takesCorrections whether it may be told that an order was closed, and later that it was paid after all
 */
public record Target(
        String name, String url, SecretKey secret, @Nullable String lookupUrl, boolean takesCorrections) {

    private static final String ORDER_NO = "{order_no}";
    private static final String SECRET_PREFIX = "whsec_";

    /** Standard Webhooks: a symmetric secret has 24 to 64 bytes. */
    private static final int SECRET_BYTES_MIN = 24;

    private static final int SECRET_BYTES_MAX = 64;

    public Target {
        if (name.isBlank()) {
            throw new IllegalArgumentException("a target needs a name");
        }
        requireHttp("url", url);
        if (lookupUrl != null) {
            if (!lookupUrl.contains(ORDER_NO)) {
                throw new IllegalArgumentException("lookup_url must contain " + ORDER_NO);
            }
            requireHttp("lookup_url", lookupUrl.replace(ORDER_NO, "0"));
        }
    }

    /**
     * A target as configured.
     *
     * @param secret {@code whsec_} and base64
     * @throws IllegalArgumentException if anything is malformed; the message never shows the secret
     */
    public static Target of(
            String name, String url, String secret, @Nullable String lookupUrl, boolean takesCorrections) {
        try {
            return new Target(name, url, secretOf(secret), lookupUrl, takesCorrections);
        } catch (IllegalArgumentException malformed) {
            throw new IllegalArgumentException("target " + name + ": " + malformed.getMessage(), malformed);
        }
    }

    /**
     * Reads a secret.
     *
     * @param text {@code whsec_} and base64 of 24 to 64 bytes
     * @throws IllegalArgumentException if it is anything else; the message never shows it
     */
    public static SecretKey secretOf(String text) {
        if (!text.startsWith(SECRET_PREFIX)) {
            throw new IllegalArgumentException("a secret must begin with " + SECRET_PREFIX);
        }
        byte[] bytes = decoded(text.substring(SECRET_PREFIX.length()));
        if (bytes.length < SECRET_BYTES_MIN || bytes.length > SECRET_BYTES_MAX) {
            throw new IllegalArgumentException("a secret must have " + SECRET_BYTES_MIN + " to " + SECRET_BYTES_MAX
                    + " bytes, this one has " + bytes.length);
        }
        return new SecretKeySpec(bytes, WebhookSignature.ALGORITHM);
    }

    private static byte[] decoded(String base64) {
        try {
            return Base64.getDecoder().decode(base64);
        } catch (IllegalArgumentException malformed) {
            // The decoder's own message repeats a part of it.
            throw new IllegalArgumentException("a secret must be base64 after " + SECRET_PREFIX);
        }
    }

    /** Where to ask for an order; empty if the target cannot be asked. */
    Optional<String> lookupOf(String orderNo) {
        return Optional.ofNullable(lookupUrl).map(template -> template.replace(ORDER_NO, percentEncoded(orderNo)));
    }

    @Override
    public String toString() {
        return "Target[name=" + name + ", url=" + url + ", secret=***, lookupUrl=" + lookupUrl + ", takesCorrections="
                + takesCorrections + "]";
    }

    private static void requireHttp(String key, String url) {
        URI uri;
        try {
            uri = URI.create(url);
        } catch (IllegalArgumentException malformed) {
            throw new IllegalArgumentException(key + " is not a URL", malformed);
        }
        boolean http = "http".equalsIgnoreCase(uri.getScheme()) || "https".equalsIgnoreCase(uri.getScheme());
        if (!http || uri.getHost() == null) {
            throw new IllegalArgumentException(key + " must be an http or https URL");
        }
    }

    /** For a path or a query alike; the form encoder writes a blank in a way that only queries know. */
    private static String percentEncoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
