package io.quittance.psp.standardwebhooks;

import io.quittance.psp.BrowserReturn;
import io.quittance.psp.FormBody;
import io.quittance.psp.Returned;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Reads a browser's return: the attempt's id, the PSP's id of the payment, or both; nothing of it is signed. */
final class StandardWebhooksReturns {

    private final ReturnNames names;

    StandardWebhooksReturns(ReturnNames names) {
        this.names = names;
    }

    boolean isByPaymentId() {
        return names.isByPaymentId();
    }

    Returned read(BrowserReturn back) {
        Map<String, String> fields = FormBody.decode(back.fields().getBytes(), StandardCharsets.UTF_8)
                .orElse(Map.of());
        return Returned.payment(names.reference(), fields.get(names.reference()), fields.get(names.paymentId()), false);
    }
}
