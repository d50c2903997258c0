package io.quittance.psp.alipay;

import static io.quittance.psp.PspFixture.ATTEMPT;
import static org.assertj.core.api.Assertions.assertThat;

import io.quittance.FaultOfOthers;
import io.quittance.domain.Money;
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
import java.security.PrivateKey;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Inputs that broke other receivers of Alipay's notices and answers. */
class AlipayFaultsOfOthersTest {

    private static final PrivateKey ALIPAY = TestKeys.PSP.getPrivate();

    private final PspAdapter adapter = new AlipayFixture().adapter("https://gateway.example", null);

    @Test
    @FaultOfOthers(
            value = "yansongda/pay#180",
            symptom =
                    "notices of a success are refused and others are not: a filter makes &quot; of the quotes in a list")
    void quotes_in_fund_bill_list_are_verified_as_they_came_and_no_filter_may_touch_them() {
        Map<String, String> fields = AlipayFixture.notice("TRADE_SUCCESS");
        fields.put("fund_bill_list", "[{\"amount\":\"0.01\",\"fundChannel\":\"ALIPAYACCOUNT\"}]");
        Map<String, String> signed = signed(fields);
        assertThat(adapter.verify(AlipayFixture.raw(signed))).isInstanceOf(Verified.class);
        signed.computeIfPresent("fund_bill_list", (name, list) -> list.replace("\"", "&quot;"));
        assertThat(reason(AlipayFixture.raw(signed))).isEqualTo(Reason.BAD_SIGNATURE);
    }

    @Test
    @FaultOfOthers(
            value = "yansongda/pay#749",
            symptom = "notices pass only with, or only without, a step that takes back-slashes away")
    void back_slashes_are_neither_taken_away_nor_added() {
        Map<String, String> fields = AlipayFixture.notice("TRADE_SUCCESS");
        fields.put("subject", "12\\\" disc \\ \"new\"");
        Map<String, String> signed = signed(fields);
        assertThat(adapter.verify(AlipayFixture.raw(signed))).isInstanceOf(Verified.class);
        signed.put("subject", "12\" disc  \"new\"");
        assertThat(reason(AlipayFixture.raw(signed))).isEqualTo(Reason.BAD_SIGNATURE);
        signed.put("subject", "12\\\\\\\" disc \\\\ \\\"new\\\"");
        assertThat(reason(AlipayFixture.raw(signed))).isEqualTo(Reason.BAD_SIGNATURE);
    }

    @Test
    @FaultOfOthers(
            value = "lokielse/omnipay-alipay#170",
            symptom =
                    "sign_type is signed with some products and not with payments; one rule for both refuses one of them")
    void sign_type_takes_no_part_in_a_payments_notice() {
        Map<String, String> fields = AlipayFixture.notice("TRADE_SUCCESS");
        String without = AlipayForm.signedText(fields, Set.of(), true);
        assertThat(without).doesNotContain("sign_type");
        assertThat(adapter.verify(AlipayFixture.raw(AlipayFixture.signed(fields, without, ALIPAY, "RSA2"))))
                .isInstanceOf(Verified.class);

        fields.put("sign_type", "RSA2");
        String with = AlipayForm.signedText(fields, Set.of(), true);
        assertThat(with).contains("&sign_type=RSA2&");
        assertThat(reason(AlipayFixture.raw(AlipayFixture.signed(fields, with, ALIPAY, "RSA2"))))
                .isEqualTo(Reason.BAD_SIGNATURE);
    }

    @Test
    @FaultOfOthers(value = "Luncher/alipay#46", symptom = "answers are refused since Alipay added a member to them")
    void an_answer_with_members_that_nobody_knows_is_read() {
        String node = "{\"code\":\"10000\",\"brand_new\":{\"a\":[1,{}]},\"trade_status\":\"TRADE_SUCCESS\"}";
        String sign = AlipayFixture.sign(node, ALIPAY, "utf-8", "RSA2");
        String body = "{\"alipay_trade_query_response\":" + node + ",\"more\":true,\"sign\":\"" + sign + "\"}";
        assertThat(AlipayAnswer.verified(
                        Buffer.buffer(body),
                        "alipay_trade_query_response",
                        new AlipaySignature(List.of(TestKeys.PSP.getPublic()))))
                .hasValue(new JsonObject(node));
    }

    @Test
    @FaultOfOthers(
            value = "latrell/Alipay#7",
            symptom = "the address was shown as HTML, in which &not is a sign of its own, and notify_id was gone")
    void a_field_behind_an_ampersand_that_html_would_read_as_a_sign_is_a_field() {
        String body = AlipayFixture.raw(signed(AlipayFixture.notice("TRADE_SUCCESS")))
                .body()
                .toString();
        assertThat(body).contains("&notify_id=");
        assertThat(adapter.verify(AlipayFixture.raw(body))).isInstanceOf(Verified.class);
        assertThat(reason(AlipayFixture.raw(body.replace("&not", "\u00AC"))))
                .isIn(Reason.MALFORMED_SIGNATURE, Reason.BAD_SIGNATURE);
        assertThat(reason(AlipayFixture.raw(body.replace("&", "&amp;")))).isEqualTo(Reason.MALFORMED_SIGNATURE);
    }

    @Test
    @FaultOfOthers(
            value = "jeepay PR#81",
            symptom =
                    "a notice is believed by its signature alone: one of another application, or of 0.01, pays for anything")
    void a_notice_of_another_application_is_marked_and_its_amount_is_what_it_says() {
        Map<String, String> fields = AlipayFixture.notice("TRADE_SUCCESS");
        fields.put("total_amount", "0.01");
        fields.put("app_id", "2021999999999999");
        Verification verification = adapter.verify(AlipayFixture.raw(signed(fields)));
        assertThat(adapter.translate((Verified) verification)).isInstanceOfSatisfying(Translation.Facts.class, told -> {
            assertThat(told.facts().get(0).reference()).isEqualTo(ATTEMPT);
            assertThat(told.facts().get(0).amount()).isEqualTo(new Money(1, "CNY"));
            assertThat(told.facts().get(0).mismatch()).isNotNull();
        });
    }

    private static Map<String, String> signed(Map<String, String> fields) {
        return AlipayFixture.signed(fields, ALIPAY, "RSA2");
    }

    private Reason reason(RawNotification raw) {
        Verification verification = adapter.verify(raw);
        assertThat(verification).isInstanceOf(Refused.class);
        return ((Refused) verification).reason();
    }
}
