package io.quittance.psp.wechatpay;

import static io.quittance.psp.PspFixture.ATTEMPT;
import static io.quittance.psp.PspFixture.NOW;
import static io.quittance.psp.PspFixture.REFUND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.wechat.pay.java.core.cipher.AeadAesCipher;
import com.wechat.pay.java.core.notification.NotificationParser;
import com.wechat.pay.java.core.notification.RSAPublicKeyNotificationConfig;
import com.wechat.pay.java.core.notification.RequestParam;
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
import io.vertx.core.MultiMap;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.security.PrivateKey;
import java.util.Map;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WechatpayNotificationTest {

    private static final PrivateKey WECHAT = TestKeys.PSP.getPrivate();

    private final WechatpayFixture fixture = new WechatpayFixture();
    private final PspAdapter adapter = fixture.adapter("https://api.example", null);

    @Test
    void wechat_pays_own_library_accepts_what_we_accept() {
        RawNotification good = fixture.good();
        RequestParam request = new RequestParam.Builder()
                .serialNumber(good.headers().get("Wechatpay-Serial"))
                .nonce(good.headers().get("Wechatpay-Nonce"))
                .timestamp(good.headers().get("Wechatpay-Timestamp"))
                .signature(good.headers().get("Wechatpay-Signature"))
                .body(good.body().toString())
                .build();
        NotificationParser parser = new NotificationParser(new RSAPublicKeyNotificationConfig.Builder()
                .publicKey(TestKeys.PSP.getPublic())
                .publicKeyId(WechatpayFixture.SERIAL)
                .apiV3Key(WechatpayFixture.API_V3_KEY)
                .build());
        assertThat(parser.parse(request, Map.class).get("out_trade_no")).isEqualTo(ATTEMPT);
        assertThat(adapter.verify(good)).isEqualTo(new Verified(good, "serial " + WechatpayFixture.SERIAL));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0114000000000000000000000000000001", "PUB_KEY_ID_0", "0", "PUB_KEY_ID_"})
    void a_serial_that_is_not_configured_is_unknown_even_if_the_signature_is_right(String serial) {
        assertRefused(with(fixture.good(), "Wechatpay-Serial", serial), Reason.UNKNOWN_KEY);
    }

    @Test
    @FaultOfOthers(
            value = "wechatpay-apiv3/wechatpay-go#263",
            symptom =
                    "new merchants have a public key with a number of another form, which is read as hexadecimal and not found")
    void each_serial_has_a_key_of_its_own() {
        String merchantHex = "5157F09EFDC096DE15EBE81A47057A72";
        JsonObject settings = WechatpayFixture.settings("https://api.example");
        settings.getJsonObject("platform_keys").put(merchantHex, TestKeys.pem(TestKeys.STRANGER.getPublic()));
        WechatpaySignature both =
                new WechatpaySignature(WechatpaySettings.parse(settings).platformKeys());
        RawNotification good = fixture.good();
        assertThat(both.verify(good)).isInstanceOf(Verified.class);
        assertThat(both.verify(with(good, "Wechatpay-Serial", merchantHex))).isInstanceOf(Refused.class);
        assertThat(both.verify(with(fixture.signedByAStranger(), "Wechatpay-Serial", merchantHex)))
                .isInstanceOf(Verified.class);
    }

    @Test
    @FaultOfOthers(
            value = "binarywang/WxJava#3288",
            symptom =
                    "half of the callbacks fail with an exception: WeChat Pay tries out whether wrong signatures are refused")
    void the_signature_probe_is_refused_and_told_from_forgery() {
        RawNotification good = fixture.good();
        String probe = "WECHATPAY/SIGNTEST/" + good.headers().get("Wechatpay-Signature");
        assertRefused(with(good, "Wechatpay-Signature", probe), Reason.SIGNATURE_PROBE);
        assertThat(adapter.verify(good)).isInstanceOf(Verified.class);
    }

    @ParameterizedTest
    @CsvSource({"-300,false", "-299,true", "0,true", "299,true", "300,false"})
    void the_time_may_lie_less_than_five_minutes_away_in_both_directions(long shift, boolean valid) {
        RawNotification good = fixture.good();
        MultiMap headers = WechatpayFixture.headers(good.body(), WECHAT, NOW.getEpochSecond() + shift);
        RawNotification raw = new RawNotification(headers, good.body(), NOW);
        if (valid) {
            assertThat(adapter.verify(raw)).isInstanceOf(Verified.class);
        } else {
            assertRefused(raw, Reason.STALE);
        }
    }

    @Test
    void only_the_one_signature_type_is_taken() {
        String type = "Wechatpay-Signature-Type";
        assertThat(adapter.verify(with(fixture.good(), type, "WECHATPAY2-SHA256-RSA2048")))
                .isInstanceOf(Verified.class);
        assertRefused(with(fixture.good(), type, "WECHATPAY2-SM2-WITH-SM3"), Reason.MALFORMED_SIGNATURE);
    }

    @Test
    void undecodable_signatures_and_nonces_with_line_ends_are_malformed() {
        assertRefused(with(fixture.good(), "Wechatpay-Signature", "not base64!"), Reason.MALFORMED_SIGNATURE);
        assertRefused(with(fixture.good(), "Wechatpay-Nonce", "a b"), Reason.MALFORMED_SIGNATURE);
        assertRefused(with(fixture.good(), "Wechatpay-Timestamp", "+1"), Reason.MALFORMED_SIGNATURE);
    }

    @Test
    void a_success_is_worth_the_total_and_not_what_the_payer_paid_after_coupons() {
        PaymentFact fact = fact("TRANSACTION.SUCCESS", WechatpayFixture.transaction());
        assertThat(fact.amount()).isEqualTo(new Money(1_999, "CNY"));
        assertThat(fact.pspPaymentId()).isEqualTo("4200000000000000000000000001");
    }

    @ParameterizedTest
    @CsvSource({
        "REFUND.SUCCESS,SUCCESS,REFUND_SUCCEEDED",
        "REFUND.ABNORMAL,ABNORMAL,REFUND_FAILED",
        "REFUND.CLOSED,CLOSED,REFUND_FAILED"
    })
    void refund_events_name_our_refund_and_its_own_amount(String type, String status, FactKind kind) {
        PaymentFact fact = fact(type, WechatpayFixture.refund(status));
        assertThat(fact.kind()).isEqualTo(kind);
        assertThat(fact.reference()).isEqualTo(ATTEMPT);
        assertThat(fact.refund())
                .isEqualTo(new RefundNews(REFUND, "50000000000000000000000000001", new Money(500, "CNY"), null));
    }

    @Test
    void a_refund_whose_status_contradicts_its_event_is_malformed() {
        assertThat(translate("REFUND.SUCCESS", WechatpayFixture.refund("ABNORMAL")))
                .isInstanceOf(Translation.Malformed.class);
    }

    @Test
    void another_merchant_or_application_is_marked_and_kept() {
        for (String field : new String[] {"mchid", "appid"}) {
            JsonObject other = WechatpayFixture.transaction().put(field, "other");
            assertThat(fact("TRANSACTION.SUCCESS", other).mismatch()).isEqualTo(Mismatch.ACCOUNT);
        }
        JsonObject other = WechatpayFixture.refund("SUCCESS").put("mchid", "other");
        assertThat(fact("REFUND.SUCCESS", other).mismatch()).isEqualTo(Mismatch.ACCOUNT);
    }

    @Test
    void amounts_that_are_no_exact_integers_are_malformed() {
        for (Object total :
                new JsonArray().add(1.5).add(1.0).add("1999").add(-1).addNull()) {
            JsonObject plain = WechatpayFixture.transaction().put("amount", new JsonObject().put("total", total));
            assertThat(translate("TRANSACTION.SUCCESS", plain)).isInstanceOf(Translation.Malformed.class);
        }
    }

    @Test
    void events_of_other_kinds_and_combined_orders_are_not_ours() {
        assertThat(translate("PAYSCORE.USER_OPEN_SERVICE", new JsonObject()))
                .isEqualTo(new Translation.NotOurs("EV-1", "PAYSCORE.USER_OPEN_SERVICE"));
        JsonObject combined = new JsonObject().put("combine_out_trade_no", "c");
        assertThat(translate("TRANSACTION.SUCCESS", combined)).isInstanceOf(Translation.NotOurs.class);
    }

    @Test
    void a_resource_that_does_not_open_is_malformed() {
        String otherKey = "f".repeat(32);
        assertThat(translate(WechatpayFixture.event("TRANSACTION.SUCCESS", WechatpayFixture.transaction(), otherKey)))
                .isInstanceOf(Translation.Malformed.class);
        for (String field : new String[] {"ciphertext", "nonce", "algorithm", "associated_data"}) {
            for (Object value : new JsonArray().add("").add("x").add(7).add("AAAA")) {
                JsonObject event = WechatpayFixture.event("TRANSACTION.SUCCESS", WechatpayFixture.transaction());
                event.getJsonObject("resource").put(field, value);
                assertThat(translate(event)).as(field + value).isInstanceOf(Translation.Malformed.class);
            }
        }
    }

    @Test
    void missing_associated_data_is_the_same_as_empty() {
        SecretKeySpec key = new SecretKeySpec(WechatpayFixture.API_V3_KEY.getBytes(StandardCharsets.UTF_8), "AES");
        byte[] sealed = new AeadAesCipher(key.getEncoded())
                .encrypt(new byte[0], "uluk4a9R25RW".getBytes(StandardCharsets.UTF_8), new byte[] {'{', '}'})
                .getBytes(StandardCharsets.US_ASCII);
        assertThat(WechatpayCipher.decrypt(key, null, "uluk4a9R25RW", sealed)).isPresent();
        assertThat(WechatpayCipher.decrypt(key, "", "uluk4a9R25RW", sealed)).isPresent();
        assertThat(WechatpayCipher.decrypt(key, "x", "uluk4a9R25RW", sealed)).isEmpty();
    }

    @Test
    void settings_list_every_mistake_and_show_no_secret() {
        JsonObject wrong = WechatpayFixture.settings("https://api.example")
                .put("api_v3_key", "hidden-16-bytes!")
                .put("platform_keys", new JsonObject().put("S", TestKeys.pem(TestKeys.OWN.getPublic())))
                .put("colour", "red");
        wrong.remove("mch_id");
        assertThatThrownBy(() -> WechatpaySettings.parse(wrong))
                .isInstanceOfSatisfying(InvalidSettings.class, invalid -> assertThat(invalid.mistakes())
                        .hasSize(4)
                        .anyMatch(mistake -> mistake.contains("merchant's own key")))
                .hasMessageNotContaining("hidden");
        WechatpaySettings good = WechatpaySettings.parse(WechatpayFixture.settings("https://api.example"));
        assertThat(good.toString()).doesNotContain(WechatpayFixture.API_V3_KEY).doesNotContain("SecretKey");
    }

    private static RawNotification with(RawNotification raw, String name, String value) {
        MultiMap headers = MultiMap.caseInsensitiveMultiMap().addAll(raw.headers());
        return new RawNotification(headers.set(name, value), raw.body(), raw.receivedAt());
    }

    private void assertRefused(RawNotification raw, Reason reason) {
        assertThat(adapter.verify(raw)).isInstanceOfSatisfying(Refused.class, refused -> assertThat(refused.reason())
                .isEqualTo(reason));
    }

    private PaymentFact fact(String type, JsonObject plain) {
        Translation translation = translate(type, plain);
        assertThat(translation).isInstanceOf(Translation.Facts.class);
        assertThat(((Translation.Facts) translation).eventId()).isEqualTo("EV-1");
        return ((Translation.Facts) translation).facts().get(0);
    }

    private Translation translate(String type, JsonObject plain) {
        return translate(WechatpayFixture.event(type, plain));
    }

    private Translation translate(JsonObject event) {
        Verification verification = adapter.verify(WechatpayFixture.signed(event, WECHAT));
        assertThat(verification).isInstanceOf(Verified.class);
        return adapter.translate((Verified) verification);
    }
}
