package io.quittance.psp.standardwebhooks;

import static io.quittance.psp.PspFixture.ATTEMPT;
import static io.quittance.psp.PspFixture.NOW;
import static io.quittance.psp.PspFixture.REFUND;
import static io.quittance.psp.standardwebhooks.StandardWebhooksFixture.ID;
import static io.quittance.psp.standardwebhooks.StandardWebhooksFixture.SECRET;
import static io.quittance.psp.standardwebhooks.StandardWebhooksFixture.event;
import static io.quittance.psp.standardwebhooks.StandardWebhooksFixture.goodSettings;
import static io.quittance.psp.standardwebhooks.StandardWebhooksFixture.refund;
import static io.quittance.psp.standardwebhooks.StandardWebhooksFixture.signed;
import static io.quittance.psp.standardwebhooks.StandardWebhooksFixture.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.quittance.domain.FactKind;
import io.quittance.domain.Money;
import io.quittance.domain.PaymentFact;
import io.quittance.domain.PaymentFact.RefundNews;
import io.quittance.psp.BrowserReturn;
import io.quittance.psp.PspAdapter;
import io.quittance.psp.Returned;
import io.quittance.psp.Translation;
import io.quittance.psp.Verification.Verified;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What notifications mean: in the standard shape, and in another one. */
class StandardWebhooksNotificationTest {

    private final PspAdapter adapter = with(goodSettings());

    @Test
    void a_success_is_worth_what_it_says() {
        PaymentFact fact = fact(event("payment.succeeded"));
        assertThat(fact.kind()).isEqualTo(FactKind.PAYMENT_SUCCEEDED);
        assertThat(fact.reference()).isEqualTo(ATTEMPT);
        assertThat(fact.pspPaymentId()).isEqualTo("pay_1");
        assertThat(fact.amount()).isEqualTo(new Money(1_999, "EUR"));
        assertThat(fact.evidence().eventId()).isEqualTo(ID);
    }

    @ParameterizedTest
    @CsvSource({
        "payment.failed,PAYMENT_FAILED",
        "payment.closed,PAYMENT_CLOSED",
        "payment.pending,PAYMENT_PENDING",
        "payment.declined,PAYMENT_DECLINED"
    })
    void other_news_of_a_payment_needs_no_amount(String type, FactKind kind) {
        JsonObject event = event(type);
        event.getJsonObject("data").remove("amount");
        PaymentFact fact = fact(event);
        assertThat(fact.kind()).isEqualTo(kind);
        assertThat(fact.pspPaymentId()).isEqualTo("pay_1");
        assertThat(fact.amount()).isNull();
    }

    @Test
    void a_refund_is_told_with_its_own_amount_and_both_ids() {
        PaymentFact fact = fact(refund("refund.succeeded", REFUND));
        assertThat(fact.kind()).isEqualTo(FactKind.REFUND_SUCCEEDED);
        assertThat(fact.reference()).isEqualTo(ATTEMPT);
        assertThat(fact.refund()).isEqualTo(new RefundNews(REFUND, "ref_1", new Money(500, "EUR"), null));
    }

    @Test
    void a_refund_that_was_not_asked_for_here_has_only_the_psps_id() {
        RefundNews news = fact(refund("refund.succeeded", null)).refund();
        assertThat(news).isEqualTo(new RefundNews(null, "ref_1", new Money(500, "EUR"), null));
    }

    @ParameterizedTest
    @CsvSource({"refund.failed,REFUND_FAILED", "refund.pending,REFUND_PENDING"})
    void other_news_of_a_refund_needs_no_amount(String type, FactKind kind) {
        JsonObject event = refund(type, REFUND);
        event.getJsonObject("data").remove("amount");
        PaymentFact fact = fact(event);
        assertThat(fact.kind()).isEqualTo(kind);
        assertThat(fact.refund()).isEqualTo(new RefundNews(REFUND, "ref_1", null, null));
    }

    @Test
    void a_refund_without_any_id_is_malformed_and_one_id_is_enough() {
        JsonObject event = refund("refund.succeeded", REFUND);
        event.getJsonObject("data").getJsonObject("refund").remove("id");
        assertThat(fact(event).refund().reference()).isEqualTo(REFUND);
        event.getJsonObject("data").remove("refund");
        assertThat(translate(event)).isInstanceOf(Translation.Malformed.class);
    }

    @Test
    void types_that_are_not_known_and_payments_of_others_are_not_ours() {
        assertThat(translate(event("dispute.opened"))).isEqualTo(new Translation.NotOurs(ID, "dispute.opened"));
        assertThat(translate(event("Jane Doe, Main Street"))).isEqualTo(new Translation.NotOurs(ID, "unknown"));
        JsonObject foreign = event("payment.succeeded");
        foreign.getJsonObject("data").remove("reference");
        assertThat(translate(foreign)).isEqualTo(new Translation.NotOurs(ID, "payment.succeeded"));
        foreign.getJsonObject("data").put("reference", 12);
        assertThat(translate(foreign)).isInstanceOf(Translation.NotOurs.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "null", "", "{", "{}", "{\"type\":1}", "{\"data\":{}}", "\"payment.succeeded\""})
    void what_is_not_of_the_shape_is_malformed(String body) {
        assertThat(read(body)).isInstanceOf(Translation.Malformed.class);
    }

    @Test
    void ids_that_cannot_be_kept_are_no_ids() {
        String good = event("payment.succeeded").encode();
        for (String odd : new String[] {"", "a\\u0000b", "a\\nb", "\\ud800", "\\ud83d\\ude00", "x".repeat(256)}) {
            assertThat(read(good.replace("pay_1", odd))).isInstanceOf(Translation.Malformed.class);
            assertThat(read(good.replace(ATTEMPT, odd))).isInstanceOf(Translation.NotOurs.class);
        }
        assertThat(read(good.replace("pay_1", "支付/1"))).isInstanceOf(Translation.Facts.class);
    }

    @ParameterizedTest
    @CsvSource({"EUR,19.99,1999", "eur,19.9,1990", "EUR,19,1900", "JPY,500,500", "KWD,1.234,1234", "EUR,0.01,1"})
    void amounts_are_exact_decimals_in_a_text(String currency, String value, long minor) {
        assertThat(fact(priced(value, currency)).amount())
                .isEqualTo(new Money(minor, currency.toUpperCase(Locale.ROOT)));
    }

    @Test
    void amounts_that_are_not_are_malformed() {
        JsonArray wrong = new JsonArray()
                .add(19.99)
                .add(19)
                .add("19.999")
                .add("19.990")
                .add("1e3")
                .add("-1")
                .add("+1")
                .add("1,99")
                .add("1.")
                .add(".5")
                .add(" 1")
                .add("")
                .add("１９")
                .add("9".repeat(19))
                .add("999999999999999999.99")
                .addNull();
        for (Object value : wrong) {
            assertThat(translate(priced(value, "EUR"))).as(value + "").isInstanceOf(Translation.Malformed.class);
        }
        assertThat(translate(priced("500.0", "JPY"))).isInstanceOf(Translation.Malformed.class);
        for (Object currency : new Object[] {"XXZ", "eu", "ıdr", "", 978}) {
            assertThat(translate(priced("1", currency))).as(currency + "").isInstanceOf(Translation.Malformed.class);
        }
    }

    @Test
    void another_shape_is_read_by_pointers() {
        PspAdapter other = with(otherShape());
        JsonObject charge = new JsonObject()
                .put("id", "ch_1")
                .put("metadata", new JsonObject().put("order", ATTEMPT))
                .put("amount_minor", 1_999)
                .put("currency", "cny");
        JsonObject paid =
                new JsonObject().put("eventType", "charge.paid").put("payload", new JsonObject().put("charge", charge));

        PaymentFact fact = fact(other, paid);

        assertThat(fact.kind()).isEqualTo(FactKind.PAYMENT_SUCCEEDED);
        assertThat(fact.reference()).isEqualTo(ATTEMPT);
        assertThat(fact.pspPaymentId()).isEqualTo("ch_1");
        assertThat(fact.amount()).isEqualTo(new Money(1_999, "CNY"));
        assertThat(translate(other, paid.copy().put("eventType", "payment.succeeded")))
                .as("our words are not theirs")
                .isInstanceOf(Translation.NotOurs.class);
    }

    @Test
    void of_several_places_the_first_at_which_there_is_something_counts() {
        PspAdapter other = with(otherShape());
        JsonObject charge = new JsonObject()
                .put("metadata", new JsonObject().put("order", ATTEMPT))
                .put("amount_minor", 1_999)
                .put("currency", "cny");
        JsonObject refund = new JsonObject()
                .put("id", "re_1")
                .put("amount_minor", "500")
                .put("metadata", new JsonObject().put("refund", REFUND));
        JsonObject done = new JsonObject()
                .put("eventType", "refund.done")
                .put("payload", new JsonObject().put("charge", charge).put("refund", refund));

        assertThat(fact(other, done).refund()).isEqualTo(new RefundNews(REFUND, "re_1", new Money(500, "CNY"), null));
    }

    @Test
    void amounts_in_minor_units_are_whole_numbers() {
        PspAdapter minor = with(goodSettings().put("amount_unit", "minor"));
        assertThat(fact(minor, priced(1_999, "EUR")).amount()).isEqualTo(new Money(1_999, "EUR"));
        assertThat(fact(minor, priced(5_000_000_000L, "JPY")).amount()).isEqualTo(new Money(5_000_000_000L, "JPY"));
        for (Object wrong : new Object[] {-1, 19.99, 1999.0, "19.99", "-1", "", true}) {
            assertThat(translate(minor, priced(wrong, "EUR"))).as(wrong + "").isInstanceOf(Translation.Malformed.class);
        }
    }

    @Test
    void a_return_names_the_attempt_or_the_payment_and_proves_nothing() {
        assertThat(returned(adapter, "reference=" + ATTEMPT)).isEqualTo(new Returned.Payment(ATTEMPT, null, false));
        assertThat(returned(adapter, "status=paid&id=pay_1")).isEqualTo(new Returned.Payment(null, "pay_1", false));
        assertThat(returned(adapter, "status=paid")).isInstanceOf(Returned.Unreadable.class);
        assertThat(returned(adapter, "reference=x&id=pay_1")).isInstanceOf(Returned.Unreadable.class);
        assertThat(adapter.isReturnedByPaymentId()).isFalse();
        PspAdapter other = with(otherShape());
        assertThat(other.isReturnedByPaymentId()).isTrue();
        assertThat(returned(other, "order=" + ATTEMPT + "&charge=ch_1"))
                .isEqualTo(new Returned.Payment(ATTEMPT, "ch_1", false));
        assertThat(returned(other, "reference=" + ATTEMPT)).isInstanceOf(Returned.Unreadable.class);
    }

    // ---- helpers

    private static JsonObject otherShape() {
        return goodSettings()
                .put(
                        "fields",
                        new JsonObject()
                                .put("type", "/eventType")
                                .put("payment_id", "/payload/charge/id")
                                .put("reference", "/payload/charge/metadata/order")
                                .put(
                                        "amount",
                                        new JsonArray()
                                                .add("/payload/refund/amount_minor")
                                                .add("/payload/charge/amount_minor"))
                                .put("currency", "/payload/charge/currency")
                                .put("refund_id", "/payload/refund/id")
                                .put("refund_reference", "/payload/refund/metadata/refund"))
                .put(
                        "types",
                        new JsonObject().put("charge.paid", "payment.succeeded").put("refund.done", "refund.succeeded"))
                .put("amount_unit", "minor")
                .put("return_fields", new JsonObject().put("reference", "order").put("payment_id", "charge"));
    }

    /** As if it had been verified. */
    private Translation read(String body) {
        return adapter.translate(
                new Verified(StandardWebhooksFixture.raw("webhook-", ID, NOW.getEpochSecond(), "v1,x", body), "key"));
    }

    private static JsonObject priced(Object value, Object currency) {
        JsonObject event = event("payment.succeeded");
        event.getJsonObject("data")
                .put("amount", new JsonObject().put("value", value).put("currency", currency));
        return event;
    }

    private PaymentFact fact(JsonObject event) {
        return fact(adapter, event);
    }

    private static PaymentFact fact(PspAdapter adapter, JsonObject event) {
        Translation.Facts facts = (Translation.Facts) translate(adapter, event);
        assertThat(facts.eventId()).isEqualTo(ID);
        assertThat(facts.facts()).hasSize(1);
        return facts.facts().get(0);
    }

    private Translation translate(JsonObject event) {
        return translate(adapter, event);
    }

    private static Translation translate(PspAdapter adapter, JsonObject event) {
        return adapter.translate((Verified) adapter.verify(signed(event, SECRET)));
    }

    private static Returned returned(PspAdapter adapter, String query) {
        return adapter.readReturn(new BrowserReturn(Buffer.buffer(query), NOW));
    }
}
