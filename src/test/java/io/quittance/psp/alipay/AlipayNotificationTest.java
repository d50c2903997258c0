package io.quittance.psp.alipay;

import static io.quittance.psp.PspFixture.ATTEMPT;
import static io.quittance.psp.PspFixture.REFUND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quittance.FaultOfOthers;
import io.quittance.domain.FactKind;
import io.quittance.domain.Mismatch;
import io.quittance.domain.Money;
import io.quittance.domain.PaymentFact;
import io.quittance.domain.PaymentFact.RefundNews;
import io.quittance.psp.InvalidSettings;
import io.quittance.psp.PspAdapter;
import io.quittance.psp.RawNotification;
import io.quittance.psp.TestKeys;
import io.quittance.psp.Translation;
import io.quittance.psp.Verification;
import io.quittance.psp.Verification.Reason;
import io.quittance.psp.Verification.Refused;
import io.quittance.psp.Verification.Verified;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.math.BigDecimal;
import java.security.PrivateKey;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AlipayNotificationTest {

    private static final PrivateKey ALIPAY = TestKeys.PSP.getPrivate();

    private final PspAdapter adapter = new AlipayFixture().adapter("https://gateway.example", null);

    @Test
    void alipays_own_library_accepts_what_we_accept() throws Exception {
        Map<String, String> signed = signed(AlipayFixture.notice("TRADE_SUCCESS"));
        assertThat(com.alipay.api.internal.util.AlipaySignature.rsaCheckV1(
                        new HashMap<>(signed), TestKeys.base64(TestKeys.PSP.getPublic()), "utf-8", "RSA2"))
                .isTrue();
        assertThat(adapter.verify(AlipayFixture.raw(signed)))
                .isInstanceOfSatisfying(Verified.class, verified -> assertThat(verified.keyLabel())
                        .isEqualTo("key 1"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"utf-8", "UTF-8", "gbk", "GBK"})
    @FaultOfOthers(
            value = "yansongda/pay#14",
            symptom = "notices in GBK are refused as soon as there is Chinese in them")
    void the_notice_is_decoded_and_checked_in_its_own_charset(String charset) {
        Map<String, String> fields = AlipayFixture.notice("TRADE_SUCCESS");
        fields.put("charset", charset);
        fields.put("subject", "会员 \\ \"a\" 订单 ");
        RawNotification raw = AlipayFixture.raw(signed(fields));
        assertThat(raw.body().toString().contains("%BB%E1%D4%B1")).isEqualTo(charset.equalsIgnoreCase("gbk"));
        assertThat(adapter.verify(raw)).isInstanceOf(Verified.class);
    }

    @Test
    void bytes_that_the_charset_does_not_know_are_refused() {
        String body = AlipayFixture.raw(signed(AlipayFixture.notice("TRADE_SUCCESS")))
                .body()
                .toString();
        assertRefused(AlipayFixture.raw(body.replace("version=1.0", "version=%FF")), Reason.MALFORMED_SIGNATURE);
        assertRefused(AlipayFixture.raw(body.replace("utf-8", "utf-16")), Reason.MALFORMED_SIGNATURE);
        assertRefused(AlipayFixture.raw(body.replace("charset=utf-8&", "")), Reason.MALFORMED_SIGNATURE);
    }

    @Test
    @FaultOfOthers(
            value = "justquanyin/third-payment#7",
            symptom = "one side signs empty fields and the other does not")
    void empty_values_may_be_signed_or_left_out() {
        Map<String, String> fields = AlipayFixture.notice("TRADE_SUCCESS");
        fields.put("body", "");
        String with = AlipayForm.signedText(fields, Set.of(), true);
        assertThat(with).contains("app_id=2021000000000001&body=&charset");
        assertThat(adapter.verify(AlipayFixture.raw(AlipayFixture.signed(fields, with, ALIPAY, "RSA2"))))
                .isInstanceOf(Verified.class);
        assertThat(adapter.verify(AlipayFixture.raw(signed(fields)))).isInstanceOf(Verified.class);
    }

    @Test
    @FaultOfOthers(
            value = "alipay/alipay-sdk-nodejs-all#45",
            symptom = "a percent sign in passback_params makes the signature wrong, because it was decoded twice")
    void a_text_that_was_decoded_twice_is_not_what_was_signed() {
        Map<String, String> fields = AlipayFixture.notice("TRADE_SUCCESS");
        RawNotification raw = AlipayFixture.raw(signed(fields));
        assertThat(raw.body().toString()).contains("passback_params=%257B%2522a%2522%257D");
        assertThat(adapter.verify(raw)).isInstanceOf(Verified.class);
        assertRefused(AlipayFixture.raw(raw.body().toString().replace("%257B", "%7B")), Reason.BAD_SIGNATURE);
    }

    @Test
    @FaultOfOthers(value = "smartwalle/alipay#132", symptom = "a plus in the signature was read as a space")
    void a_plus_in_the_signature_that_was_not_escaped_is_refused() {
        String body;
        Map<String, String> fields = AlipayFixture.notice("TRADE_SUCCESS");
        do {
            fields.merge("version", "0", String::concat);
            body = AlipayFixture.raw(signed(fields)).body().toString();
        } while (!body.substring(body.indexOf("&sign="), body.indexOf("&sign_type"))
                .contains("%2B"));
        assertThat(adapter.verify(AlipayFixture.raw(body))).isInstanceOf(Verified.class);
        int sign = body.indexOf("&sign=");
        String unescaped = body.substring(0, sign) + body.substring(sign).replace("%2B", "+");
        assertRefused(AlipayFixture.raw(unescaped), Reason.MALFORMED_SIGNATURE);
    }

    @Test
    @FaultOfOthers(
            value = "alipay/alipay-sdk-nodejs-all checkNotifySign",
            symptom = "the message itself says by which algorithm it is to be checked, and so chooses the weaker one")
    void sha1_is_refused_even_if_the_notice_asks_for_it() {
        Map<String, String> fields = AlipayFixture.notice("TRADE_SUCCESS");
        Map<String, String> sha1 = AlipayFixture.signed(fields, ALIPAY, "RSA");
        assertRefused(AlipayFixture.raw(sha1), Reason.MALFORMED_SIGNATURE);
        sha1.put("sign_type", "RSA2");
        assertRefused(AlipayFixture.raw(sha1), Reason.BAD_SIGNATURE);
    }

    @Test
    @FaultOfOthers(value = "laravel-pay#82", symptom = "a framework adds its own parameters to those that were signed")
    void a_field_that_a_framework_added_or_that_stands_twice_is_refused() {
        String body = AlipayFixture.raw(signed(AlipayFixture.notice("TRADE_SUCCESS")))
                .body()
                .toString();
        assertRefused(AlipayFixture.raw(body + "&s=%2Fnotify"), Reason.BAD_SIGNATURE);
        assertRefused(AlipayFixture.raw(body + "&total_amount=19.99"), Reason.MALFORMED_SIGNATURE);
        assertRefused(AlipayFixture.raw(body + "&"), Reason.MALFORMED_SIGNATURE);
        assertRefused(AlipayFixture.raw(body.replace("%22", "&quot;")), Reason.MALFORMED_SIGNATURE);
    }

    @Test
    void a_new_field_that_alipay_signed_is_no_error() {
        Map<String, String> fields = AlipayFixture.notice("TRADE_SUCCESS");
        fields.put("brand_new", "1");
        assertThat(adapter.verify(AlipayFixture.raw(signed(fields)))).isInstanceOf(Verified.class);
    }

    @Test
    void a_signed_text_that_can_be_cut_into_another_amount_is_refused_in_both_readings() {
        Map<String, String> genuine = AlipayFixture.notice("TRADE_SUCCESS");
        genuine.put("subject", "x&total_amount=9999.00&trade_a=");
        genuine.put("total_amount", "0.01");
        Map<String, String> signed = signed(genuine);
        assertRefused(AlipayFixture.raw(signed), Reason.MALFORMED_SIGNATURE);
        Map<String, String> forged = new HashMap<>(signed);
        forged.put("subject", "x");
        forged.put("total_amount", "9999.00");
        forged.put("trade_a", "&total_amount=0.01");
        String forgedText = AlipayForm.signedText(forged, Set.of("sign", "sign_type"), true);
        assertThat(forgedText).isEqualTo(AlipayForm.signedText(genuine, Set.of(), true));
        assertRefused(AlipayFixture.raw(forged), Reason.MALFORMED_SIGNATURE);
    }

    @Test
    void the_second_of_two_keys_counts_too() {
        JsonObject settings = AlipayFixture.settings("https://gateway.example");
        JsonArray keys = new JsonArray()
                .add(TestKeys.pem(TestKeys.STRANGER.getPublic()))
                .add(TestKeys.pem(TestKeys.PSP.getPublic()));
        AlipaySettings both = AlipaySettings.parse(settings.put("alipay_public_keys", keys));
        assertThat(new AlipaySignature(both).verify(new AlipayFixture().good()))
                .isInstanceOfSatisfying(Verified.class, verified -> assertThat(verified.keyLabel())
                        .isEqualTo("key 2"));
    }

    @Test
    void a_finished_trade_is_the_same_money_as_a_successful_one() {
        for (String status : new String[] {"TRADE_SUCCESS", "TRADE_FINISHED"}) {
            PaymentFact fact = fact(AlipayFixture.notice(status));
            assertThat(fact.kind()).isEqualTo(FactKind.PAYMENT_SUCCEEDED);
            assertThat(fact.amount()).isEqualTo(new Money(1_999, "CNY"));
            assertThat(fact.pspPaymentId()).isEqualTo("2026030122001400000000000001");
        }
    }

    @Test
    void a_success_with_refund_fields_is_a_refund_and_no_new_payment() {
        for (String status : new String[] {"TRADE_SUCCESS", "TRADE_FINISHED", "TRADE_CLOSED"}) {
            Map<String, String> fields = AlipayFixture.notice(status);
            fields.put("refund_fee", "5.00");
            fields.put("gmt_refund", "2026-03-01 20:00:00.123");
            fields.put("out_biz_no", REFUND);
            PaymentFact fact = fact(fields);
            assertThat(fact.kind()).isEqualTo(FactKind.REFUND_SUCCEEDED);
            assertThat(fact.reference()).isEqualTo(ATTEMPT);
            assertThat(fact.refund()).isEqualTo(new RefundNews(REFUND, null, null, new Money(500, "CNY")));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"out_trade_no", "trade_no", "notify_id", "trade_status"})
    void a_signed_field_that_no_database_can_keep_is_refused_and_one_that_is_not_kept_is_not(String name) {
        Map<String, String> fields = AlipayFixture.notice("TRADE_SUCCESS");
        fields.put("body", "nothing\0 of ours");
        assertThat(adapter.verify(AlipayFixture.raw(signed(fields)))).isInstanceOf(Verified.class);
        fields.computeIfPresent(name, (field, value) -> value + "\0");
        assertThat(adapter.verify(AlipayFixture.raw(signed(fields))))
                .isInstanceOfSatisfying(
                        Refused.class, refused -> assertThat(refused.reason()).isEqualTo(Reason.MALFORMED_SIGNATURE));
    }

    @Test
    void a_closed_trade_without_refund_fields_was_never_paid() {
        assertThat(fact(AlipayFixture.notice("TRADE_CLOSED")).kind()).isEqualTo(FactKind.PAYMENT_CLOSED);
        assertThat(fact(AlipayFixture.notice("WAIT_BUYER_PAY")).kind()).isEqualTo(FactKind.PAYMENT_PENDING);
    }

    @ParameterizedTest
    @ValueSource(strings = {"19.999", "1e3", "", "-1", " 1", "١", "19,99"})
    void amounts_that_are_not_yuan_are_malformed(String amount) {
        Map<String, String> fields = AlipayFixture.notice("TRADE_SUCCESS");
        fields.put("total_amount", amount);
        assertThat(translate(fields)).isInstanceOf(Translation.Malformed.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"8.20", "263.90", "0.1", "100"})
    @FaultOfOthers(
            value = "Paymenter#1258",
            symptom =
                    "amounts are multiplied by 100 whatever the currency, or cut off on their way through floating point")
    void amounts_are_read_exactly(String amount) {
        Map<String, String> fields = AlipayFixture.notice("TRADE_SUCCESS");
        fields.put("total_amount", amount);
        long minor = new BigDecimal(amount).movePointRight(2).longValueExact();
        assertThat(fact(fields).amount()).isEqualTo(new Money(minor, "CNY"));
    }

    @Test
    void another_application_or_seller_is_marked_and_kept() {
        for (String field : new String[] {"app_id", "seller_id"}) {
            Map<String, String> fields = AlipayFixture.notice("TRADE_SUCCESS");
            fields.put(field, "2088999999999999");
            assertThat(fact(fields).mismatch()).isEqualTo(Mismatch.ACCOUNT);
            fields.remove(field);
            assertThat(fact(fields).mismatch()).isEqualTo(Mismatch.ACCOUNT);
        }
    }

    @Test
    void other_notices_are_not_ours_and_incomplete_ones_malformed() {
        Map<String, String> other = AlipayFixture.notice("TRADE_SUCCESS");
        other.put("notify_type", "servicemarket_order_notify");
        assertThat(translate(other))
                .isEqualTo(new Translation.NotOurs(other.get("notify_id"), "servicemarket_order_notify"));
        for (String field : new String[] {"notify_id", "notify_type", "out_trade_no", "trade_no", "trade_status"}) {
            Map<String, String> fields = AlipayFixture.notice("TRADE_SUCCESS");
            fields.remove(field);
            assertThat(translate(fields)).as(field).isInstanceOf(Translation.Malformed.class);
        }
    }

    @Test
    void settings_list_every_mistake_and_show_no_secret() {
        String own = TestKeys.base64(TestKeys.OWN.getPublic());
        JsonObject wrong = AlipayFixture.settings("https://gateway.example")
                .put("app_id", 7)
                .put("alipay_public_keys", new JsonArray().add(own).add("garbage!"))
                .put("colour", "red");
        assertThatThrownBy(() -> AlipaySettings.parse(wrong))
                .isInstanceOfSatisfying(InvalidSettings.class, invalid -> assertThat(invalid.mistakes())
                        .hasSize(4)
                        .anyMatch(mistake -> mistake.contains("own public key")))
                .hasMessageNotContaining("garbage");
        JsonObject rsa = AlipayFixture.settings("https://gateway.example").put("app_private_key", "AAAA");
        assertThatThrownBy(() -> AlipaySettings.parse(rsa))
                .hasMessage("app_private_key is not an RSA private key in PKCS#8");
        AlipaySettings good = AlipaySettings.parse(AlipayFixture.settings("https://gateway.example"));
        assertThat(good.toString().toLowerCase(Locale.ROOT))
                .doesNotContain("private")
                .doesNotContain("modulus");
    }

    private static Map<String, String> signed(Map<String, String> fields) {
        return AlipayFixture.signed(fields, ALIPAY, "RSA2");
    }

    private void assertRefused(RawNotification raw, Reason reason) {
        assertThat(adapter.verify(raw)).isInstanceOfSatisfying(Refused.class, refused -> assertThat(refused.reason())
                .isEqualTo(reason));
    }

    private PaymentFact fact(Map<String, String> fields) {
        Translation translation = translate(fields);
        assertThat(translation).isInstanceOf(Translation.Facts.class);
        assertThat(((Translation.Facts) translation).eventId()).isEqualTo(fields.get("notify_id"));
        return ((Translation.Facts) translation).facts().get(0);
    }

    private Translation translate(Map<String, String> fields) {
        Verification verification = adapter.verify(AlipayFixture.raw(signed(fields)));
        assertThat(verification).isInstanceOf(Verified.class);
        return adapter.translate((Verified) verification);
    }
}
