package io.quittance.psp.adyen;

import io.quittance.domain.Money;
import io.quittance.psp.CsvTable;
import io.quittance.psp.CsvTable.Row;
import io.quittance.psp.SettlementBytes;
import io.quittance.psp.SettlementFormat;
import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the Settlement details report: CSV as in RFC 4180, UTF-8, amounts in major units, one column for money that comes
 * and one for money that goes (docs.adyen.com/reporting/settlement-reconciliation/transaction-level/settlement-details-report).
 *
 * <p>Which columns there are, and in which order, depends on the account: they are found by name, and further ones are
 * passed over. A row of another merchant account, as a company's report has them, is not ours. A row that names no
 * payment is a fee, a payout or a correction, and left out like those whose type says so; any other type that is not
 * known makes the file unreadable.
 */
final class AdyenSettlement implements SettlementFormat {

    private static final String MERCHANT_ACCOUNT = "Merchant Account";
    private static final String PSP_REFERENCE = "Psp Reference";
    private static final String MERCHANT_REFERENCE = "Merchant Reference";
    private static final String CREATION_DATE = "Creation Date";
    private static final String TIME_ZONE = "TimeZone";
    private static final String TYPE = "Type";
    private static final String MODIFICATION_REFERENCE = "Modification Reference";
    private static final String CURRENCY = "Gross Currency";
    private static final String DEBIT = "Gross Debit (GC)";
    private static final String CREDIT = "Gross Credit (GC)";

    /** Only there if the account asked for it. */
    private static final String MODIFICATION_MERCHANT_REFERENCE = "Modification Merchant Reference";

    private static final Set<String> NEEDED = Set.of(
            MERCHANT_ACCOUNT,
            PSP_REFERENCE,
            MERCHANT_REFERENCE,
            CREATION_DATE,
            TIME_ZONE,
            TYPE,
            MODIFICATION_REFERENCE,
            CURRENCY,
            DEBIT,
            CREDIT);

    private static final Map<String, Kind> KINDS = Map.of(
            "Settled", new Kind(Movement.PAYMENT, CREDIT, DEBIT),
            "Refunded", new Kind(Movement.REFUND, DEBIT, CREDIT),
            "RefundedReversed", new Kind(Movement.REFUND_REVERSED, CREDIT, DEBIT),
            "Chargeback", new Kind(Movement.DISPUTE, DEBIT, CREDIT),
            "ChargebackReversed", new Kind(Movement.DISPUTE, CREDIT, DEBIT),
            "SecondChargeback", new Kind(Movement.DISPUTE, DEBIT, CREDIT));

    private static final Set<String> NO_MOVEMENTS = Set.of(
            "Fee",
            "MiscCosts",
            "MerchantPayout",
            "DepositCorrection",
            "InvoiceDeduction",
            "MatchedStatement",
            "ManualCorrected",
            "Balancetransfer",
            "PaymentCost",
            "PaidOut",
            "PaidOutReversed");

    private final String merchantAccount;

    AdyenSettlement(String merchantAccount) {
        this.merchantAccount = merchantAccount;
    }

    /** What a type says: which way the money went, and in which of two columns its amount stands. */
    private record Kind(Movement movement, String filled, String empty) {}

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

    private Optional<Unreadable> read(Row row, List<SettlementLine> lines) {
        if (!row.cell(MERCHANT_ACCOUNT).equals(merchantAccount)) {
            return Optional.empty();
        }
        String type = row.cell(TYPE);
        Kind kind = KINDS.get(type);
        if (kind == null) {
            boolean leftOut = row.filled(PSP_REFERENCE) == null || NO_MOVEMENTS.contains(type);
            return leftOut ? Optional.empty() : row.wrong(TYPE, "is not known");
        }
        String payment = row.filled(PSP_REFERENCE);
        if (payment == null) {
            return row.wrong(PSP_REFERENCE, "is empty");
        }
        Optional<Money> amount = amount(row, kind);
        if (amount.isEmpty()) {
            return row.wrong(
                    kind.filled + " with " + CURRENCY, "is not an exact amount, or stands in the other column");
        }
        Optional<LocalDateTime> date = row.time(CREATION_DATE);
        if (date.isEmpty()) {
            return row.wrong(CREATION_DATE, "is not of the form 2013-06-03 11:26:49");
        }
        boolean ofRefund = kind.movement == Movement.REFUND || kind.movement == Movement.REFUND_REVERSED;
        lines.add(new SettlementLine(
                row.number(),
                kind.movement,
                row.filled(MERCHANT_REFERENCE),
                payment,
                ofRefund ? refundId(row) : null,
                ofRefund ? row.filled(MODIFICATION_REFERENCE) : null,
                amount.get(),
                AdyenZones.offset(row.cell(TIME_ZONE))
                        .map(date.get()::toInstant)
                        .orElse(null),
                type));
        return Optional.empty();
    }

    /** Empty unless exactly the column of this kind holds an amount. */
    private static Optional<Money> amount(Row row, Kind kind) {
        String currency = row.cell(CURRENCY);
        try {
            return row.filled(kind.empty) != null
                    ? Optional.empty()
                    : row.amount(kind.filled, currency, Money.isoExponent(currency))
                            .filter(amount -> amount.minor() >= 0);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Ours if the refund was asked for here, else whatever stands there. */
    private static @Nullable String refundId(Row row) {
        String reference = row.filled(MODIFICATION_MERCHANT_REFERENCE);
        return reference == null
                ? null
                : AdyenReference.parse(reference).map(AdyenReference::refundId).orElse(reference);
    }
}
