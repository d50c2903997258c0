package io.quittance.psp;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import io.quittance.domain.Money;
import io.quittance.psp.SettlementFormat.Unreadable;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.ResolverStyle;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads tables in text by the names in their first line, so that neither the order nor the number of their columns
 * matters. Rows are handed out one by one and not kept.
 */
public final class CsvTable {

    /** More rows than this are not read: what is kept of each has to fit in memory. */
    public static final int ROWS_MAX = 200_000;

    private CsvTable() {}

    /**
     * A record as it stands in the file.
     *
     * @param number of the line that it begins in, counted from 1
     */
    public record Line(int number, List<String> cells) {}

    /**
     * The records of a text in the form of RFC 4180, without empty lines. A quote inside a cell that does not begin with
     * one is a character like any other.
     */
    public static Iterable<Line> rfc4180(String text) {
        return () -> new Records(text);
    }

    /**
     * Reads a table, whose first line has the names of the columns.
     *
     * @param needed the columns without which nothing can be understood; others are no error
     * @param reader reads one row, or says what is wrong with it, which ends the reading
     * @return what is wrong; empty if nothing is
     */
    public static Optional<Unreadable> read(
            Iterable<Line> lines, Set<String> needed, Function<Row, Optional<Unreadable>> reader) {
        Iterator<Line> rest = lines.iterator();
        int last = 0;
        try {
            if (!rest.hasNext()) {
                return Optional.of(new Unreadable(0, "the line with the columns' names is missing"));
            }
            Line header = rest.next();
            last = header.number();
            Map<String, Integer> columns = new HashMap<>();
            Optional<Unreadable> wrong = readHeader(header, needed, columns);
            for (int rows = 0; wrong.isEmpty() && rest.hasNext(); rows++) {
                Line line = rest.next();
                last = line.number();
                wrong = rows == ROWS_MAX
                        ? Optional.of(new Unreadable(last, "the file has more than " + ROWS_MAX + " rows"))
                        : readRow(line, header, columns, reader);
            }
            return wrong;
        } catch (CsvParseException e) {
            return Optional.of(
                    new Unreadable(last, "what follows is not CSV: a quote is wrong, or a cell is too long"));
        }
    }

    private static Optional<Unreadable> readHeader(Line header, Set<String> needed, Map<String, Integer> columns) {
        for (int i = 0; i < header.cells().size(); i++) {
            String name = header.cells().get(i).strip();
            if (columns.put(name, i) != null && !name.isEmpty()) {
                return Optional.of(new Unreadable(header.number(), "the column " + name + " stands there twice"));
            }
        }
        Set<String> missing = new TreeSet<>(needed);
        missing.removeAll(columns.keySet());
        return missing.isEmpty()
                ? Optional.empty()
                : Optional.of(new Unreadable(header.number(), "the column is missing: " + String.join(", ", missing)));
    }

    private static Optional<Unreadable> readRow(
            Line line, Line header, Map<String, Integer> columns, Function<Row, Optional<Unreadable>> reader) {
        if (line.cells().size() != header.cells().size()) {
            return Optional.of(new Unreadable(
                    line.number(),
                    "the row has " + line.cells().size() + " cells, and there are "
                            + header.cells().size() + " columns"));
        }
        return reader.apply(new Row(line, columns));
    }

    /** One row, whose cells are found by their column and read without the space around them. */
    public static final class Row {

        private static final DateTimeFormatter TIME =
                DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss").withResolverStyle(ResolverStyle.STRICT);

        private final Line line;
        private final Map<String, Integer> columns;

        private Row(Line line, Map<String, Integer> columns) {
            this.line = line;
            this.columns = columns;
        }

        /** The number of its first line in the file, counted from 1. */
        public int number() {
            return line.number();
        }

        public boolean has(String column) {
            return columns.containsKey(column);
        }

        /** Empty also if there is no such column. */
        public String cell(String column) {
            Integer at = columns.get(column);
            return at == null ? "" : line.cells().get(at).strip();
        }

        /** Null if the cell is empty or there is no such column. */
        public @Nullable String filled(String column) {
            String cell = cell(column);
            return cell.isEmpty() ? null : cell;
        }

        /**
         * A cell with a decimal number in a currency's major unit; empty if it is anything else, is not a whole number of
         * the minor unit, or has no opposite.
         *
         * @param currency three upper-case letters
         * @param exponent the number of decimals that the currency has for the one who wrote the file
         */
        public Optional<Money> amount(String column, String currency, int exponent) {
            try {
                Money money = Money.ofDecimal(cell(column), currency, exponent);
                return money.minor() == Long.MIN_VALUE ? Optional.empty() : Optional.of(money);
            } catch (ArithmeticException | IllegalArgumentException e) {
                return Optional.empty();
            }
        }

        /** A cell such as {@code 2026-03-01 12:00:00}; empty if it is anything else. */
        public Optional<LocalDateTime> time(String column) {
            try {
                return Optional.of(LocalDateTime.parse(cell(column), TIME));
            } catch (DateTimeException e) {
                return Optional.empty();
            }
        }

        /** Says what is wrong with a cell, without the cell: it may hold a payer's data. */
        public Optional<Unreadable> wrong(String column, String problem) {
            return Optional.of(new Unreadable(number(), column + " " + problem));
        }
    }

    /**
     * The parser takes a text that ends inside a quoted cell for one that ends after it, and all that was swallowed for
     * the cell. So a record of our own is put behind the text: it comes back only if no quote is open.
     */
    private static final class Records implements Iterator<Line> {

        private static final String END = "\u0000end\u0000";

        private final Iterator<CsvRecord> records;
        private @Nullable Line next;

        Records(String text) {
            records = CsvReader.builder()
                    .acceptCharsAfterQuotes(false)
                    .ofCsvRecord(text + "\n" + END)
                    .iterator();
        }

        @Override
        public boolean hasNext() {
            if (next == null) {
                CsvRecord record = records.next();
                next = new Line((int) record.getStartingLineNumber(), record.getFields());
            }
            boolean isEnd = !records.hasNext();
            if (isEnd && !next.cells().equals(List.of(END))) {
                throw new CsvParseException("a quote is not closed");
            }
            return !isEnd;
        }

        @Override
        public Line next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            Line line = Objects.requireNonNull(next);
            next = null;
            return line;
        }
    }
}
