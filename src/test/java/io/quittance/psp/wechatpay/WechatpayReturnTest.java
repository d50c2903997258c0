package io.quittance.psp.wechatpay;

import static io.quittance.psp.PspFixture.ATTEMPT;
import static io.quittance.psp.PspFixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.quittance.psp.BrowserReturn;
import io.quittance.psp.PspAdapter;
import io.quittance.psp.Returned;
import io.quittance.psp.Returned.Payment;
import io.quittance.psp.Returned.Unreadable;
import io.vertx.core.buffer.Buffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WechatpayReturnTest {

    private final PspAdapter adapter = new WechatpayFixture().adapter("https://api.example", null);

    @ParameterizedTest
    @ValueSource(strings = {"", "&from=shop", "&transaction_id=4200000000202603010000000001"})
    void the_payment_is_named_by_our_number(String more) {
        assertThat(read("out_trade_no=" + ATTEMPT + more)).isEqualTo(new Payment(ATTEMPT, null, false));
    }

    @Test
    void a_number_that_can_be_guessed_names_nothing() {
        assertThat(read("transaction_id=4200000000202603010000000001")).isInstanceOf(Unreadable.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "out_trade_no=",
                "out_trade_no=A-1",
                "out_trade_no=0195B1C2D3E47F5A8B6C7D8E9F0A1B2C",
                "out_trade_no=" + ATTEMPT + "&out_trade_no=" + ATTEMPT,
                "out_trade_no=%zz",
                "\u0000\u00ff"
            })
    void whatever_names_no_single_payment_is_unreadable(String query) {
        assertThat(read(query)).isEqualTo(new Unreadable("out_trade_no does not name a payment"));
    }

    private Returned read(String query) {
        return adapter.readReturn(new BrowserReturn(Buffer.buffer(query, "ISO-8859-1"), NOW));
    }
}
