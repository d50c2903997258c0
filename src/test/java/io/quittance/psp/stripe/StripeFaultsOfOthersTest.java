package io.quittance.psp.stripe;

import static io.quittance.psp.PspFixture.NOW;
import static io.quittance.psp.stripe.StripeFixture.SECRET;
import static org.assertj.core.api.Assertions.assertThat;

import io.quittance.FaultOfOthers;
import io.quittance.domain.Money;
import io.quittance.psp.PspAdapter;
import io.quittance.psp.RawNotification;
import io.quittance.psp.Translation;
import io.quittance.psp.Verification;
import io.quittance.psp.Verification.Reason;
import io.quittance.psp.Verification.Refused;
import io.quittance.psp.Verification.Verified;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Inputs that broke other receivers of Stripe's events. */
class StripeFaultsOfOthersTest {

    private final PspAdapter adapter = new StripeFixture().adapter("https://api.example", null);

    @Test
    @FaultOfOthers(
            value = "stripe/stripe-node#356",
            symptom = "no signature ever matches, because the body was parsed before it was checked")
    void a_body_with_spaces_and_line_ends_is_verified_as_it_came() {
        RawNotification good = new StripeFixture().good();
        assertThat(good.body().toString()).contains("{\n  \"id\" : ");
        assertThat(adapter.verify(good)).isInstanceOf(Verified.class);
        Buffer writtenAgain = new JsonObject(good.body()).toBuffer();
        assertThat(reason(new RawNotification(good.headers(), writtenAgain, NOW)))
                .isEqualTo(Reason.BAD_SIGNATURE);
    }

    @Test
    @FaultOfOthers(
            value = "stripe/stripe-node#407",
            symptom = "all events are refused as forged, and it is the server's clock that is wrong")
    void a_clock_that_is_six_minutes_wrong_is_told_from_forgery() {
        for (Duration wrong : new Duration[] {Duration.ofMinutes(6), Duration.ofMinutes(-6)}) {
            RawNotification good = new StripeFixture().good();
            RawNotification forged = new StripeFixture().signedByAStranger();
            assertThat(reason(new RawNotification(good.headers(), good.body(), NOW.plus(wrong))))
                    .isEqualTo(Reason.STALE);
            assertThat(reason(forged)).isEqualTo(Reason.BAD_SIGNATURE);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "jpy, 500, 500",
        "kwd, 1234, 1234",
        "idr, 50000, 50000",
        "usd, 820, 820",
        "usd, 1999, 1999",
        "usd, 26390, 26390",
        "krw, 500, 500",
    })
    @FaultOfOthers(
            value = "Paymenter#1258",
            symptom =
                    "amounts are multiplied by 100 whatever the currency, or cut off on their way through floating point")
    void amounts_are_exact_in_every_currency(String currency, long told, long minor) {
        JsonObject intent = StripeFixture.intent().put("currency", currency).put("amount_received", told);
        RawNotification raw = StripeFixture.signed(StripeFixture.event("payment_intent.succeeded", intent), SECRET);
        Money expected = new Money(minor, currency.toUpperCase(Locale.ROOT));
        assertThat(adapter.translate((Verified) adapter.verify(raw)))
                .isInstanceOfSatisfying(
                        Translation.Facts.class,
                        facts -> assertThat(facts.facts().get(0).amount()).isEqualTo(expected));
        // Stripe charges no thousandths of a dinar.
        assertThat(StripeAmounts.write(expected)).isEqualTo(told == 1_234 ? Optional.empty() : Optional.of(told));
    }

    @Test
    @FaultOfOthers(
            value = "woocommerce-gateway-stripe#2598",
            symptom = "a dispute moves an order that was cancelled, and puts its stock back on sale")
    void a_dispute_says_nothing_about_the_payment_of_an_order() {
        JsonObject dispute = new JsonObject()
                .put("id", "du_1")
                .put("object", "dispute")
                .put("payment_intent", "pi_1")
                .put("amount", 1_999)
                .put("currency", "eur")
                .put("status", "needs_response")
                .put("metadata", StripeFixture.intent().getJsonObject("metadata"));
        for (String type : new String[] {"charge.dispute.created", "charge.dispute.closed"}) {
            RawNotification raw = StripeFixture.signed(StripeFixture.event(type, dispute), SECRET);
            assertThat(adapter.translate((Verified) adapter.verify(raw)))
                    .isEqualTo(new Translation.NotOurs("evt_1", type));
        }
    }

    private Reason reason(RawNotification raw) {
        Verification verification = adapter.verify(raw);
        assertThat(verification).isInstanceOf(Refused.class);
        return ((Refused) verification).reason();
    }
}
