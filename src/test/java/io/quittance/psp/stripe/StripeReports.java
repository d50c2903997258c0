package io.quittance.psp.stripe;

import static io.quittance.psp.PspFixture.ATTEMPT;
import static io.quittance.psp.PspFixture.REFUND;

import io.quittance.psp.SettlementFormat;
import java.nio.charset.StandardCharsets;

/** Itemized reports as Stripe writes them. */
public final class StripeReports {

    static final String HEADER = "balance_transaction_id,created_utc,created,currency,gross,fee,net,reporting_category,"
            + "source_id,description,customer_facing_amount,customer_facing_currency,payment_intent_id,"
            + "payment_metadata[attempt_id],refund_metadata[refund_id]\n";

    private StripeReports() {}

    public static SettlementFormat reader() {
        return new StripeSettlement();
    }

    /** A payment of 19.99 and two refunds of it, 5.00 and 0.99. */
    public static byte[] good() {
        return bytes(HEADER + charge("19.99", "Ordnung, \"größer\"") + refund("-5.00", REFUND) + refund("-0.99", ""));
    }

    static String charge(String gross, String description) {
        return "txn_1,2026-03-01 12:00:00,2026-03-01 13:00:00,eur," + gross + ",0.54,19.45,charge,ch_1,\""
                + description.replace("\"", "\"\"") + "\",,,pi_1," + ATTEMPT + ",\n";
    }

    static String refund(String gross, String refundId) {
        return "txn_2,2026-03-01 13:00:00,2026-03-01 14:00:00,eur," + gross + ",0.00,,refund,re_1,,,,pi_1," + ATTEMPT
                + "," + refundId + "\n";
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
