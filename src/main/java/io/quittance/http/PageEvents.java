package io.quittance.http;

import io.quittance.store.OrderView;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;

/** GET /pay/{order_no}/events: what the result page shows, as it changes, for the payer who has the link. */
final class PageEvents implements Handler<RoutingContext> {

    private final LiveOrders live;
    private final ResultPage page;

    PageEvents(LiveOrders live, ResultPage page) {
        this.live = live;
        this.page = page;
    }

    @Override
    public void handle(RoutingContext context) {
        PayerView view = new PayerView(page.visit(context));
        if (view.visit.merchantId().isEmpty()) {
            // before a place is taken: who has no link cannot keep others out
            view.unknown().send(context);
            return;
        }
        live.serve(context, view);
    }

    private final class PayerView implements LiveView {

        private final ResultPage.Visit visit;

        PayerView(ResultPage.Visit visit) {
            this.visit = visit;
        }

        @Override
        public String event() {
            return "state";
        }

        @Override
        public Future<Optional<OrderView>> order() {
            return page.order(visit);
        }

        @Override
        public LiveState state(OrderView order) {
            return LiveState.of(PageContent.of(order, visit.language()).json(), order.isSettledForPayer());
        }

        @Override
        public Answer unknown() {
            return NoticePage.NOT_RECOGNISED.answer(404, visit.language());
        }

        @Override
        public Answer full() {
            return NoticePage.notNow(visit.language());
        }

        @Override
        public Answer explain(Throwable failure) {
            return ResultPage.explain(failure, visit.language());
        }
    }
}
