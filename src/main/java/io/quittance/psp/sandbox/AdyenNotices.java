package io.quittance.psp.sandbox;

import static io.quittance.psp.sandbox.AdyenObjects.newPspReference;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Adyen's standard webhooks (docs.adyen.com/development-resources/webhooks). They go to the one endpoint that is
 * configured, mostly with one item; now and then an authorisation and its capture come in one body.
 */
final class AdyenNotices {

    /** Each n-th payment is told together with its capture. */
    private static final int CAPTURE_EVERY = 4;

    private static final String ALGORITHM = "HmacSHA256";
    private static final String STRANGERS_KEY = "00".repeat(32);

    private final SandboxKeys.Adyen keys;
    private final Supplier<String> url;
    private int paidCount;

    /** @param url where the endpoint is configured */
    AdyenNotices(SandboxKeys.Adyen keys, Supplier<String> url) {
        this.keys = keys;
        this.url = url;
    }

    Notice paid(Trade trade, Instant now) {
        String payment = trade.terms().pspPaymentId();
        JsonObject authorised =
                item("AUTHORISATION", payment, trade, trade.terms().amountMinor(), true, now);
        paidCount++;
        return paidCount % CAPTURE_EVERY == 0
                ? notice(trade, authorised, modification("CAPTURE", trade, now))
                : notice(trade, authorised);
    }

    /** A refused try has a pspReference of its own. */
    Notice declined(Trade trade, Instant now) {
        return notice(
                trade,
                item("AUTHORISATION", newPspReference(), trade, trade.terms().amountMinor(), false, now)
                        .put("reason", "Refused"));
    }

    Notice refunded(Trade trade, Refund refund, boolean success, Instant now) {
        return notice(
                trade,
                item("REFUND", refund.pspRefundId(), trade, refund.amountMinor(), success, now)
                        .put("merchantReference", refund.refundNo())
                        .put("originalReference", trade.terms().pspPaymentId())
                        .put("reason", success ? "" : "Insufficient balance on payment"));
    }

    Notice.Signed sign(Notice notice, Instant now) {
        String key = notice.forged() ? STRANGERS_KEY : keys.hmacKey();
        JsonArray signed = new JsonArray();
        for (Object unsigned : new JsonArray(notice.content())) {
            JsonObject item = (JsonObject) unsigned;
            JsonObject additional = new JsonObject().put("hmacSignature", hmac(key, signedText(item)));
            JsonObject whole =
                    new JsonObject().put("additionalData", additional).mergeIn(item);
            signed.add(new JsonObject().put("NotificationRequestItem", whole));
        }
        JsonObject body = new JsonObject().put("live", "false").put("notificationItems", signed);
        return new Notice.Signed(Map.of("Content-Type", "application/json; charset=utf-8"), body.toBuffer());
    }

    private JsonObject modification(String eventCode, Trade trade, Instant now) {
        return item(eventCode, newPspReference(), trade, trade.terms().amountMinor(), true, now)
                .put("originalReference", trade.terms().pspPaymentId());
    }

    private JsonObject item(
            String eventCode, String pspReference, Trade trade, long amount, boolean success, Instant now) {
        return new JsonObject()
                .put("amount", AdyenObjects.amount(trade, amount))
                .put("eventCode", eventCode)
                .put("eventDate", now.truncatedTo(ChronoUnit.SECONDS).toString())
                .put("merchantAccountCode", keys.merchantAccount())
                .put("merchantReference", AdyenObjects.text(trade, AdyenObjects.REFERENCE))
                .put("paymentMethod", "visa")
                .put("pspReference", pspReference)
                .put("reason", "")
                .put("success", Boolean.toString(success));
    }

    private Notice notice(Trade trade, JsonObject... items) {
        JsonObject first = items[0];
        String kind = first.getString("eventCode");
        String eventId = first.getString("pspReference") + ":" + kind + ":" + first.getString("success");
        String content = new JsonArray(List.of(items)).encode();
        return new Notice(eventId, AdyenSide.PSP, trade.terms().attemptId(), kind, url.get(), content, false);
    }

    private static String signedText(JsonObject item) {
        JsonObject amount = item.getJsonObject("amount");
        return String.join(
                ":",
                item.getString("pspReference"),
                item.getString("originalReference", ""),
                item.getString("merchantAccountCode"),
                item.getString("merchantReference"),
                amount.getValue("value").toString(),
                amount.getString("currency"),
                item.getString("eventCode"),
                item.getString("success"));
    }

    private static String hmac(String hexKey, String text) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(HexFormat.of().parseHex(hexKey), ALGORITHM));
            return Base64.getEncoder().encodeToString(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
        }
    }
}
