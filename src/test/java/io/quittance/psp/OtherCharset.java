package io.quittance.psp;

import io.quittance.psp.SettlementFormat.SettlementFile;
import io.quittance.psp.Verification.Verified;
import io.quittance.psp.alipay.AlipayBills;
import io.quittance.psp.alipay.AlipayFixture;
import io.quittance.psp.stripe.StripeFixture;
import io.quittance.psp.stripe.StripeReports;
import io.quittance.psp.wechatpay.WechatpayBills;
import io.quittance.psp.wechatpay.WechatpayFixture;
import java.nio.charset.Charset;
import java.util.List;

/** A program for machines whose charset is not UTF-8: reads what is not ASCII, and says how many of it it understood. */
final class OtherCharset {

    private OtherCharset() {}

    public static void main(String[] arguments) {
        int understood = 0;
        for (PspFixture psp : List.of(new StripeFixture(), new AlipayFixture(), new WechatpayFixture())) {
            PspAdapter adapter = psp.adapter("https://api.example", null);
            understood += adapter.verify(psp.good()) instanceof Verified verified
                            && adapter.translate(verified) instanceof Translation.Facts
                    ? 1
                    : 0;
        }
        understood += AlipayBills.reader().read(AlipayBills.good()) instanceof SettlementFile ? 1 : 0;
        understood += WechatpayBills.reader().read(WechatpayBills.good()) instanceof SettlementFile ? 1 : 0;
        understood += StripeReports.reader().read(StripeReports.good()) instanceof SettlementFile ? 1 : 0;
        System.out.println(Charset.defaultCharset() + ": " + understood + " of 6");
    }
}
