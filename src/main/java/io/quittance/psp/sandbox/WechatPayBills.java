package io.quittance.psp.sandbox;

import static io.quittance.psp.sandbox.WechatPayObjects.error;

import io.quittance.domain.Money;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

/**
 * WeChat Pay's trade bills (pay.weixin.qq.com/doc/v3/merchant/4012084430) of type ALL, SUCCESS or REFUND. The hash is that
 * of the file before it was packed. A day without any movement is {@code NO_STATEMENT_EXIST}. Unlike WeChat Pay's, today's
 * bill can be had, with what moved until now.
 */
final class WechatPayBills {

    static final String PATH = "/v3/bill/tradebill";
    static final String DOWNLOAD_PATH = "/v3/billdownload/file";

    private static final Duration ADDRESS_LIFE = Duration.ofMinutes(5);
    private static final ZoneOffset CHINA = ZoneOffset.ofHours(8);
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");
    private static final int TOKEN_CHARS = 32;

    private static final List<String> COLUMNS = List.of(
            "交易时间", "公众账号ID", "商户号", "特约商户号", "设备号", "微信订单号", "商户订单号", "用户标识", "交易类型", "交易状态", "付款银行", "货币种类", "应结订单金额",
            "代金券金额", "退款申请时间", "退款成功时间", "微信退款单号", "商户退款单号", "退款金额", "充值券退款金额", "退款类型", "退款状态", "商品名称", "商户数据包", "手续费",
            "费率", "订单金额", "申请退款金额", "费率备注");
    private static final List<String> REFUND_TIMES = List.of("退款申请时间", "退款成功时间");
    private static final List<String> REFUND_COLUMNS =
            List.of("微信退款单号", "商户退款单号", "退款金额", "充值券退款金额", "退款类型", "退款状态", "申请退款金额");

    private final SandboxKeys.WechatPay keys;
    private final Ledger ledger;
    private final Shelf<Buffer> files = new Shelf<>();

    WechatPayBills(SandboxKeys.WechatPay keys, Ledger ledger) {
        this.keys = keys;
        this.ledger = ledger;
    }

    private enum Type {
        ALL,
        SUCCESS,
        REFUND;

        boolean has(Moved moved) {
            return this == ALL || (this == REFUND) == moved.isRefund();
        }

        List<String> columns() {
            return COLUMNS.stream()
                    .filter(column -> this == REFUND || !REFUND_TIMES.contains(column))
                    .filter(column -> this != SUCCESS || !REFUND_COLUMNS.contains(column))
                    .toList();
        }
    }

    /** Makes a bill, and answers with the address under which it can be fetched for five minutes. */
    Reply prepare(Map<String, String> query, String host, Instant now) {
        Type type;
        LocalDate day;
        try {
            type = Type.valueOf(query.getOrDefault("bill_type", "ALL"));
            day = LocalDate.parse(query.getOrDefault("bill_date", ""));
        } catch (IllegalArgumentException | DateTimeException e) {
            return error(400, "PARAM_ERROR", "bill_date or bill_type is wrong");
        }
        String tarType = query.getOrDefault("tar_type", "");
        if (!tarType.isEmpty() && !tarType.equals("GZIP")) {
            return error(400, "PARAM_ERROR", "tar_type is wrong");
        }
        List<Moved> moved = ledger.moved(WechatPaySide.PSP, start(day), start(day.plusDays(1))).stream()
                .filter(type::has)
                .toList();
        if (moved.isEmpty()) {
            return error(400, "NO_STATEMENT_EXIST", "账单文件不存在");
        }
        byte[] bill = bill(type, moved).getBytes(StandardCharsets.UTF_8);
        String token = WechatPayObjects.newNonce(TOKEN_CHARS);
        files.put(token, Buffer.buffer(tarType.isEmpty() ? bill : packed(bill)), now.plus(ADDRESS_LIFE));
        return Reply.json(
                200,
                new JsonObject()
                        .put("hash_type", "SHA1")
                        .put("hash_value", sha1(bill))
                        .put(
                                "download_url",
                                "http://" + host + "/" + WechatPaySide.PSP + DOWNLOAD_PATH + "?token=" + token));
    }

    Reply download(Map<String, String> query, Instant now) {
        return files.get(query.getOrDefault("token", ""), now)
                .map(file -> new Reply(200, Map.of("Content-Type", "application/octet-stream"), file))
                .orElseGet(() -> error(404, "NOT_FOUND", "no such file, or its time is over"));
    }

    private static Instant start(LocalDate day) {
        return day.atStartOfDay().toInstant(CHINA);
    }

    private String bill(Type type, List<Moved> moved) {
        List<String> columns = type.columns();
        String rows = moved.stream()
                .map(this::cells)
                .map(cells -> marked(columns.stream().map(column -> cells.getOrDefault(column, ""))))
                .collect(Collectors.joining());
        long paid = sum(moved, false);
        long refunded = sum(moved, true);
        boolean withRefunds = type != Type.SUCCESS;
        String names = withRefunds ? "总交易单数,应结订单总金额,退款总金额,充值券退款总金额,手续费总金额,订单总金额,申请退款总金额" : "总交易单数,应结订单总金额,手续费总金额,订单总金额";
        String count = Integer.toString(moved.size());
        Stream<String> sums = withRefunds
                ? Stream.of(count, yuan(paid), yuan(refunded), "0.00", "0.00000", yuan(paid), yuan(refunded))
                : Stream.of(count, yuan(paid), "0.00000", yuan(paid));
        return String.join(",", columns) + "\r\n" + rows + names + "\r\n" + marked(sums);
    }

    private static String marked(Stream<String> cells) {
        return cells.map("`"::concat).collect(Collectors.joining(",")) + "\r\n";
    }

    private Map<String, String> cells(Moved moved) {
        Trade.Terms terms = moved.trade().terms();
        Refund refund = moved.refund();
        String paid = refund == null ? yuan(terms.amountMinor()) : "0.00";
        String refunded = refund == null ? "0.00" : yuan(refund.amountMinor());
        String at = TIME.format(LocalDateTime.ofInstant(moved.at(), CHINA));
        return Map.ofEntries(
                Map.entry("交易时间", at),
                Map.entry("公众账号ID", keys.appId()),
                Map.entry("商户号", keys.mchId()),
                Map.entry("特约商户号", "0"),
                Map.entry("微信订单号", terms.pspPaymentId()),
                Map.entry("商户订单号", terms.attemptId()),
                Map.entry("用户标识", "oSandboxPayer"),
                Map.entry("交易类型", "NATIVE"),
                Map.entry("交易状态", refund == null ? "SUCCESS" : "REFUND"),
                Map.entry("付款银行", "OTHERS"),
                Map.entry("货币种类", terms.currency()),
                Map.entry("应结订单金额", paid),
                Map.entry("代金券金额", "0.00"),
                Map.entry("退款申请时间", at),
                Map.entry("退款成功时间", at),
                Map.entry("微信退款单号", refund == null ? "0" : refund.pspRefundId()),
                Map.entry("商户退款单号", refund == null ? "0" : refund.refundNo()),
                Map.entry("退款金额", refunded),
                Map.entry("充值券退款金额", "0.00"),
                Map.entry("退款类型", refund == null ? "" : "ORIGINAL"),
                Map.entry("退款状态", refund == null ? "" : "PROCESSING"),
                Map.entry("商品名称", terms.texts().getOrDefault("description", "")),
                Map.entry("商户数据包", terms.texts().getOrDefault("attach", "")),
                Map.entry("手续费", "0.00000"),
                Map.entry("费率", "0.00%"),
                Map.entry("订单金额", paid),
                Map.entry("申请退款金额", refunded));
    }

    private static long sum(List<Moved> moved, boolean refunds) {
        return moved.stream()
                .filter(one -> one.isRefund() == refunds)
                .mapToLong(one -> Math.abs(one.signedMinor()))
                .sum();
    }

    private static String yuan(long fen) {
        return new Money(fen, "CNY").toDecimal(2);
    }

    private static byte[] packed(byte[] bill) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
            gzip.write(bill);
        } catch (IOException e) {
            throw new UncheckedIOException("nothing but memory is written", e);
        }
        return bytes.toByteArray();
    }

    private static String sha1(byte[] bill) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(bill));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-1", e);
        }
    }
}
