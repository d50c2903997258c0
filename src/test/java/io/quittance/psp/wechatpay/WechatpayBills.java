package io.quittance.psp.wechatpay;

import static io.quittance.psp.PspFixture.ATTEMPT;
import static io.quittance.psp.PspFixture.REFUND;

import io.quittance.psp.SettlementFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.zip.GZIPOutputStream;

/** Trade bills as WeChat Pay writes them, of two generations and three types. */
public final class WechatpayBills {

    static final String ALL = "交易时间,公众账号ID,商户号,特约商户号,设备号,微信订单号,商户订单号,用户标识,交易类型,交易状态,付款银行,货币种类,"
            + "应结订单金额,代金券金额,微信退款单号,商户退款单号,退款金额,充值券退款金额,退款类型,退款状态,商品名称,商户数据包,手续费,费率,"
            + "订单金额,申请退款金额,费率备注";
    static final String SUCCESS = "交易时间,公众账号ID,商户号,特约商户号,设备号,微信订单号,商户订单号,用户标识,交易类型,交易状态,付款银行,货币种类,"
            + "应结订单金额,代金券金额,商品名称,商户数据包,手续费,费率,订单金额,费率备注";
    static final String REFUNDS = "交易时间,公众账号ID,商户号,特约商户号,设备号,微信订单号,商户订单号,用户标识,交易类型,交易状态,付款银行,货币种类,"
            + "应结订单金额,代金券金额,退款申请时间,退款成功时间,微信退款单号,商户退款单号,退款金额,充值券退款金额,退款类型,退款状态,商品名称,"
            + "商户数据包,手续费,费率,订单金额,申请退款金额,费率备注";
    static final String EARLY = "交易时间,公众账号ID,商户号,子商户号,设备号,微信订单号,商户订单号,用户标识,交易类型,交易状态,付款银行,货币种类,"
            + "总金额,企业红包金额,微信退款单号,商户退款单号,退款金额,企业红包退款金额,退款类型,退款状态,商品名称,商户数据包,手续费,费率";

    static final String SUMMARY = "总交易单数,应结订单总金额,退款总金额,充值券退款总金额,手续费总金额,订单总金额,申请退款总金额";
    static final String EARLY_SUMMARY = "总交易单数,总交易额,总退款金额,总企业红包退款金额,手续费总金额";

    static final String TRANSACTION_ID = "4200000000000000000000000001";
    static final String REFUND_ID = "50000000000000000000000000001";

    private WechatpayBills() {}

    public static SettlementFormat reader() {
        return new WechatpaySettlement();
    }

    /** A payment of 19.99 and two refunds of it, 5.00 and 0.99. */
    public static byte[] good() {
        return bytes(bill(
                ALL,
                List.of(payment("会员订单"), refund("5.00", REFUND), refund("0.99", "r-2")),
                SUMMARY,
                "3,19.99,5.99,0.00,0.08000,19.99,5.99"));
    }

    /** What a row has in each column of any of the headers. */
    static Map<String, String> payment(String description) {
        Map<String, String> cells = new LinkedHashMap<>();
        cells.put("交易时间", "2026-03-01 20:00:00");
        cells.put("公众账号ID", "wx0000000000000001");
        cells.put("商户号", "1900000001");
        cells.put("微信订单号", TRANSACTION_ID);
        cells.put("商户订单号", ATTEMPT);
        cells.put("交易类型", "NATIVE");
        cells.put("交易状态", "SUCCESS");
        cells.put("付款银行", "OTHERS");
        cells.put("货币种类", "CNY");
        for (String amount : List.of("应结订单金额", "订单金额", "总金额")) {
            cells.put(amount, "19.99");
        }
        for (String amount : List.of("代金券金额", "企业红包金额", "退款金额", "充值券退款金额", "企业红包退款金额", "申请退款金额")) {
            cells.put(amount, "0.00");
        }
        cells.put("微信退款单号", "0");
        cells.put("商户退款单号", "0");
        cells.put("商品名称", description);
        cells.put("手续费", "0.12000");
        cells.put("费率", "0.60%");
        return cells;
    }

    static Map<String, String> refund(String amount, String refundNo) {
        Map<String, String> cells = payment("会员订单");
        cells.put("交易时间", "2026-03-01 21:00:00");
        cells.put("交易状态", "REFUND");
        for (String none : List.of("应结订单金额", "订单金额", "总金额")) {
            cells.put(none, "0.00");
        }
        cells.put("退款申请时间", "2026-03-01 21:00:00");
        cells.put("退款成功时间", "2026-03-01 21:00:05");
        cells.put("微信退款单号", REFUND_ID);
        cells.put("商户退款单号", refundNo);
        cells.put("退款金额", amount);
        cells.put("申请退款金额", amount);
        cells.put("退款类型", "ORIGINAL");
        cells.put("退款状态", "PROCESSING");
        cells.put("手续费", "-0.02000");
        return cells;
    }

    static String bill(String header, List<Map<String, String>> rows, String summaryNames, String summary) {
        List<String> names = List.of(header.split(","));
        String table = rows.stream()
                .map(row -> names.stream()
                        .map(name -> "`" + row.getOrDefault(name, ""))
                        .collect(Collectors.joining(",")))
                .map(line -> line + "\r\n")
                .collect(Collectors.joining());
        return header + "\r\n" + table + summaryNames + "\r\n`" + summary.replace(",", ",`") + "\r\n";
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static byte[] gzip(byte[] plain) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
            gzip.write(plain);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }
}
