package io.quittance.psp.wechatpay;

import io.quittance.psp.FormBody;
import io.quittance.psp.JsonFields;
import io.quittance.psp.PspAdapter.RefundOrder;
import io.quittance.psp.PspHttp;
import io.quittance.psp.RefundReport;
import io.quittance.psp.RefundReport.Status;
import io.quittance.psp.wechatpay.WechatpayRequest.Reply;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.Optional;
import java.util.Set;

/** /v3/refund/domestic/refunds, under our refund id as out_refund_no. */
final class WechatpayRefunds {

    private static final String PATH = "/v3/refund/domestic/refunds";

    /** Refusals that pass: money that arrives later, limits, errors of their own. */
    private static final Set<String> NOT_FINAL = Set.of(
            "NOT_ENOUGH",
            "FREQUENCY_LIMITED",
            "FREQUENCY_LIMIT_EXCEED",
            "SYSTEM_ERROR",
            "BIZERR_NEED_RETRY",
            "SIGN_ERROR");

    private final WechatpayRequest request;

    WechatpayRefunds(WechatpayRequest request) {
        this.request = request;
    }

    Future<RefundReport> refund(RefundOrder refund) {
        Optional<Long> total = WechatpayAmounts.write(refund.paid());
        Optional<Long> back = WechatpayAmounts.write(refund.amount());
        if (total.isEmpty() || back.isEmpty()) {
            return Future.succeededFuture(new RefundReport(Status.FAILED, null, "WeChat Pay refunds CNY only"));
        }
        JsonObject amount = new JsonObject()
                .put("refund", back.get())
                .put("total", total.get())
                .put("currency", WechatpayAmounts.CURRENCY);
        JsonObject body = new JsonObject()
                .put("out_trade_no", refund.payment().attemptId())
                .put("out_refund_no", refund.refundId())
                .put("reason", refund.reason())
                .put("notify_url", refund.payment().original().notifyUrl())
                .put("amount", amount);
        return request.post(PATH, body)
                .map(reply -> refunded(reply, refund))
                .otherwise(failure -> RefundReport.noAnswer(PspHttp.reason(failure)));
    }

    Future<RefundReport> query(RefundOrder refund) {
        return request.get(PATH + "/" + FormBody.escape(refund.refundId()))
                .map(reply -> found(reply, refund))
                .otherwise(failure -> RefundReport.noAnswer(PspHttp.reason(failure)));
    }

    private static RefundReport refunded(Optional<Reply> believed, RefundOrder refund) {
        if (believed.isEmpty()) {
            return unsigned();
        }
        Reply reply = believed.get();
        if (reply.status() == 200) {
            return read(reply, refund);
        }
        boolean refused = reply.status() >= 400 && reply.status() != 409 && reply.status() != 429;
        return refused && !NOT_FINAL.contains(reply.code())
                ? new RefundReport(Status.FAILED, null, reply.detail())
                : RefundReport.noAnswer(reply.detail());
    }

    private static RefundReport found(Optional<Reply> believed, RefundOrder refund) {
        if (believed.isEmpty()) {
            return unsigned();
        }
        Reply reply = believed.get();
        if (reply.isUnknown()) {
            return new RefundReport(Status.NOT_FOUND, null, reply.detail());
        }
        return reply.status() == 200 ? read(reply, refund) : RefundReport.noAnswer(reply.detail());
    }

    private static RefundReport read(Reply reply, RefundOrder refund) {
        JsonObject body = reply.body();
        if (body == null || !refund.refundId().equals(JsonFields.text(body, "out_refund_no"))) {
            return RefundReport.noAnswer("the answer is about another refund");
        }
        String id = JsonFields.filled(body, "refund_id");
        String status = JsonFields.code(body, "status");
        return switch (status) {
            case "SUCCESS" -> new RefundReport(Status.SUCCEEDED, id, status);
            case "PROCESSING" -> new RefundReport(Status.PENDING, id, status);
            case "CLOSED", "ABNORMAL" -> new RefundReport(Status.FAILED, id, status);
            default -> RefundReport.noAnswer("the refund has an unknown status");
        };
    }

    private static RefundReport unsigned() {
        return RefundReport.noAnswer("the answer is not signed by WeChat Pay, or is a server error");
    }
}
