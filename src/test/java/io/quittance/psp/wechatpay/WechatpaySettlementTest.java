package io.quittance.psp.wechatpay;

import static io.quittance.psp.PspFixture.ATTEMPT;
import static io.quittance.psp.PspFixture.REFUND;
import static io.quittance.psp.wechatpay.WechatpayBills.ALL;
import static io.quittance.psp.wechatpay.WechatpayBills.EARLY;
import static io.quittance.psp.wechatpay.WechatpayBills.EARLY_SUMMARY;
import static io.quittance.psp.wechatpay.WechatpayBills.REFUNDS;
import static io.quittance.psp.wechatpay.WechatpayBills.REFUND_ID;
import static io.quittance.psp.wechatpay.WechatpayBills.SUCCESS;
import static io.quittance.psp.wechatpay.WechatpayBills.SUMMARY;
import static io.quittance.psp.wechatpay.WechatpayBills.TRANSACTION_ID;
import static io.quittance.psp.wechatpay.WechatpayBills.bill;
import static io.quittance.psp.wechatpay.WechatpayBills.bytes;
import static io.quittance.psp.wechatpay.WechatpayBills.gzip;
import static io.quittance.psp.wechatpay.WechatpayBills.payment;
import static io.quittance.psp.wechatpay.WechatpayBills.refund;
import static org.assertj.core.api.Assertions.assertThat;

import io.quittance.FaultOfOthers;
import io.quittance.domain.Money;
import io.quittance.psp.CsvTable;
import io.quittance.psp.SettlementBytes;
import io.quittance.psp.SettlementFormat.Movement;
import io.quittance.psp.SettlementFormat.Reading;
import io.quittance.psp.SettlementFormat.SettlementFile;
import io.quittance.psp.SettlementFormat.SettlementLine;
import io.quittance.psp.SettlementFormat.Unreadable;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WechatpaySettlementTest {

    private static final String ONE_PAYMENT = "1,19.99,0.00,0.00,0.12000,19.99,0.00";

    private static final SettlementLine PAYMENT = new SettlementLine(
            2,
            Movement.PAYMENT,
            ATTEMPT,
            TRANSACTION_ID,
            null,
            null,
            new Money(1_999, "CNY"),
            Instant.parse("2026-03-01T12:00:00Z"),
            "SUCCESS");

    private final WechatpaySettlement reader = new WechatpaySettlement();

    @Test
    void a_payment_and_its_two_refunds_are_three_movements() {
        assertThat(lines(WechatpayBills.good()))
                .containsExactly(PAYMENT, refunded(3, REFUND, 500, 0), refunded(4, "r-2", 99, 0));
    }

    @Test
    void the_bill_may_be_packed_and_may_begin_with_a_byte_order_mark() {
        String bill = bill(ALL, List.of(payment("x")), SUMMARY, ONE_PAYMENT);
        assertThat(lines(gzip(bytes(bill)))).containsExactly(PAYMENT);
        assertThat(lines(bytes("\uFEFF" + bill))).containsExactly(PAYMENT);
        assertThat(lines(bytes(bill.replace("\r\n", "\n").strip()))).containsExactly(PAYMENT);
    }

    @Test
    @FaultOfOthers(
            value = "binarywang/WxJava#1275",
            symptom = "early merchants get other columns, so that those that are counted off are the wrong ones")
    void the_headers_of_both_generations_are_read_by_their_names() {
        List<Map<String, String>> rows = List.of(payment("x"), refund("5.00", REFUND));
        List<SettlementLine> expected = List.of(PAYMENT, refunded(3, REFUND, 500, 0));
        assertThat(lines(bytes(bill(ALL, rows, SUMMARY, "2,19.99,5.00,0.00,0.10000,19.99,5.00"))))
                .isEqualTo(expected);
        assertThat(lines(bytes(bill(EARLY, rows, EARLY_SUMMARY, "2,19.99,5.00,0.00,0.10000"))))
                .isEqualTo(expected);
        String spaced = ALL.replace(",", " , ");
        assertThat(lines(bytes(bill(ALL, rows, SUMMARY, "2,19.99,5.00,0.00,0.10000,19.99,5.00")
                        .replace(ALL, spaced))))
                .isEqualTo(expected);
    }

    @Test
    void bills_of_payments_or_of_refunds_alone_have_other_columns() {
        assertThat(lines(bytes(
                        bill(SUCCESS, List.of(payment("x")), "总交易单数,应结订单总金额,手续费总金额,订单总金额", "1,19.99,0.12000,19.99"))))
                .containsExactly(PAYMENT);
        assertThat(lines(bytes(bill(SUCCESS, List.of(payment("x")), SUMMARY, ONE_PAYMENT))))
                .containsExactly(PAYMENT);
        assertThat(lines(bytes(bill(
                        REFUNDS, List.of(refund("5.00", REFUND)), SUMMARY, "1,0.00,5.00,0.00,-0.02000,0.00,5.00"))))
                .containsExactly(refunded(2, REFUND, 500, 5));
    }

    @Test
    @FaultOfOthers(
            value = "edge-sky/Bills-save#12",
            symptom = "a comma in a product's name moves all columns behind it, and the wrong amount is read")
    void a_name_may_have_commas_and_quotes() {
        assertThat(lines(bytes(bill(ALL, List.of(payment("a,b\"c")), SUMMARY, ONE_PAYMENT))))
                .containsExactly(PAYMENT);
        assertThat(lines(bytes(bill(ALL, List.of(payment("\"a, `b,")), SUMMARY, ONE_PAYMENT))))
                .containsExactly(PAYMENT);
    }

    @Test
    void a_name_that_looks_like_another_cell_or_line_is_refused() {
        assertThat(reader.read(bytes(bill(ALL, List.of(payment("a,`b")), SUMMARY, ONE_PAYMENT))))
                .isEqualTo(new Unreadable(2, "the row has 28 cells, and there are 27 columns"));
        assertThat(reader.read(bytes(bill(ALL, List.of(payment("a\nb")), SUMMARY, ONE_PAYMENT))))
                .isEqualTo(new Unreadable(2, "the row has 21 cells, and there are 27 columns"));
    }

    @Test
    void a_coupon_makes_no_difference_to_what_the_payment_was_of() {
        Map<String, String> discounted = payment("x");
        discounted.put("应结订单金额", "15.00");
        discounted.put("代金券金额", "4.99");
        assertThat(lines(bytes(bill(ALL, List.of(discounted), SUMMARY, "1,15.00,0.00,0.00,0.12000,19.99,0.00"))))
                .containsExactly(PAYMENT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"交易时间", "微信订单号", "商户订单号", "交易状态", "货币种类"})
    void a_column_that_is_needed_and_missing_is_named(String column) {
        String bill = bill(ALL, List.of(payment("x")), SUMMARY, ONE_PAYMENT);
        assertThat(reader.read(bytes(bill.replaceFirst(column, "另一列"))))
                .isEqualTo(new Unreadable(1, "the column is missing: " + column));
    }

    @Test
    void a_header_of_unknown_amounts_is_refused_by_their_names() {
        String payments = bill(ALL.replace(",订单金额", ",金额"), List.of(payment("x")), SUMMARY, ONE_PAYMENT);
        assertThat(reader.read(bytes(payments))).isEqualTo(new Unreadable(2, "订单金额 or 总金额 is missing"));
        String refunds = bill(SUCCESS, List.of(refund("5.00", REFUND)), SUMMARY, ONE_PAYMENT);
        assertThat(reader.read(bytes(refunds))).isEqualTo(new Unreadable(2, "申请退款金额 or 退款金额 is missing"));
        String twice = bill(ALL.replace("费率备注", "订单金额"), List.of(payment("x")), SUMMARY, ONE_PAYMENT);
        assertThat(reader.read(bytes(twice))).isEqualTo(new Unreadable(1, "the column 订单金额 stands there twice"));
    }

    @ParameterizedTest
    @CsvSource({
        "交易状态, CLOSED, '交易状态 is not SUCCESS, REFUND or REVOKED'",
        "货币种类, USD, 货币种类 is not CNY",
        "订单金额, 19.999, 订单金额 is not an exact amount of yuan",
        "订单金额, -0.01, 订单金额 is not an exact amount of yuan",
        "应结订单金额, x, 应结订单金额 is not an exact amount of yuan",
        "交易时间, 2026/3/1 20:00, 交易时间 is not a time such as 2026-03-01 12:00:00",
    })
    void a_cell_that_is_not_understood_is_named_with_its_row_and_not_shown(String column, String cell, String problem) {
        Map<String, String> cells = payment("x");
        cells.put(column, cell);
        assertThat(reader.read(bytes(bill(ALL, List.of(cells), SUMMARY, ONE_PAYMENT))))
                .isEqualTo(new Unreadable(2, problem));
    }

    @ParameterizedTest
    @CsvSource({
        "'2,19.99,0.00,0.00,0.12000,19.99,0.00', '总交易单数 is not the number of the rows, which is 1'",
        "'1,19.98,0.00,0.00,0.12000,19.99,0.00', 应结订单总金额 is not the sum of 应结订单金额",
        "'1,19.99,0.01,0.00,0.12000,19.99,0.00', 退款总金额 is not the sum of 退款金额",
        "'1,19.99,0.00,x,0.12000,19.99,0.00', 充值券退款总金额 is not the sum of 充值券退款金额",
        "'1,19.99,0.00,0.00,0.12000,19.98,0.00', 订单总金额 is not the sum of 订单金额",
        "'1,19.99,0.00,0.00,0.12000,19.99,0.01', 申请退款总金额 is not the sum of 申请退款金额",
    })
    void a_summary_that_is_not_that_of_the_rows_is_refused(String summary, String problem) {
        assertThat(reader.read(bytes(bill(ALL, List.of(payment("x")), SUMMARY, summary))))
                .isEqualTo(new Unreadable(4, problem));
    }

    @Test
    void sums_beyond_every_number_are_refused_and_do_not_overflow() {
        Map<String, String> large = payment("x");
        large.put("订单金额", "92233720368547758.07");
        assertThat(problem(bytes(bill(ALL, List.of(large, large), SUMMARY, "2,39.98,0,0,0,-0.02,0"))))
                .isEqualTo("订单总金额 is not the sum of 订单金额");
    }

    @Test
    void a_bill_that_was_cut_off_is_refused_wherever_it_was_cut() {
        byte[] good = WechatpayBills.good();
        // Without its last line end the file is complete, and its last digit is needed.
        for (int length = 0; length < good.length - 2; length++) {
            assertThat(reader.read(Arrays.copyOf(good, length)))
                    .as("%d bytes", length)
                    .isInstanceOf(Unreadable.class);
        }
        byte[] packed = gzip(good);
        for (int length = 0; length < packed.length; length++) {
            assertThat(reader.read(Arrays.copyOf(packed, length)))
                    .as("%d packed bytes", length)
                    .isInstanceOf(Unreadable.class);
        }
    }

    @Test
    void a_bill_without_rows_is_empty_and_nothing_may_stand_behind_its_summary() {
        String empty = bill(ALL, List.of(), SUMMARY, "0,0.00,0.00,0.00,0.00000,0.00,0.00");
        assertThat(lines(bytes(empty))).isEmpty();
        assertThat(reader.read(bytes(empty + "`more\r\n")))
                .isEqualTo(new Unreadable(4, "something stands behind the summary"));
    }

    @Test
    void an_error_in_place_of_a_bill_is_no_bill() {
        assertThat(problem(bytes("{\"code\":\"NO_STATEMENT_EXIST\"}"))).startsWith("the column is missing");
        assertThat(problem(new byte[] {(byte) 0xC3, 'x'})).isEqualTo("the file is not text in UTF-8");
    }

    @Test
    void a_bomb_and_more_rows_than_the_limit_are_refused() {
        byte[] bomb = gzip(new byte[SettlementBytes.BYTES_MAX + 1]);
        assertThat(bomb.length).isLessThan(100_000);
        assertThat(reader.read(bomb)).isEqualTo(SettlementBytes.tooLarge());
        assertThat(reader.read(new byte[SettlementBytes.BYTES_MAX + 1])).isEqualTo(SettlementBytes.tooLarge());

        String header = "交易时间,微信订单号,商户订单号,交易状态,货币种类,订单金额\n";
        String row = "`2026-03-01 20:00:00,`1,`2,`SUCCESS,`CNY,`0.01\n";
        assertThat(reader.read(bytes(header + row.repeat(CsvTable.ROWS_MAX + 1))))
                .isEqualTo(new Unreadable(CsvTable.ROWS_MAX + 2, "the file has more than 200000 rows"));
    }

    private static SettlementLine refunded(int row, String refundNo, long fen, int seconds) {
        Instant at = Instant.parse("2026-03-01T13:00:00Z").plusSeconds(seconds);
        return new SettlementLine(
                row,
                Movement.REFUND,
                ATTEMPT,
                TRANSACTION_ID,
                refundNo,
                REFUND_ID,
                new Money(fen, "CNY"),
                at,
                "PROCESSING");
    }

    private List<SettlementLine> lines(byte[] file) {
        Reading reading = reader.read(file);
        assertThat(reading).isInstanceOf(SettlementFile.class);
        return ((SettlementFile) reading).lines();
    }

    private String problem(byte[] file) {
        Reading reading = reader.read(file);
        assertThat(reading).isInstanceOf(Unreadable.class);
        return ((Unreadable) reading).problem();
    }
}
