package io.quittance.psp.stripe;

import static org.assertj.core.api.Assertions.assertThat;

import io.quittance.psp.RawNotification;
import io.quittance.psp.SignedBytes;
import io.quittance.psp.Verification.Verified;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Runs one published Stripe vector. */
public final class StripeVectors {

    private StripeVectors() {}

    public static void check(JsonObject vector) {
        switch (vector.getString("kind")) {
            case "notification" -> notification(vector);
            case "hmac-hex" -> hmac(vector);
            default -> throw new AssertionError("unknown kind");
        }
    }

    private static void notification(JsonObject vector) {
        MultiMap headers = MultiMap.caseInsensitiveMultiMap();
        JsonObject request = vector.getJsonObject("request");
        request.getJsonObject("headers").forEach(header -> headers.add(header.getKey(), (String) header.getValue()));
        StripeSettings settings = new StripeSettings(
                "https://api.example",
                "sk_test_x",
                List.of(vector.getJsonObject("key").getString("secret")),
                Duration.ofSeconds(vector.getLong("tolerance_s")));
        RawNotification raw = new RawNotification(
                headers, Buffer.buffer(request.getString("body")), Instant.ofEpochSecond(vector.getLong("clock")));
        boolean valid = vector.getJsonObject("expected").getString("verdict").equals("valid");
        assertThat(new StripeSignature(settings).verify(raw) instanceof Verified)
                .isEqualTo(valid);
    }

    private static void hmac(JsonObject vector) {
        byte[] message = vector.getString("message").getBytes(StandardCharsets.UTF_8);
        assertThat(StripeSignature.hmacHex(
                        StripeSignature.hmac(vector.getJsonObject("key").getString("secret")), SignedBytes.of(message)))
                .isEqualTo(vector.getJsonObject("expected").getString("hmac_hex"));
    }
}
