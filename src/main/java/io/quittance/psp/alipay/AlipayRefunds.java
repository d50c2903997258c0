package io.quittance.psp.alipay;

import io.quittance.psp.JsonFields;
import io.quittance.psp.PspAdapter.RefundOrder;
import io.quittance.psp.PspHttp;
import io.quittance.psp.RefundReport;
import io.quittance.psp.RefundReport.Status;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.Optional;
import java.util.Set;

/** alipay.trade.refund and alipay.trade.fastpay.refund.query, under our refund id as out_request_no. */
final class AlipayRefunds {

    /** Errors after which the same call can never work; all others leave it open, or may pass. */
    private static final Set<String> REFUSALS = Set.of(
            "ACQ.INVALID_PARAMETER",
            "ACQ.TRADE_NOT_EXIST",
            "ACQ.TRADE_HAS_FINISHED",
            "ACQ.TRADE_HAS_CLOSE",
            "ACQ.TRADE_STATUS_ERROR",
            "ACQ.TRADE_NOT_ALLOW_REFUND",
            "ACQ.REFUND_AMT_NOT_EQUAL_TOTAL",
            "ACQ.REFUND_FEE_ERROR",
            "ACQ.REASON_TRADE_REFUND_FEE_ERR");

    private final AlipayRequest request;

    AlipayRefunds(AlipayRequest request) {
        this.request = request;
    }

    Future<RefundReport> refund(RefundOrder refund) {
        Optional<String> amount = AlipayAmounts.write(refund.amount());
        if (amount.isEmpty()) {
            return Future.succeededFuture(new RefundReport(Status.FAILED, null, "Alipay refunds CNY only"));
        }
        JsonObject content = AlipayCalls.reference(refund.payment())
                .put("refund_amount", amount.get())
                .put("out_request_no", refund.refundId())
                .put("refund_reason", refund.reason());
        return request.call("alipay.trade.refund", content)
                .compose(answer -> refunded(answer, refund))
                .otherwise(failure -> RefundReport.noAnswer(PspHttp.reason(failure)));
    }

    Future<RefundReport> query(RefundOrder refund) {
        JsonObject content = AlipayCalls.reference(refund.payment()).put("out_request_no", refund.refundId());
        return request.call("alipay.trade.fastpay.refund.query", content)
                .map(answer -> found(answer, refund))
                .otherwise(failure -> RefundReport.noAnswer(PspHttp.reason(failure)));
    }

    private Future<RefundReport> refunded(Optional<JsonObject> verified, RefundOrder refund) {
        if (verified.isEmpty()) {
            return Future.succeededFuture(unsigned());
        }
        JsonObject answer = verified.get();
        if (AlipayCalls.OK.equals(AlipayCalls.code(answer))) {
            return accepted(answer, refund);
        }
        String detail = AlipayCalls.detail(answer);
        if (!AlipayCalls.isBusinessError(answer) || !REFUSALS.contains(detail)) {
            return Future.succeededFuture(RefundReport.noAnswer(detail));
        }
        // A trade may refuse because this very refund, whose answer was lost, has closed it.
        return query(refund)
                .map(found ->
                        found.status() == Status.NOT_FOUND ? new RefundReport(Status.FAILED, null, detail) : found);
    }

    /** Without fund_change=Y this call moved no money; an earlier one under the same number may have. */
    private Future<RefundReport> accepted(JsonObject answer, RefundOrder refund) {
        if ("Y".equals(JsonFields.text(answer, "fund_change"))) {
            return Future.succeededFuture(new RefundReport(Status.SUCCEEDED, null, "fund_change=Y"));
        }
        return query(refund)
                .map(found -> found.status() == Status.NOT_FOUND
                        ? new RefundReport(Status.PENDING, null, "accepted, no money moved yet")
                        : found);
    }

    private static RefundReport found(Optional<JsonObject> verified, RefundOrder refund) {
        if (verified.isEmpty()) {
            return unsigned();
        }
        JsonObject answer = verified.get();
        if (AlipayCalls.isUnknownTrade(answer)) {
            return new RefundReport(Status.NOT_FOUND, null, AlipayCalls.detail(answer));
        }
        if (!AlipayCalls.OK.equals(AlipayCalls.code(answer))) {
            return RefundReport.noAnswer(AlipayCalls.detail(answer));
        }
        String requestNo = JsonFields.filled(answer, "out_request_no");
        if (requestNo != null && !requestNo.equals(refund.refundId())) {
            return RefundReport.noAnswer("the answer is about another refund");
        }
        String status = JsonFields.filled(answer, "refund_status");
        if (status == null) {
            return new RefundReport(Status.NOT_FOUND, null, "no refund_status: not received, or not successful");
        }
        return "REFUND_SUCCESS".equals(status)
                ? new RefundReport(Status.SUCCEEDED, null, status)
                : new RefundReport(Status.PENDING, null, JsonFields.code(answer, "refund_status"));
    }

    private static RefundReport unsigned() {
        return RefundReport.noAnswer("the answer is not signed by Alipay");
    }
}
