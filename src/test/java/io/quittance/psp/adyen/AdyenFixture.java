package io.quittance.psp.adyen;

import io.quittance.psp.Acknowledgement;
import io.quittance.psp.PspAdapter;
import io.quittance.psp.PspEvent;
import io.quittance.psp.PspFixture;
import io.quittance.psp.PspHttp;
import io.quittance.psp.RawNotification;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Adyen notifications, signed as the published vectors are. */
public final class AdyenFixture implements PspFixture {

    static final String OLD_KEY = "44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056";
    static final String KEY = "DFB1EB5485895CFA84146406857104ABB4CBCABDC8AAF103A624C8F6A3EAAB00";
    static final String STRANGERS_KEY = "00".repeat(32);
    static final String PAYMENT = "8815658961765250";

    /** A minute after the attempt was born, whose id says when that was. */
    static final Clock SOON = Clock.fixed(
            Instant.ofEpochMilli(Long.parseLong(ATTEMPT.substring(0, 12), 16)).plusSeconds(60), ZoneOffset.UTC);

    @Override
    public PspAdapter adapter(JsonObject settings, PspHttp http, Clock clock) {
        return new AdyenAdapter("acme", AdyenSettings.parse(settings), http, clock);
    }

    @Override
    public JsonObject settingsFor(String address) {
        return settings(address);
    }

    @Override
    public Clock clock() {
        return SOON;
    }

    static JsonObject settings(String address) {
        return new JsonObject()
                .put("api_base", address + "/v71")
                .put("merchant_account", "AcmeECOM")
                .put("api_key", "AQE_secret")
                .put("hmac_keys", new JsonArray().add(OLD_KEY).add(KEY))
                .put("live", false);
    }

    @Override
    public RawNotification good() {
        return raw(body(signed(item("AUTHORISATION", true), KEY)));
    }

    @Override
    public RawNotification signedByAStranger() {
        return raw(body(signed(item("AUTHORISATION", true), STRANGERS_KEY)));
    }

    @Override
    public List<PspEvent> events() {
        String undone = "REFUND_SUCCEEDED of 19.99 EUR";
        String notUndone = "REFUND_FAILED of 19.99 EUR";
        String paid = "PAYMENT_SUCCEEDED of 19.99 EUR";
        String lost = "PAYMENT_SUCCEEDED of 0.00 EUR, but AMOUNT";
        return List.of(
                atOnce(item("AUTHORISATION", true), paid),
                atOnce(item("AUTHORISATION", false), "PAYMENT_DECLINED"),
                atOnce(item("PENDING", true), "PAYMENT_PENDING"),
                atOnce(item("OFFER_CLOSED", true), "PAYMENT_CLOSED"),
                atOnce(item("EXPIRE", true), "PAYMENT_CLOSED"),
                atOnce(modification("CAPTURE", true), paid),
                atOnce(modification("CAPTURE", false), lost),
                atOnce(modification("CAPTURE_FAILED", true), lost),
                atOnce(modification("CANCELLATION", true), "PAYMENT_CLOSED", undone),
                atOnce(modification("CANCELLATION", false)),
                atOnce(modification("TECHNICAL_CANCEL", true), "PAYMENT_CLOSED", undone),
                atOnce(modification("TECHNICAL_CANCEL", false)),
                atOnce(modification("CANCEL_OR_REFUND", true), "PAYMENT_CLOSED", undone),
                atOnce(modification("CANCEL_OR_REFUND", false), notUndone),
                atOnce(modification("REFUND", true), undone),
                atOnce(modification("REFUND", false), notUndone),
                atOnce(modification("REFUND_FAILED", true), notUndone),
                atOnce(modification("REFUNDED_REVERSED", true), notUndone),
                later(item("AUTHORISATION", true), "PAYMENT_PENDING"),
                later(modification("CAPTURE", true), paid),
                later(modification("CAPTURE", false), "PAYMENT_DECLINED"),
                later(modification("CAPTURE_FAILED", true), lost),
                later(modification("CANCELLATION", true), "PAYMENT_CLOSED"),
                later(modification("TECHNICAL_CANCEL", true), "PAYMENT_CLOSED"),
                atOnce(modification("NOTIFICATION_OF_CHARGEBACK", true)),
                atOnce(modification("REQUEST_FOR_INFORMATION", true)),
                atOnce(modification("CHARGEBACK", true)),
                atOnce(modification("SECOND_CHARGEBACK", true)),
                atOnce(modification("CHARGEBACK_REVERSED", true)),
                atOnce(modification("PREARBITRATION_WON", true)),
                atOnce(item("REPORT_AVAILABLE", true)));
    }

    /** Where each authorisation is captured at once. */
    private PspEvent atOnce(JsonObject item, String... says) {
        return about("", adapter(settings()), item, says);
    }

    /** Where captures are asked for. */
    private PspEvent later(JsonObject item, String... says) {
        return about("captured later, ", adapter(settings().put("capture", "manual")), item, says);
    }

    private static PspEvent about(String how, PspAdapter adapter, JsonObject item, String... says) {
        String name = how + item.getString("eventCode") + " " + item.getString("success");
        return new PspEvent(name, adapter, raw(body(signed(item, KEY))), List.of(says));
    }

    @Override
    public List<String> signatureHeaders() {
        return List.of();
    }

    /** The eight fields with their names, and the signature; what stands between and around them is not signed. */
    @Override
    public boolean signs(int position) {
        String text = good().body().toString();
        JsonObject item = item("AUTHORISATION", true);
        return isWithin(text, "\"value\":1999", position)
                || isWithin(text, "\"currency\":\"EUR\"", position)
                || isWithin(text, "\"hmacSignature\":\"" + mac(item, KEY) + "\"", position)
                || List.of("pspReference", "merchantAccountCode", "merchantReference", "eventCode", "success").stream()
                        .anyMatch(
                                name -> isWithin(text, "\"" + name + "\":\"" + item.getString(name) + "\"", position));
    }

    private static boolean isWithin(String text, String part, int position) {
        int start = text.indexOf(part);
        if (start < 0) {
            throw new IllegalStateException("not in the notification: " + part);
        }
        return position >= start && position < start + part.length();
    }

    /** A link says that it was used, and nothing of the payment. */
    @Override
    public boolean answersWithMoney() {
        return false;
    }

    @Override
    public boolean signsAnswers() {
        return false;
    }

    @Override
    public List<RawNotification> shifted() {
        return List.of();
    }

    @Override
    public Map<Acknowledgement, String> acknowledgements() {
        return Map.of(
                Acknowledgement.ACCEPTED, "202 text/plain; charset=utf-8 [accepted]",
                Acknowledgement.REFUSED, "401  ",
                Acknowledgement.UNREADABLE, "400  ",
                Acknowledgement.RETRY_LATER, "503  ");
    }

    @Override
    public void answer(HttpServerRequest request, int status, Buffer body) {
        request.response().setStatusCode(status).end(body);
    }

    @Override
    public boolean answerUnsigned(HttpServerResponse response) {
        return false;
    }

    /** An item about the attempt, not signed yet. */
    static JsonObject item(String eventCode, boolean success) {
        return new JsonObject()
                .put("amount", new JsonObject().put("currency", "EUR").put("value", 1_999))
                .put("eventCode", eventCode)
                .put("eventDate", "2026-03-01T13:00:00+01:00")
                .put("merchantAccountCode", "AcmeECOM")
                .put("merchantReference", ATTEMPT)
                .put("operations", new JsonArray().add("CANCEL").add("CAPTURE").add("REFUND"))
                .put("paymentMethod", "visa")
                .put("pspReference", PAYMENT)
                .put("reason", "1234:7777:12/2030")
                .put("success", Boolean.toString(success));
    }

    /** An item about a change of the payment, with a pspReference of its own. */
    static JsonObject modification(String eventCode, boolean success) {
        return item(eventCode, success).put("pspReference", "8825658961765251").put("originalReference", PAYMENT);
    }

    static JsonObject signed(JsonObject item, String hexKey) {
        return item.copy().put("additionalData", new JsonObject().put("hmacSignature", mac(item, hexKey)));
    }

    static String mac(JsonObject item, String hexKey) {
        JsonObject amount = item.getJsonObject("amount", new JsonObject());
        String text = String.join(
                ":",
                text(item, "pspReference"),
                text(item, "originalReference"),
                text(item, "merchantAccountCode"),
                text(item, "merchantReference"),
                text(amount, "value"),
                text(amount, "currency"),
                text(item, "eventCode"),
                text(item, "success"));
        return mac(text.getBytes(StandardCharsets.UTF_8), hexKey);
    }

    private static String text(JsonObject from, String name) {
        Object value = from.getValue(name);
        return value == null ? "" : value.toString();
    }

    static String mac(byte[] message, String hexKey) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(HexFormat.of().parseHex(hexKey), "HmacSHA256"));
            return Base64.getEncoder().encodeToString(mac.doFinal(message));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    static JsonObject body(JsonObject... items) {
        JsonArray wrapped = new JsonArray();
        for (JsonObject item : items) {
            wrapped.add(new JsonObject().put("NotificationRequestItem", item));
        }
        return new JsonObject().put("live", "false").put("notificationItems", wrapped);
    }

    static RawNotification raw(JsonObject body) {
        return raw(Buffer.buffer(body.encode()));
    }

    static RawNotification raw(Buffer body) {
        return new RawNotification(MultiMap.caseInsensitiveMultiMap(), body, NOW);
    }

    @Override
    public String toString() {
        return "adyen";
    }
}
