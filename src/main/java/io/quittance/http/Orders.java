package io.quittance.http;

import io.quittance.message.Bus;
import io.quittance.message.Checkout.OrderAnswer;
import io.quittance.message.Checkout.PlaceOrder;
import io.quittance.message.Inquiry;
import io.quittance.message.Inquiry.Subject;
import io.quittance.message.Unavailable;
import io.quittance.store.OrderReads;
import io.quittance.store.OrderView;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Duration;

/** Placing an order, showing it, and asking how it stands. */
final class Orders {

    /** How long a merchant waits for the PSP: above the time limit of a call to one. */
    private static final Duration REFRESH_PATIENCE = Duration.ofSeconds(20);

    private final Bus bus;
    private final OrderReads reads;
    private final Idempotency idempotency;
    private final OrderForm form;
    private final ResultLinks links;

    Orders(Bus bus, OrderReads reads, Idempotency idempotency, OrderForm form, ResultLinks links) {
        this.bus = bus;
        this.reads = reads;
        this.idempotency = idempotency;
        this.form = form;
        this.links = links;
    }

    /** POST /v1/orders. */
    Future<Answer> place(Call call) {
        Members body = call.members();
        PlaceOrder request = form.read(call.merchantId(), body);
        if (!body.mistakes().isEmpty()) {
            return Future.succeededFuture(Problem.INVALID.answer("The order has mistakes.", body.mistakes()));
        }
        return idempotency
                .once(call, () -> bus.ask(request).compose(answer -> tell(request, answer)))
                .map(answer ->
                        answer.status() == 201 ? answer.with("Location", "/v1/orders/" + request.orderNo()) : answer);
    }

    /** GET /v1/orders/{order_no}. */
    Future<Answer> show(Call call) {
        return reads.byNumber(call.merchantId(), call.parameter("order_no"))
                .map(found -> found.map(order -> Answer.json(200, json(call.merchantId(), order)))
                        .orElseGet(Orders::unknown));
    }

    /** POST /v1/orders/{order_no}/refresh. */
    Future<Answer> refresh(Call call) {
        Subject order = new Subject.OfOrder(call.merchantId(), call.parameter("order_no"));
        return bus.ask(new Inquiry(order, REFRESH_PATIENCE))
                .compose(answer -> answer instanceof Inquiry.Answer.NoSuchPayment
                        ? Future.succeededFuture(unknown())
                        : show(call));
    }

    static Answer unknown() {
        return Problem.NOT_FOUND.answer("You have no order of this number.");
    }

    private JsonObject json(String merchantId, OrderView order) {
        return OrderJson.order(order, links.to(merchantId, order.orderNo()));
    }

    private Future<Answer> tell(PlaceOrder request, OrderAnswer answer) {
        if (answer instanceof OrderAnswer.OtherContent) {
            return Future.succeededFuture(Problem.OTHER_CONTENT.answer("Order " + request.orderNo()
                    + " exists with another amount, other items or other terms; a new order needs a new number."));
        }
        if (answer instanceof OrderAnswer.OutOfStock out) {
            return Future.succeededFuture(
                    Problem.OUT_OF_STOCK.answer("Too little is left of " + out.sku() + "; nothing was reserved."));
        }
        if (answer instanceof OrderAnswer.UnknownProduct unknown) {
            return Future.succeededFuture(Problem.UNKNOWN_PRODUCT.answer("You have no product " + unknown.sku()
                    + "; create it with PUT /v1/products/" + unknown.sku() + "."));
        }
        OrderAnswer.Placed placed = (OrderAnswer.Placed) answer;
        return reads.byNumber(request.merchantId(), request.orderNo())
                .map(found -> found.orElseThrow(() -> new Unavailable("the order is not readable yet")))
                .map(order -> Answer.json(placed.created() ? 201 : 200, json(request.merchantId(), order)));
    }
}
