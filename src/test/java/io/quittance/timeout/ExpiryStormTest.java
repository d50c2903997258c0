package io.quittance.timeout;

import static io.quittance.testing.Bench.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.quittance.domain.LatePolicy;
import io.quittance.message.Checkout.AttemptAnswer;
import io.quittance.message.Checkout.Item;
import io.quittance.message.Checkout.OpenAttempt;
import io.quittance.message.Checkout.PlaceOrder;
import io.quittance.message.Checkout.Strategy;
import io.quittance.psp.PaymentReport;
import io.quittance.psp.PaymentReport.Status;
import io.quittance.testing.Bench;
import io.quittance.testing.BenchProcess;
import io.quittance.testing.ScriptedPsp;
import io.quittance.testing.Workers;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonObject;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A thousand orders that are being paid, whose time ends in the same second. */
class ExpiryStormTest {

    private static final int ORDERS = 1_000;
    private static final int OTHERS = 5;
    private static final int PLACED_AT_ONCE = 100;
    private static final int CALLS_PER_SECOND = 1_000;

    /** Longer than the storm: nobody takes an order up a second time because a claim has run out. */
    private static final long LEASE_MS = 60_000;

    private static final PaymentReport WAITING = PaymentReport.created(null, new JsonObject(), null);
    private static final PaymentReport CLOSED = PaymentReport.of(Status.CLOSED, null, "closed");

    private final ScriptedPsp busy = calm(new ScriptedPsp());
    private final ScriptedPsp other = calm(new ScriptedPsp("other"));
    private Bench bench;
    private BenchProcess process;

    private static ScriptedPsp calm(ScriptedPsp psp) {
        return psp.onCreate(payment -> Future.succeededFuture(WAITING))
                .onQuery(WAITING)
                .onClose(CLOSED);
    }

    @BeforeEach
    void open() throws SQLException {
        bench = Bench.withShards(2);
        process = bench.process().withEngine();
        process.deploy(Workers.checkout(process, busy, other));
        bench.product("seat", Strategy.STOCK, ORDERS + OTHERS);
    }

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void all_of_them_expire_each_is_asked_about_and_closed_once_and_the_orders_of_another_account_do_not_wait() {
        place("busy", ORDERS, busy);
        place("other", OTHERS, other);
        Promise<Void> othersAreOver = Promise.promise();
        busy.onQuery(payment -> othersAreOver.future().map(WAITING));
        bench.run("update orders set created_at = now() - interval '1 day', expires_at = now() - interval '1 second'");
        bench.run("update timers t set due_at = now() - interval '1 second' - (o.order_no like 'busy%')::int"
                + " * interval '1 second' from orders o where o.id = t.order_id");

        track();

        bench.until("the other account's orders, which came last, expire first", () -> expired("other") == OTHERS);
        assertThat(expired("busy")).isZero();
        othersAreOver.complete();
        bench.until("all expire and need nobody", () -> bench.count("select count(*) from timers") == 0);
        assertThat(expired("busy")).isEqualTo(ORDERS);
        assertThat(bench.available("seat")).isEqualTo(ORDERS + OTHERS);
        assertThat(bench.count("select count(*) from holds where status <> 'EXPIRED'"))
                .isZero();
        assertOnceEach(busy, ORDERS);
        assertOnceEach(other, OTHERS);
        bench.proveInvariants();
    }

    private void assertOnceEach(ScriptedPsp psp, int orders) {
        for (String call : List.of("query ", "close ")) {
            List<String> calls =
                    psp.calls().stream().filter(made -> made.startsWith(call)).toList();
            Set<String> distinct = new HashSet<>(calls);
            assertThat(calls).as(call).hasSize(orders);
            assertThat(distinct).as("different payments: " + call).hasSize(orders);
        }
    }

    private long expired(String prefix) {
        return bench.count("select count(*) from orders where status = 'EXPIRED' and order_no like ?", prefix + "-%");
    }

    private void place(String prefix, int orders, ScriptedPsp account) {
        for (int from = 0; from < orders; from += PLACED_AT_ONCE) {
            List<Future<AttemptAnswer>> opened = new ArrayList<>();
            for (int i = from; i < Math.min(orders, from + PLACED_AT_ONCE); i++) {
                opened.add(place(prefix + "-" + i, account));
            }
            await(Future.all(opened));
            assertThat(opened).allMatch(answer -> answer.result() instanceof AttemptAnswer.Opened);
        }
    }

    private Future<AttemptAnswer> place(String orderNo, ScriptedPsp account) {
        PlaceOrder order = new PlaceOrder(
                Bench.MERCHANT,
                orderNo,
                Bench.PRICE,
                List.of(new Item("seat", 1)),
                Duration.ofHours(1),
                LatePolicy.REFUND);
        return process.bus().ask(order).compose(placed -> process.bus()
                .ask(new OpenAttempt(Bench.MERCHANT, orderNo, Bench.PSP, account.account())));
    }

    private void track() {
        TimeoutOptions eager = Workers.eager(CALLS_PER_SECOND);
        TimeoutOptions options = new TimeoutOptions(
                eager.urls(),
                100,
                32,
                eager.callsPerSecond(),
                eager.pauseMaxMs(),
                LEASE_MS,
                eager.graceMs(),
                eager.ageLimitMs(),
                eager.sessionAfterMax(),
                eager.backoff());
        process.deploy(Workers.tracker(process, "test:lease:" + UUID.randomUUID() + ":", options, busy, other));
    }
}
