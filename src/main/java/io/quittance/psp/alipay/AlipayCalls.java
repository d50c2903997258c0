package io.quittance.psp.alipay;

import io.quittance.domain.Money;
import io.quittance.psp.JsonFields;
import io.quittance.psp.PaymentReport;
import io.quittance.psp.PaymentReport.Status;
import io.quittance.psp.PspAdapter.NewPayment;
import io.quittance.psp.PspAdapter.PaymentRef;
import io.quittance.psp.PspHttp;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** alipay.trade.page.pay, .query and .close. */
final class AlipayCalls {

    static final String OK = "10000";
    private static final String BUSINESS_ERROR = "40004";
    private static final String NOT_EXIST = "ACQ.TRADE_NOT_EXIST";

    private final AlipayRequest request;

    AlipayCalls(AlipayRequest request) {
        this.request = request;
    }

    /** Makes the address of Alipay's payment page; the trade comes into being when the payer opens it. */
    PaymentReport create(NewPayment payment) {
        Optional<String> amount = AlipayAmounts.write(payment.amount());
        if (amount.isEmpty()) {
            return PaymentReport.of(Status.FAILED, null, "Alipay takes CNY only");
        }
        JsonObject content = new JsonObject()
                .put("out_trade_no", payment.attemptId())
                .put("product_code", "FAST_INSTANT_TRADE_PAY")
                .put("total_amount", amount.get())
                .put("subject", subject(payment.orderNo()))
                .put("time_expire", AlipayRequest.time(payment.expiresAt()));
        Map<String, String> extra = new LinkedHashMap<>();
        extra.put("notify_url", payment.notifyUrl());
        extra.put("return_url", payment.returnUrl());
        String url = request.address("alipay.trade.page.pay", extra, content);
        return PaymentReport.created(
                null, new JsonObject().put("url", url), payment.expiresAt().truncatedTo(ChronoUnit.SECONDS));
    }

    Future<PaymentReport> query(PaymentRef payment) {
        return request.call("alipay.trade.query", reference(payment))
                .map(answer -> found(answer, payment))
                .otherwise(failure -> PaymentReport.noAnswer(PspHttp.reason(failure)));
    }

    Future<PaymentReport> close(PaymentRef payment) {
        return request.call("alipay.trade.close", reference(payment))
                .compose(answer -> closed(answer, payment))
                .otherwise(failure -> PaymentReport.noAnswer(PspHttp.reason(failure)));
    }

    /** Our number alone: trade_no would win over it. */
    static JsonObject reference(PaymentRef payment) {
        return new JsonObject().put("out_trade_no", payment.attemptId());
    }

    static String code(JsonObject answer) {
        return String.valueOf(JsonFields.text(answer, "code"));
    }

    static boolean isUnknownTrade(JsonObject answer) {
        return isBusinessError(answer) && NOT_EXIST.equals(JsonFields.text(answer, "sub_code"));
    }

    /** Alipay decided about the call, so that asking again about the payment makes sense. */
    static boolean isBusinessError(JsonObject answer) {
        return BUSINESS_ERROR.equals(code(answer)) && !"ACQ.SYSTEM_ERROR".equals(JsonFields.text(answer, "sub_code"));
    }

    static String detail(JsonObject answer) {
        return answer.containsKey("sub_code") ? JsonFields.code(answer, "sub_code") : JsonFields.code(answer, "code");
    }

    private PaymentReport found(Optional<JsonObject> verified, PaymentRef payment) {
        if (verified.isEmpty()) {
            return PaymentReport.noAnswer("the answer is not signed by Alipay");
        }
        JsonObject answer = verified.get();
        if (isUnknownTrade(answer)) {
            return PaymentReport.of(Status.NOT_FOUND, null, NOT_EXIST);
        }
        if (!OK.equals(code(answer))) {
            return PaymentReport.noAnswer(detail(answer));
        }
        String tradeNo = JsonFields.filled(answer, "trade_no");
        if (!payment.attemptId().equals(JsonFields.text(answer, "out_trade_no"))) {
            return PaymentReport.noAnswer("the answer is about another payment");
        }
        return switch (String.valueOf(JsonFields.text(answer, "trade_status"))) {
            case "TRADE_SUCCESS", "TRADE_FINISHED" -> succeeded(answer);
            case "WAIT_BUYER_PAY" -> PaymentReport.of(Status.PENDING, tradeNo, "WAIT_BUYER_PAY");
            case "TRADE_CLOSED" -> closedTrade(answer);
            default -> PaymentReport.noAnswer("trade_status is missing or unknown");
        };
    }

    private static PaymentReport succeeded(JsonObject answer) {
        String total = JsonFields.text(answer, "total_amount");
        Optional<Money> amount = AlipayAmounts.read(total == null ? "" : total);
        return amount.isPresent()
                ? PaymentReport.succeeded(JsonFields.filled(answer, "trade_no"), amount.get())
                : PaymentReport.noAnswer("total_amount is not an amount in yuan");
    }

    /** A trade is also closed when all of its money was refunded; that one was paid, and a person has to look. */
    private static PaymentReport closedTrade(JsonObject answer) {
        return JsonFields.filled(answer, "send_pay_date") == null
                ? PaymentReport.of(Status.CLOSED, JsonFields.filled(answer, "trade_no"), "TRADE_CLOSED")
                : PaymentReport.noAnswer("the trade is closed because it was paid and refunded in full");
    }

    private Future<PaymentReport> closed(Optional<JsonObject> verified, PaymentRef payment) {
        if (verified.isEmpty()) {
            return Future.succeededFuture(PaymentReport.noAnswer("the answer is not signed by Alipay"));
        }
        JsonObject answer = verified.get();
        if (OK.equals(code(answer))) {
            return Future.succeededFuture(
                    PaymentReport.of(Status.CLOSED, JsonFields.filled(answer, "trade_no"), "closed"));
        }
        if (isUnknownTrade(answer)) {
            return Future.succeededFuture(PaymentReport.of(Status.NOT_FOUND, null, NOT_EXIST));
        }
        // Most likely the payer was faster than we were.
        return isBusinessError(answer)
                ? query(payment)
                : Future.succeededFuture(PaymentReport.noAnswer(detail(answer)));
    }

    /** Alipay signs texts without escaping them, so that nothing that separates fields may stand in ours. */
    private static String subject(String orderNo) {
        return "Order " + orderNo.replaceAll("[^\\p{L}\\p{N}_.\\- ]", " ");
    }
}
