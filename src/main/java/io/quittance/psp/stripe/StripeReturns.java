package io.quittance.psp.stripe;

import io.quittance.psp.BrowserReturn;
import io.quittance.psp.FormBody;
import io.quittance.psp.Returned;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * Reads the return_url of a confirmed PaymentIntent (docs.stripe.com/payments, "return_url"): {@code payment_intent,
 * payment_intent_client_secret, redirect_status}, none of them signed. The status is not looked at.
 */
final class StripeReturns {

    private StripeReturns() {}

    static Returned read(BrowserReturn back) {
        Map<String, String> fields = FormBody.decode(back.fields().getBytes(), StandardCharsets.UTF_8)
                .orElse(Map.of());
        return Returned.payment("payment_intent", null, fields.get("payment_intent"), false);
    }
}
