package io.quittance.psp.sandbox;

import de.siegmar.fastcsv.writer.CsvWriter;
import de.siegmar.fastcsv.writer.LineDelimiter;
import io.quittance.domain.Ids;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Alipay's bills of type {@code trade} (opendocs.alipay.com: alipay.data.dataservice.bill.downloadurl.query): an archive
 * with names in GBK, in which there is one file with the rows and one with sums. A day without any movement has no bill,
 * which is a business error. Unlike Alipay's, today's bill can be had, with what moved until now.
 */
final class AlipayBills {

    static final String METHOD = "alipay.data.dataservice.bill.downloadurl.query";

    /** Below the side's prefix. */
    static final String PATH = "/downloadBillFile.resource";

    private static final Duration ADDRESS_LIFE = Duration.ofSeconds(30);
    private static final Charset GBK = Charset.forName("GBK");
    private static final ZoneOffset CHINA = ZoneOffset.ofHours(8);

    private static final String DETAILS_HEADER = "支付宝交易号,商户订单号,业务类型,商品名称,创建时间,完成时间,门店编号,门店名称,操作员,终端号,对方账户,"
            + "订单金额（元）,商家实收（元）,支付宝红包（元）,集分宝（元）,支付宝优惠（元）,商家优惠（元）,券核销金额（元）,券名称,"
            + "商家红包消费金额（元）,卡消费金额（元）,退款批次号/请求号,服务费（元）,分润（元）,备注";
    private static final String SUMMARY_HEADER =
            "门店编号,门店名称,交易订单总笔数,退款订单总笔数,订单金额（元）,商家实收（元）,支付宝优惠（元）," + "商家优惠（元）,卡消费金额（元）,服务费（元）,分润（元）,实收净额（元）";

    private final SandboxKeys.Alipay keys;
    private final Ledger ledger;
    private final Shelf<Buffer> archives = new Shelf<>();

    AlipayBills(SandboxKeys.Alipay keys, Ledger ledger) {
        this.keys = keys;
        this.ledger = ledger;
    }

    private record Period(LocalDate from, LocalDate to) {}

    /** Makes a bill, and answers with the address under which it can be fetched for half a minute. */
    JsonObject prepare(AlipayRequest request, String host, Instant now) {
        Period period;
        try {
            period = period(request.business("bill_date"));
        } catch (DateTimeException e) {
            return AlipayObjects.argumentError("isv.invalid-arguments", "bill_date");
        }
        if (!request.business("bill_type").equals("trade")) {
            return AlipayObjects.argumentError("isv.invalid-arguments", "the sandbox has bill_type trade only");
        }
        List<Moved> moved = ledger.moved(AlipaySide.PSP, start(period.from), start(period.to));
        if (moved.isEmpty()) {
            return AlipayObjects.businessError("isp.bill_not_exist", "账单不存在");
        }
        String id = Ids.hex(UUID.randomUUID());
        archives.put(id, archive(period, moved), now.plus(ADDRESS_LIFE));
        Map<String, String> query = Map.of("bizType", "trade", "fileType", "csv.zip", "fileId", id);
        String address = "http://" + host + "/" + AlipaySide.PSP + PATH + "?" + Form.encode(query, GBK);
        return AlipayObjects.success().put("bill_download_url", address);
    }

    Reply download(String query, Instant now) {
        String id = Form.query(query).getOrDefault("fileId", "");
        return archives.get(id, now)
                .map(archive -> new Reply(200, Map.of("Content-Type", "application/zip"), archive))
                .orElseGet(() -> Reply.text(404, "text/plain", "no such file, or its time is over"));
    }

    private static Period period(String billDate) {
        if (billDate.length() == "2026-03".length()) {
            YearMonth month = YearMonth.parse(billDate);
            return new Period(month.atDay(1), month.plusMonths(1).atDay(1));
        }
        LocalDate day = LocalDate.parse(billDate);
        return new Period(day, day.plusDays(1));
    }

    private static Instant start(LocalDate day) {
        return day.atStartOfDay().toInstant(CHINA);
    }

    private Buffer archive(Period period, List<Moved> moved) {
        String name = keys.sellerId() + "0156_" + period.from.toString().replace("-", "") + "_业务明细";
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes, GBK)) {
            add(zip, name + ".csv", details(period, moved));
            add(zip, name + "(汇总).csv", summary(period, moved));
        } catch (IOException e) {
            throw new UncheckedIOException("nothing but memory is written", e);
        }
        return Buffer.buffer(bytes.toByteArray());
    }

    private static void add(ZipOutputStream zip, String name, String text) throws IOException {
        zip.putNextEntry(new ZipEntry(name));
        zip.write(text.getBytes(GBK));
        zip.closeEntry();
    }

    private String details(Period period, List<Moved> moved) {
        String rows = moved.stream().map(AlipayBills::row).collect(Collectors.joining());
        return head("明细", period) + rule("业务明细列表") + DETAILS_HEADER + "\r\n" + rows + rule("业务明细列表结束")
                + "#交易合计：%d笔，商家实收共%s元，商家优惠共0.00元\r\n".formatted(count(moved, false), sum(moved, false))
                + "#退款合计：%d笔，商家实收退款共%s元，商家优惠退款共0.00元\r\n".formatted(count(moved, true), sum(moved, true));
    }

    private String summary(Period period, List<Moved> moved) {
        String all =
                AlipayObjects.yuan(moved.stream().mapToLong(Moved::signedMinor).sum());
        return head("汇总", period) + rule("业务汇总列表") + SUMMARY_HEADER + "\r\n"
                + "合计\t,\t,%d,%d,%s,%s,0.00,0.00,0.00,0.00,0.00,%s\r\n"
                        .formatted(count(moved, false), count(moved, true), all, all, all)
                + rule("业务汇总列表结束");
    }

    private String head(String what, Period period) {
        return "#支付宝业务%s查询\r\n#账号：[%s0156]\r\n#起始日期：[%s 00:00:00]   终止日期：[%s 00:00:00]\r\n"
                .formatted(what, keys.sellerId(), period.from, period.to);
    }

    private static String rule(String title) {
        return "#-----------------------------------------" + title + "----------------------------------------\r\n";
    }

    /** Cells that a spreadsheet would take for numbers have a tab behind them. */
    private static String row(Moved moved) {
        Trade.Terms terms = moved.trade().terms();
        String amount = AlipayObjects.yuan(moved.signedMinor());
        Refund refund = moved.refund();
        StringWriter text = new StringWriter();
        CsvWriter.builder()
                .lineDelimiter(LineDelimiter.CRLF)
                .bufferSize(0)
                .build(text)
                .writeRecord(
                        terms.pspPaymentId() + "\t",
                        terms.attemptId() + "\t",
                        refund == null ? "交易\t" : "退款\t",
                        terms.texts().getOrDefault("subject", ""),
                        AlipayObjects.time(terms.createdAt()),
                        AlipayObjects.time(moved.at()),
                        "\t",
                        "\t",
                        "\t",
                        "\t",
                        "pay***@example.com\t",
                        amount,
                        amount,
                        "0.00",
                        "0.00",
                        "0.00",
                        "0.00",
                        "0.00",
                        "",
                        "0.00\t",
                        "0.00",
                        refund == null ? "\t" : refund.refundNo() + "\t",
                        "0.00",
                        "0.00",
                        "");
        return text.toString();
    }

    private static long count(List<Moved> moved, boolean refunds) {
        return moved.stream().filter(one -> one.isRefund() == refunds).count();
    }

    private static String sum(List<Moved> moved, boolean refunds) {
        return AlipayObjects.yuan(moved.stream()
                .filter(one -> one.isRefund() == refunds)
                .mapToLong(Moved::signedMinor)
                .sum());
    }
}
