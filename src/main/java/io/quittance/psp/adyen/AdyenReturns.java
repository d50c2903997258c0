package io.quittance.psp.adyen;

import io.quittance.psp.BrowserReturn;
import io.quittance.psp.FormBody;
import io.quittance.psp.Returned;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * Reads the {@code reference} that we put into a link's returnUrl. Nothing of it is signed; what Adyen adds
 * ({@code redirectResult, sessionId}) is not looked at.
 */
final class AdyenReturns {

    static final String REFERENCE = "reference";

    private AdyenReturns() {}

    static Returned read(BrowserReturn back) {
        Map<String, String> fields = FormBody.decode(back.fields().getBytes(), StandardCharsets.UTF_8)
                .orElse(Map.of());
        return Returned.payment(REFERENCE, fields.get(REFERENCE), null, false);
    }
}
