package io.quittance.psp.stripe;

import static io.quittance.psp.PspFixture.ATTEMPT;
import static io.quittance.psp.PspFixture.REFUND;
import static io.quittance.psp.stripe.StripeReports.HEADER;
import static io.quittance.psp.stripe.StripeReports.bytes;
import static io.quittance.psp.stripe.StripeReports.charge;
import static io.quittance.psp.stripe.StripeReports.refund;
import static org.assertj.core.api.Assertions.assertThat;

import io.quittance.domain.Money;
import io.quittance.psp.CsvTable;
import io.quittance.psp.SettlementBytes;
import io.quittance.psp.SettlementFormat.Movement;
import io.quittance.psp.SettlementFormat.Reading;
import io.quittance.psp.SettlementFormat.SettlementFile;
import io.quittance.psp.SettlementFormat.SettlementLine;
import io.quittance.psp.SettlementFormat.Unreadable;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StripeSettlementTest {

    private static final String BARE = "reporting_category,currency,gross,payment_intent_id\n";
    private static final SettlementLine PAYMENT = line(2, Movement.PAYMENT, null, null, 1_999, 12, "charge");

    private final StripeSettlement reader = new StripeSettlement();

    @Test
    void a_payment_and_its_two_refunds_are_three_movements() {
        assertThat(lines(StripeReports.good()))
                .containsExactly(
                        PAYMENT,
                        line(3, Movement.REFUND, REFUND, "re_1", 500, 13, "refund"),
                        line(4, Movement.REFUND, null, "re_1", 99, 13, "refund"));
    }

    @ParameterizedTest
    @CsvSource({
        "charge, 1.00, PAYMENT",
        "refund, -1.00, REFUND",
        "refund_failure, 1.00, REFUND_REVERSED",
        "dispute, -1.00, DISPUTE",
        "dispute_reversal, 1.00, DISPUTE",
        "charge_failure, -1.00, DISPUTE"
    })
    void each_category_of_a_payers_money_is_a_movement(String category, String gross, Movement movement) {
        assertThat(lines(bytes(BARE + category + ",usd," + gross + ",pi_1\n")))
                .containsExactly(new SettlementLine(
                        2, movement, null, "pi_1", null, null, new Money(100, "USD"), null, category));
    }

    @ParameterizedTest
    @ValueSource(strings = {"fee", "payout", "payout_reversal", "partial_capture_reversal", "transfer", "brand_new"})
    void other_categories_are_no_movement_of_a_payers_money(String category) {
        assertThat(lines(bytes(BARE + category + ",usd,-1.00,\n"))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "jpy,500,500",
        "kwd,1.230,1230",
        "isk,500,500",
        "isk,500.00,500",
        "usd,8.20,820",
        "mga,500,50000",
        "usd,263.9,26390"
    })
    void amounts_are_in_the_major_unit_of_each_currency(String currency, String gross, long minor) {
        assertThat(lines(bytes(BARE + "charge," + currency + "," + gross + ",pi_1")))
                .extracting(line -> line.amount().minor())
                .containsExactly(minor);
    }

    @Test
    void what_the_payer_paid_counts_and_not_what_it_became() {
        String header = BARE.strip() + ",customer_facing_amount,customer_facing_currency\n";
        assertThat(lines(bytes(header + "charge,usd,21.58,pi_1,19.99,eur\nrefund,usd,-21.58,pi_1,-19.99,eur\n"
                        + "charge,usd,5.00,pi_2,,\n")))
                .extracting(SettlementLine::amount)
                .containsExactly(new Money(1_999, "EUR"), new Money(1_999, "EUR"), new Money(500, "USD"));
    }

    @Test
    void a_time_without_a_zone_is_not_taken_for_one() {
        assertThat(lines(bytes(BARE.strip() + ",created\ncharge,usd,1.00,pi_1,2026-03-01 13:00:00\n")))
                .extracting(SettlementLine::at)
                .containsOnlyNulls();
        assertThat(lines(bytes(BARE.strip() + ",created_utc\ncharge,usd,1.00,pi_1,2026-03-01 13:00:00\n")))
                .extracting(SettlementLine::at)
                .containsExactly(Instant.parse("2026-03-01T13:00:00Z"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"reporting_category", "currency", "gross", "payment_intent_id"})
    void a_column_that_is_needed_and_missing_is_named(String column) {
        assertThat(reader.read(bytes(BARE.replace(column, "x_" + column))))
                .isEqualTo(new Unreadable(1, "the column is missing: " + column));
    }

    @ParameterizedTest
    @CsvSource({
        "'charge,eur,\"19,99\",pi_1', 'gross has a decimal comma: run the report with the decimal_separator ''.'''",
        "'charge,eur,19,99,pi_1', 'the row has 5 cells, and there are 4 columns'",
        "'charge,eur,19.999,pi_1', gross is not an exact amount of its currency",
        "'charge,xxz,19.99,pi_1', gross is not an exact amount of its currency",
        "'charge,jpy,19.99,pi_1', gross is not an exact amount of its currency",
        "'charge,,19.99,pi_1', gross is not an exact amount of its currency",
        "'charge,eur,-19.99,pi_1', gross has a sign that does not fit charge",
        "'refund,eur,19.99,pi_1', gross has a sign that does not fit refund",
        "',eur,19.99,pi_1', reporting_category is empty",
    })
    void a_cell_that_is_not_understood_is_named_with_its_row_and_not_shown(String row, String problem) {
        assertThat(reader.read(bytes(BARE + "charge,eur,1.00,pi_0\n" + row + "\n")))
                .isEqualTo(new Unreadable(3, problem));
    }

    @Test
    void wrong_times_and_wrong_amounts_of_the_payer_are_refused() {
        String charge = charge("19.99", "x");
        assertThat(problem(HEADER + charge.replace("2026-03-01 12:00:00", "today")))
                .isEqualTo("created_utc is not a time such as 2026-03-01 12:00:00");
        assertThat(problem(HEADER + charge.replace(",,,pi_1", ",19.99,,pi_1")))
                .isEqualTo("customer_facing_amount is not an exact amount of its currency");
    }

    @Test
    void a_quote_that_is_not_closed_does_not_swallow_the_rows_behind_it() {
        String header = BARE.strip() + ",description\n";
        String file = header + "charge,eur,1.00,pi_1,\"never closed\ncharge,eur,2.00,pi_2,x\n";
        assertThat(reader.read(bytes(file)))
                .isEqualTo(new Unreadable(1, "what follows is not CSV: a quote is wrong, or a cell is too long"));
        assertThat(lines(bytes(header + "charge,eur,1.00,pi_1,\"closed,\n\"\ncharge,eur,2.00,pi_2,x")))
                .extracting(SettlementLine::row)
                .containsExactly(2, 4);
    }

    @Test
    void a_description_is_never_shown() {
        assertThat(problem(HEADER + charge("Jenny", "Jenny Rosen")))
                .isEqualTo("gross is not an exact amount of its currency");
        assertThat(problem(HEADER + refund("-5.00", REFUND).replace("refund,", "Jenny,Rosen,")))
                .doesNotContain("Jenny");
    }

    @Test
    void a_report_of_an_empty_day_has_its_header_alone_and_nothing_is_no_report() {
        assertThat(lines(bytes(HEADER))).isEmpty();
        assertThat(lines(bytes("\uFEFF" + HEADER))).isEmpty();
        assertThat(problem("")).isEqualTo("the line with the columns' names is missing");
        assertThat(reader.read(new byte[] {(byte) 0xFF})).isEqualTo(new Unreadable(0, "the file is not text in UTF-8"));
    }

    @Test
    void a_file_and_a_number_of_rows_above_the_limits_are_refused() {
        assertThat(reader.read(new byte[SettlementBytes.BYTES_MAX + 1])).isEqualTo(SettlementBytes.tooLarge());
        String row = "charge,eur,0.01,pi_1\n";
        assertThat(lines(bytes(BARE + row.repeat(CsvTable.ROWS_MAX)))).hasSize(CsvTable.ROWS_MAX);
        assertThat(reader.read(bytes(BARE + row.repeat(CsvTable.ROWS_MAX + 1))))
                .isEqualTo(new Unreadable(CsvTable.ROWS_MAX + 2, "the file has more than 200000 rows"));
    }

    private static SettlementLine line(
            int row, Movement movement, String refundId, String pspRefundId, long cents, int hour, String category) {
        Instant at = Instant.parse("2026-03-01T00:00:00Z").plusSeconds(3_600L * hour);
        return new SettlementLine(
                row, movement, ATTEMPT, "pi_1", refundId, pspRefundId, new Money(cents, "EUR"), at, category);
    }

    private List<SettlementLine> lines(byte[] file) {
        Reading reading = reader.read(file);
        assertThat(reading).isInstanceOf(SettlementFile.class);
        return ((SettlementFile) reading).lines();
    }

    private String problem(String file) {
        Reading reading = reader.read(bytes(file));
        assertThat(reading).isInstanceOf(Unreadable.class);
        return ((Unreadable) reading).problem();
    }
}
