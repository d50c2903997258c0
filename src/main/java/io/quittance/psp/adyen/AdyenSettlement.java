package io.quittance.psp.adyen;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import io.quittance.domain.Money;
import io.quittance.psp.SettlementFormat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.ResolverStyle;
import java.util.ArrayList;
import java.util.HashMap;
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

    private static final List<String> NEEDED = List.of(
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

    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss").withResolverStyle(ResolverStyle.STRICT);

    private final String merchantAccount;

    AdyenSettlement(String merchantAccount) {
        this.merchantAccount = merchantAccount;
    }

    /** What a type says: which way the money went, and in which of two columns its amount stands. */
    private record Kind(Movement movement, String filled, String empty) {}

    @Override
    public Reading read(byte[] file) {
        Optional<String> text = decoded(file);
        if (text.isEmpty()) {
            return new Unreadable(0, "the file is not UTF-8");
        }
        List<SettlementLine> lines = new ArrayList<>();
        Columns columns = null;
        try (CsvReader<CsvRecord> records =
                CsvReader.builder().ignoreDifferentFieldCount(false).ofCsvRecord(text.get())) {
            for (CsvRecord record : records) {
                Optional<Unreadable> problem;
                if (columns == null) {
                    columns = new Columns(record);
                    problem = columns.problem();
                } else {
                    problem = add(new Row(columns, record), lines);
                }
                if (problem.isPresent()) {
                    return problem.get();
                }
            }
        } catch (CsvParseException e) {
            return new Unreadable(0, "the file is not CSV, or a row has not as many fields as the header");
        } catch (IOException e) {
            throw new UncheckedIOException("a text in memory cannot be read", e);
        }
        return columns == null ? new Unreadable(0, "the file is empty") : new SettlementFile(lines);
    }

    private Optional<Unreadable> add(Row row, List<SettlementLine> lines) {
        if (!row.get(MERCHANT_ACCOUNT).equals(merchantAccount)) {
            return Optional.empty();
        }
        Kind kind = KINDS.get(row.get(TYPE));
        if (kind == null) {
            boolean leftOut = row.get(PSP_REFERENCE).isEmpty() || NO_MOVEMENTS.contains(row.get(TYPE));
            return leftOut ? Optional.empty() : row.problem(TYPE, "is not known");
        }
        if (row.get(PSP_REFERENCE).isEmpty()) {
            return row.problem(PSP_REFERENCE, "is empty");
        }
        Optional<Money> amount = row.amount(kind);
        if (amount.isEmpty()) {
            return row.problem(
                    kind.filled + " with " + CURRENCY, "is not an exact amount, or stands in the other column");
        }
        Optional<LocalDateTime> date = row.date();
        if (date.isEmpty()) {
            return row.problem(CREATION_DATE, "is not of the form 2013-06-03 11:26:49");
        }
        lines.add(line(row, kind, amount.get(), date.get()));
        return Optional.empty();
    }

    private static SettlementLine line(Row row, Kind kind, Money amount, LocalDateTime date) {
        boolean refund = kind.movement == Movement.REFUND || kind.movement == Movement.REFUND_REVERSED;
        String modification = row.get(MODIFICATION_MERCHANT_REFERENCE);
        String refundId =
                AdyenReference.parse(modification).map(AdyenReference::refundId).orElse(modification);
        return new SettlementLine(
                row.number(),
                kind.movement,
                filled(row.get(MERCHANT_REFERENCE)),
                row.get(PSP_REFERENCE),
                refund ? filled(refundId) : null,
                refund ? filled(row.get(MODIFICATION_REFERENCE)) : null,
                amount,
                AdyenZones.offset(row.get(TIME_ZONE)).map(date::toInstant).orElse(null),
                row.get(TYPE));
    }

    private static Optional<String> decoded(byte[] file) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(file))
                    .toString();
            return Optional.of(text.startsWith("\uFEFF") ? text.substring(1) : text);
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }

    private static @Nullable String filled(String text) {
        return text.isEmpty() ? null : text;
    }

    /** Where the columns stand. */
    private static final class Columns {

        private final Map<String, Integer> places = new HashMap<>();
        private final int row;
        private @Nullable String repeated;

        Columns(CsvRecord header) {
            row = (int) header.getStartingLineNumber();
            for (int i = 0; i < header.getFieldCount(); i++) {
                String name = header.getField(i);
                boolean read = NEEDED.contains(name) || name.equals(MODIFICATION_MERCHANT_REFERENCE);
                if (read && places.put(name, i) != null) {
                    repeated = name;
                }
            }
        }

        Optional<Unreadable> problem() {
            if (repeated != null) {
                return Optional.of(new Unreadable(row, "there are two columns \"" + repeated + "\""));
            }
            return NEEDED.stream()
                    .filter(name -> !places.containsKey(name))
                    .findFirst()
                    .map(name -> new Unreadable(row, "there is no column \"" + name + "\""));
        }
    }

    /** One row, read by the names of columns. */
    private record Row(Columns columns, CsvRecord record) {

        int number() {
            return (int) record.getStartingLineNumber();
        }

        /** Empty if the row has nothing there, or the file has no such column. */
        String get(String column) {
            Integer place = columns.places.get(column);
            return place == null ? "" : record.getField(place);
        }

        /** Empty unless exactly the column of this kind holds an amount. */
        Optional<Money> amount(Kind kind) {
            try {
                String currency = get(CURRENCY);
                Money amount = Money.ofDecimal(get(kind.filled), currency, Money.isoExponent(currency));
                boolean sound = amount.minor() >= 0 && get(kind.empty).isEmpty();
                return sound ? Optional.of(amount) : Optional.empty();
            } catch (ArithmeticException | IllegalArgumentException e) {
                return Optional.empty();
            }
        }

        Optional<LocalDateTime> date() {
            try {
                return Optional.of(LocalDateTime.parse(get(CREATION_DATE), DATE));
            } catch (DateTimeException e) {
                return Optional.empty();
            }
        }

        Optional<Unreadable> problem(String column, String problem) {
            return Optional.of(new Unreadable(number(), column + " " + problem));
        }
    }
}
