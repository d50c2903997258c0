package io.quittance.psp.wechatpay;

import static io.quittance.psp.PspFixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.wechat.pay.java.core.cipher.AeadAesCipher;
import io.quittance.FaultOfOthers;
import io.quittance.domain.FactKind;
import io.quittance.psp.InvalidSettings;
import io.quittance.psp.PspAdapter;
import io.quittance.psp.RawNotification;
import io.quittance.psp.TestKeys;
import io.quittance.psp.Translation;
import io.quittance.psp.Verification;
import io.quittance.psp.Verification.Reason;
import io.quittance.psp.Verification.Refused;
import io.quittance.psp.Verification.Verified;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.PrivateKey;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Inputs that broke other receivers of WeChat Pay's notifications. */
class WechatpayFaultsOfOthersTest {

    private static final PrivateKey WECHAT = TestKeys.PSP.getPrivate();

    private final WechatpayFixture fixture = new WechatpayFixture();
    private final PspAdapter adapter = fixture.adapter("https://api.example", null);

    @Test
    @FaultOfOthers(
            value = "wechatpay-apiv3/wechatpay-apache-httpclient#158",
            symptom = "every notification is refused, because the body was parsed and written again before the check")
    @FaultOfOthers(
            value = "go-pay/gopay#260",
            symptom = "the same in another language: members in another order, slashes escaped otherwise")
    void a_body_is_verified_as_it_came_and_not_as_it_would_be_written_again() {
        String body = "{\"summary\":\"a\\/b\",\"id\":\"EV-1\",\"create_time\":\"2026-03-01T20:00:00+08:00\"}";
        assertThat(verify(body)).isInstanceOf(Verified.class);
        RawNotification signed = signed(body);
        String writtenAgain = new JsonObject(body).encode();
        assertThat(writtenAgain).isNotEqualTo(body);
        assertRefused(with(signed, writtenAgain), Reason.BAD_SIGNATURE);
        String sorted = "{\"create_time\":\"2026-03-01T20:00:00+08:00\",\"id\":\"EV-1\",\"summary\":\"a\\/b\"}";
        assertRefused(with(signed, sorted), Reason.BAD_SIGNATURE);
    }

    @Test
    @FaultOfOthers(
            value = "wechatpay-apiv3/wechatpay-java#112",
            symptom = "some notifications are refused, because the body was read line by line without the line ends")
    void line_ends_in_and_behind_the_body_are_part_of_it() {
        String body = "{\n  \"id\": \"EV-1\",\r\n  \"summary\": \"x\"\n}\n";
        assertThat(verify(body)).isInstanceOf(Verified.class);
        assertRefused(with(signed(body), body.replace("\n", "")), Reason.BAD_SIGNATURE);
        assertRefused(with(signed(body), body.strip()), Reason.BAD_SIGNATURE);
    }

    @Test
    @FaultOfOthers(
            value = "wechatpay-apiv3/wechatpay-apache-httpclient#140",
            symptom = "the merchant's certificate stands where the platform's belongs, or its number is a decimal or 0")
    void the_merchants_own_key_is_no_platform_key_and_a_number_in_another_form_is_no_number() {
        RawNotification good = fixture.good();
        RawNotification byMerchant = new RawNotification(
                WechatpayFixture.headers(good.body(), TestKeys.OWN.getPrivate(), NOW.getEpochSecond()),
                good.body(),
                NOW);
        assertThat(reason(adapter.verify(byMerchant))).isEqualTo(Reason.BAD_SIGNATURE);

        String hex = "5157F09EFDC096DE15EBE81A47057A7200000000";
        JsonObject mixed = WechatpayFixture.settings("https://api.example")
                .put("platform_keys", new JsonObject().put(hex, TestKeys.pem(TestKeys.OWN.getPublic())));
        assertThatThrownBy(() -> WechatpaySettings.parse(mixed))
                .isInstanceOf(InvalidSettings.class)
                .hasMessageContaining("platform_keys");

        JsonObject settings = WechatpayFixture.settings("https://api.example")
                .put("platform_keys", new JsonObject().put(hex, TestKeys.pem(TestKeys.PSP.getPublic())));
        WechatpaySignature signature =
                new WechatpaySignature(WechatpaySettings.parse(settings).platformKeys());
        for (String serial : new String[] {new BigInteger(hex, 16).toString(), "0", "PUB_KEY_ID_" + hex}) {
            RawNotification named =
                    new RawNotification(good.headers().set("Wechatpay-Serial", serial), good.body(), NOW);
            assertThat(reason(signature.verify(named))).as(serial).isEqualTo(Reason.UNKNOWN_KEY);
        }
        RawNotification named = new RawNotification(good.headers().set("Wechatpay-Serial", hex), good.body(), NOW);
        assertThat(signature.verify(named)).isInstanceOf(Verified.class);
    }

    @Test
    @FaultOfOthers(
            value = "wechatpay-apiv3/wechatpay-java NotificationParser",
            symptom = "the time is not looked at, so that a notification that somebody kept is good for ever")
    void a_notification_that_was_kept_for_a_year_is_stale() {
        RawNotification good = fixture.good();
        RawNotification kept = new RawNotification(good.headers(), good.body(), NOW.plus(Duration.ofDays(365)));
        assertThat(reason(adapter.verify(kept))).isEqualTo(Reason.STALE);
    }

    @Test
    @FaultOfOthers(
            value = "wechatpay-apiv3/wechatpay-java AeadAesCipher",
            symptom = "a null pointer, because the resource has no associated_data")
    void a_resource_without_associated_data_is_opened() {
        String nonce = "uluk4a9R25RW";
        String sealed = new AeadAesCipher(WechatpayFixture.API_V3_KEY.getBytes(StandardCharsets.UTF_8))
                .encrypt(
                        new byte[0],
                        nonce.getBytes(StandardCharsets.UTF_8),
                        WechatpayFixture.transaction().encode().getBytes(StandardCharsets.UTF_8));
        JsonObject event = WechatpayFixture.event("TRANSACTION.SUCCESS", WechatpayFixture.transaction());
        event.getJsonObject("resource")
                .put("ciphertext", sealed)
                .put("nonce", nonce)
                .remove("associated_data");

        Verification verification = adapter.verify(WechatpayFixture.signed(event, WECHAT));

        assertThat(adapter.translate((Verified) verification))
                .isInstanceOfSatisfying(
                        Translation.Facts.class,
                        told -> assertThat(told.facts().get(0).kind()).isEqualTo(FactKind.PAYMENT_SUCCEEDED));
    }

    private Verification verify(String body) {
        return adapter.verify(signed(body));
    }

    private static RawNotification signed(String text) {
        Buffer body = Buffer.buffer(text);
        return new RawNotification(WechatpayFixture.headers(body, WECHAT, NOW.getEpochSecond()), body, NOW);
    }

    private static RawNotification with(RawNotification raw, String body) {
        return new RawNotification(raw.headers(), Buffer.buffer(body), raw.receivedAt());
    }

    private void assertRefused(RawNotification raw, Reason reason) {
        assertThat(reason(adapter.verify(raw))).isEqualTo(reason);
    }

    private static Reason reason(Verification verification) {
        assertThat(verification).isInstanceOf(Refused.class);
        return ((Refused) verification).reason();
    }
}
