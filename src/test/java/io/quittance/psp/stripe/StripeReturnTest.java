package io.quittance.psp.stripe;

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

class StripeReturnTest {

    private final PspAdapter adapter = new StripeFixture().adapter("https://api.example", null);

    @ParameterizedTest
    @ValueSource(strings = {"succeeded", "failed", "requires_payment_method", "anything"})
    void the_payment_is_named_by_its_intent_whatever_the_status_says(String status) {
        BrowserReturn back = back("payment_intent=pi_3Example&payment_intent_client_secret=pi_3Example_secret_x"
                + "&redirect_status=" + status);

        assertThat(adapter.readReturn(back)).isEqualTo(new Payment(null, "pi_3Example", false));
        assertThat(adapter.isReturnedByPaymentId()).isTrue();
        assertThat(back.toString()).doesNotContain("secret");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "payment_intent=",
                "payment_intent",
                "setup_intent=seti_1",
                "payment_intent=pi_1&payment_intent=pi_2",
                "payment_intent=%zz",
                "payment_intent=12345678901234567890123456789012345678901234567890123456789012345",
                "\u0000\u00ff"
            })
    void whatever_names_no_single_payment_is_unreadable(String query) {
        Returned read = adapter.readReturn(back(query));

        assertThat(read).isEqualTo(new Unreadable("payment_intent does not name a payment"));
    }

    @Test
    void a_secret_alone_names_nothing() {
        assertThat(adapter.readReturn(back("payment_intent_client_secret=pi_3Example_secret_x")))
                .isInstanceOf(Unreadable.class);
    }

    private static BrowserReturn back(String query) {
        return new BrowserReturn(Buffer.buffer(query, "ISO-8859-1"), NOW);
    }
}
