package io.quittance.psp.sandbox;

import io.quittance.domain.Ids;
import io.quittance.psp.sandbox.SandboxPayment.State;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.UUID;

/** WeChat Pay v3 objects (pay.weixin.qq.com/doc/v3: transaction by out-trade-no, domestic refund, notifications). */
final class WechatPayObjects {

    private static final int ID_DIGITS = 28;
    private static final ZoneOffset CHINA = ZoneOffset.ofHours(8);

    private WechatPayObjects() {}

    /** The form of WeChat Pay's numbers: a 28-digit text. */
    static String newNumber(String prefix) {
        UUID random = UUID.randomUUID();
        String digits = Long.toUnsignedString(random.getMostSignificantBits())
                + Long.toUnsignedString(random.getLeastSignificantBits())
                + "0".repeat(ID_DIGITS);
        return prefix + digits.substring(0, ID_DIGITS - prefix.length());
    }

    static JsonObject transaction(SandboxKeys.WechatPay keys, Trade trade) {
        Trade.Terms terms = trade.terms();
        JsonObject amount = new JsonObject().put("total", terms.amountMinor()).put("currency", terms.currency());
        JsonObject transaction = new JsonObject()
                .put("mchid", keys.mchId())
                .put("appid", keys.appId())
                .put("out_trade_no", terms.attemptId())
                .put("trade_state", tradeState(trade))
                .put("trade_state_desc", tradeState(trade))
                .put("attach", terms.texts().getOrDefault("attach", ""))
                .put("amount", amount);
        if (!trade.isPaid()) {
            return transaction;
        }
        amount.put("payer_total", terms.amountMinor()).put("payer_currency", terms.currency());
        return transaction
                .put("transaction_id", terms.pspPaymentId())
                .put("trade_type", "NATIVE")
                .put("bank_type", "OTHERS")
                .put("success_time", rfc3339(trade.whenPaid()))
                .put("payer", new JsonObject().put("openid", "oSandboxPayer"))
                .put("promotion_detail", new JsonArray());
    }

    /** The answer to a refund or to a query for it; the notification's resource is {@link #refundNotified}. */
    static JsonObject refund(Trade trade, Refund refund, String status) {
        JsonObject amount = refundAmount(trade, refund)
                .put("settlement_refund", refund.amountMinor())
                .put("settlement_total", trade.terms().amountMinor())
                .put("discount_refund", 0)
                .put("currency", trade.terms().currency());
        JsonObject shown = new JsonObject()
                .put("refund_id", refund.pspRefundId())
                .put("out_refund_no", refund.refundNo())
                .put("transaction_id", trade.terms().pspPaymentId())
                .put("out_trade_no", trade.terms().attemptId())
                .put("channel", "ORIGINAL")
                .put("user_received_account", "balance of the sandbox payer")
                .put("create_time", rfc3339(refund.at()))
                .put("status", status)
                .put("amount", amount);
        return status.equals("SUCCESS") ? shown.put("success_time", rfc3339(refund.at())) : shown;
    }

    static JsonObject refundNotified(SandboxKeys.WechatPay keys, Trade trade, Refund refund) {
        return new JsonObject()
                .put("mchid", keys.mchId())
                .put("transaction_id", trade.terms().pspPaymentId())
                .put("out_trade_no", trade.terms().attemptId())
                .put("refund_id", refund.pspRefundId())
                .put("out_refund_no", refund.refundNo())
                .put("refund_status", "SUCCESS")
                .put("success_time", rfc3339(refund.at()))
                .put("user_received_account", "balance of the sandbox payer")
                .put("amount", refundAmount(trade, refund));
    }

    static Reply error(int status, String code, String message) {
        return Reply.json(status, new JsonObject().put("code", code).put("message", message));
    }

    static String newEventId() {
        return UUID.randomUUID().toString();
    }

    /** Letters and digits, of at most 32. */
    static String newNonce(int chars) {
        return Ids.hex(UUID.randomUUID()).substring(0, chars);
    }

    static String rfc3339(Instant at) {
        OffsetDateTime seconds = at.truncatedTo(ChronoUnit.SECONDS).atOffset(CHINA);
        return DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(seconds);
    }

    /** REFUND says that some refund was asked for, a partial one too. */
    private static String tradeState(Trade trade) {
        if (trade.state() == State.CLOSED) {
            return "CLOSED";
        }
        if (!trade.isPaid()) {
            return "NOTPAY";
        }
        return trade.refunds().isEmpty() ? "SUCCESS" : "REFUND";
    }

    private static JsonObject refundAmount(Trade trade, Refund refund) {
        return new JsonObject()
                .put("total", trade.terms().amountMinor())
                .put("refund", refund.amountMinor())
                .put("payer_total", trade.terms().amountMinor())
                .put("payer_refund", refund.amountMinor());
    }
}
