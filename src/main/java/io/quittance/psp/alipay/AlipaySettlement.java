package io.quittance.psp.alipay;

import io.quittance.domain.Money;
import io.quittance.psp.CsvTable;
import io.quittance.psp.CsvTable.Line;
import io.quittance.psp.CsvTable.Row;
import io.quittance.psp.SettlementBytes;
import io.quittance.psp.SettlementFormat;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.StreamSupport;

/**
 * Reads bills of type {@code trade} (alipay.data.dataservice.bill.downloadurl.query): the archive as it is downloaded, or
 * the {@code 业务明细.csv} in it. The rows are in GBK, read as its superset GB18030, between lines that begin with
 * {@code #}; amounts are yuan, those of refunds less than nothing; times are China's.
 *
 * <p>A row's amount is 订单金额, which is what the payment was created with; 商家实收 is less if the merchant gave a
 * discount, and is what Alipay's own sums are of.
 */
final class AlipaySettlement implements SettlementFormat {

    private static final ZoneOffset CHINA = ZoneOffset.ofHours(8);

    private static final String TRADE_NO = "支付宝交易号";
    private static final String OUT_TRADE_NO = "商户订单号";
    private static final String TYPE = "业务类型";
    private static final String DONE = "完成时间";
    private static final String AMOUNT = "订单金额（元）";
    private static final String RECEIVED = "商家实收（元）";
    private static final String REQUEST_NO = "退款批次号/请求号";
    private static final Set<String> NEEDED = Set.of(TRADE_NO, OUT_TRADE_NO, TYPE, DONE, AMOUNT, RECEIVED, REQUEST_NO);

    @Override
    public Reading read(byte[] file) {
        if (file.length > SettlementBytes.BYTES_MAX) {
            return SettlementBytes.tooLarge();
        }
        AlipayArchive.Opened opened = AlipayArchive.open(file);
        String details = opened.details();
        return details == null ? new Unreadable(0, opened.problem()) : readDetails(details);
    }

    private static Reading readDetails(String text) {
        AlipayTotals totals = new AlipayTotals();
        List<SettlementLine> lines = new ArrayList<>();
        Iterable<Line> all = CsvTable.rfc4180(text);
        Iterable<Line> table = () -> StreamSupport.stream(all.spliterator(), false)
                .filter(line -> !totals.take(line))
                .iterator();
        return CsvTable.read(table, NEEDED, row -> read(row, lines, totals))
                .or(totals::problem)
                .map(Reading.class::cast)
                .orElseGet(() -> new SettlementFile(lines));
    }

    private static Optional<Unreadable> read(Row row, List<SettlementLine> lines, AlipayTotals totals) {
        String type = row.cell(TYPE);
        boolean isRefund = type.equals("退款");
        if (!isRefund && !type.equals("交易")) {
            return row.wrong(TYPE, "is neither 交易 nor 退款");
        }
        if (totals.ended()) {
            return row.wrong(TYPE, "stands behind the line that ends the list");
        }
        Optional<Money> amount = AlipayAmounts.signed(row.cell(AMOUNT));
        if (amount.isEmpty()) {
            return row.wrong(AMOUNT, "is not an exact amount of yuan");
        }
        if (isRefund ? amount.get().minor() > 0 : amount.get().minor() < 0) {
            return row.wrong(AMOUNT, "has a sign that does not fit " + type);
        }
        Optional<Money> received = AlipayAmounts.signed(row.cell(RECEIVED));
        if (received.isEmpty()) {
            return row.wrong(RECEIVED, "is not an exact amount of yuan");
        }
        Optional<LocalDateTime> done = row.time(DONE);
        if (done.isEmpty()) {
            return row.wrong(DONE, "is not a time such as 2026-03-01 12:00:00");
        }
        totals.add(isRefund, received.get());
        lines.add(new SettlementLine(
                row.number(),
                isRefund ? Movement.REFUND : Movement.PAYMENT,
                row.filled(OUT_TRADE_NO),
                row.filled(TRADE_NO),
                isRefund ? row.filled(REQUEST_NO) : null,
                null,
                new Money(Math.abs(amount.get().minor()), amount.get().currency()),
                done.get().toInstant(CHINA),
                type));
        return Optional.empty();
    }
}
