package io.quittance.psp.stripe;

import static io.quittance.psp.PspFixture.ATTEMPT;
import static io.quittance.psp.PspFixture.CLOCK;
import static io.quittance.psp.PspFixture.NOW;
import static io.quittance.psp.PspFixture.REFUND;
import static io.quittance.psp.stripe.StripeFixture.OLD_SECRET;
import static io.quittance.psp.stripe.StripeFixture.SECRET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.stripe.net.Webhook;
import io.quittance.FaultOfOthers;
import io.quittance.domain.FactKind;
import io.quittance.domain.Mismatch;
import io.quittance.domain.Money;
import io.quittance.domain.PaymentFact;
import io.quittance.domain.PaymentFact.RefundNews;
import io.quittance.psp.InvalidSettings;
import io.quittance.psp.PspAdapter;
import io.quittance.psp.RawNotification;
import io.quittance.psp.Translation;
import io.quittance.psp.Verification;
import io.quittance.psp.Verification.Reason;
import io.quittance.psp.Verification.Refused;
import io.quittance.psp.Verification.Verified;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StripeNotificationTest {

    private static final String BODY = "{\"id\":\"evt_1\"}";
    private static final long TIME = NOW.getEpochSecond();
    private static final String UNKNOWN_MAC = "0".repeat(64);

    private final PspAdapter adapter = new StripeFixture().adapter("https://api.example", null);

    @Test
    void stripes_own_library_accepts_what_we_accept() throws Exception {
        RawNotification good = new StripeFixture().good();
        String header = good.headers().get("Stripe-Signature");
        assertThat(Webhook.constructEvent(good.body().toString(), header, SECRET, 300L, CLOCK)
                        .getId())
                .isEqualTo("evt_1");
        assertThat(adapter.verify(good)).isEqualTo(new Verified(good, "secret 2"));
    }

    @Test
    void the_secret_that_is_being_rolled_out_of_use_still_counts() {
        assertThat(verify("t=" + TIME + ",v1=" + mac(OLD_SECRET, TIME))).isInstanceOf(Verified.class);
    }

    @Test
    void one_right_signature_of_two_is_enough_whatever_their_order() {
        String right = "v1=" + mac(SECRET, TIME);
        assertThat(verify("t=" + TIME + "," + right + ",v1=" + UNKNOWN_MAC)).isInstanceOf(Verified.class);
        assertThat(verify("t=" + TIME + ",v1=" + UNKNOWN_MAC + "," + right)).isInstanceOf(Verified.class);
    }

    @Test
    void a_right_mac_under_v0_alone_is_refused() {
        assertRefused("t=" + TIME + ",v0=" + mac(SECRET, TIME), Reason.MALFORMED_SIGNATURE);
        assertRefused("t=" + TIME + ",v0=" + mac(SECRET, TIME) + ",v1=" + UNKNOWN_MAC, Reason.BAD_SIGNATURE);
    }

    @ParameterizedTest
    @CsvSource({"-301,false", "-300,true", "0,true", "300,true", "301,false", "86400,false"})
    void the_time_may_lie_five_minutes_away_in_both_directions(long shift, boolean valid) {
        long time = TIME + shift;
        String header = "t=" + time + ",v1=" + mac(SECRET, time);
        if (valid) {
            assertThat(verify(header)).isInstanceOf(Verified.class);
        } else {
            assertRefused(header, Reason.STALE);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"t", "t=", "v1=a", ",,", "t=1", "t=1,v1=", "t=x,v1=a", "t=1,t=1,v1=a", "t=1,v1", "t= 1,v1=a"})
    void malformed_headers_are_told_from_wrong_signatures(String header) {
        assertRefused(header, Reason.MALFORMED_SIGNATURE);
    }

    @Test
    void an_upper_case_mac_is_not_the_mac() {
        assertRefused("t=" + TIME + ",v1=" + mac(SECRET, TIME).toUpperCase(Locale.ROOT), Reason.BAD_SIGNATURE);
    }

    @Test
    @FaultOfOthers(
            value = "mozilla/fxa#8861",
            symptom = "real events are refused, because they are larger than the limit")
    void a_large_event_is_read() {
        JsonObject intent = StripeFixture.intent().put("description", "x".repeat(300_000));
        assertThat(fact("payment_intent.succeeded", intent).kind()).isEqualTo(FactKind.PAYMENT_SUCCEEDED);
    }

    @Test
    void a_success_is_worth_what_was_received_and_not_what_was_asked() {
        PaymentFact fact = fact("payment_intent.succeeded", StripeFixture.intent());
        assertThat(fact.amount()).isEqualTo(new Money(1_999, "EUR"));
        assertThat(fact.pspPaymentId()).isEqualTo("pi_1");
    }

    @ParameterizedTest
    @CsvSource({
        "jpy,500,500",
        "ugx,50000,500",
        "isk,50000,500",
        "kwd,1230,1230",
        "mga,500,50000",
        "usd,820,820",
        "clp,19,19"
    })
    void amounts_are_converted_exactly_into_iso_minor_units(String currency, long stripes, long ours) {
        JsonObject intent = StripeFixture.intent().put("currency", currency).put("amount_received", stripes);
        assertThat(fact("payment_intent.succeeded", intent).amount())
                .isEqualTo(new Money(ours, currency.toUpperCase(Locale.ROOT)));
    }

    @Test
    void amounts_that_are_no_exact_integers_are_malformed() {
        JsonArray wrong =
                new JsonArray().add(19.99).add(1.0).add(1e3).add("1999").add(-1).addNull();
        for (Object amount : wrong) {
            JsonObject intent = StripeFixture.intent().put("amount_received", amount);
            assertThat(translate("payment_intent.succeeded", intent))
                    .as(String.valueOf(amount))
                    .isInstanceOf(Translation.Malformed.class);
        }
        for (String currency : new String[] {"xxz", "eu", "ıss", ""}) {
            JsonObject intent = StripeFixture.intent().put("currency", currency);
            assertThat(translate("payment_intent.succeeded", intent)).isInstanceOf(Translation.Malformed.class);
        }
        JsonObject half = StripeFixture.intent().put("currency", "isk").put("amount_received", 50);
        assertThat(translate("payment_intent.succeeded", half)).isInstanceOf(Translation.Malformed.class);
    }

    @ParameterizedTest
    @CsvSource({
        "payment_intent.payment_failed,PAYMENT_DECLINED",
        "payment_intent.processing,PAYMENT_PENDING",
        "payment_intent.requires_action,PAYMENT_PENDING",
        "payment_intent.created,PAYMENT_PENDING",
        "payment_intent.canceled,PAYMENT_CLOSED"
    })
    void other_payment_events_keep_their_meaning(String type, FactKind kind) {
        assertThat(fact(type, StripeFixture.intent()).kind()).isEqualTo(kind);
    }

    @Test
    void a_decline_tells_its_code_and_never_its_message() {
        JsonObject error =
                new JsonObject().put("decline_code", "insufficient_funds").put("message", "Jenny Rosen");
        JsonObject intent = StripeFixture.intent().put("last_payment_error", error);
        assertThat(fact("payment_intent.payment_failed", intent).detail()).isEqualTo("insufficient_funds");
    }

    @ParameterizedTest
    @CsvSource({
        "refund.created,pending,REFUND_PENDING",
        "refund.updated,succeeded,REFUND_SUCCEEDED",
        "refund.failed,failed,REFUND_FAILED",
        "charge.refund.updated,canceled,REFUND_FAILED",
        "refund.updated,requires_action,REFUND_PENDING"
    })
    void refund_events_are_read_by_their_status(String type, String status, FactKind kind) {
        PaymentFact fact = fact(type, StripeFixture.refund(status));
        assertThat(fact.kind()).isEqualTo(kind);
        assertThat(fact.reference()).isEqualTo(ATTEMPT);
        assertThat(fact.refund()).isEqualTo(new RefundNews(REFUND, "re_1", new Money(500, "EUR"), null));
    }

    @Test
    void a_refund_with_an_unknown_status_is_malformed() {
        assertThat(translate("refund.updated", StripeFixture.refund("new"))).isInstanceOf(Translation.Malformed.class);
    }

    @Test
    void events_that_are_not_about_our_attempts_are_not_ours() {
        assertThat(translate("charge.succeeded", StripeFixture.intent()))
                .isEqualTo(new Translation.NotOurs("evt_1", "charge.succeeded"));
        JsonObject foreign = StripeFixture.intent().put("metadata", new JsonObject());
        assertThat(translate("payment_intent.succeeded", foreign)).isInstanceOf(Translation.NotOurs.class);
        JsonObject thin = StripeFixture.event("payment_intent.succeeded", StripeFixture.intent())
                .put("object", "v2.core.event");
        assertThat(translate(thin)).isInstanceOf(Translation.NotOurs.class);
    }

    @Test
    void a_live_event_at_a_test_key_is_marked_and_kept() {
        JsonObject live = StripeFixture.event("payment_intent.succeeded", StripeFixture.intent())
                .put("livemode", true);
        assertThat(onlyFact(translate(live)).mismatch()).isEqualTo(Mismatch.MODE);
    }

    @Test
    void an_event_of_a_connected_account_is_marked_and_kept() {
        JsonObject connected = StripeFixture.event("payment_intent.succeeded", StripeFixture.intent())
                .put("account", "acct_1");
        assertThat(onlyFact(translate(connected)).mismatch()).isEqualTo(Mismatch.ACCOUNT);
    }

    @Test
    void settings_list_every_mistake_and_show_no_secret() {
        JsonObject wrong = new JsonObject()
                .put("api_base", "ftp://x")
                .put("api_key", "pk_live_hidden")
                .put("webhook_secrets", new JsonArray().add("whsec_hidden "))
                .put("tolerance", "5m")
                .put("webhook_secret", "whsec_hidden");
        assertThatThrownBy(() -> StripeSettings.parse(wrong))
                .isInstanceOfSatisfying(InvalidSettings.class, invalid -> assertThat(invalid.mistakes())
                        .hasSize(5))
                .hasMessageNotContaining("hidden");
        assertThat(StripeSettings.parse(StripeFixture.settings("https://api.example/"))
                        .toString())
                .doesNotContain("whsec")
                .doesNotContain("sk_test");
    }

    private Verification verify(String header) {
        return adapter.verify(StripeFixture.raw(header, Buffer.buffer(BODY)));
    }

    private void assertRefused(String header, Reason reason) {
        assertThat(verify(header)).isInstanceOfSatisfying(Refused.class, refused -> assertThat(refused.reason())
                .isEqualTo(reason));
    }

    private static String mac(String secret, long time) {
        return StripeFixture.mac(secret, time, BODY);
    }

    private PaymentFact fact(String type, JsonObject object) {
        return onlyFact(translate(type, object));
    }

    private static PaymentFact onlyFact(Translation translation) {
        assertThat(translation).isInstanceOf(Translation.Facts.class);
        return ((Translation.Facts) translation).facts().get(0);
    }

    private Translation translate(String type, JsonObject object) {
        return translate(StripeFixture.event(type, object));
    }

    private Translation translate(JsonObject event) {
        Verification verification = adapter.verify(StripeFixture.signed(event, SECRET));
        assertThat(verification).isInstanceOf(Verified.class);
        return adapter.translate((Verified) verification);
    }
}
