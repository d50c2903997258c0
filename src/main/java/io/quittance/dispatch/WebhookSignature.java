package io.quittance.dispatch;

import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.SecretKey;

/**
 * The symmetric signature of Standard Webhooks: HMAC-SHA256 over {@code id.timestamp.body}.
 *
 * @see <a href="https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md">the
 *     specification</a>
 */
public final class WebhookSignature {

    public static final String ID_HEADER = "webhook-id";
    public static final String TIMESTAMP_HEADER = "webhook-timestamp";
    public static final String SIGNATURE_HEADER = "webhook-signature";

    static final String ALGORITHM = "HmacSHA256";

    private WebhookSignature() {}

    /**
     * The value of the signature header.
     *
     * @param id without a dot, which is what separates the signed parts
     * @param timestampSeconds since 1970
     * @param body as sent, byte by byte
     */
    public static String sign(SecretKey secret, String id, long timestampSeconds, Buffer body) {
        if (id.indexOf('.') >= 0) {
            throw new IllegalArgumentException("an id must not contain a dot");
        }
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(secret);
            mac.update((id + "." + timestampSeconds + ".").getBytes(StandardCharsets.UTF_8));
            return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(body.getBytes()));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("every Java platform has " + ALGORITHM, impossible);
        }
    }
}
