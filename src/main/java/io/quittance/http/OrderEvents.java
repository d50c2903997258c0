package io.quittance.http;

import io.quittance.store.OrderReads;
import io.quittance.store.OrderView;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;

/** GET /v1/orders/{order_no}/events: an order as it stands and then as it changes, for its merchant. */
final class OrderEvents {

    private final LiveOrders live;
    private final OrderReads reads;
    private final ResultLinks links;

    OrderEvents(LiveOrders live, OrderReads reads, ResultLinks links) {
        this.live = live;
        this.reads = reads;
        this.links = links;
    }

    void stream(RoutingContext context, String merchantId) {
        live.serve(context, new MerchantView(merchantId, context.pathParam("order_no")));
    }

    private final class MerchantView implements LiveView {

        private final String merchantId;
        private final String orderNo;

        MerchantView(String merchantId, String orderNo) {
            this.merchantId = merchantId;
            this.orderNo = orderNo;
        }

        @Override
        public String event() {
            return "order";
        }

        @Override
        public Future<Optional<OrderView>> order() {
            return reads.byNumber(merchantId, orderNo);
        }

        @Override
        public LiveState state(OrderView order) {
            return LiveState.of(OrderJson.order(order, links.to(merchantId, orderNo)), order.isSettled());
        }

        @Override
        public Answer unknown() {
            return Orders.unknown();
        }

        @Override
        public Answer full() {
            return Problem.UNAVAILABLE
                    .answer("Too many live streams are open; look at the order itself from time to time.")
                    .retryAfter(Endpoint.RETRY_AFTER_SECONDS);
        }

        @Override
        public Answer explain(Throwable failure) {
            return Endpoint.explain(failure);
        }
    }
}
