package io.quittance.psp.stripe;

import io.quittance.psp.FormBody;
import io.quittance.psp.JsonFields;
import io.quittance.psp.PspAdapter.RefundOrder;
import io.quittance.psp.PspHttp;
import io.quittance.psp.PspHttp.Answer;
import io.quittance.psp.RefundReport;
import io.quittance.psp.RefundReport.Status;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Sends money back and asks what became of it (docs.stripe.com/api/refunds). */
final class StripeRefunds {

    /** Stripe's largest page; a payment with more refunds than this is not decided by a machine. */
    private static final int PAGE_SIZE = 100;

    private final StripeCalls calls;

    StripeRefunds(StripeCalls calls) {
        this.calls = calls;
    }

    Future<RefundReport> refund(RefundOrder refund) {
        Optional<Long> amount = StripeAmounts.write(refund.amount());
        if (amount.isEmpty()) {
            return Future.succeededFuture(
                    new RefundReport(Status.FAILED, null, "Stripe cannot refund this amount of this currency"));
        }
        return intentId(refund)
                .compose(id -> id.isPresent() ? refund(refund, id.get(), amount.get()) : noPayment())
                .otherwise(failure -> RefundReport.noAnswer(PspHttp.reason(failure)));
    }

    /** Never by repeating the call: Stripe forgets idempotency keys after a day, and would pay a second time. */
    Future<RefundReport> query(RefundOrder refund) {
        return intentId(refund)
                .compose(id -> id.isPresent() ? find(refund, id.get()) : noPayment())
                .otherwise(failure -> RefundReport.noAnswer(PspHttp.reason(failure)));
    }

    private Future<RefundReport> refund(RefundOrder refund, String intentId, long amount) {
        Map<String, String> form = new LinkedHashMap<>();
        form.put("payment_intent", intentId);
        form.put("amount", Long.toString(amount));
        form.put("metadata[refund_id]", refund.refundId());
        form.put("metadata[attempt_id]", refund.payment().attemptId());
        return calls.post("/v1/refunds", form, refund.refundId()).compose(answer -> refunded(answer, refund, intentId));
    }

    private Future<RefundReport> refunded(Answer answer, RefundOrder refund, String intentId) {
        JsonObject body = JsonFields.parse(answer.body());
        if (answer.status() == 200 && body != null) {
            return Future.succeededFuture(read(body));
        }
        if (!StripeCalls.isRefusal(answer)) {
            return Future.succeededFuture(RefundReport.noAnswer(StripeCalls.errorCode(answer)));
        }
        // "Already refunded" may be this very refund, sent under a key that Stripe has forgotten.
        return find(refund, intentId)
                .map(found -> found.status() == Status.NOT_FOUND
                        ? new RefundReport(Status.FAILED, null, StripeCalls.errorCode(answer))
                        : found);
    }

    private Future<RefundReport> find(RefundOrder refund, String intentId) {
        return calls.get("/v1/refunds?limit=" + PAGE_SIZE + "&payment_intent=" + FormBody.escape(intentId))
                .map(answer -> found(answer, refund.refundId()));
    }

    private static RefundReport found(Answer answer, String refundId) {
        JsonObject body = JsonFields.parse(answer.body());
        JsonArray list = body == null ? null : JsonFields.array(body, "data");
        if (answer.status() != 200 || body == null || list == null) {
            return RefundReport.noAnswer(StripeCalls.errorCode(answer));
        }
        for (int i = 0; i < list.size(); i++) {
            if (list.getValue(i) instanceof JsonObject one
                    && refundId.equals(JsonFields.textIn(one, "metadata", "refund_id"))) {
                return read(one);
            }
        }
        return Boolean.FALSE.equals(JsonFields.bool(body, "has_more"))
                ? new RefundReport(Status.NOT_FOUND, null, "no refund of the payment carries this id")
                : RefundReport.noAnswer("the payment has more than " + PAGE_SIZE + " refunds");
    }

    private static RefundReport read(JsonObject refund) {
        String id = JsonFields.filled(refund, "id");
        Optional<Status> status = status(JsonFields.text(refund, "status"));
        return id == null || status.isEmpty()
                ? RefundReport.noAnswer("the answer is not a refund")
                : new RefundReport(status.get(), id, JsonFields.code(refund, "status"));
    }

    private static Optional<Status> status(@Nullable String status) {
        return switch (status == null ? "" : status) {
            case "succeeded" -> Optional.of(Status.SUCCEEDED);
            case "pending", "requires_action" -> Optional.of(Status.PENDING);
            case "failed", "canceled" -> Optional.of(Status.FAILED);
            default -> Optional.empty();
        };
    }

    private Future<Optional<String>> intentId(RefundOrder refund) {
        String id = refund.payment().pspPaymentId();
        return id != null
                ? Future.succeededFuture(Optional.of(id))
                : calls.query(refund.payment()).map(report -> Optional.ofNullable(report.pspPaymentId()));
    }

    private static Future<RefundReport> noPayment() {
        return Future.succeededFuture(RefundReport.noAnswer("the payment's own id is not known"));
    }
}
