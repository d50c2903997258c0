package io.quittance.psp.alipay;

import static io.quittance.psp.PspFixture.ATTEMPT;
import static io.quittance.psp.PspFixture.REFUND;

import io.quittance.psp.SettlementFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Bills as Alipay writes them: cells padded with tabs, between lines that begin with a hash. */
public final class AlipayBills {

    static final Charset GB18030 = Charset.forName("GB18030");

    static final List<String> HEADER = List.of("支付宝交易号,商户订单号,业务类型,商品名称,创建时间,完成时间,门店编号,门店名称,操作员,终端号,对方账户,"
            .concat("订单金额（元）,商家实收（元）,支付宝红包（元）,集分宝（元）,支付宝优惠（元）,商家优惠（元）,券核销金额（元）,券名称,")
            .concat("商家红包消费金额（元）,卡消费金额（元）,退款批次号/请求号,服务费（元）,分润（元）,备注")
            .split(","));

    static final String TRADE_NO = "2026030122001400000000000001";

    private AlipayBills() {}

    public static SettlementFormat reader() {
        return new AlipaySettlement();
    }

    /** A payment of 19.99 and two refunds of it, 5.00 and 0.99. */
    public static byte[] good() {
        return zip(entries(bill(
                List.of(payment("会员订单"), refund("-5.00", REFUND), refund("-0.99", "r-2")), 1, "19.99", 2, "-5.99")));
    }

    static Map<String, String> payment(String subject) {
        Map<String, String> cells = new LinkedHashMap<>();
        HEADER.forEach(name -> cells.put(name, name.endsWith("（元）") ? "0.00" : ""));
        cells.put("支付宝交易号", TRADE_NO + "\t");
        cells.put("商户订单号", ATTEMPT + "\t");
        cells.put("业务类型", "交易\t");
        cells.put("商品名称", subject);
        cells.put("创建时间", "2026-03-01 19:59:00");
        cells.put("完成时间", "2026-03-01 20:00:00");
        cells.put("门店编号", "\t");
        cells.put("对方账户", "*明(139****0000)\t");
        cells.put("订单金额（元）", "19.99");
        cells.put("商家实收（元）", "19.99");
        cells.put("服务费（元）", "-0.12");
        return cells;
    }

    static Map<String, String> refund(String amount, String requestNo) {
        Map<String, String> cells = payment("会员订单");
        cells.put("业务类型", "退款\t");
        cells.put("完成时间", "2026-03-01 21:00:00");
        cells.put("订单金额（元）", amount + " ");
        cells.put("商家实收（元）", amount);
        cells.put("退款批次号/请求号", requestNo + "\t");
        cells.put("服务费（元）", "0.00");
        return cells;
    }

    static String row(Map<String, String> cells) {
        return String.join(",", cells.values());
    }

    static String bill(List<Map<String, String>> rows, int payments, String paid, int refunds, String refunded) {
        StringBuilder bill = new StringBuilder("""
                #支付宝业务明细查询
                #账号：[20880000000000010156]
                #起始日期：[2026年03月01日 00:00:00]   终止日期：[2026年03月02日 00:00:00]
                #-----------------------------------------业务明细列表----------------------------------------
                """);
        bill.append(String.join(",", HEADER)).append("\n");
        rows.forEach(row -> bill.append(row(row)).append("\n"));
        bill.append("""
                #-----------------------------------------业务明细列表结束------------------------------------
                #交易合计：%d笔，商家实收共%s元，商家优惠共0.00元
                #退款合计：%d笔，商家实收退款共%s元，商家优惠退款共0.00元
                #导出时间：[2026年03月02日 05:46:49]
                """.formatted(payments, paid, refunds, refunded));
        return bill.toString().replace("\n", "\r\n");
    }

    /** The two files of an archive, the summary first. */
    static Map<String, byte[]> entries(String bill) {
        Map<String, byte[]> entries = new LinkedHashMap<>();
        entries.put("20880000000000010156_20260301_业务明细(汇总).csv", "#支付宝业务汇总查询\r\n".getBytes(GB18030));
        entries.put("20880000000000010156_20260301_业务明细.csv", bill.getBytes(GB18030));
        return entries;
    }

    static byte[] zip(Map<String, byte[]> entries) {
        return zip(entries, Charset.forName("GBK"));
    }

    static byte[] zip(Map<String, byte[]> entries, Charset names) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes, names)) {
            for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
                zip.putNextEntry(new ZipEntry(entry.getKey()));
                zip.write(entry.getValue());
                zip.closeEntry();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }
}
