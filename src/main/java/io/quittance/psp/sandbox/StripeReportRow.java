package io.quittance.psp.sandbox;

import io.quittance.domain.Money;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** A row of an itemized report, by the names of its columns (docs.stripe.com/reports/report-types). */
record StripeReportRow(Moved moved, ZoneId zone, String decimalSeparator) {

    /** What is there if no columns are asked for. */
    static final List<String> DEFAULT_COLUMNS = List.of(
            "balance_transaction_id",
            "created_utc",
            "created",
            "available_on_utc",
            "currency",
            "gross",
            "fee",
            "net",
            "reporting_category",
            "source_id",
            "description",
            "customer_facing_amount",
            "customer_facing_currency",
            "charge_id",
            "payment_intent_id",
            "payment_method_type");

    private static final Pattern METADATA = Pattern.compile("(payment|refund)_metadata\\[[^]]{1,40}]");
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");

    /** Stripe's decimals where they are not two; in reports the currency's own are written. */
    private static final Set<String> ZERO_DECIMALS = Set.of(
            "BIF", "CLP", "DJF", "GNF", "JPY", "KMF", "KRW", "MGA", "PYG", "RWF", "VND", "VUV", "XAF", "XOF", "XPF");

    private static final Set<String> THREE_DECIMALS = Set.of("BHD", "JOD", "KWD", "OMR", "TND");

    static boolean isColumn(String name) {
        return DEFAULT_COLUMNS.contains(name) || METADATA.matcher(name).matches();
    }

    String cell(String column) {
        Trade.Terms terms = moved.trade().terms();
        Refund refund = moved.refund();
        String chargeId = StripeObjects.chargeId(moved.trade());
        return switch (column) {
            case "balance_transaction_id" -> "txn_" + sourceId().substring("ch_".length());
            case "created_utc", "available_on_utc" -> time(moved.at(), ZoneOffset.UTC);
            case "created" -> time(moved.at(), zone);
            case "currency", "customer_facing_currency" -> terms.currency().toLowerCase(Locale.ROOT);
            case "gross", "net", "customer_facing_amount" -> major(moved.signedMinor());
            case "fee" -> major(0);
            case "reporting_category" -> refund == null ? "charge" : "refund";
            case "source_id" -> sourceId();
            case "description" -> terms.texts().getOrDefault("description", "");
            case "charge_id" -> chargeId;
            case "payment_intent_id" -> terms.pspPaymentId();
            case "payment_method_type" -> "card";
            default -> metadata(column, terms.texts(), refund == null ? Map.of() : refund.texts());
        };
    }

    private String sourceId() {
        Refund refund = moved.refund();
        return refund == null ? StripeObjects.chargeId(moved.trade()) : refund.pspRefundId();
    }

    private static String metadata(String column, Map<String, String> payment, Map<String, String> refund) {
        Map<String, String> texts = column.startsWith("payment_") ? payment : refund;
        return texts.getOrDefault(column.substring(column.indexOf('_') + 1), "");
    }

    private static String time(Instant at, ZoneId zone) {
        return TIME.format(LocalDateTime.ofInstant(at, zone));
    }

    private String major(long minor) {
        String currency = moved.trade().terms().currency();
        int decimals = ZERO_DECIMALS.contains(currency) ? 0 : THREE_DECIMALS.contains(currency) ? 3 : 2;
        return new Money(minor, currency).toDecimal(decimals).replace(".", decimalSeparator);
    }
}
