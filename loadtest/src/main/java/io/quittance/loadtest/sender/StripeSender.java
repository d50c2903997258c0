package io.quittance.loadtest.sender;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Stripe's events (docs.stripe.com/webhooks): HMAC-SHA256 over {@code time.body}.
 *
 * @param webhookSecret the whole text is the key, its prefix too
 */
public record StripeSender(String webhookSecret) implements Sender {

    /** Arguments: event, created, payment, amount, amount received, payment, currency, filler, attempt, status, type. */
    private static final String BODY = """
            {
              "id": "%s", "object": "event", "api_version": "2025-11-17.clover",
              "created": %d, "data": {
                "object": {
                  "id": "%s", "object": "payment_intent", "amount": %d,
                  "amount_capturable": 0, "amount_details": {"tip": {}}, "amount_received": %d,
                  "automatic_payment_methods": {"allow_redirects": "always", "enabled": true},
                  "canceled_at": null, "cancellation_reason": null, "capture_method": "automatic",
                  "client_secret": "%s_secret_x", "currency": "%s",
                  "description": "%s", "last_payment_error": null, "livemode": false,
                  "metadata": {"attempt_id": "%s"}, "payment_method_types": ["card"], "status": "%s"
                }
              },
              "livemode": false, "pending_webhooks": 1, "request": {"id": null}, "type": "payment_intent.%s"
            }
            """;

    @Override
    public String psp() {
        return "stripe";
    }

    @Override
    public Notification sign(News news, Instant now) {
        String id = news.eventId("evt_");
        String status = news.succeeded() ? "succeeded" : "processing";
        String body = BODY.formatted(
                id,
                news.at().getEpochSecond(),
                news.payment(),
                news.amountMinor(),
                news.succeeded() ? news.amountMinor() : 0,
                news.payment(),
                news.currency().toLowerCase(Locale.ROOT),
                news.filler(),
                news.attempt(),
                status,
                status);
        long time = now.getEpochSecond();
        byte[] signature = Signing.hmac(webhookSecret.getBytes(StandardCharsets.UTF_8), time + "." + body);
        String header = "t=" + time + ",v1=" + HexFormat.of().formatHex(signature);
        return new Notification(
                id,
                Map.of("Content-Type", "application/json; charset=utf-8", "Stripe-Signature", header),
                body,
                Optional.empty());
    }

    @Override
    public String toString() {
        return "StripeSender[secret]";
    }
}
