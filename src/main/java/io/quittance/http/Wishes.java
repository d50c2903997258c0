package io.quittance.http;

import io.quittance.domain.Money;
import io.quittance.domain.OrderStatus;
import io.quittance.message.Bus;
import io.quittance.message.Checkout.CallOff;
import io.quittance.message.Checkout.WantRefund;
import io.quittance.message.Checkout.WishAnswer;
import io.quittance.message.Unavailable;
import io.quittance.store.OrderReads;
import io.quittance.store.OrderView;
import io.vertx.core.Future;

/** What a merchant wants of an order that stands: calling it off, and sending its money back. */
final class Wishes {

    private final Bus bus;
    private final OrderReads reads;
    private final ResultLinks links;

    Wishes(Bus bus, OrderReads reads, ResultLinks links) {
        this.bus = bus;
        this.reads = reads;
        this.links = links;
    }

    /** POST /v1/orders/{order_no}/cancel. */
    Future<Answer> cancel(Call call) {
        CallOff wish = new CallOff(call.merchantId(), call.parameter("order_no"));
        return bus.ask(wish).compose(answer -> {
            if (answer instanceof WishAnswer.Granted) {
                return order(call).map(order -> shown(call, order));
            }
            return Future.succeededFuture(
                    answer instanceof WishAnswer.Refused refused
                            ? Problem.NOT_CANCELLABLE.answer("It cannot be called off: " + refused.why()
                                    + ". What was paid for it is sent back with POST " + "/v1/orders/" + wish.orderNo()
                                    + "/refunds.")
                            : unknown());
        });
    }

    /** POST /v1/orders/{order_no}/refunds. */
    Future<Answer> refund(Call call) {
        Members body = call.members();
        String refundNo = body.text("refund_no", Forms.NUMBER, Forms.NUMBER_IN_WORDS);
        Money amount = body.has("amount")
                ? body.object("amount", "an object of value and currency")
                        .map(OrderForm::amount)
                        .orElse(null)
                : null;
        body.nothingElse();
        if (!body.mistakes().isEmpty()) {
            return Future.succeededFuture(Problem.INVALID.answer("The refund has mistakes.", body.mistakes()));
        }
        WantRefund wish = new WantRefund(call.merchantId(), call.parameter("order_no"), refundNo, amount);
        return bus.ask(wish).compose(answer -> {
            if (answer instanceof WishAnswer.Granted granted) {
                return order(call).map(order -> refunded(order, wish, granted));
            }
            return Future.succeededFuture(
                    answer instanceof WishAnswer.Refused refused
                            ? Problem.NOT_REFUNDABLE.answer("Nothing was sent back: " + refused.why() + ".")
                            : unknown());
        });
    }

    /** 202 as long as a payment that is under way is being closed. */
    private Answer shown(Call call, OrderView order) {
        int status = order.status() == OrderStatus.PENDING ? 202 : 200;
        return Answer.json(status, OrderJson.order(order, links.to(call.merchantId(), order.orderNo())));
    }

    private static Answer refunded(OrderView order, WantRefund wish, WishAnswer.Granted granted) {
        return order.refunds().stream()
                .filter(refund -> refund.id().equals(granted.id()))
                .findFirst()
                .map(refund -> Answer.json(
                        granted.first() ? 201 : 200, OrderJson.refund(refund).put("refund_no", wish.refundNo())))
                .orElseThrow(() -> new Unavailable("the refund is not readable yet"));
    }

    private Future<OrderView> order(Call call) {
        return reads.byNumber(call.merchantId(), call.parameter("order_no"))
                .map(found -> found.orElseThrow(() -> new Unavailable("the order is not readable yet")));
    }

    private static Answer unknown() {
        return Problem.NOT_FOUND.answer("You have no order of this number.");
    }
}
