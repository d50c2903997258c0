package io.quittance.psp.adyen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quittance.psp.HmacSha256;
import io.quittance.psp.InvalidSettings;
import io.quittance.psp.PspFixture;
import io.quittance.psp.RawNotification;
import io.quittance.psp.SignedBytes;
import io.quittance.psp.Translation;
import io.quittance.psp.Verification.Verified;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Runs one published Adyen vector. */
public final class AdyenVectors {

    private AdyenVectors() {}

    public static void check(JsonObject vector) {
        switch (vector.getString("kind")) {
            case "notification-item" -> item(vector);
            case "base-string" -> baseString(vector.getJsonObject("item"), expected(vector));
            case "hmac-raw" -> hmac(vector);
            case "raw-body-hmac" -> rawBody(vector);
            case "sample-payload" -> sample(vector.getJsonObject("body"));
            default -> throw new AssertionError("unknown kind");
        }
    }

    private static void item(JsonObject vector) {
        JsonObject item = vector.getJsonObject("item");
        RawNotification raw = AdyenFixture.raw(AdyenFixture.body(item));
        boolean valid = expected(vector).getString("verdict").equals("valid");
        assertThat(new AdyenSignature(settings(key(vector))).verify(raw) instanceof Verified)
                .isEqualTo(valid);
        if (expected(vector).getString("base_string") != null) {
            baseString(item, expected(vector));
        }
    }

    private static void baseString(JsonObject item, JsonObject expected) {
        assertThat(AdyenItem.read(item).orElseThrow().signedBytes())
                .isEqualTo(expected.getString("base_string").getBytes(StandardCharsets.UTF_8));
    }

    private static void hmac(JsonObject vector) {
        if ("invalid".equals(expected(vector).getString("verdict"))) {
            assertThatThrownBy(() -> settings(key(vector))).isInstanceOf(InvalidSettings.class);
            return;
        }
        byte[] message = vector.getString("message").getBytes(StandardCharsets.UTF_8);
        byte[] mac = new HmacSha256(settings(key(vector)).hmacKeys().get(0)).code(SignedBytes.of(message));
        assertThat(Base64.getEncoder().encodeToString(mac))
                .isEqualTo(expected(vector).getString("hmac_b64"));
    }

    private static void rawBody(JsonObject vector) {
        AdyenSettings settings = settings(key(vector));
        MultiMap headers =
                MultiMap.caseInsensitiveMultiMap().add(vector.getString("header"), vector.getString("signature"));
        RawNotification raw = new RawNotification(headers, Buffer.buffer(vector.getString("body")), PspFixture.NOW);
        assertThat(new AdyenSignature(settings).verify(raw)).isInstanceOf(Verified.class);
        assertThat(new AdyenEvents("acme", settings).translate(new Verified(raw, "key")))
                .isInstanceOf(Translation.NotOurs.class);
        Buffer changed = raw.body().copy().appendString(" ");
        assertThat(new AdyenSignature(settings).verify(new RawNotification(headers, changed, PspFixture.NOW)))
                .isNotInstanceOf(Verified.class);
    }

    /** No key was published with these: what can be tried is that they are read, and name nothing of ours. */
    private static void sample(JsonObject body) {
        JsonObject item =
                body.getJsonArray("notificationItems").getJsonObject(0).getJsonObject("NotificationRequestItem");
        Translation translation = new AdyenEvents("acme", settings(AdyenFixture.KEY))
                .translate(new Verified(AdyenFixture.raw(body), "key"));
        assertThat(translation).isInstanceOfSatisfying(Translation.NotOurs.class, other -> assertThat(other.eventType())
                .isEqualTo(item.getString("eventCode")));
    }

    private static AdyenSettings settings(String hexKey) {
        JsonObject settings = AdyenFixture.settings("https://api.example");
        return AdyenSettings.parse(settings.put("hmac_keys", new JsonArray().add(hexKey)));
    }

    private static String key(JsonObject vector) {
        return vector.getJsonObject("key").getString("hmac_hex");
    }

    private static JsonObject expected(JsonObject vector) {
        return vector.getJsonObject("expected");
    }
}
