package io.quittance.psp.standardwebhooks;

import static org.assertj.core.api.Assertions.assertThat;

import io.quittance.psp.RawNotification;
import io.quittance.psp.Verification;
import io.quittance.psp.Verification.Reason;
import io.quittance.psp.Verification.Refused;
import io.quittance.psp.Verification.Verified;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;

/** Runs one published vector of Standard Webhooks. */
public final class StandardWebhooksVectors {

    private StandardWebhooksVectors() {}

    public static void check(JsonObject vector) {
        switch (vector.getString("kind")) {
            case "notification" -> notification(vector);
            case "sample-payload" -> headersWithoutKey(vector);
            default -> throw new AssertionError("unknown kind");
        }
    }

    private static void notification(JsonObject vector) {
        JsonObject request = vector.getJsonObject("request");
        Instant at = Instant.ofEpochSecond(vector.getLong("clock"));
        Verification verification = verify(
                vector.getJsonObject("key").getString("secret"),
                request.getJsonObject("headers"),
                request.getString("body"),
                at);
        boolean valid = vector.getJsonObject("expected").getString("verdict").equals("valid");
        assertThat(verification instanceof Verified).isEqualTo(valid);
        assertThat(vector.getLong("tolerance_s"))
                .as("the tolerance of the settings' default")
                .isEqualTo(300);
    }

    /** The specification shows headers without their body and key: all that can be said is that they are well-formed. */
    private static void headersWithoutKey(JsonObject vector) {
        JsonObject headers = vector.getJsonObject("body");
        Instant at = Instant.ofEpochSecond(Long.parseLong(headers.getString("webhook-timestamp")));
        assertThat(verify(StandardWebhooksFixture.SECRET, headers, "", at))
                .isInstanceOfSatisfying(
                        Refused.class, refused -> assertThat(refused.reason()).isEqualTo(Reason.BAD_SIGNATURE));
    }

    private static Verification verify(String secret, JsonObject from, String body, Instant at) {
        MultiMap headers = MultiMap.caseInsensitiveMultiMap();
        from.forEach(header -> headers.add(header.getKey(), (String) header.getValue()));
        JsonObject settings = new JsonObject().put("webhook_secrets", new JsonArray().add(secret));
        return new StandardWebhooksSignature(StandardWebhooksSettings.parse(settings))
                .verify(new RawNotification(headers, Buffer.buffer(body), at));
    }
}
