package io.quittance.loadtest.sender;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;

/** A PSP that signs after Standard Webhooks (standardwebhooks.com): HMAC-SHA256 over {@code id.time.body}. */
public record StandardWebhooksSender(byte[] key) implements Sender {

    /** What stands before the key in base64, where it is written down. */
    public static final String SECRET_PREFIX = "whsec_";

    /** Arguments: type, time, payment, attempt, amount, currency, filler. */
    private static final String BODY = """
            {"type":"payment.%s","timestamp":"%s","data":{"id":"%s","reference":"%s",\
            "amount":{"value":"%s","currency":"%s"},"description":"%s","customer":{"id":"c_1","tags":["a","b"]}}}""";

    /**
     * Takes a secret as it is written down.
     *
     * @throws IllegalArgumentException if it is not {@code whsec_} and base64
     */
    public static StandardWebhooksSender of(String secret) {
        if (!secret.startsWith(SECRET_PREFIX)) {
            throw new IllegalArgumentException("does not begin with " + SECRET_PREFIX);
        }
        return new StandardWebhooksSender(Base64.getDecoder().decode(secret.substring(SECRET_PREFIX.length())));
    }

    @Override
    public String psp() {
        return "standardwebhooks";
    }

    @Override
    public Notification sign(News news, Instant now) {
        String id = news.eventId("msg_");
        String body = BODY.formatted(
                news.succeeded() ? "succeeded" : "pending",
                news.at(),
                news.payment(),
                news.attempt(),
                BigDecimal.valueOf(news.amountMinor(), 2).toPlainString(),
                news.currency(),
                news.filler());
        String time = Long.toString(now.getEpochSecond());
        String signature = Signing.base64(Signing.hmac(key, id + "." + time + "." + body));
        return new Notification(
                id,
                Map.of(
                        "Content-Type",
                        "application/json",
                        "webhook-id",
                        id,
                        "webhook-timestamp",
                        time,
                        "webhook-signature",
                        "v1," + signature),
                body,
                Optional.empty());
    }

    @Override
    public String toString() {
        return "StandardWebhooksSender[secret]";
    }
}
