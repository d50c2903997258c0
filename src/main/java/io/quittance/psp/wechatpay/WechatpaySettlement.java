package io.quittance.psp.wechatpay;

import io.quittance.domain.Money;
import io.quittance.psp.CsvTable;
import io.quittance.psp.CsvTable.Line;
import io.quittance.psp.CsvTable.Row;
import io.quittance.psp.SettlementBytes;
import io.quittance.psp.SettlementFormat;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads trade bills (pay.weixin.qq.com/docs/merchant/products/bill-download/format-trade.html) of the types ALL, SUCCESS
 * and REFUND, packed with gzip or not. A backtick stands before each cell, nothing is quoted: cells are cut at a comma with
 * a backtick behind it. The last two lines are the summary. Amounts are yuan although the API has fen; times are China's.
 *
 * <p>A row's amount is 订单金额 and 申请退款金额, which is what was asked for in the API, or in early bills 总金额 and
 * 退款金额. A refund's row is written when the refund is accepted and says nothing of what becomes of it, so that its type
 * is the status that it had then.
 */
final class WechatpaySettlement implements SettlementFormat {

    private static final ZoneOffset CHINA = ZoneOffset.ofHours(8);

    private static final String TIME = "交易时间";
    private static final String REFUND_TIME = "退款成功时间";
    private static final String TRANSACTION_ID = "微信订单号";
    private static final String OUT_TRADE_NO = "商户订单号";
    private static final String STATE = "交易状态";
    private static final String CURRENCY = "货币种类";
    private static final Set<String> NEEDED = Set.of(TIME, TRANSACTION_ID, OUT_TRADE_NO, STATE, CURRENCY);

    private static final List<String> PAYMENT_AMOUNTS = List.of("订单金额", "总金额");
    private static final List<String> REFUND_AMOUNTS = List.of("申请退款金额", "退款金额");

    @Override
    public Reading read(byte[] file) {
        if (file.length > SettlementBytes.BYTES_MAX) {
            return SettlementBytes.tooLarge();
        }
        boolean isPacked = file.length > 1 && file[0] == 0x1F && file[1] == (byte) 0x8B;
        if (!isPacked) {
            return readPlain(file);
        }
        try (GZIPInputStream gzip = new GZIPInputStream(new ByteArrayInputStream(file))) {
            Optional<byte[]> plain = SettlementBytes.unpack(gzip, SettlementBytes.BYTES_MAX);
            return plain.isEmpty() ? SettlementBytes.tooLarge() : readPlain(plain.get());
        } catch (IOException e) {
            return new Unreadable(0, "the gzip archive is damaged");
        }
    }

    private static Reading readPlain(byte[] plain) {
        Optional<String> text = SettlementBytes.text(plain, StandardCharsets.UTF_8);
        if (text.isEmpty()) {
            return new Unreadable(0, "the file is not text in UTF-8");
        }
        String[] lines = text.get().split("\n", -1);
        int end = endOfRows(lines);
        WechatpayTotals totals = new WechatpayTotals();
        List<SettlementLine> movements = new ArrayList<>();
        return CsvTable.read(cut(lines, 0, end), NEEDED, row -> read(row, movements, totals))
                .or(() -> readSummary(lines, end, totals))
                .map(Reading.class::cast)
                .orElseGet(() -> new SettlementFile(movements));
    }

    /** Where the summary begins: the first line but the first one that has no backtick. */
    private static int endOfRows(String[] lines) {
        int end = 1;
        while (end < lines.length && lines[end].startsWith("`")) {
            end++;
        }
        return end;
    }

    private static Optional<Unreadable> readSummary(String[] lines, int at, WechatpayTotals totals) {
        if (at + 1 >= lines.length || !lines[at + 1].startsWith("`")) {
            return Optional.of(new Unreadable(0, "the summary is missing: the file was cut off"));
        }
        if (Arrays.stream(lines).skip(at + 2L).anyMatch(line -> !line.isBlank())) {
            return Optional.of(new Unreadable(at + 3, "something stands behind the summary"));
        }
        return CsvTable.read(cut(lines, at, at + 2), Set.of(WechatpayTotals.COUNT), totals::compare);
    }

    /** Some of the lines: names are separated by commas, what belongs to them by commas with a backtick. */
    private static Iterable<Line> cut(String[] lines, int from, int to) {
        return () -> IntStream.range(from, to)
                .mapToObj(i -> new Line(i + 1, cells(lines[i])))
                .iterator();
    }

    private static List<String> cells(String line) {
        String text = line.endsWith("\r") ? line.substring(0, line.length() - 1) : line;
        return text.startsWith("`")
                ? Arrays.asList(text.substring(1).split(",`", -1))
                : Arrays.asList(text.split(",", -1));
    }

    private static Optional<Unreadable> read(Row row, List<SettlementLine> movements, WechatpayTotals totals) {
        String state = row.cell(STATE);
        // REVOKED was paid with a code and taken back at the counter.
        boolean isRefund = state.equals("REFUND") || state.equals("REVOKED");
        if (!isRefund && !state.equals("SUCCESS")) {
            return row.wrong(STATE, "is not SUCCESS, REFUND or REVOKED");
        }
        if (!row.cell(CURRENCY).equals(WechatpayAmounts.CURRENCY)) {
            return row.wrong(CURRENCY, "is not CNY");
        }
        List<String> names = isRefund ? REFUND_AMOUNTS : PAYMENT_AMOUNTS;
        String column = names.stream().filter(row::has).findFirst().orElse(null);
        if (column == null) {
            return row.wrong(String.join(" or ", names), "is missing");
        }
        Optional<Money> amount = row.amount(column, WechatpayAmounts.CURRENCY, WechatpayAmounts.EXPONENT);
        if (amount.isEmpty() || amount.get().minor() < 0) {
            return row.wrong(column, "is not an exact amount of yuan");
        }
        String timeColumn = isRefund && row.filled(REFUND_TIME) != null ? REFUND_TIME : TIME;
        Optional<LocalDateTime> time = row.time(timeColumn);
        if (time.isEmpty()) {
            return row.wrong(timeColumn, "is not a time such as 2026-03-01 12:00:00");
        }
        movements.add(new SettlementLine(
                row.number(),
                isRefund ? Movement.REFUND : Movement.PAYMENT,
                row.filled(OUT_TRADE_NO),
                row.filled(TRANSACTION_ID),
                isRefund ? id(row, "商户退款单号") : null,
                isRefund ? id(row, "微信退款单号") : null,
                amount.get(),
                time.get().toInstant(CHINA),
                isRefund && row.filled("退款状态") != null ? row.cell("退款状态") : state));
        return totals.add(row);
    }

    /** A number that is nought stands for none. */
    private static @Nullable String id(Row row, String column) {
        String id = row.filled(column);
        return id == null || id.equals("0") ? null : id;
    }
}
