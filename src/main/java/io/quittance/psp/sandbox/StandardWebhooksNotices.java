package io.quittance.psp.sandbox;

import io.quittance.domain.Money;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Notifications in the gateway's own standard shape, signed after Standard Webhooks (spec/standard-webhooks.md): HMAC-SHA256
 * over {@code id.timestamp.body}, fresh for each journey.
 */
final class StandardWebhooksNotices {

    private final String secret;
    private final Supplier<String> url;

    /**
     * @param secret {@code whsec_} and base64
     * @param url where the endpoint is configured
     */
    StandardWebhooksNotices(String secret, Supplier<String> url) {
        this.secret = secret;
        this.url = url;
    }

    /** The payment as the sandbox's own calls show it. */
    static JsonObject payment(Trade trade) {
        return data(trade, trade.terms().amountMinor())
                .put("status", trade.state().name().toLowerCase(Locale.ROOT))
                .put("refunded", amount(trade.refundedMinor(), trade.terms().currency()));
    }

    Notice about(Trade trade, String type, Instant now) {
        return notice(trade, type, data(trade, trade.terms().amountMinor()), now);
    }

    Notice refunded(Trade trade, Refund refund, Instant now) {
        JsonObject made = new JsonObject().put("id", refund.pspRefundId());
        refund.texts().forEach(made::put);
        return notice(
                trade, "refund.succeeded", data(trade, refund.amountMinor()).put("refund", made), now);
    }

    Notice.Signed sign(Notice notice, Instant now) {
        String key = notice.forged() ? SandboxKeys.newWebhookSecret() : secret;
        long timestamp = now.getEpochSecond();
        String signature = "v1," + hmac(key, notice.eventId() + "." + timestamp + "." + notice.content());
        return new Notice.Signed(
                Map.of(
                        "Content-Type",
                        "application/json",
                        "webhook-id",
                        notice.eventId(),
                        "webhook-timestamp",
                        Long.toString(timestamp),
                        "webhook-signature",
                        signature),
                Buffer.buffer(notice.content()));
    }

    private Notice notice(Trade trade, String type, JsonObject data, Instant now) {
        String content = new JsonObject()
                .put("type", type)
                .put("timestamp", now.toString())
                .put("data", data)
                .encode();
        String eventId = StandardWebhooksSide.newId("msg_");
        return new Notice(
                eventId, StandardWebhooksSide.PSP, trade.terms().attemptId(), type, url.get(), content, false);
    }

    private static JsonObject data(Trade trade, long amountMinor) {
        Trade.Terms terms = trade.terms();
        return new JsonObject()
                .put("id", terms.pspPaymentId())
                .put("reference", terms.attemptId())
                .put("amount", amount(amountMinor, terms.currency()));
    }

    private static JsonObject amount(long minor, String currency) {
        return new JsonObject()
                .put("value", new Money(minor, currency).toIsoDecimal())
                .put("currency", currency);
    }

    private static String hmac(String key, String text) {
        byte[] bytes = Base64.getDecoder().decode(key.substring(SandboxKeys.WEBHOOK_SECRET_PREFIX.length()));
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(bytes, "HmacSHA256"));
            return Base64.getEncoder().encodeToString(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has HMAC-SHA256", e);
        }
    }
}
