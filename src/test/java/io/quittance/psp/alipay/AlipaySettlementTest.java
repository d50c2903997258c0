package io.quittance.psp.alipay;

import static io.quittance.psp.PspFixture.ATTEMPT;
import static io.quittance.psp.PspFixture.REFUND;
import static io.quittance.psp.alipay.AlipayBills.GB18030;
import static io.quittance.psp.alipay.AlipayBills.TRADE_NO;
import static io.quittance.psp.alipay.AlipayBills.bill;
import static io.quittance.psp.alipay.AlipayBills.entries;
import static io.quittance.psp.alipay.AlipayBills.payment;
import static io.quittance.psp.alipay.AlipayBills.refund;
import static io.quittance.psp.alipay.AlipayBills.zip;
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
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AlipaySettlementTest {

    private static final SettlementLine PAYMENT = new SettlementLine(
            6,
            Movement.PAYMENT,
            ATTEMPT,
            TRADE_NO,
            null,
            null,
            new Money(1_999, "CNY"),
            Instant.parse("2026-03-01T12:00:00Z"),
            "交易");

    private final AlipaySettlement reader = new AlipaySettlement();

    @Test
    void a_payment_and_its_two_refunds_are_three_movements() {
        assertThat(lines(AlipayBills.good()))
                .containsExactly(PAYMENT, refunded(7, REFUND, 500), refunded(8, "r-2", 99));
    }

    @Test
    void the_bill_may_come_without_its_archive() {
        assertThat(lines(one(payment("x")).getBytes(GB18030))).containsExactly(PAYMENT);
    }

    @Test
    @FaultOfOthers(
            value = "zsxsoft/my-beancount-scripts#13",
            symptom = "an archive with Chinese names in GBK cannot be opened where the machine's charset is UTF-8")
    void entries_with_names_in_gbk_are_found_and_so_are_those_marked_as_utf_8() {
        assertThat(lines(zip(entries(one(payment("x")))))).containsExactly(PAYMENT);
        assertThat(lines(zip(entries(one(payment("x"))), StandardCharsets.UTF_8)))
                .containsExactly(PAYMENT);
    }

    @Test
    @FaultOfOthers(
            value = "edge-sky/Bills-save#12",
            symptom = "a comma in a product's name moves all columns behind it, and the wrong amount is read")
    void a_name_with_a_comma_and_a_quote_is_read_if_it_is_quoted_and_the_file_refused_if_it_is_not() {
        assertThat(lines(one(payment("\"a,b\"\"c\"")).getBytes(GB18030))).containsExactly(PAYMENT);
        assertThat(reader.read(one(payment("a,b\"c")).getBytes(GB18030)))
                .isEqualTo(new Unreadable(6, "the row has 26 cells, and there are 25 columns"));
        assertThat(lines(one(payment("a;b\"c")).getBytes(GB18030))).containsExactly(PAYMENT);
    }

    @Test
    void a_name_may_have_line_ends_and_the_rows_behind_it_keep_their_line_numbers() {
        String bill = bill(List.of(payment("\"a\n#b\nc\""), refund("-5.00", REFUND)), 1, "19.99", 1, "-5.00");
        assertThat(lines(bill.getBytes(GB18030))).containsExactly(PAYMENT, refunded(9, REFUND, 500));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"never closed", "\"closed\" too early"})
    void a_quote_that_is_wrong_is_refused(String name) {
        assertThat(problem(one(payment(name)).getBytes(GB18030))).contains("quote is wrong");
        Map<String, String> lastCell = payment("x");
        lastCell.put("备注", name);
        assertThat(problem(one(lastCell).getBytes(GB18030))).contains("quote is wrong");
    }

    @Test
    void the_early_form_of_22_columns_is_read_by_its_names() {
        Map<String, String> cells = new LinkedHashMap<>();
        payment("x").forEach((name, cell) -> {
            if (name.equals("门店编号")) {
                cells.put("交易门店", "\t");
            } else if (!List.of("门店名称", "操作员", "终端号").contains(name)) {
                cells.put(name, cell);
            }
        });
        assertThat(cells).hasSize(22);
        String early = one(payment("x"))
                .replace(String.join(",", AlipayBills.HEADER), String.join(",", cells.keySet()))
                .replace(AlipayBills.row(payment("x")), AlipayBills.row(cells));
        assertThat(lines(early.getBytes(GB18030))).containsExactly(PAYMENT);
    }

    @Test
    void columns_may_be_added_and_stand_anywhere() {
        Map<String, String> cells = new LinkedHashMap<>();
        List<String> names = new ArrayList<>(AlipayBills.HEADER);
        Collections.reverse(names);
        cells.put("新的一列", "?");
        names.forEach(name -> cells.put(name, payment("x").get(name)));
        String other = one(payment("x"))
                .replace(String.join(",", AlipayBills.HEADER), String.join(",", cells.keySet()))
                .replace(AlipayBills.row(payment("x")), AlipayBills.row(cells));
        assertThat(lines(other.getBytes(GB18030))).containsExactly(PAYMENT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"支付宝交易号", "商户订单号", "业务类型", "完成时间", "订单金额（元）", "商家实收（元）", "退款批次号/请求号"})
    void a_column_that_is_needed_and_missing_is_named(String column) {
        String bill = one(payment("x")).replaceFirst("(?m)^(支付宝交易号.*|.*)" + column, "$1另一列");
        assertThat(reader.read(bill.getBytes(GB18030)))
                .isEqualTo(new Unreadable(5, "the column is missing: " + column));
    }

    @ParameterizedTest
    @CsvSource({
        "业务类型, 转账, 业务类型 is neither 交易 nor 退款",
        "订单金额（元）, 19.999, 订单金额（元） is not an exact amount of yuan",
        "订单金额（元）, 1e3, 订单金额（元） is not an exact amount of yuan",
        "订单金额（元）, -19.99, 订单金额（元） has a sign that does not fit 交易",
        "订单金额（元）, -92233720368547758.08, 订单金额（元） is not an exact amount of yuan",
        "商家实收（元）, '', 商家实收（元） is not an exact amount of yuan",
        "完成时间, 2026-02-30 20:00:00, 完成时间 is not a time such as 2026-03-01 12:00:00",
    })
    void a_cell_that_is_not_understood_is_named_with_its_row_and_not_shown(String column, String cell, String problem) {
        Map<String, String> cells = payment("x");
        cells.put(column, cell);
        assertThat(reader.read(one(cells).getBytes(GB18030))).isEqualTo(new Unreadable(6, problem));
    }

    @ParameterizedTest
    @CsvSource({
        "2,19.99,1,-5.00,10",
        "1,19.98,1,-5.00,10",
        "1,19.99,0,-5.00,11",
        "1,19.99,1,5.00,11",
        "1,19.9.9,1,-5.00,10"
    })
    void sums_that_are_not_those_of_the_rows_are_refused(
            int payments, String paid, int refunds, String refunded, int line) {
        String bill = bill(List.of(payment("x"), refund("-5.00", REFUND)), payments, paid, refunds, refunded);
        assertThat(reader.read(bill.getBytes(GB18030))).isInstanceOfSatisfying(Unreadable.class, wrong -> {
            assertThat(wrong.row()).isEqualTo(line - 1);
            assertThat(wrong.problem()).endsWith("is not the number and the sum of the rows");
        });
    }

    @Test
    void the_sums_are_of_what_the_merchant_received_and_the_movement_of_what_was_ordered() {
        Map<String, String> discounted = payment("x");
        discounted.put("商家实收（元）", "18.00");
        discounted.put("商家优惠（元）", "1.99");
        assertThat(lines(bill(List.of(discounted), 1, "18.00", 0, "0.00").getBytes(GB18030)))
                .containsExactly(PAYMENT);
    }

    @Test
    @FaultOfOthers(
            value = "zsxsoft/my-beancount-scripts#5",
            symptom = "refunds of trades that are closed are left out, because a status was read and not the amount")
    void a_refund_counts_by_its_amount_whatever_else_the_row_says() {
        Map<String, String> closed = refund("-19.99", REFUND);
        closed.put("备注", "交易关闭");
        String bill = bill(List.of(payment("x"), closed), 1, "19.99", 1, "-19.99");
        assertThat(lines(bill.getBytes(GB18030))).containsExactly(PAYMENT, refunded(7, REFUND, 1_999));
    }

    @Test
    void a_bill_that_was_cut_off_is_refused_wherever_it_was_cut() {
        String bill = one(payment("x"));
        int end = bill.indexOf("业务明细列表结束");
        for (int length = bill.indexOf("业务明细列表"); length < end; length++) {
            assertThat(reader.read(bill.substring(0, length).getBytes(GB18030)))
                    .as("%d characters", length)
                    .isInstanceOf(Unreadable.class);
        }
    }

    @Test
    void a_row_behind_the_end_of_the_list_is_refused() {
        String bill = one(payment("x")) + AlipayBills.row(payment("y")) + "\r\n";
        assertThat(problem(bill.getBytes(GB18030))).contains("behind the line that ends the list");
    }

    @Test
    void a_bill_without_rows_is_empty_and_a_file_without_anything_is_not_a_bill() {
        assertThat(lines(bill(List.of(), 0, "0.00", 0, "0.00").getBytes(GB18030)))
                .isEmpty();
        assertThat(problem(new byte[0])).contains("columns' names is missing");
        assertThat(problem(new byte[] {(byte) 0xFF, (byte) 0xFF})).contains("not text in GB18030");
    }

    @Test
    void other_archives_are_refused_with_what_is_wrong_with_them() {
        byte[] good = AlipayBills.good();
        byte[] encrypted = good.clone();
        encrypted[6] |= 1;
        byte[] damaged = good.clone();
        damaged[good.length / 3] ^= 0x55;
        assertThat(problem(encrypted)).isEqualTo("the archive is encrypted");
        assertThat(problem(damaged)).isNotEmpty();
        assertThat(problem(zip(Map.of("inner.zip", good)))).contains("an entry that is neither");
        assertThat(problem(zip(Map.of("业务明细/", new byte[0])))).contains("an entry that is neither");
        assertThat(problem(zip(Map.of("a_业务明细(汇总).csv", new byte[0])))).isEqualTo("the archive has no 业务明细");
        Map<String, byte[]> twice = entries(one(payment("x")));
        twice.put("b_业务明细.csv", new byte[0]);
        assertThat(problem(zip(twice))).isEqualTo("the archive has 业务明细 twice");
        assertThat(problem(zip(Map.of("\u00FF.csv", new byte[0]), StandardCharsets.ISO_8859_1)))
                .contains("names that are not in GBK");
    }

    @Test
    void a_bomb_is_refused_even_in_the_entry_that_is_not_read() {
        byte[] nothing = new byte[SettlementBytes.BYTES_MAX + 1];
        byte[] bomb = zip(Map.of("a_业务明细(汇总).csv", nothing));
        assertThat(bomb.length).isLessThan(100_000);
        assertThat(reader.read(bomb)).isEqualTo(SettlementBytes.tooLarge());
        assertThat(reader.read(zip(Map.of("a_业务明细.csv", nothing)))).isEqualTo(SettlementBytes.tooLarge());
        assertThat(reader.read(nothing)).isEqualTo(SettlementBytes.tooLarge());
    }

    @Test
    void more_rows_than_the_limit_are_refused() {
        StringBuilder bill = new StringBuilder(String.join(",", AlipayBills.HEADER)).append("\n");
        String row = AlipayBills.row(payment("x")) + "\n";
        bill.append(row.repeat(CsvTable.ROWS_MAX));
        assertThat(lines(bill.toString().getBytes(GB18030))).hasSize(CsvTable.ROWS_MAX);
        assertThat(reader.read(bill.append(row).toString().getBytes(GB18030)))
                .isEqualTo(new Unreadable(CsvTable.ROWS_MAX + 2, "the file has more than 200000 rows"));
    }

    private static String one(Map<String, String> row) {
        return bill(List.of(row), 1, "19.99", 0, "0.00");
    }

    private static SettlementLine refunded(int row, String requestNo, long fen) {
        Instant at = Instant.parse("2026-03-01T13:00:00Z");
        return new SettlementLine(
                row, Movement.REFUND, ATTEMPT, TRADE_NO, requestNo, null, new Money(fen, "CNY"), at, "退款");
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
