package io.quittance.psp.wechatpay;

import io.quittance.domain.Mismatch;
import io.quittance.domain.Money;
import io.quittance.psp.FormBody;
import io.quittance.psp.JsonFields;
import io.quittance.psp.PaymentReport;
import io.quittance.psp.PaymentReport.Status;
import io.quittance.psp.PspAdapter.NewPayment;
import io.quittance.psp.PspAdapter.PaymentRef;
import io.quittance.psp.PspHttp;
import io.quittance.psp.wechatpay.WechatpayRequest.Reply;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.Set;

/** Native pay under /v3/pay/transactions: create, query by our number, close. */
final class WechatpayCalls {

    private static final ZoneOffset CHINA = ZoneOffset.ofHours(8);

    /** Refusals of a creation that speak of an earlier one under the same number: what became of it is open. */
    private static final Set<String> NOT_FINAL = Set.of(
            "ORDERPAID",
            "ORDER_PAID",
            "ORDER_CLOSED",
            "OUT_TRADE_NO_USED",
            "FREQUENCY_LIMITED",
            "FREQUENCY_LIMIT_EXCEED",
            "SYSTEM_ERROR",
            "SYSTEMERROR");

    private final WechatpaySettings settings;
    private final WechatpayRequest request;

    WechatpayCalls(WechatpaySettings settings, WechatpayRequest request) {
        this.settings = settings;
        this.request = request;
    }

    Future<PaymentReport> create(NewPayment payment) {
        Optional<Long> total = WechatpayAmounts.write(payment.amount());
        if (total.isEmpty()) {
            return Future.succeededFuture(PaymentReport.of(Status.FAILED, null, "WeChat Pay takes CNY only"));
        }
        Instant ends = payment.expiresAt().truncatedTo(ChronoUnit.SECONDS);
        JsonObject body = new JsonObject()
                .put("appid", settings.appId())
                .put("mchid", settings.mchId())
                .put("description", "Order " + payment.orderNo())
                .put("out_trade_no", payment.attemptId())
                .put("time_expire", DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(ends.atOffset(CHINA)))
                .put("notify_url", payment.notifyUrl())
                .put("amount", new JsonObject().put("total", total.get()).put("currency", WechatpayAmounts.CURRENCY));
        return request.post("/v3/pay/transactions/native", body)
                .map(reply -> created(reply, ends))
                .otherwise(failure -> PaymentReport.noAnswer(PspHttp.reason(failure)));
    }

    Future<PaymentReport> query(PaymentRef payment) {
        return request.get(path(payment) + "?mchid=" + FormBody.escape(settings.mchId()))
                .map(reply -> found(reply, payment))
                .otherwise(failure -> PaymentReport.noAnswer(PspHttp.reason(failure)));
    }

    Future<PaymentReport> close(PaymentRef payment) {
        return request.post(path(payment) + "/close", new JsonObject().put("mchid", settings.mchId()))
                .compose(reply -> closed(reply, payment))
                .otherwise(failure -> PaymentReport.noAnswer(PspHttp.reason(failure)));
    }

    private static PaymentReport created(Optional<Reply> believed, Instant ends) {
        if (believed.isEmpty()) {
            return unsigned();
        }
        Reply reply = believed.get();
        JsonObject body = reply.body();
        String codeUrl = body == null ? null : JsonFields.filled(body, "code_url");
        if (reply.status() == 200 && codeUrl != null) {
            return PaymentReport.created(null, new JsonObject().put("code_url", codeUrl), ends);
        }
        boolean refused = reply.status() >= 400 && reply.status() != 409 && reply.status() != 429;
        return refused && !NOT_FINAL.contains(reply.code())
                ? PaymentReport.of(Status.FAILED, null, reply.detail())
                : PaymentReport.noAnswer(reply.detail());
    }

    private PaymentReport found(Optional<Reply> believed, PaymentRef payment) {
        if (believed.isEmpty()) {
            return unsigned();
        }
        Reply reply = believed.get();
        JsonObject body = reply.body();
        if (reply.isUnknown()) {
            return PaymentReport.of(Status.NOT_FOUND, null, reply.detail());
        }
        if (reply.status() == 202) {
            return PaymentReport.of(Status.PENDING, null, reply.detail());
        }
        if (reply.status() != 200 || body == null) {
            return PaymentReport.noAnswer(reply.detail());
        }
        if (!payment.attemptId().equals(JsonFields.text(body, "out_trade_no"))) {
            return PaymentReport.noAnswer("the answer is about another payment");
        }
        PaymentReport report = byState(body);
        boolean ours = settings.mchId().equals(JsonFields.text(body, "mchid"))
                && settings.appId().equals(JsonFields.text(body, "appid"));
        return ours ? report : report.withMismatch(Mismatch.ACCOUNT);
    }

    private static PaymentReport byState(JsonObject body) {
        String transactionId = JsonFields.filled(body, "transaction_id");
        String state = JsonFields.code(body, "trade_state");
        return switch (state) {
            // REFUND says that a refund was asked for, which only something that was paid can be.
            case "SUCCESS", "REFUND" -> succeeded(body);
            case "NOTPAY", "USERPAYING", "ACCEPT" -> PaymentReport.of(Status.PENDING, transactionId, state);
            case "CLOSED", "REVOKED" -> PaymentReport.of(Status.CLOSED, transactionId, state);
            case "PAYERROR" -> PaymentReport.of(Status.FAILED, transactionId, state);
            default -> PaymentReport.noAnswer("trade_state is missing or unknown");
        };
    }

    private static PaymentReport succeeded(JsonObject body) {
        Optional<Money> total = WechatpayAmounts.read(body, "total");
        return total.isPresent()
                ? PaymentReport.succeeded(JsonFields.filled(body, "transaction_id"), total.get())
                : PaymentReport.noAnswer("amount.total and amount.currency are not an exact amount");
    }

    private Future<PaymentReport> closed(Optional<Reply> believed, PaymentRef payment) {
        if (believed.isEmpty()) {
            return Future.succeededFuture(unsigned());
        }
        Reply reply = believed.get();
        if (reply.status() == 204) {
            return Future.succeededFuture(PaymentReport.of(Status.CLOSED, null, "closed"));
        }
        if (reply.isUnknown()) {
            return Future.succeededFuture(PaymentReport.of(Status.NOT_FOUND, null, reply.detail()));
        }
        // Most likely the payer was faster than we were.
        return reply.status() >= 400 && reply.status() != 429
                ? query(payment)
                : Future.succeededFuture(PaymentReport.noAnswer(reply.detail()));
    }

    private static PaymentReport unsigned() {
        return PaymentReport.noAnswer("the answer is not signed by WeChat Pay, or is a server error");
    }

    private static String path(PaymentRef payment) {
        return "/v3/pay/transactions/out-trade-no/" + FormBody.escape(payment.attemptId());
    }
}
