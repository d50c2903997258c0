package io.quittance.psp.stripe;

import com.stripe.net.Webhook;
import io.quittance.psp.Acknowledgement;
import io.quittance.psp.PspAdapter;
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
import java.util.List;
import java.util.Map;

/** Stripe notifications, signed by Stripe's own library. */
public final class StripeFixture implements PspFixture {

    static final String OLD_SECRET = "whsec_old";
    static final String SECRET = "whsec_new";

    @Override
    public PspAdapter adapter(String address, PspHttp http) {
        return new StripeAdapter("acme", StripeSettings.parse(settings(address)), http, CLOCK);
    }

    @Override
    public JsonObject settings() {
        return settings("https://api.example");
    }

    @Override
    public PspAdapter adapter(JsonObject settings) {
        return new StripeAdapter("acme", StripeSettings.parse(settings), null, CLOCK);
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
