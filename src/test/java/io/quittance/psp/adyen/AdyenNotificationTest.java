package io.quittance.psp.adyen;

import static io.quittance.psp.PspFixture.ATTEMPT;
import static io.quittance.psp.PspFixture.NOW;
import static io.quittance.psp.PspFixture.REFUND;
import static io.quittance.psp.adyen.AdyenFixture.KEY;
import static io.quittance.psp.adyen.AdyenFixture.OLD_KEY;
import static io.quittance.psp.adyen.AdyenFixture.PAYMENT;
import static io.quittance.psp.adyen.AdyenFixture.STRANGERS_KEY;
import static io.quittance.psp.adyen.AdyenFixture.body;
import static io.quittance.psp.adyen.AdyenFixture.item;
import static io.quittance.psp.adyen.AdyenFixture.mac;
import static io.quittance.psp.adyen.AdyenFixture.modification;
import static io.quittance.psp.adyen.AdyenFixture.raw;
import static io.quittance.psp.adyen.AdyenFixture.signed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quittance.FaultOfOthers;
import io.quittance.domain.FactKind;
import io.quittance.domain.Mismatch;
import io.quittance.domain.Money;
import io.quittance.domain.PaymentFact;
import io.quittance.domain.PaymentFact.RefundNews;
import io.quittance.psp.BrowserReturn;
import io.quittance.psp.InvalidSettings;
import io.quittance.psp.PspAdapter;
import io.quittance.psp.RawNotification;
import io.quittance.psp.Returned;
import io.quittance.psp.Translation;
import io.quittance.psp.Verification;
import io.quittance.psp.Verification.Reason;
import io.quittance.psp.Verification.Refused;
import io.quittance.psp.Verification.Verified;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AdyenNotificationTest {

    private final PspAdapter adapter = new AdyenFixture().adapter("https://api.example", null);
    private final PspAdapter manual =
            new AdyenFixture().adapter(new AdyenFixture().settings().put("capture", "manual"));

    @Test
    void the_key_that_is_being_replaced_still_counts_and_each_is_named() {
        assertThat(verify(signed(item("AUTHORISATION", true), OLD_KEY))).isEqualTo("key 1");
        assertThat(verify(signed(item("AUTHORISATION", true), KEY))).isEqualTo("key 2");
        assertThat(verify(signed(item("AUTHORISATION", true), KEY), signed(item("PENDING", true), OLD_KEY)))
                .isEqualTo("keys 1, 2");
    }

    /** Bug log 23: no escaping. A reference with a colon is somebody else's, since ours have none. */
    @FaultOfOthers(value = "Adyen php PR#165", symptom = "references with a colon were escaped and refused")
    @Test
    void a_reference_with_a_colon_or_a_backslash_is_verified_as_it_stands_and_is_not_ours() {
        for (String reference : List.of("auth:123", "a\\b", ATTEMPT + ":", ":" + ATTEMPT)) {
            JsonObject other = item("AUTHORISATION", true).put("merchantReference", reference);
            assertThat(translate(adapter, signed(other, KEY))).as(reference).isInstanceOf(Translation.NotOurs.class);
        }
    }

    @Test
    void fields_that_were_moved_across_a_colon_are_refused_although_the_signature_fits() {
        JsonObject genuine = item("AUTHORISATION", true).put("merchantReference", "x:" + ATTEMPT);
        JsonObject moved =
                genuine.copy().put("merchantAccountCode", "AcmeECOM:x").put("merchantReference", ATTEMPT);
        assertThat(mac(moved, KEY)).isEqualTo(mac(genuine, KEY));
        assertRefused(Reason.MALFORMED_SIGNATURE, signed(moved, KEY));
    }

    /** Bug log 24: nought is not nothing. */
    @FaultOfOthers(value = "Adyen php (refund zero)", symptom = "a value of nought was signed as nothing")
    @Test
    void a_value_of_nought_is_signed_as_nought_and_pays_nothing() {
        JsonObject zero = item("AUTHORISATION", true);
        zero.getJsonObject("amount").put("value", 0);
        assertThat(onlyFact(adapter, zero).amount()).isEqualTo(new Money(0, "EUR"));
        JsonObject missing = item("AUTHORISATION", true).put("amount", new JsonObject().put("currency", "EUR"));
        JsonObject claimed = signed(missing, KEY);
        claimed.getJsonObject("amount").put("value", 0);
        assertRefused(Reason.BAD_SIGNATURE, claimed);
    }

    @Test
    void a_value_in_a_text_counts_like_a_number_if_it_is_written_like_one() {
        JsonObject text = item("AUTHORISATION", true);
        text.getJsonObject("amount").put("value", "1999");
        assertThat(onlyFact(adapter, text).amount()).isEqualTo(new Money(1_999, "EUR"));
        for (Object value : new JsonArray()
                .add("01999")
                .add("+1999")
                .add("1999.0")
                .add(1999.5)
                .add("")
                .add(true)) {
            JsonObject odd = item("AUTHORISATION", true);
            odd.getJsonObject("amount").put("value", value);
            assertRefused(Reason.MALFORMED_SIGNATURE, signed(odd, KEY));
        }
    }

    @Test
    void absent_and_null_fields_are_signed_as_empty() {
        JsonObject nulls = item("PENDING", true).putNull("originalReference");
        assertThat(onlyFact(adapter, nulls).kind()).isEqualTo(FactKind.PAYMENT_PENDING);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "=", "not base64!", "AAAA=", "QUJD\n"})
    void signatures_that_are_missing_or_no_base64_are_malformed(String signature) {
        JsonObject item = item("AUTHORISATION", true);
        assertRefused(
                Reason.MALFORMED_SIGNATURE,
                item.put("additionalData", new JsonObject().put("hmacSignature", signature)));
        assertRefused(Reason.MALFORMED_SIGNATURE, item.put("additionalData", new JsonObject()));
        item.remove("additionalData");
        assertRefused(Reason.MALFORMED_SIGNATURE, item);
    }

    @Test
    void a_signature_of_another_length_is_wrong_and_no_error() {
        JsonObject item = item("AUTHORISATION", true);
        for (String signature : List.of("A".repeat(48), "AAAA")) {
            assertRefused(
                    Reason.BAD_SIGNATURE,
                    item.copy().put("additionalData", new JsonObject().put("hmacSignature", signature)));
        }
    }

    @Test
    void one_item_that_is_not_signed_right_makes_the_whole_body_refused() {
        JsonObject good = signed(item("AUTHORISATION", true), KEY);
        assertRefused(Reason.BAD_SIGNATURE, good, signed(modification("CAPTURE", true), STRANGERS_KEY));
        assertRefused(Reason.MALFORMED_SIGNATURE, good, modification("CAPTURE", true));
        assertRefused(Reason.MALFORMED_SIGNATURE);
    }

    @Test
    void bodies_beyond_the_limits_are_refused() {
        JsonObject good = signed(item("AUTHORISATION", true), KEY);
        JsonObject[] many = new JsonObject[AdyenBody.ITEMS_MAX + 1];
        Arrays.fill(many, good);
        assertRefused(Reason.MALFORMED_SIGNATURE, many);
        JsonObject deep = good.copy().put("deep", nested(64));
        assertRefused(Reason.MALFORMED_SIGNATURE, deep);
        JsonObject brackets = good.copy().put("reason", "\"[{[{[{[{[{[{[{[{[{[{[{");
        assertThat(verify(brackets)).isEqualTo("key 2");
    }

    private static JsonArray nested(int levels) {
        JsonArray inner = new JsonArray();
        for (int i = 1; i < levels; i++) {
            inner = new JsonArray().add(inner);
        }
        return inner;
    }

    @Test
    void other_webhooks_are_signed_in_a_header_over_their_bytes_and_are_not_ours() {
        Buffer body = Buffer.buffer(" {\"type\":\"merchant.created\"}\n");
        RawNotification good = withHeader(body, mac(body.getBytes(), KEY));
        Verification verification = adapter.verify(good);
        assertThat(verification).isInstanceOfSatisfying(Verified.class, verified -> assertThat(verified.keyLabel())
                .isEqualTo("key 2"));
        assertThat(adapter.translate((Verified) verification))
                .isEqualTo(new Translation.NotOurs(null, "merchant.created"));
        assertRefused(Reason.BAD_SIGNATURE, withHeader(body, mac(body.getBytes(), STRANGERS_KEY)));
        assertRefused(Reason.MALFORMED_SIGNATURE, withHeader(body, ""));
        RawNotification twice = withHeader(body, mac(body.getBytes(), KEY));
        twice.headers().add("hmacsignature", "x");
        assertRefused(Reason.MALFORMED_SIGNATURE, twice);
    }

    @Test
    void a_header_never_makes_items_believed() {
        Buffer unsigned = Buffer.buffer(body(item("AUTHORISATION", true)).encode());
        RawNotification whole = withHeader(unsigned, mac(unsigned.getBytes(), KEY));
        assertThat(adapter.verify(whole)).isInstanceOf(Verified.class);
        assertThat(adapter.translate(new Verified(whole, "key 2"))).isInstanceOf(Translation.NotOurs.class);
        byte[] signedText =
                (PAYMENT + "::AcmeECOM:" + ATTEMPT + ":1999:EUR:AUTHORISATION:true").getBytes(StandardCharsets.UTF_8);
        RawNotification textOfAnItem = withHeader(Buffer.buffer(signedText), mac(item("AUTHORISATION", true), KEY));
        assertThat(adapter.translate(new Verified(textOfAnItem, "key 2"))).isInstanceOf(Translation.Malformed.class);
    }

    @Test
    void an_authorisation_is_money_where_the_account_captures_at_once() {
        PaymentFact fact = onlyFact(adapter, item("AUTHORISATION", true));
        assertThat(fact.kind()).isEqualTo(FactKind.PAYMENT_SUCCEEDED);
        assertThat(fact.reference()).isEqualTo(ATTEMPT);
        assertThat(fact.pspPaymentId()).isEqualTo(PAYMENT);
        assertThat(fact.amount()).isEqualTo(new Money(1_999, "EUR"));
        assertThat(fact.mismatch()).isNull();
    }

    @Test
    void where_captures_are_asked_for_only_the_capture_is_money_and_names_the_payment() {
        PaymentFact authorised = onlyFact(manual, item("AUTHORISATION", true));
        assertThat(authorised.kind()).isEqualTo(FactKind.PAYMENT_PENDING);
        assertThat(authorised.pspPaymentId()).isNull();
        for (PspAdapter any : List.of(manual, adapter)) {
            PaymentFact captured = onlyFact(any, modification("CAPTURE", true));
            assertThat(captured.kind()).isEqualTo(FactKind.PAYMENT_SUCCEEDED);
            assertThat(captured.pspPaymentId()).isEqualTo(PAYMENT);
        }
    }

    /** Bug log 61: a try says nothing about the attempt, and must not give it its pspReference. */
    @ParameterizedTest
    @CsvSource({
        "AUTHORISATION,false,PAYMENT_DECLINED",
        "PENDING,true,PAYMENT_PENDING",
        "OFFER_CLOSED,true,PAYMENT_CLOSED",
        "EXPIRE,true,PAYMENT_CLOSED"
    })
    void news_of_no_money_names_no_payment(String eventCode, boolean success, FactKind kind) {
        PaymentFact fact = onlyFact(adapter, item(eventCode, success));
        assertThat(fact.kind()).isEqualTo(kind);
        assertThat(fact.reference()).isEqualTo(ATTEMPT);
        assertThat(fact.pspPaymentId()).isNull();
        assertThat(fact.detail()).isEqualTo(eventCode);
    }

    /** Bug log 63: money that was reported and is not there is put before a person, for it may still come. */
    @Test
    void a_capture_that_failed_is_a_success_of_nothing() {
        List<PaymentFact> lost = List.of(
                onlyFact(adapter, modification("CAPTURE_FAILED", true)),
                onlyFact(manual, modification("CAPTURE_FAILED", true)),
                onlyFact(adapter, modification("CAPTURE", false)));
        assertThat(lost).allSatisfy(fact -> {
            assertThat(fact.kind()).isEqualTo(FactKind.PAYMENT_SUCCEEDED);
            assertThat(fact.mismatch()).isEqualTo(Mismatch.AMOUNT);
            assertThat(fact.amount()).isEqualTo(new Money(0, "EUR"));
            assertThat(fact.pspPaymentId()).isEqualTo(PAYMENT);
        });
        assertThat(onlyFact(manual, modification("CAPTURE", false)).kind()).isEqualTo(FactKind.PAYMENT_DECLINED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"CANCELLATION", "TECHNICAL_CANCEL", "CANCEL_OR_REFUND"})
    void a_payment_that_was_undone_is_closed_and_what_was_paid_of_it_has_gone_back(String eventCode) {
        List<PaymentFact> facts = facts(adapter, modification(eventCode, true));
        assertThat(facts)
                .extracting(PaymentFact::kind)
                .containsExactly(FactKind.PAYMENT_CLOSED, FactKind.REFUND_SUCCEEDED);
        assertThat(facts.get(1).refund())
                .isEqualTo(new RefundNews(null, "8825658961765251", new Money(1_999, "EUR"), null));
        JsonObject nameless = modification(eventCode, true);
        nameless.remove("originalReference");
        assertThat(facts(adapter, nameless)).extracting(PaymentFact::kind).containsExactly(FactKind.PAYMENT_CLOSED);
    }

    @Test
    void what_was_only_authorised_is_cancelled_without_a_refund() {
        assertThat(onlyFact(manual, modification("CANCELLATION", true)).kind()).isEqualTo(FactKind.PAYMENT_CLOSED);
        for (String eventCode : List.of("CANCELLATION", "TECHNICAL_CANCEL")) {
            assertThat(translate(adapter, signed(modification(eventCode, false), KEY)))
                    .isInstanceOf(Translation.NotOurs.class);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "REFUND,true,REFUND_SUCCEEDED",
        "REFUND,false,REFUND_FAILED",
        "REFUND_FAILED,true,REFUND_FAILED",
        "REFUNDED_REVERSED,true,REFUND_FAILED",
        "CANCEL_OR_REFUND,false,REFUND_FAILED"
    })
    void refunds_are_told_apart_by_what_we_sent_as_reference(String eventCode, boolean success, FactKind kind) {
        JsonObject ours = modification(eventCode, success).put("merchantReference", ATTEMPT + "-" + REFUND);
        PaymentFact fact = onlyFact(adapter, ours);
        assertThat(fact.kind()).isEqualTo(kind);
        assertThat(fact.reference()).isEqualTo(ATTEMPT);
        assertThat(fact.refund()).isEqualTo(new RefundNews(REFUND, "8825658961765251", new Money(1_999, "EUR"), null));
        PaymentFact byHand = onlyFact(adapter, modification(eventCode, success));
        assertThat(byHand.reference()).isEqualTo(ATTEMPT);
        assertThat(byHand.refund()).isEqualTo(new RefundNews(null, "8825658961765251", new Money(1_999, "EUR"), null));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "REPORT_AVAILABLE",
                "NOTIFICATION_OF_CHARGEBACK",
                "CHARGEBACK",
                "SECOND_CHARGEBACK",
                "REQUEST_FOR_INFORMATION",
                "CHARGEBACK_REVERSED",
                "PREARBITRATION_WON",
                "RECURRING_CONTRACT",
                "A_NEW_ONE"
            })
    void disputes_reports_and_what_is_unknown_are_not_ours(String eventCode) {
        assertThat(translate(adapter, signed(item(eventCode, true), KEY)))
                .isInstanceOfSatisfying(Translation.NotOurs.class, other -> assertThat(other.eventType())
                        .isEqualTo(eventCode));
    }

    /** Bug log 71: Adyen counts rupiah in whole ones. */
    @ParameterizedTest
    @CsvSource({
        "IDR,500,50000",
        "CVE,500,50000",
        "JPY,500,500",
        "CLP,50000,500",
        "ISK,50000,500",
        "KWD,1234,1234",
        "EUR,820,820",
        "EUR,26390,26390"
    })
    void amounts_are_converted_exactly_into_iso_minor_units(String currency, long adyens, long ours) {
        JsonObject item = item("AUTHORISATION", true);
        item.put("amount", new JsonObject().put("currency", currency).put("value", adyens));
        assertThat(onlyFact(adapter, item).amount()).isEqualTo(new Money(ours, currency));
        assertThat(AdyenAmounts.write(new Money(ours, currency))).contains(adyens);
    }

    @ParameterizedTest
    @CsvSource({"CLP,50", "XXZ,500", "eur,500", "EUR,-1"})
    void an_amount_that_cannot_be_said_exactly_never_pays_and_is_never_refunded(String currency, long value) {
        JsonObject amount = new JsonObject().put("currency", currency).put("value", value);
        PaymentFact paid = onlyFact(adapter, item("AUTHORISATION", true).put("amount", amount));
        assertThat(paid.kind()).isEqualTo(FactKind.PAYMENT_SUCCEEDED);
        assertThat(paid.amount()).isNull();
        assertThat(onlyFact(adapter, modification("REFUND", true).put("amount", amount))
                        .kind())
                .isEqualTo(FactKind.REFUND_NO_ANSWER);
    }

    /** Bug log 56. */
    @FaultOfOthers(
            value = "Adyen magento#748",
            symptom = "a repetition was booked twice, and a capture was taken for one")
    @Test
    void repetitions_have_the_same_id_and_other_events_of_the_payment_have_others() {
        List<String> ids = new ArrayList<>();
        ids.add(eventId(item("AUTHORISATION", true)));
        ids.add(eventId(item("AUTHORISATION", false)));
        ids.add(eventId(item("CAPTURE", true)));
        ids.add(eventId(item("CAPTURE", true).put("originalReference", PAYMENT)));
        ids.add(eventId(item("AUTHORISATION", true), item("CAPTURE", true)));
        ids.add(eventId(item("CAPTURE", true), item("AUTHORISATION", true)));
        assertThat(ids).doesNotHaveDuplicates().allMatch(id -> id.length() <= 200);
        JsonObject again = item("AUTHORISATION", true)
                .put("eventDate", "2026-03-02T00:00:00Z")
                .put("reason", "x");
        assertThat(eventId(again)).isEqualTo(ids.get(0));
        assertThat(eventId(again, item("CAPTURE", true))).isEqualTo(ids.get(4));
    }

    @Test
    void reports_of_one_name_differ_in_their_date_and_long_names_are_shortened() {
        JsonObject report = item("REPORT_AVAILABLE", true).put("pspReference", "r".repeat(500));
        JsonObject later = report.copy().put("eventDate", "2026-03-02T00:00:00Z");
        assertThat(eventId(report)).isNotEqualTo(eventId(later)).hasSizeLessThan(200);
    }

    @Test
    void of_several_items_those_that_are_ours_are_facts_under_one_id() {
        JsonObject other = item("AUTHORISATION", true).put("merchantReference", "shop-7");
        Translation translation = translate(
                adapter,
                signed(item("AUTHORISATION", true), KEY),
                signed(other, KEY),
                signed(modification("CAPTURE", true), KEY));
        assertThat(translation).isInstanceOfSatisfying(Translation.Facts.class, news -> {
            assertThat(news.facts()).hasSize(2).allSatisfy(fact -> {
                assertThat(fact.reference()).isEqualTo(ATTEMPT);
                assertThat(fact.evidence().eventId()).isEqualTo(news.eventId());
            });
        });
        assertThat(translate(adapter, signed(other, KEY), signed(item("REPORT_AVAILABLE", true), KEY)))
                .isInstanceOfSatisfying(Translation.NotOurs.class, none -> assertThat(none.eventType())
                        .isEqualTo("AUTHORISATION,REPORT_AVAILABLE"));
    }

    @Test
    void a_success_of_another_account_is_marked_and_other_news_of_it_is_not_ours() {
        JsonObject paid = item("AUTHORISATION", true).put("merchantAccountCode", "OtherECOM");
        assertThat(onlyFact(adapter, paid).mismatch()).isEqualTo(Mismatch.ACCOUNT);
        JsonObject closed = modification("CANCELLATION", true).put("merchantAccountCode", "OtherECOM");
        assertThat(translate(adapter, signed(closed, KEY))).isInstanceOf(Translation.NotOurs.class);
    }

    @Test
    void a_success_of_the_other_mode_is_marked_and_does_not_stand_in_for_the_genuine_one() {
        JsonObject signed = signed(item("AUTHORISATION", true), KEY);
        Translation.Facts genuine = (Translation.Facts) translate(adapter, signed);
        for (Object live : List.of("true", true)) {
            Translation.Facts marked =
                    (Translation.Facts) translated(adapter, body(signed).put("live", live));
            assertThat(marked.facts().get(0).mismatch()).isEqualTo(Mismatch.MODE);
            assertThat(marked.eventId()).isNotEqualTo(genuine.eventId());
        }
        JsonObject settings = AdyenFixture.settings("https://api.example");
        settings.remove("live");
        Translation unchecked =
                translated(new AdyenFixture().adapter(settings), body(signed).put("live", "true"));
        assertThat(((Translation.Facts) unchecked).facts().get(0).mismatch()).isNull();
    }

    @Test
    void unsigned_fields_decide_nothing() {
        JsonObject changed = item("AUTHORISATION", true)
                .put("reason", "Refused")
                .put("paymentMethod", "none")
                .put("eventDate", "1970-01-01T00:00:00Z")
                .put("operations", new JsonArray());
        JsonObject signed = signed(changed, KEY);
        signed.getJsonObject("additionalData").put("authorisedAmountValue", "1").put("modification.action", "cancel");
        assertThat(((Translation.Facts) translate(adapter, signed)).facts().get(0))
                .isEqualTo(onlyFact(adapter, item("AUTHORISATION", true)));
    }

    @Test
    void an_item_of_ours_without_a_usable_reference_of_adyens_is_malformed() {
        for (String odd : List.of("", "a/b", "x".repeat(65))) {
            JsonObject item = item("AUTHORISATION", true).put("pspReference", odd);
            assertThat(translate(adapter, signed(item, KEY))).isInstanceOf(Translation.Malformed.class);
        }
        assertThat(translate(adapter, signed(item("AUTHORISATION", true).put("success", "yes"), KEY)))
                .isInstanceOf(Translation.Malformed.class);
    }

    @Test
    void a_browser_brings_back_the_attempt_and_nothing_else_is_read() {
        assertThat(returned("reference=" + ATTEMPT + "&redirectResult=X6Xt%21&sessionId=CS1"))
                .isEqualTo(new Returned.Payment(ATTEMPT, null, false));
        for (String fields : List.of("", "reference=", "reference=x", "redirectResult=X", "reference=%")) {
            assertThat(returned(fields)).as(fields).isInstanceOf(Returned.Unreadable.class);
        }
    }

    private Returned returned(String fields) {
        return adapter.readReturn(new BrowserReturn(Buffer.buffer(fields), NOW));
    }

    @Test
    void settings_list_every_mistake_and_show_no_secret() {
        JsonObject wrong = new JsonObject()
                .put("api_base", "ftp://x")
                .put("merchant_account", "a:b")
                .put("api_key", "hidden ")
                .put("hmac_keys", new JsonArray().add(KEY).add("NotHexHidden").add("ABC"))
                .put("capture", "later")
                .put("live", "maybe")
                .put("hmac_key", "hidden");
        assertThatThrownBy(() -> AdyenSettings.parse(wrong))
                .isInstanceOfSatisfying(InvalidSettings.class, invalid -> assertThat(invalid.mistakes())
                        .hasSize(8)
                        .anyMatch(mistake -> mistake.startsWith("hmac_keys[1] is not hex"))
                        .anyMatch(mistake -> mistake.startsWith("hmac_keys[2] is not hex")))
                .hasMessageNotContaining("idden")
                .hasMessageNotContaining("ABC");
        assertThat(AdyenSettings.parse(AdyenFixture.settings("https://api.example"))
                        .toString())
                .doesNotContain("secret")
                .doesNotContain(KEY.substring(0, 8));
    }

    private static RawNotification withHeader(Buffer body, String signature) {
        MultiMap headers = MultiMap.caseInsensitiveMultiMap().add("HmacSignature", signature);
        return new RawNotification(headers, body, NOW);
    }

    private String verify(JsonObject... items) {
        return ((Verified) adapter.verify(raw(body(items)))).keyLabel();
    }

    private void assertRefused(Reason reason, JsonObject... items) {
        assertRefused(reason, raw(body(items)));
    }

    private void assertRefused(Reason reason, RawNotification raw) {
        assertThat(adapter.verify(raw)).isInstanceOfSatisfying(Refused.class, refused -> assertThat(refused.reason())
                .isEqualTo(reason));
    }

    private String eventId(JsonObject... items) {
        JsonObject[] signed =
                Arrays.stream(items).map(item -> signed(item, KEY)).toArray(JsonObject[]::new);
        Translation translation = translate(adapter, signed);
        return translation instanceof Translation.Facts facts
                ? facts.eventId()
                : ((Translation.NotOurs) translation).eventId();
    }

    private static PaymentFact onlyFact(PspAdapter adapter, JsonObject item) {
        List<PaymentFact> facts = facts(adapter, item);
        assertThat(facts).hasSize(1);
        return facts.get(0);
    }

    private static List<PaymentFact> facts(PspAdapter adapter, JsonObject item) {
        Translation translation = translate(adapter, signed(item, KEY));
        assertThat(translation).isInstanceOf(Translation.Facts.class);
        return ((Translation.Facts) translation).facts();
    }

    private static Translation translate(PspAdapter adapter, JsonObject... items) {
        return translated(adapter, body(items));
    }

    private static Translation translated(PspAdapter adapter, JsonObject body) {
        Verification verification = adapter.verify(raw(body));
        assertThat(verification).isInstanceOf(Verified.class);
        return adapter.translate((Verified) verification);
    }
}
