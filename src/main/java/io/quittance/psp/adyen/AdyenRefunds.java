package io.quittance.psp.adyen;

import io.quittance.psp.FormBody;
import io.quittance.psp.JsonFields;
import io.quittance.psp.PspAdapter.RefundOrder;
import io.quittance.psp.PspHttp;
import io.quittance.psp.PspHttp.Answer;
import io.quittance.psp.RefundReport;
import io.quittance.psp.RefundReport.Status;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.Optional;

/**
 * Sends money back (docs.adyen.com/online-payments/refund). Adyen's answer says only that it has the refund; what became
 * of it is told by the REFUND notification.
 *
 * <p>Adyen cannot be asked about a refund. What takes the place of a question is the same call under the same key: if the
 * first one was carried out, its answer comes again; if not, the refund is made now, once. That holds for the 7 days for
 * which Adyen keeps a key, and refunds are put before a person earlier (refund.age_max).
 */
final class AdyenRefunds {

    private final AdyenSettings settings;
    private final AdyenApi api;

    AdyenRefunds(AdyenSettings settings, AdyenApi api) {
        this.settings = settings;
        this.api = api;
    }

    /** Makes the refund, or tells what is known of it if it was made before. */
    Future<RefundReport> refund(RefundOrder refund) {
        Optional<Long> amount = AdyenAmounts.write(refund.amount());
        if (amount.isEmpty()) {
            return Future.succeededFuture(
                    new RefundReport(Status.FAILED, null, "Adyen cannot refund this amount of this currency"));
        }
        String payment = refund.payment().pspPaymentId();
        if (payment == null) {
            return Future.succeededFuture(
                    RefundReport.noAnswer("the payment's pspReference is not known; its notification will tell it"));
        }
        return api.post(
                        "/payments/" + FormBody.escape(payment) + "/refunds",
                        body(refund, amount.get()),
                        refund.refundId())
                .map(answer -> read(answer, payment))
                .otherwise(failure -> RefundReport.noAnswer(PspHttp.reason(failure)));
    }

    private JsonObject body(RefundOrder refund, long amount) {
        return new JsonObject()
                .put("merchantAccount", settings.merchantAccount())
                .put(
                        "amount",
                        new JsonObject()
                                .put("value", amount)
                                .put("currency", refund.amount().currency()))
                .put("reference", new AdyenReference(refund.payment().attemptId(), refund.refundId()).text());
    }

    private static RefundReport read(Answer answer, String payment) {
        if (answer.status() != 201 && answer.status() != 200) {
            boolean refused = AdyenApi.isRefusal(answer) && !AdyenApi.isShutOut(answer);
            return refused
                    ? new RefundReport(Status.FAILED, null, AdyenApi.errorCode(answer))
                    : RefundReport.noAnswer(AdyenApi.errorCode(answer));
        }
        JsonObject body = JsonFields.parse(answer.body());
        String id = body == null ? null : JsonFields.filled(body, "pspReference");
        boolean received = body != null
                && id != null
                && "received".equals(JsonFields.text(body, "status"))
                && payment.equals(JsonFields.text(body, "paymentPspReference"));
        return received
                ? new RefundReport(Status.PENDING, id, "received")
                : RefundReport.noAnswer("the answer is not this payment's refund");
    }
}
