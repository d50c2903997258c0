package io.quittance.psp.standardwebhooks;

import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.WebhookSigningException;
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
import java.time.Clock;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/** Notifications signed by the specification's own library. */
public final class StandardWebhooksFixture implements PspFixture {

    static final String ID = "msg_1";
    static final String OLD_SECRET = secret("the old one of 24 bytes.");
    static final String SECRET = secret("the new one of 24 bytes.");
    static final String STRANGER = secret("somebody else's secret..");

    private static String secret(String bytes) {
        return "whsec_" + Base64.getEncoder().encodeToString(bytes.getBytes(StandardCharsets.US_ASCII));
    }

    @Override
    public PspAdapter adapter(JsonObject settings, PspHttp http, Clock clock) {
        return new StandardWebhooksAdapter("acme", StandardWebhooksSettings.parse(settings), http, clock);
    }

    @Override
    public JsonObject settingsFor(String address) {
        return goodSettings();
    }

    static PspAdapter with(JsonObject settings) {
        return new StandardWebhooksFixture().adapter(settings);
    }

    static JsonObject goodSettings() {
        return new JsonObject()
                .put("webhook_secrets", new JsonArray().add(OLD_SECRET).add(SECRET));
    }

    @Override
    public RawNotification good() {
        return signed(event("payment.succeeded"), SECRET);
    }

    @Override
    public RawNotification signedByAStranger() {
        return signed(event("payment.succeeded"), STRANGER);
    }

    @Override
    public List<PspEvent> events() {
        return List.of(
                about(event("payment.pending"), "PAYMENT_PENDING"),
                about(event("payment.succeeded"), "PAYMENT_SUCCEEDED of 19.99 EUR"),
                about(event("payment.declined"), "PAYMENT_DECLINED"),
                about(event("payment.failed"), "PAYMENT_FAILED"),
                about(event("payment.closed"), "PAYMENT_CLOSED"),
                about(refund("refund.pending", REFUND), "REFUND_PENDING"),
                about(refund("refund.succeeded", REFUND), "REFUND_SUCCEEDED of 5.00 EUR"),
                about(refund("refund.failed", REFUND), "REFUND_FAILED"),
                about(event("customer.created")));
    }

    private PspEvent about(JsonObject event, String... says) {
        return new PspEvent(event.getString("type"), with(goodSettings()), signed(event, SECRET), List.of(says));
    }

    static JsonObject refund(String type, String reference) {
        JsonObject event = event(type);
        JsonObject refund = new JsonObject().put("id", "ref_1");
        if (reference != null) {
            refund.put("reference", reference);
        }
        event.getJsonObject("data")
                .put("refund", refund)
                .put("amount", new JsonObject().put("value", "5.00").put("currency", "EUR"));
        return event;
    }

    @Override
    public List<String> signatureHeaders() {
        return List.of("webhook-id", "webhook-timestamp", "webhook-signature");
    }

    @Override
    public List<RawNotification> shifted() {
        long time = NOW.getEpochSecond();
        return List.of(withTime(time - 1), withTime(time + 1), withTime(time + 100_000));
    }

    private RawNotification withTime(long time) {
        RawNotification good = good();
        good.headers().set("webhook-timestamp", Long.toString(time));
        return good;
    }

    @Override
    public Map<Acknowledgement, String> acknowledgements() {
        return Map.of(
                Acknowledgement.ACCEPTED, "204  ",
                Acknowledgement.REFUSED, "401  ",
                Acknowledgement.UNREADABLE, "400  ",
                Acknowledgement.RETRY_LATER, "503  ");
    }

    @Override
    public boolean creationCallsThePsp() {
        return false;
    }

    @Override
    public void answer(HttpServerRequest request, int status, Buffer body) {
        throw new AssertionError("nobody is called");
    }

    @Override
    public boolean answerUnsigned(HttpServerResponse response) {
        throw new AssertionError("nobody is called");
    }

    static JsonObject event(String type) {
        JsonObject amount = new JsonObject().put("value", "19.99").put("currency", "EUR");
        JsonObject data =
                new JsonObject().put("id", "pay_1").put("reference", ATTEMPT).put("amount", amount);
        return new JsonObject().put("type", type).put("data", data);
    }

    static RawNotification signed(JsonObject event, String secret) {
        String body = event.encodePrettily();
        return raw("webhook-", ID, NOW.getEpochSecond(), mac(secret, ID, NOW.getEpochSecond(), body), body);
    }

    static RawNotification raw(String prefix, String id, long time, String signatures, String body) {
        MultiMap headers = MultiMap.caseInsensitiveMultiMap()
                .add(prefix + "id", id)
                .add(prefix + "timestamp", Long.toString(time))
                .add(prefix + "signature", signatures);
        return new RawNotification(headers, Buffer.buffer(body), NOW);
    }

    /** {@code v1,} and base64. */
    static String mac(String secret, String id, long time, String body) {
        try {
            return new Webhook(secret).sign(id, time, body);
        } catch (WebhookSigningException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public String toString() {
        return "standardwebhooks";
    }
}
