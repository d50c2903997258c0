package io.quittance.psp.standardwebhooks;

import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.WebhookSigningException;
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
import java.nio.charset.StandardCharsets;
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
    public PspAdapter adapter(String address, PspHttp http) {
        return with(goodSettings());
    }

    @Override
    public PspAdapter adapter(JsonObject settings) {
        return with(settings);
    }

    static PspAdapter with(JsonObject settings) {
        return new StandardWebhooksAdapter("acme", StandardWebhooksSettings.parse(settings), null, CLOCK);
    }

    @Override
    public JsonObject settings() {
        return goodSettings();
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
