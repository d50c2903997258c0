package io.quittance.psp.alipay;

import static io.quittance.psp.PspFixture.ATTEMPT;
import static io.quittance.psp.PspFixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.quittance.psp.BrowserReturn;
import io.quittance.psp.PspAdapter;
import io.quittance.psp.Returned;
import io.quittance.psp.Returned.Payment;
import io.quittance.psp.Returned.Unreadable;
import io.quittance.psp.TestKeys;
import io.vertx.core.buffer.Buffer;
import java.security.PrivateKey;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AlipayReturnTest {

    private static final PrivateKey ALIPAY = TestKeys.PSP.getPrivate();
    private static final String TRADE_NO = "2026030122001400000000000001";

    private final PspAdapter adapter = new AlipayFixture().adapter("https://gateway.example", null);

    @ParameterizedTest
    @ValueSource(strings = {"utf-8", "UTF-8", "gbk"})
    void a_signed_return_names_its_payment(String charset) {
        Map<String, String> fields = fields();
        fields.put("charset", charset);

        assertThat(read(fields, ALIPAY)).isEqualTo(new Payment(ATTEMPT, TRADE_NO, true));
    }

    @Test
    void a_return_without_the_psps_number_names_it_by_ours() {
        Map<String, String> fields = fields();
        fields.remove("trade_no");

        assertThat(read(fields, ALIPAY)).isEqualTo(new Payment(ATTEMPT, null, true));
    }

    @Test
    void what_a_stranger_or_we_ourselves_signed_is_not_believed() {
        assertThat(read(fields(), TestKeys.STRANGER.getPrivate())).isInstanceOf(Unreadable.class);
        assertThat(read(fields(), TestKeys.OWN.getPrivate())).isInstanceOf(Unreadable.class);
    }

    @Test
    void what_was_changed_added_or_taken_away_after_signing_is_not_believed() {
        String good = form(fields(), ALIPAY);

        assertThat(read(good)).isInstanceOf(Payment.class);
        assertThat(read(good.replace(ATTEMPT, ATTEMPT.replace('0', '1')))).isInstanceOf(Unreadable.class);
        assertThat(read(good.replace("19.99", "19.98"))).isInstanceOf(Unreadable.class);
        assertThat(read(good + "&s=%2Fx")).isInstanceOf(Unreadable.class);
        assertThat(read(good + "&out_trade_no=" + ATTEMPT)).isInstanceOf(Unreadable.class);
        assertThat(read(good.replaceFirst("seller_id=[0-9]+&", ""))).isInstanceOf(Unreadable.class);
        assertThat(read(good.replaceFirst("sign=[^&]+&", ""))).isInstanceOf(Unreadable.class);
    }

    @Test
    void a_return_of_another_application_or_of_a_payment_that_is_not_ours_is_refused_without_its_values() {
        Map<String, String> other = fields();
        other.put("app_id", "2021000000000009");
        assertThat(read(other, ALIPAY)).isEqualTo(new Unreadable("app_id is another application's"));
        for (String number : new String[] {"", "A-1", ATTEMPT.toUpperCase(Locale.ROOT), ATTEMPT + "0"}) {
            Map<String, String> foreign = fields();
            foreign.put("out_trade_no", number);
            assertThat(read(foreign, ALIPAY)).isEqualTo(new Unreadable("out_trade_no does not name a payment"));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "&", "=", "out_trade_no", "%zz=%", "charset=utf-7&sign=AA==&sign_type=RSA2", "\u0000\u00ff"})
    void garbage_is_unreadable_and_never_throws(String garbage) {
        assertThat(read(garbage)).isInstanceOf(Unreadable.class);
    }

    private static Map<String, String> fields() {
        Map<String, String> fields = new TreeMap<>();
        fields.put("app_id", "2021000000000001");
        fields.put("auth_app_id", "2021000000000001");
        fields.put("charset", "utf-8");
        fields.put("method", "alipay.trade.page.pay.return");
        fields.put("out_trade_no", ATTEMPT);
        fields.put("seller_id", "2088000000000001");
        fields.put("timestamp", "2026-03-01 20:00:00");
        fields.put("total_amount", "19.99");
        fields.put("trade_no", TRADE_NO);
        fields.put("version", "1.0");
        return fields;
    }

    private static String form(Map<String, String> fields, PrivateKey key) {
        return AlipayFixture.raw(AlipayFixture.signed(fields, key, "RSA2"))
                .body()
                .toString();
    }

    private Returned read(Map<String, String> fields, PrivateKey key) {
        return read(form(fields, key));
    }

    private Returned read(String query) {
        return adapter.readReturn(new BrowserReturn(Buffer.buffer(query, "ISO-8859-1"), NOW));
    }
}
