package io.quittance.dispatch;

import io.quittance.domain.Ids;
import io.quittance.domain.OrderStatus;
import io.quittance.store.OutboxStore.Attempt;
import io.quittance.store.OutboxStore.Claimed;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.util.Locale;

/**
 * An order's conclusion as its target gets it. The same conclusion is always the same bytes, however often it is sent.
 * What a target hears of orders that are not newly paid is a notice: it creates nothing there.
 */
final class OrderDocument {

    private OrderDocument() {}

    static Buffer of(Claimed order) {
        JsonObject amount = new JsonObject()
                .put("value", order.amount().toIsoDecimal())
                .put("currency", order.amount().currency());
        JsonObject document = new JsonObject()
                .put("order_no", order.orderNo())
                .put("status", order.conclusion().name())
                .put("amount", amount);
        Attempt attempt = order.attempt();
        if (attempt != null && !order.conclusion().isClosedUnpaid()) {
            document.put("attempt", attempt(attempt));
        }
        if (order.corrects() != null) {
            document.put("corrects", order.corrects().name());
        }
        return document.toBuffer();
    }

    /** Each conclusion of an order has a key of its own; that of a paid one is the order's number. */
    static String idempotencyKey(Claimed order) {
        return order.conclusion() == OrderStatus.PAID ? order.orderNo() : order.orderNo() + "/" + order.conclusion();
    }

    /** The id of the message (Standard Webhooks), which must not hold a full stop. */
    static String messageId(Claimed order) {
        String id = Ids.hex(order.orderId());
        return order.conclusion() == OrderStatus.PAID
                ? id
                : id + "-" + order.conclusion().name().toLowerCase(Locale.ROOT);
    }

    private static JsonObject attempt(Attempt attempt) {
        return new JsonObject()
                .put("id", attempt.id())
                .put("psp", attempt.psp())
                .put("account", attempt.account())
                .put("psp_payment_id", attempt.pspPaymentId());
    }
}
