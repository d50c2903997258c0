package io.quittance.psp.adyen;

import static io.quittance.psp.PspFixture.ATTEMPT;
import static io.quittance.psp.PspFixture.REFUND;
import static org.assertj.core.api.Assertions.assertThat;

import io.quittance.domain.Money;
import io.quittance.psp.SettlementFormat.Movement;
import io.quittance.psp.SettlementFormat.Reading;
import io.quittance.psp.SettlementFormat.SettlementFile;
import io.quittance.psp.SettlementFormat.SettlementLine;
import io.quittance.psp.SettlementFormat.Unreadable;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AdyenSettlementTest {

    /** The columns of Adyen's documentation, with one more that an account may ask for. */
    private static final String HEADER =
            "Company Account,Merchant Account,Psp Reference,Merchant Reference,Payment Method,Creation Date,TimeZone,Type,"
                    + "Modification Reference,Gross Currency,Gross Debit (GC),Gross Credit (GC),Exchange Rate,Net Currency,"
                    + "Net Debit (NC),Net Credit (NC),Commission (NC),Markup (NC),Scheme Fees (NC),Interchange (NC),"
                    + "Payment Method Variant,Modification Merchant Reference,Batch Number,Shopper Country";

    /** The row of Adyen's documentation. */
    private static final String SAMPLE =
            "TestCompany,TestMerchant,1813702551707653,3vpzf7,visa,2013-06-03 11:26:49,CET,Settled,1713702551795048,GBP,,"
                    + "5.00,1,GBP,,4.88,,0.04,0.01,0.07,visaclassic,,1,GB";

    private final AdyenSettlement settlement = new AdyenSettlement("TestMerchant");

    @Test
    void the_documented_row_is_a_payment_in_major_units() {
        assertThat(lines(HEADER, SAMPLE))
                .containsExactly(new SettlementLine(
                        2,
                        Movement.PAYMENT,
                        "3vpzf7",
                        "1813702551707653",
                        null,
                        null,
                        new Money(500, "GBP"),
                        Instant.parse("2013-06-03T10:26:49Z"),
                        "Settled"));
    }

    @Test
    void a_refund_of_ours_names_both_of_its_ids_and_its_payment() {
        String refunded = movement("Refunded", "CEST", "EUR", "5.00", "", ATTEMPT + "-" + REFUND);
        assertThat(lines(HEADER, refunded))
                .containsExactly(new SettlementLine(
                        2,
                        Movement.REFUND,
                        ATTEMPT,
                        "8815658961765250",
                        REFUND,
                        "8825658961765251",
                        new Money(500, "EUR"),
                        Instant.parse("2026-03-01T10:00:00Z"),
                        "Refunded"));
        assertThat(lines(HEADER, movement("Refunded", "UTC", "EUR", "5.00", "", "shop-7"))
                        .get(0)
                        .refundReference())
                .isEqualTo("shop-7");
    }

    @ParameterizedTest
    @CsvSource({
        "Settled,,5.00,PAYMENT",
        "Refunded,5.00,,REFUND",
        "RefundedReversed,,5.00,REFUND_REVERSED",
        "Chargeback,5.00,,DISPUTE",
        "ChargebackReversed,,5.00,DISPUTE",
        "SecondChargeback,5.00,,DISPUTE"
    })
    void each_type_has_its_amount_in_its_own_column(String type, String debit, String credit, Movement movement) {
        String right = movement(type, "UTC", "EUR", text(debit), text(credit), "");
        assertThat(lines(HEADER, right)).singleElement().satisfies(line -> {
            assertThat(line.movement()).isEqualTo(movement);
            assertThat(line.amount()).isEqualTo(new Money(500, "EUR"));
        });
        for (String wrong : List.of(
                movement(type, "UTC", "EUR", text(credit), text(debit), ""),
                movement(type, "UTC", "EUR", "5.00", "5.00", ""),
                movement(type, "UTC", "EUR", "", "", ""))) {
            assertThat(unreadable(HEADER, wrong).problem()).contains("Gross ");
        }
    }

    private static String text(String csv) {
        return csv == null ? "" : csv;
    }

    @ParameterizedTest
    @CsvSource({"JPY,500,500", "JPY,500.00,500", "KWD,1.234,1234", "IDR,500.00,50000", "EUR,263.90,26390"})
    void amounts_are_exact(String currency, String major, long minor) {
        assertThat(lines(HEADER, movement("Settled", "UTC", currency, "", major, ""))
                        .get(0)
                        .amount())
                .isEqualTo(new Money(minor, currency));
    }

    @ParameterizedTest
    @CsvSource({"EUR,1.999", "EUR,-5.00", "EUR,1e2", "EUR,five", "XXZ,5.00", "JPY,5.50"})
    void an_amount_that_is_not_exact_makes_the_file_unreadable(String currency, String major) {
        assertThat(unreadable(HEADER, movement("Settled", "UTC", currency, "", major, "")))
                .isEqualTo(new Unreadable(
                        2,
                        "Gross Credit (GC) with Gross Currency is not an exact amount, or stands in the other column"));
    }

    @ParameterizedTest
    @CsvSource({
        "CET,2026-03-01T11:00:00Z",
        "CEST,2026-03-01T10:00:00Z",
        "BST,2026-03-01T11:00:00Z",
        "GMT,2026-03-01T12:00:00Z",
        "PST,2026-03-01T20:00:00Z",
        "PDT,2026-03-01T19:00:00Z",
        "EST,2026-03-01T17:00:00Z",
        "EDT,2026-03-01T16:00:00Z",
        "AEST,2026-03-01T02:00:00Z"
    })
    void the_time_zone_stands_beside_the_time(String zone, Instant at) {
        assertThat(lines(HEADER, movement("Settled", zone, "EUR", "", "5.00", ""))
                        .get(0)
                        .at())
                .isEqualTo(at);
    }

    @Test
    void a_time_in_a_zone_that_is_unknown_or_unclear_is_no_time() {
        for (String zone : List.of("IST", "CST", "XYZ", "")) {
            assertThat(lines(HEADER, movement("Settled", zone, "EUR", "", "5.00", ""))
                            .get(0)
                            .at())
                    .isNull();
        }
        String odd = SAMPLE.replace("2013-06-03 11:26:49", "2013-02-30 11:26:49");
        assertThat(unreadable(HEADER, odd).problem()).startsWith("Creation Date");
    }

    @Test
    void columns_are_found_by_name_and_a_missing_one_is_named() {
        String[] names = HEADER.split(",", -1);
        String[] values = SAMPLE.split(",", -1);
        StringBuilder header = new StringBuilder();
        StringBuilder row = new StringBuilder();
        for (int i = names.length - 1; i >= 0; i--) {
            header.append(names[i]).append(i == 0 ? "" : ",");
            row.append('"').append(values[i]).append('"').append(i == 0 ? "" : ",");
        }
        assertThat(lines(header.toString(), row.toString())).isEqualTo(lines(HEADER, SAMPLE));
        assertThat(unreadable(HEADER.replace("TimeZone", "Time Zone"), SAMPLE))
                .isEqualTo(new Unreadable(1, "there is no column \"TimeZone\""));
        assertThat(unreadable(HEADER.replace("Payment Method Variant", "Type"), SAMPLE))
                .isEqualTo(new Unreadable(1, "there are two columns \"Type\""));
        String without = HEADER.replace("Modification Merchant Reference", "Reserved4");
        assertThat(lines(without, SAMPLE)).hasSize(1);
    }

    @Test
    void fees_payouts_and_other_accounts_are_left_out_and_unknown_types_are_not() {
        String fee = "TestCompany,TestMerchant,,,,2026-03-01 12:00:00,UTC,Fee,,,,,,EUR,0.10,,,,,,,,1,";
        String payout = fee.replace(",Fee,", ",MerchantPayout,");
        String correction = fee.replace(",Fee,", ",SomethingNew,");
        String other = SAMPLE.replace("TestMerchant", "OtherMerchant").replace("Settled", "SomethingNew");
        assertThat(lines(HEADER, fee, payout, correction, other)).isEmpty();
        assertThat(unreadable(HEADER, SAMPLE, SAMPLE.replace("Settled", "SomethingNew")))
                .isEqualTo(new Unreadable(3, "Type is not known"));
    }

    @Test
    void quotes_line_ends_within_and_a_byte_order_mark_are_read_as_rfc_4180_has_them() {
        String quoted = SAMPLE.replace("3vpzf7", "\"3v,\"\"p\"\"\nzf7\"");
        List<SettlementLine> lines = lines("\uFEFF" + HEADER, quoted, SAMPLE);
        assertThat(lines.get(0).reference()).isEqualTo("3v,\"p\"\nzf7");
        assertThat(lines.get(1).row()).isEqualTo(4);
    }

    @Test
    void what_is_no_such_file_is_unreadable_and_no_error() {
        assertThat(settlement.read(new byte[0])).isInstanceOf(Unreadable.class);
        assertThat(settlement.read(new byte[] {(byte) 0xC3, 0x28})).isInstanceOf(Unreadable.class);
        assertThat(unreadable(HEADER, SAMPLE + ",more").problem()).contains("header");
        assertThat(unreadable(HEADER, "\"" + SAMPLE).problem()).isNotEmpty();
        assertThat(unreadable("<html>").problem()).contains("Merchant Account");
    }

    private static String movement(
            String type, String zone, String currency, String debit, String credit, String modificationReference) {
        return String.join(
                ",",
                "TestCompany,TestMerchant,8815658961765250",
                ATTEMPT,
                "visa,2026-03-01 12:00:00",
                zone,
                type,
                "8825658961765251",
                currency,
                debit,
                credit,
                "1,EUR,,,,,,,visaclassic",
                modificationReference,
                "1,");
    }

    private List<SettlementLine> lines(String... rows) {
        Reading reading = read(rows);
        assertThat(reading).isInstanceOf(SettlementFile.class);
        return ((SettlementFile) reading).lines();
    }

    private Unreadable unreadable(String... rows) {
        Reading reading = read(rows);
        assertThat(reading).isInstanceOf(Unreadable.class);
        return (Unreadable) reading;
    }

    private Reading read(String... rows) {
        return settlement.read((String.join("\r\n", rows) + "\r\n").getBytes(StandardCharsets.UTF_8));
    }
}
