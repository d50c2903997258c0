package io.quittance.psp.sandbox;

import io.quittance.domain.Money;
import io.quittance.psp.sandbox.SandboxPayment.State;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What Alipay's answers and notifications say (opendocs.alipay.com: alipay.trade.query, close, refund,
 * fastpay.refund.query, and the asynchronous notification of page pay). Amounts are yuan with two decimals; times are
 * China's, without a zone.
 */
final class AlipayObjects {

    private static final int YUAN_DECIMALS = 2;
    private static final ZoneOffset CHINA = ZoneOffset.ofHours(8);
    private static final DateTimeFormatter SECONDS = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");
    private static final DateTimeFormatter MILLIS = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS");
    private static final String BUYER = "2088000000000001";

    private AlipayObjects() {}

    static JsonObject success() {
        return new JsonObject().put("code", "10000").put("msg", "Success");
    }

    static JsonObject businessError(String subCode, String subMessage) {
        return new JsonObject()
                .put("code", "40004")
                .put("msg", "Business Failed")
                .put("sub_code", subCode)
                .put("sub_msg", subMessage);
    }

    static JsonObject argumentError(String subCode, String subMessage) {
        return new JsonObject()
                .put("code", "40002")
                .put("msg", "Invalid Arguments")
                .put("sub_code", subCode)
                .put("sub_msg", subMessage);
    }

    static JsonObject query(Trade trade, Instant now) {
        String total = yuan(trade.terms().amountMinor());
        JsonObject answer = named(trade)
                .put("buyer_logon_id", "pay***@example.com")
                .put("buyer_user_id", BUYER)
                .put("trade_status", tradeStatus(trade, now))
                .put("total_amount", total)
                .put("point_amount", "0.00");
        if (!trade.isPaid()) {
            return answer.put("receipt_amount", "0.00").put("buyer_pay_amount", "0.00");
        }
        return answer.put("receipt_amount", total)
                .put("buyer_pay_amount", total)
                .put("send_pay_date", time(trade.whenPaid()));
    }

    static JsonObject closed(Trade trade) {
        return named(trade);
    }

    /** {@code fund_change} says whether this very call moved the money: N for a repetition. */
    static JsonObject refunded(Trade trade, Refund refund, boolean moved) {
        return named(trade)
                .put("buyer_logon_id", "pay***@example.com")
                .put("buyer_user_id", BUYER)
                .put("fund_change", moved ? "Y" : "N")
                .put("gmt_refund_pay", time(refund.at()))
                .put("refund_fee", yuan(trade.refundedMinor()))
                .put("send_back_fee", yuan(moved ? refund.amountMinor() : 0));
    }

    /** Without a refund the answer is a success that tells nothing. */
    static JsonObject refundQuery(Trade trade, Optional<Refund> found) {
        if (found.isEmpty()) {
            return success();
        }
        Refund refund = found.get();
        return named(trade)
                .put("out_request_no", refund.refundNo())
                .put("refund_reason", refund.texts().getOrDefault("refund_reason", ""))
                .put("total_amount", yuan(trade.terms().amountMinor()))
                .put("refund_amount", yuan(refund.amountMinor()))
                .put("refund_status", "REFUND_SUCCESS")
                .put("gmt_refund_pay", time(refund.at()));
    }

    /** The fields of a notification that a payment was paid, without those of its sending and without signature. */
    static Map<String, String> paymentFields(SandboxKeys.Alipay keys, Trade trade) {
        Trade.Terms terms = trade.terms();
        String total = yuan(terms.amountMinor());
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("notify_type", "trade_status_sync");
        fields.put("app_id", keys.appId());
        fields.put("auth_app_id", keys.appId());
        fields.put("version", "1.0");
        fields.put("trade_no", terms.pspPaymentId());
        fields.put("out_trade_no", terms.attemptId());
        fields.put("buyer_id", BUYER);
        fields.put("seller_id", keys.sellerId());
        fields.put("trade_status", "TRADE_SUCCESS");
        fields.put("total_amount", total);
        fields.put("receipt_amount", total);
        fields.put("invoice_amount", total);
        fields.put("buyer_pay_amount", total);
        fields.put("point_amount", "0.00");
        fields.put("gmt_create", time(terms.createdAt()));
        fields.put("gmt_payment", time(trade.whenPaid()));
        fields.put("fund_bill_list", "[{\"amount\":\"" + total + "\",\"fundChannel\":\"ALIPAYACCOUNT\"}]");
        fields.putAll(terms.texts());
        return fields;
    }

    /** The same after a refund: TRADE_SUCCESS while something is left, TRADE_CLOSED afterwards; the fee is cumulative. */
    static Map<String, String> refundFields(SandboxKeys.Alipay keys, Trade trade, Refund refund) {
        Map<String, String> fields = paymentFields(keys, trade);
        fields.put("refund_fee", yuan(trade.refundedMinor()));
        fields.put("gmt_refund", MILLIS.format(LocalDateTime.ofInstant(refund.at(), CHINA)));
        fields.put("out_biz_no", refund.refundNo());
        if (trade.refundableMinor() == 0) {
            fields.put("trade_status", "TRADE_CLOSED");
            fields.put("gmt_close", time(refund.at()));
        }
        return fields;
    }

    static String yuan(long fen) {
        return new Money(fen, "CNY").toDecimal(YUAN_DECIMALS);
    }

    /** Fen; 0 for whatever is not a plain decimal number with at most two decimals. */
    static long fen(String yuan) {
        try {
            return Money.ofDecimal(yuan, "CNY", YUAN_DECIMALS).minor();
        } catch (ArithmeticException | NumberFormatException e) {
            return 0;
        }
    }

    static String time(Instant at) {
        return SECONDS.format(LocalDateTime.ofInstant(at, CHINA));
    }

    /**
     * Reads what {@link #time} writes.
     *
     * @throws java.time.format.DateTimeParseException if it is not that
     */
    static Instant instant(String time) {
        return LocalDateTime.parse(time, SECONDS).toInstant(CHINA);
    }

    private static JsonObject named(Trade trade) {
        return success()
                .put("trade_no", trade.terms().pspPaymentId())
                .put("out_trade_no", trade.terms().attemptId());
    }

    /** A payment whose money went back completely is closed, as is one that ran out of time. */
    private static String tradeStatus(Trade trade, Instant now) {
        if (trade.state() == State.CLOSED || trade.isExpired(now)) {
            return "TRADE_CLOSED";
        }
        if (!trade.isPaid()) {
            return "WAIT_BUYER_PAY";
        }
        return trade.refundableMinor() == 0 ? "TRADE_CLOSED" : "TRADE_SUCCESS";
    }
}
