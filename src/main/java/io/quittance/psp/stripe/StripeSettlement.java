package io.quittance.psp.stripe;

import io.quittance.domain.Money;
import io.quittance.psp.CsvTable;
import io.quittance.psp.CsvTable.Row;
import io.quittance.psp.SettlementBytes;
import io.quittance.psp.SettlementFormat;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads itemized reports, {@code balance_change_from_activity.itemized} and {@code payout_reconciliation.itemized}
 * (docs.stripe.com/reports/report-types). They need the columns {@code currency, gross, payment_intent_id,
 * reporting_category}; with {@code payment_metadata[attempt_id]} and {@code refund_metadata[refund_id]} they name our
 * payments and refunds too. Amounts are in the major unit with a decimal point: a report with decimal commas is refused.
 *
 * <p>Where the payer paid in another currency than the account is settled in, {@code gross} is what it became, and {@code
 * customer_facing_amount} what was paid, which is the one that is taken. Only {@code created_utc} has a zone that is known:
 * {@code created} is in one that was asked for with the report.
 */
final class StripeSettlement implements SettlementFormat {

    private static final String CURRENCY = "currency";
    private static final String GROSS = "gross";
    private static final String INTENT = "payment_intent_id";
    private static final String CATEGORY = "reporting_category";
    private static final String CREATED = "created_utc";
    private static final String PAID = "customer_facing_amount";
    private static final String PAID_IN = "customer_facing_currency";
    private static final Set<String> NEEDED = Set.of(CURRENCY, GROSS, INTENT, CATEGORY);

    /**
     * Categories that are a payer's money (docs.stripe.com/reports/reporting-categories); the many others are fees,
     * payouts and the like. A payment that a bank takes back days later is no dispute, but looks like one from here.
     */
    private static final Map<String, Movement> MOVEMENTS = Map.of(
            "charge", Movement.PAYMENT,
            "charge_failure", Movement.DISPUTE,
            "refund", Movement.REFUND,
            "refund_failure", Movement.REFUND_REVERSED,
            "dispute", Movement.DISPUTE,
            "dispute_reversal", Movement.DISPUTE);

    @Override
    public Reading read(byte[] file) {
        if (file.length > SettlementBytes.BYTES_MAX) {
            return SettlementBytes.tooLarge();
        }
        Optional<String> text = SettlementBytes.text(file, StandardCharsets.UTF_8);
        if (text.isEmpty()) {
            return new Unreadable(0, "the file is not text in UTF-8");
        }
        List<SettlementLine> lines = new ArrayList<>();
        return CsvTable.read(CsvTable.rfc4180(text.get()), NEEDED, row -> read(row, lines))
                .map(Reading.class::cast)
                .orElseGet(() -> new SettlementFile(lines));
    }

    private static Optional<Unreadable> read(Row row, List<SettlementLine> lines) {
        String category = row.cell(CATEGORY);
        if (category.isEmpty()) {
            return row.wrong(CATEGORY, "is empty");
        }
        Movement movement = MOVEMENTS.get(category);
        if (movement == null) {
            return Optional.empty();
        }
        Optional<Money> gross = amount(row, GROSS, CURRENCY);
        if (gross.isEmpty()) {
            return row.wrong(GROSS, problem(row.cell(GROSS)));
        }
        long minor = gross.get().minor();
        if ((movement == Movement.PAYMENT && minor < 0) || (movement == Movement.REFUND && minor > 0)) {
            return row.wrong(GROSS, "has a sign that does not fit " + category);
        }
        boolean told = row.filled(PAID) != null;
        Optional<Money> paid = told ? amount(row, PAID, PAID_IN) : gross;
        if (paid.isEmpty()) {
            return row.wrong(PAID, problem(row.cell(PAID)));
        }
        Instant at = time(row);
        if (at == null && row.filled(CREATED) != null) {
            return row.wrong(CREATED, "is not a time such as 2026-03-01 12:00:00");
        }
        boolean ofRefund = movement == Movement.REFUND || movement == Movement.REFUND_REVERSED;
        lines.add(new SettlementLine(
                row.number(),
                movement,
                row.filled("payment_metadata[attempt_id]"),
                row.filled(INTENT),
                ofRefund ? row.filled("refund_metadata[refund_id]") : null,
                ofRefund ? row.filled("source_id") : null,
                new Money(Math.abs(paid.get().minor()), paid.get().currency()),
                at,
                category));
        return Optional.empty();
    }

    private static Optional<Money> amount(Row row, String amountColumn, String currencyColumn) {
        String currency = row.cell(currencyColumn).toUpperCase(Locale.ROOT);
        try {
            return row.amount(amountColumn, currency, Money.isoExponent(currency));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static String problem(String cell) {
        return cell.contains(",")
                ? "has a decimal comma: run the report with the decimal_separator '.'"
                : "is not an exact amount of its currency";
    }

    private static @Nullable Instant time(Row row) {
        return row.time(CREATED)
                .map((LocalDateTime time) -> time.toInstant(ZoneOffset.UTC))
                .orElse(null);
    }
}
