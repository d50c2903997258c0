package io.quittance.http;

import io.quittance.domain.Money;
import io.quittance.domain.OrderStatus;
import io.quittance.store.OrderView;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** An order in the words of the contract. */
final class OrderJson {

    private OrderJson() {}

    /** @param resultUrl where its payer sees what became of it */
    static JsonObject order(OrderView order, String resultUrl) {
        JsonArray attempts = new JsonArray();
        order.attempts().forEach(attempt -> attempts.add(attempt(attempt)));
        JsonObject json = new JsonObject()
                .put("order_no", order.orderNo())
                .put("status", order.status().name())
                .put(
                        "sync_status",
                        order.syncStatus() == null ? null : order.syncStatus().name())
                .put("third_party_id", order.thirdPartyId())
                .put("amount", money(order.amount()))
                .put("expires_at", order.expiresAt().toString())
                .put("attempts", attempts)
                .put("result_url", resultUrl)
                .put("message", OrderMessage.of(order));
        if (order.status() == OrderStatus.PENDING) {
            json.put("seconds_left", order.secondsLeft());
        }
        if (order.status() == OrderStatus.PENDING && order.calledOff()) {
            json.put("called_off", true);
        }
        if (!order.refunds().isEmpty()) {
            JsonArray refunds = new JsonArray();
            order.refunds().forEach(refund -> refunds.add(refund(refund)));
            json.put("refunds", refunds);
        }
        return json;
    }

    static JsonObject attempt(OrderView.Attempt attempt) {
        return new JsonObject()
                .put("id", attempt.id())
                .put("psp", attempt.psp())
                .put("account", attempt.account())
                .put("status", attempt.status().name())
                .put("psp_payment_id", attempt.pspPaymentId());
    }

    static JsonObject refund(OrderView.Refund refund) {
        return new JsonObject()
                .put("id", refund.id())
                .put("status", refund.status().name())
                .put("amount", money(refund.amount()))
                .put("reason", refund.reason().name());
    }

    private static JsonObject money(Money money) {
        return new JsonObject().put("value", money.toIsoDecimal()).put("currency", money.currency());
    }
}
