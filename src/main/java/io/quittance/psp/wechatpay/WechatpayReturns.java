package io.quittance.psp.wechatpay;

import io.quittance.psp.BrowserReturn;
import io.quittance.psp.FormBody;
import io.quittance.psp.Returned;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * Reads an address that the merchant's own page sends a payer to: WeChat Pay adds nothing to it and signs nothing, so
 * that it has to carry {@code out_trade_no} itself. A transaction_id is not enough: it ends in ten digits that can be
 * guessed, and whoever names a payment is sent on to what became of it.
 */
final class WechatpayReturns {

    private WechatpayReturns() {}

    static Returned read(BrowserReturn back) {
        Map<String, String> fields = FormBody.decode(back.fields().getBytes(), StandardCharsets.UTF_8)
                .orElse(Map.of());
        return Returned.payment("out_trade_no", fields.get("out_trade_no"), null, false);
    }
}
