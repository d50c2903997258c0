package io.quittance.psp.stripe;

import com.stripe.net.Webhook;
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
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.util.List;
import java.util.Map;

/** Stripe notifications, signed by Stripe's own library. */
public final class StripeFixture implements PspFixture {

    static final String OLD_SECRET = "whsec_old";
    static final String SECRET = "whsec_new";

    @Override
    public PspAdapter adapter(JsonObject settings, PspHttp http, Clock clock) {
        return new StripeAdapter("acme", StripeSettings.parse(settings), http, clock);
    }

    @Override
    public JsonObject settingsFor(String address) {
        return settings(address);
    }

    static JsonObject settings(String address) {
        return new JsonObject()
                .put("api_base", address)
                .put("api_key", "sk_test_secret")
                .put("webhook_secrets", new JsonArray().add(OLD_SECRET).add(SECRET));
    }

    @Override
    public RawNotification good() {
        return signed(event("payment_intent.succeeded", intent()), SECRET);
    }

    @Override
    public RawNotification signedByAStranger() {
        return signed(event("payment_intent.succeeded", intent()), "whsec_stranger");
    }

    @Override
    public List<PspEvent> events() {
        return List.of(
                about("payment_intent.created", intent(), "PAYMENT_PENDING"),
                about("payment_intent.processing", intent(), "PAYMENT_PENDING"),
                about("payment_intent.requires_action", intent(), "PAYMENT_PENDING"),
                about("payment_intent.amount_capturable_updated", intent(), "PAYMENT_PENDING"),
                about("payment_intent.succeeded", intent(), "PAYMENT_SUCCEEDED of 19.99 EUR"),
                about("payment_intent.payment_failed", intent(), "PAYMENT_DECLINED"),
                about("payment_intent.canceled", intent(), "PAYMENT_CLOSED"),
                about("refund.created", refund("pending"), "REFUND_PENDING of 5.00 EUR"),
                about("refund.updated", refund("succeeded"), "REFUND_SUCCEEDED of 5.00 EUR"),
                about("refund.updated", refund("requires_action"), "REFUND_PENDING of 5.00 EUR"),
                about("refund.updated", refund("canceled"), "REFUND_FAILED of 5.00 EUR"),
                about("refund.failed", refund("failed"), "REFUND_FAILED of 5.00 EUR"),
                about("charge.refund.updated", refund("failed"), "REFUND_FAILED of 5.00 EUR"),
                // The same money again, told of another object.
                about("charge.succeeded", intent()),
                about("charge.failed", intent()),
                about("charge.refunded", intent()),
                about("checkout.session.completed", intent()),
                about("checkout.session.async_payment_succeeded", intent()),
                about("checkout.session.expired", intent()),
                about("charge.dispute.created", intent()),
                about("charge.dispute.funds_withdrawn", intent()),
                about("charge.dispute.closed", intent()),
                about("payout.reconciliation_completed", intent()));
    }

    private PspEvent about(String type, JsonObject object, String... says) {
        String name = type + " " + object.getString("status");
        return new PspEvent(name, adapter(settings()), signed(event(type, object), SECRET), List.of(says));
    }

    static JsonObject refund(String status) {
        return new JsonObject()
                .put("id", "re_1")
                .put("object", "refund")
                .put("payment_intent", "pi_1")
                .put("amount", 500)
                .put("currency", "eur")
                .put("status", status)
                .put("metadata", new JsonObject().put("attempt_id", ATTEMPT).put("refund_id", REFUND));
    }

    @Override
    public List<String> signatureHeaders() {
        return List.of("Stripe-Signature");
    }

    @Override
    public List<RawNotification> shifted() {
        RawNotification good = good();
        long time = NOW.getEpochSecond();
        return List.of(withTime(good, time - 1), withTime(good, time + 1), withTime(good, time + 100_000));
    }

    private static RawNotification withTime(RawNotification good, long time) {
        String header = good.headers().get("Stripe-Signature").replaceFirst("t=\\d+", "t=" + time);
        return raw(header, good.body());
    }

    @Override
    public Map<Acknowledgement, String> acknowledgements() {
        return Map.of(
                Acknowledgement.ACCEPTED, "200  ",
                Acknowledgement.REFUSED, "401  ",
                Acknowledgement.UNREADABLE, "400  ",
                Acknowledgement.RETRY_LATER, "503  ");
    }

    @Override
    public void answer(HttpServerRequest request, int status, Buffer body) {
        request.response().setStatusCode(status).end(body);
    }

    @Override
    public boolean signsAnswers() {
        return false;
    }

    @Override
    public boolean answerUnsigned(HttpServerResponse response) {
        return false;
    }

    static JsonObject intent() {
        return new JsonObject()
                .put("id", "pi_1")
                .put("object", "payment_intent")
                .put("amount", 2_500)
                .put("amount_received", 1_999)
                .put("currency", "eur")
                .put("livemode", false)
                .put("status", "succeeded")
                .put("metadata", new JsonObject().put("attempt_id", ATTEMPT));
    }

    static JsonObject event(String type, JsonObject object) {
        return new JsonObject()
                .put("id", "evt_1")
                .put("object", "event")
                .put("livemode", false)
                .put("type", type)
                .put("data", new JsonObject().put("object", object));
    }

    static RawNotification signed(JsonObject event, String secret) {
        long time = NOW.getEpochSecond();
        String body = event.encodePrettily();
        return raw("t=" + time + ",v1=" + mac(secret, time, body), Buffer.buffer(body));
    }

    static RawNotification raw(String header, Buffer body) {
        return new RawNotification(MultiMap.caseInsensitiveMultiMap().add("Stripe-Signature", header), body, NOW);
    }

    static String mac(String secret, long time, String body) {
        try {
            return Webhook.Util.computeHmacSha256(secret, time + "." + body);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public String toString() {
        return "stripe";
    }
}
