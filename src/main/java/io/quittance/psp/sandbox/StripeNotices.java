package io.quittance.psp.sandbox;

import static io.quittance.psp.sandbox.StripeObjects.newId;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Stripe's events and their signature (docs.stripe.com/webhooks): HMAC-SHA256 over {@code t.body}, fresh for each journey. */
final class StripeNotices {

    private final String secret;
    private final int chargeEventEvery;
    private final Supplier<String> url;
    private int paidCount;

    /**
     * @param chargeEventEvery each n-th payment brings a charge.succeeded too; 0 for never
     * @param url where the endpoint is configured
     */
    StripeNotices(String secret, int chargeEventEvery, Supplier<String> url) {
        this.secret = secret;
        this.chargeEventEvery = chargeEventEvery;
        this.url = url;
    }

    Notice paid(Trade trade, Instant now) {
        return notice(trade, "payment_intent.succeeded", StripeObjects.paymentIntent(trade), now);
    }

    /** The same money under another name: real, and no news. */
    List<Notice> besidesPaid(Trade trade, Instant now) {
        paidCount++;
        boolean due = chargeEventEvery > 0 && paidCount % chargeEventEvery == 0;
        return due ? List.of(notice(trade, "charge.succeeded", StripeObjects.charge(trade), now)) : List.of();
    }

    Notice declined(Trade trade, Instant now) {
        JsonObject intent = StripeObjects.paymentIntent(trade).put("last_payment_error", StripeObjects.declineError());
        return notice(trade, "payment_intent.payment_failed", intent, now);
    }

    Notice canceled(Trade trade, Instant now) {
        JsonObject intent = StripeObjects.paymentIntent(trade).put("canceled_at", now.getEpochSecond());
        return notice(trade, "payment_intent.canceled", intent, now);
    }

    /** Two events with ids of their own for one change, as Stripe has it. */
    List<Notice> refunded(Trade trade, Refund refund, Instant now) {
        JsonObject body = StripeObjects.refund(trade, refund);
        return List.of(notice(trade, "refund.created", body, now), notice(trade, "refund.updated", body, now));
    }

    Notice.Signed sign(Notice notice, Instant now) {
        String key = notice.forged() ? "whsec_of_somebody_else" : secret;
        long t = now.getEpochSecond();
        String signature = hmac(key, t + "." + notice.content());
        return new Notice.Signed(
                Map.of(
                        "Content-Type",
                        "application/json; charset=utf-8",
                        "Stripe-Signature",
                        "t=" + t + ",v1=" + signature),
                Buffer.buffer(notice.content()));
    }

    private Notice notice(Trade trade, String type, JsonObject object, Instant now) {
        String eventId = newId("evt_");
        String content = StripeObjects.event(eventId, type, object, now).encode();
        return new Notice(eventId, StripeSide.PSP, trade.terms().attemptId(), type, url.get(), content, false);
    }

    private static String hmac(String key, String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            return HexFormat.of().formatHex(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has HMAC-SHA256", e);
        }
    }
}
