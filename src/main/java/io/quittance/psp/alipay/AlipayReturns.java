package io.quittance.psp.alipay;

import io.quittance.psp.BrowserReturn;
import io.quittance.psp.RawNotification;
import io.quittance.psp.Returned;
import io.quittance.psp.Returned.Unreadable;
import io.quittance.psp.Verification;
import io.vertx.core.MultiMap;

/**
 * Reads the return_url of a page payment. It is signed as notifications are, and yet is no proof of a payment: it has
 * no trade_status, and the payer can open it again at any time.
 */
final class AlipayReturns {

    private final AlipaySignature signature;
    private final AlipaySettings settings;

    AlipayReturns(AlipaySignature signature, AlipaySettings settings) {
        this.signature = signature;
        this.settings = settings;
    }

    Returned read(BrowserReturn back) {
        RawNotification raw = new RawNotification(MultiMap.caseInsensitiveMultiMap(), back.fields(), back.receivedAt());
        if (signature.verify(raw) instanceof Verification.Refused refused) {
            return new Unreadable(refused.detail());
        }
        AlipayForm form = AlipayForm.decode(back.fields()).orElseThrow();
        if (!settings.appId().equals(form.get("app_id"))) {
            return new Unreadable("app_id is another application's");
        }
        String tradeNo = form.get("trade_no");
        return Returned.payment("out_trade_no", form.get("out_trade_no"), tradeNo.isEmpty() ? null : tradeNo, true);
    }
}
