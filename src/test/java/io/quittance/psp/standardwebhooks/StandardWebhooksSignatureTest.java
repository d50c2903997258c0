package io.quittance.psp.standardwebhooks;

import static io.quittance.psp.PspFixture.NOW;
import static io.quittance.psp.standardwebhooks.StandardWebhooksFixture.ID;
import static io.quittance.psp.standardwebhooks.StandardWebhooksFixture.OLD_SECRET;
import static io.quittance.psp.standardwebhooks.StandardWebhooksFixture.SECRET;
import static io.quittance.psp.standardwebhooks.StandardWebhooksFixture.STRANGER;
import static io.quittance.psp.standardwebhooks.StandardWebhooksFixture.goodSettings;
import static io.quittance.psp.standardwebhooks.StandardWebhooksFixture.mac;
import static io.quittance.psp.standardwebhooks.StandardWebhooksFixture.raw;
import static io.quittance.psp.standardwebhooks.StandardWebhooksFixture.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quittance.psp.InvalidSettings;
import io.quittance.psp.PspAdapter;
import io.quittance.psp.RawNotification;
import io.quittance.psp.Verification;
import io.quittance.psp.Verification.Reason;
import io.quittance.psp.Verification.Refused;
import io.quittance.psp.Verification.Verified;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.util.Arrays;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who is believed, and with which settings. */
class StandardWebhooksSignatureTest {

    private static final String BODY = "{\"type\":\"payment.pending\"}";
    private static final long TIME = NOW.getEpochSecond();
    private static final String WRONG = "v1," + "A".repeat(43) + "=";
    private static final KeyPair ED25519 = pair();

    private final PspAdapter adapter = with(goodSettings());

    @Test
    void the_secret_that_is_being_changed_still_counts_and_the_label_says_which_it_was() {
        assertThat(verify(mac(OLD_SECRET, ID, TIME, BODY)))
                .isInstanceOfSatisfying(Verified.class, verified -> assertThat(verified.keyLabel())
                        .isEqualTo("secret 1"));
        assertThat(verify(mac(SECRET, ID, TIME, BODY)))
                .isInstanceOfSatisfying(Verified.class, verified -> assertThat(verified.keyLabel())
                        .isEqualTo("secret 2"));
    }

    @Test
    void one_right_signature_is_enough_whatever_stands_around_it() {
        String right = mac(SECRET, ID, TIME, BODY);
        for (String list : new String[] {
            right + " " + WRONG,
            WRONG + " " + right,
            "v2,abc " + right,
            "v1a,abc " + right,
            "v1 v1, junk  " + right + " "
        }) {
            assertThat(verify(list)).as(list).isInstanceOf(Verified.class);
        }
    }

    @Test
    void a_right_mac_under_another_version_is_no_signature() {
        String base64 = mac(SECRET, ID, TIME, BODY).substring("v1,".length());
        assertRefused(verify("v2," + base64), Reason.MALFORMED_SIGNATURE);
        assertRefused(verify("V1," + base64), Reason.MALFORMED_SIGNATURE);
        assertRefused(verify("v1a," + base64), Reason.BAD_SIGNATURE);
        assertRefused(verify(WRONG), Reason.BAD_SIGNATURE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"v1", "v1,", " ", "v1 ,abc", "abc", ",", "v2,abc"})
    void malformed_lists_are_told_from_wrong_signatures(String list) {
        assertRefused(verify(list), Reason.MALFORMED_SIGNATURE);
    }

    @Test
    void more_signatures_than_any_change_of_keys_needs_are_not_looked_at() {
        String right = mac(SECRET, ID, TIME, BODY);
        assertThat(verify((WRONG + " ").repeat(15) + right)).isInstanceOf(Verified.class);
        assertRefused(verify((WRONG + " ").repeat(16) + right), Reason.MALFORMED_SIGNATURE);
    }

    @ParameterizedTest
    @CsvSource({"-301,false", "-300,true", "0,true", "300,true", "301,false", "86400,false"})
    void the_time_may_lie_five_minutes_away_in_both_directions(long shift, boolean valid) {
        long time = TIME + shift;
        Verification verification = adapter.verify(raw("webhook-", ID, time, mac(SECRET, ID, time, BODY), BODY));
        if (valid) {
            assertThat(verification).isInstanceOf(Verified.class);
        } else {
            assertRefused(verification, Reason.STALE);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"msg.1", "msg 1", ".", "ü", "msg\t1"})
    void an_id_that_could_be_read_in_two_ways_is_malformed(String id) {
        assertRefused(
                adapter.verify(raw("webhook-", id, TIME, mac(SECRET, id, TIME, BODY), BODY)),
                Reason.MALFORMED_SIGNATURE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "-1", "1.5", "1e9", "+1", "1234567890123"})
    void a_time_that_is_no_number_of_seconds_is_malformed(String time) {
        RawNotification raw = raw("webhook-", ID, TIME, mac(SECRET, ID, TIME, BODY), BODY);
        raw.headers().set("webhook-timestamp", time);
        assertRefused(adapter.verify(raw), Reason.MALFORMED_SIGNATURE);
    }

    @Test
    void the_headers_may_be_called_svix_but_the_two_sets_do_not_mix() {
        String right = mac(SECRET, ID, TIME, BODY);
        RawNotification svix = raw("svix-", ID, TIME, right, BODY);
        assertThat(adapter.verify(svix)).isInstanceOf(Verified.class);
        svix.headers().add("svix-id", ID);
        assertRefused(adapter.verify(svix), Reason.MALFORMED_SIGNATURE);
        for (String name : new String[] {"webhook-id", "webhook-timestamp", "webhook-signature"}) {
            RawNotification mixed = raw("svix-", ID, TIME, right, BODY);
            mixed.headers().add(name, "1");
            assertRefused(adapter.verify(mixed), Reason.MALFORMED_SIGNATURE);
        }
    }

    @Test
    void an_ed25519_signature_is_believed_by_its_public_key_alone() {
        JsonObject settings = new JsonObject()
                .put(
                        "webhook_public_keys",
                        new JsonArray().add(publicKey(pair())).add(publicKey(ED25519)));
        PspAdapter asymmetric = with(settings);
        String right = ed25519(ED25519, ID, TIME, BODY);
        assertThat(asymmetric.verify(raw("webhook-", ID, TIME, WRONG + " " + right, BODY)))
                .isInstanceOfSatisfying(Verified.class, verified -> assertThat(verified.keyLabel())
                        .isEqualTo("public key 2"));
        assertRefused(
                asymmetric.verify(raw("webhook-", ID, TIME, ed25519(pair(), ID, TIME, BODY), BODY)),
                Reason.BAD_SIGNATURE);
        assertRefused(asymmetric.verify(raw("webhook-", ID, TIME, right, BODY + " ")), Reason.BAD_SIGNATURE);
        assertRefused(asymmetric.verify(raw("webhook-", ID, TIME + 1, right, BODY)), Reason.BAD_SIGNATURE);
        assertRefused(asymmetric.verify(raw("webhook-", "msg_2", TIME, right, BODY)), Reason.BAD_SIGNATURE);
        assertRefused(verify(right), Reason.BAD_SIGNATURE);
        assertRefused(
                asymmetric.verify(raw("webhook-", ID, TIME, mac(SECRET, ID, TIME, BODY), BODY)), Reason.BAD_SIGNATURE);
    }

    @Test
    void every_changed_character_of_an_ed25519_signature_is_refused() {
        PspAdapter asymmetric =
                with(new JsonObject().put("webhook_public_keys", new JsonArray().add(publicKey(ED25519))));
        String right = ed25519(ED25519, ID, TIME, BODY);
        for (int i = 0; i < right.length(); i++) {
            char changed = (char) (right.charAt(i) ^ 1);
            String list = right.substring(0, i) + changed + right.substring(i + 1);
            assertThat(asymmetric.verify(raw("webhook-", ID, TIME, list, BODY)))
                    .as("character " + i)
                    .isInstanceOf(Refused.class);
        }
    }

    @Test
    void settings_name_what_is_wrong_with_them_and_never_a_secret() {
        JsonObject wrong = new JsonObject()
                .put(
                        "webhook_secrets",
                        new JsonArray()
                                .add(SECRET)
                                .add("whsec_" + "A".repeat(28))
                                .add("whsec_not base64!")
                                .add(" "))
                .put(
                        "webhook_public_keys",
                        new JsonArray().add("whpk_" + "A".repeat(40)).add("whsk_" + "B".repeat(44)))
                .put("tolerance", "five minutes")
                .put(
                        "fields",
                        new JsonObject()
                                .put("type", "eventType")
                                .put("id", "/id")
                                .put("amount", new JsonArray()))
                .put("types", new JsonObject().put("paid", "PAID"))
                .put("amount_unit", "cents")
                .put("return_fields", new JsonObject().put("order", "reference"))
                .put("api_key", "x");
        assertThatThrownBy(() -> StandardWebhooksSettings.parse(wrong))
                .isInstanceOfSatisfying(InvalidSettings.class, invalid -> assertThat(invalid.mistakes())
                        .satisfiesExactly(
                                mistake -> assertThat(mistake).startsWith("webhook_secrets[3] must be a text"),
                                mistake -> assertThat(mistake).startsWith("webhook_secrets[1] must be base64 of 24"),
                                mistake -> assertThat(mistake).startsWith("webhook_secrets[2] must be base64 of 24"),
                                mistake -> assertThat(mistake).startsWith("webhook_public_keys[0] must be base64"),
                                mistake -> assertThat(mistake).startsWith("webhook_public_keys[1] must be base64"),
                                mistake -> assertThat(mistake).startsWith("tolerance "),
                                mistake -> assertThat(mistake).startsWith("fields.type must be a JSON pointer"),
                                mistake -> assertThat(mistake).startsWith("fields.amount must be a JSON pointer"),
                                mistake -> assertThat(mistake).isEqualTo("fields.id is not a known key"),
                                mistake -> assertThat(mistake).startsWith("types.paid must be one of [payment."),
                                mistake -> assertThat(mistake).startsWith("amount_unit "),
                                mistake -> assertThat(mistake).startsWith("return_fields.order "),
                                mistake -> assertThat(mistake).isEqualTo("api_key is not a known key"))
                        .noneSatisfy(mistake -> assertThat(mistake).containsAnyOf("AAAA", "BBBB", "not base64!")));
        assertThat(StandardWebhooksSettings.parse(goodSettings()))
                .asString()
                .contains("webhookSecrets=2")
                .doesNotContain(SECRET.substring("whsec_".length()));
    }

    @Test
    void a_secret_or_a_public_key_must_be_there() {
        assertThatThrownBy(() -> StandardWebhooksSettings.parse(new JsonObject()))
                .isInstanceOfSatisfying(InvalidSettings.class, invalid -> assertThat(invalid.mistakes())
                        .containsExactly("webhook_secrets or webhook_public_keys must be there"));
        assertThatThrownBy(
                        () -> StandardWebhooksSettings.parse(new JsonObject().put("webhook_secrets", new JsonArray())))
                .isInstanceOf(InvalidSettings.class);
    }

    @Test
    void a_secret_may_stand_without_its_prefix_and_has_24_to_64_bytes() {
        for (int bytes : new int[] {24, 64}) {
            String base64 = Base64.getEncoder().encodeToString(new byte[bytes]);
            JsonObject settings = new JsonObject().put("webhook_secrets", new JsonArray().add(base64));
            assertThat(with(settings).verify(raw("webhook-", ID, TIME, mac(base64, ID, TIME, BODY), BODY)))
                    .isInstanceOf(Verified.class);
        }
        for (int bytes : new int[] {0, 23, 65}) {
            String base64 = "whsec_" + Base64.getEncoder().encodeToString(new byte[bytes]);
            JsonObject settings = new JsonObject().put("webhook_secrets", new JsonArray().add(base64));
            assertThatThrownBy(() -> StandardWebhooksSettings.parse(settings)).isInstanceOf(InvalidSettings.class);
        }
    }

    @Test
    void a_strangers_signature_is_refused() {
        assertRefused(verify(mac(STRANGER, ID, TIME, BODY)), Reason.BAD_SIGNATURE);
    }

    // ---- helpers

    private Verification verify(String signatures) {
        return adapter.verify(raw("webhook-", ID, TIME, signatures, BODY));
    }

    private static void assertRefused(Verification verification, Reason reason) {
        assertThat(verification).isInstanceOfSatisfying(Refused.class, refused -> assertThat(refused.reason())
                .isEqualTo(reason));
    }

    private static KeyPair pair() {
        try {
            return KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The key itself is the end of what Java encodes. */
    private static String publicKey(KeyPair pair) {
        byte[] encoded = pair.getPublic().getEncoded();
        byte[] key = Arrays.copyOfRange(encoded, encoded.length - 32, encoded.length);
        return "whpk_" + Base64.getEncoder().encodeToString(key);
    }

    private static String ed25519(KeyPair pair, String id, long time, String body) {
        try {
            Signature signer = Signature.getInstance("Ed25519");
            signer.initSign(pair.getPrivate());
            signer.update((id + "." + time + "." + body).getBytes(StandardCharsets.UTF_8));
            return "v1a," + Base64.getEncoder().encodeToString(signer.sign());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
