package io.quittance.dispatch;

import io.quittance.store.OutboxStore.Claimed;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;

/** A paid order as its target gets it. The same order is always the same bytes, however often it is sent. */
final class OrderDocument {

    private OrderDocument() {}

    static Buffer of(Claimed order) {
        JsonObject amount = new JsonObject()
                .put("value", order.amount().toIsoDecimal())
                .put("currency", order.amount().currency());
        JsonObject attempt = new JsonObject()
                .put("id", order.attempt().id())
                .put("psp", order.attempt().psp())
                .put("account", order.attempt().account())
                .put("psp_payment_id", order.attempt().pspPaymentId());
        return new JsonObject()
                .put("order_no", order.orderNo())
                .put("status", "PAID")
                .put("amount", amount)
                .put("attempt", attempt)
                .toBuffer();
    }
}
