package io.quittance.store;

import io.quittance.domain.Evidence;
import io.quittance.domain.FactKind;
import io.quittance.domain.FactSource;
import io.quittance.domain.Mismatch;
import io.quittance.domain.Money;
import io.quittance.domain.PaymentFact;
import io.quittance.domain.PaymentFact.RefundNews;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The JSON form in which facts that wait for their attempt are kept. */
final class FactJson {

    private FactJson() {}

    static JsonObject write(PaymentFact fact) {
        Evidence evidence = fact.evidence();
        RefundNews refund = fact.refund();
        return new JsonObject()
                .put("kind", fact.kind().name())
                .put("reference", fact.reference())
                .put("source", evidence.source().name())
                .put("psp", evidence.psp())
                .put("account", evidence.account())
                .put("event_id", evidence.eventId())
                .put("observed_at", evidence.observedAt().toString())
                .put("psp_payment_id", fact.pspPaymentId())
                .put("amount", money(fact.amount()))
                .put(
                        "mismatch",
                        fact.mismatch() == null ? null : fact.mismatch().name())
                .put("refund", refund == null ? null : refundJson(refund))
                .put("detail", fact.detail());
    }

    static PaymentFact read(JsonObject json) {
        Evidence evidence = new Evidence(
                FactSource.valueOf(json.getString("source")),
                json.getString("psp"),
                json.getString("account"),
                json.getString("event_id"),
                Instant.parse(json.getString("observed_at")));
        JsonObject refund = json.getJsonObject("refund");
        String mismatch = json.getString("mismatch");
        return new PaymentFact(
                FactKind.valueOf(json.getString("kind")),
                json.getString("reference"),
                evidence,
                json.getString("psp_payment_id"),
                money(json.getJsonObject("amount")),
                mismatch == null ? null : Mismatch.valueOf(mismatch),
                refund == null ? null : refundNews(refund),
                json.getString("detail"));
    }

    private static JsonObject refundJson(RefundNews refund) {
        return new JsonObject()
                .put("reference", refund.reference())
                .put("psp_refund_id", refund.pspRefundId())
                .put("amount", money(refund.amount()))
                .put("refunded_in_total", money(refund.refundedInTotal()));
    }

    private static RefundNews refundNews(JsonObject json) {
        return new RefundNews(
                json.getString("reference"),
                json.getString("psp_refund_id"),
                money(json.getJsonObject("amount")),
                money(json.getJsonObject("refunded_in_total")));
    }

    private static @Nullable JsonObject money(@Nullable Money money) {
        return money == null
                ? null
                : new JsonObject().put("minor", money.minor()).put("currency", money.currency());
    }

    private static @Nullable Money money(@Nullable JsonObject json) {
        return json == null ? null : new Money(json.getLong("minor"), json.getString("currency"));
    }
}
