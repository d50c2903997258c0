package io.quittance.checkout;

import static io.quittance.testing.Bench.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.quittance.domain.Evidence;
import io.quittance.domain.FactKind;
import io.quittance.domain.FactSource;
import io.quittance.domain.Ids;
import io.quittance.domain.LatePolicy;
import io.quittance.domain.Outcome;
import io.quittance.domain.PaymentFact;
import io.quittance.message.Checkout.CallOff;
import io.quittance.message.Checkout.Item;
import io.quittance.message.Checkout.OrderAnswer;
import io.quittance.message.Checkout.PlaceOrder;
import io.quittance.message.Checkout.Strategy;
import io.quittance.message.Checkout.WishAnswer;
import io.quittance.message.Submission.Verdict;
import io.quittance.psp.RefundReport;
import io.quittance.testing.Bench;
import io.quittance.testing.BenchProcess;
import io.quittance.testing.ScriptedPsp;
import io.quittance.testing.Workers;
import io.vertx.core.Future;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Nothing is sold twice: many orders at once, in three processes on one database. */
class OversellTest {

    private static final int PROCESSES = 3;

    private final ScriptedPsp psp = new ScriptedPsp();
    private final List<BenchProcess> processes = new ArrayList<>();
    private Bench bench;

    @BeforeEach
    void open() throws SQLException {
        bench = Bench.withShards(2);
        processes.add(bench.process());
        while (processes.size() < PROCESSES) {
            processes.add(bench.process(2));
        }
        processes.forEach(process -> process.withEngine().deploy(Workers.checkout(process, psp)));
    }

    @AfterEach
    void nothingContradictsThePromises() {
        bench.proveInvariants();
        bench.close();
    }

    @Test
    void of_a_thousand_orders_at_once_for_a_hundred_pieces_exactly_a_hundred_hold_one() {
        bench.product("ticket", Strategy.STOCK, 100);

        List<OrderAnswer> answers = together(1_000, i -> inTurn(i).bus().ask(order("A" + i, "ticket")));

        assertPlaced(answers, 100, "ticket");
        assertThat(bench.available("ticket")).isZero();
    }

    @Test
    void of_two_hundred_orders_at_once_for_one_seat_exactly_one_holds_it() {
        bench.product("seat", Strategy.UNIQUE, 1);

        List<OrderAnswer> answers = together(200, i -> inTurn(i).bus().ask(order("A" + i, "seat")));

        assertPlaced(answers, 1, "seat");
        assertThat(bench.available("seat")).isZero();
    }

    /** Exactly so many were placed; of the others nothing is there. */
    private void assertPlaced(List<OrderAnswer> answers, int wanted, String sku) {
        assertThat(answers).filteredOn(OrderAnswer.Placed.class::isInstance).hasSize(wanted);
        assertThat(answers)
                .filteredOn(answer -> !(answer instanceof OrderAnswer.Placed))
                .containsOnly(new OrderAnswer.OutOfStock(sku));
        for (String table : List.of("orders", "order_items", "timers", "holds where status = 'ACTIVE'", "holds")) {
            assertThat(bench.count("select count(*) from " + table)).as(table).isEqualTo(wanted);
        }
        assertThat(bench.count("select count(*) from audit"))
                .as("audit: of each order and of its hold")
                .isEqualTo(2L * wanted);
    }

    @Test
    void the_release_of_an_old_order_that_is_replayed_and_repeated_leaves_the_newer_hold_alone() {
        bench.product("seat", Strategy.UNIQUE, 1);
        UUID old = placed(order("old", "seat"));
        bench.endTime(old, Duration.ofSeconds(1));

        List<Verdict> first = together(6, i -> release(i, old));
        UUID newer = placed(order("new", "seat"));
        List<Verdict> replayed = together(12, i -> release(i, old));
        replayed.forEach(
                verdict -> assertThat(verdict.outcome()).as(verdict.reason()).isEqualTo(Outcome.STALE));

        assertThat(first)
                .filteredOn(verdict -> verdict.outcome() == Outcome.APPLIED)
                .hasSize(1);
        assertThat(await(inTurn(1).bus().ask(new CallOff(Bench.MERCHANT, "old"))))
                .isEqualTo(new WishAnswer.Refused("the order is already EXPIRED"));
        assertHeldBy(newer, old);
        assertThat(await(inTurn(2).bus().ask(order("third", "seat")))).isEqualTo(new OrderAnswer.OutOfStock("seat"));
    }

    @Test
    void an_old_order_that_ends_while_newer_ones_reach_for_its_seat_frees_it_once() {
        bench.product("seat", Strategy.UNIQUE, 1);
        UUID holder = placed(order("round 0", "seat"));
        for (int round = 1; round <= 20; round++) {
            UUID old = holder;
            String number = "round " + round + " by ";
            bench.endTime(old, Duration.ofSeconds(1));
            boolean calledOff = round % 2 == 0;
            String oldNumber = bench.text("select order_no from orders where id = ?", old);

            List<Object> answers = together(
                    16,
                    i -> i % 2 == 0
                            ? inTurn(i).bus().ask(order(number + i, "seat")).map(Object.class::cast)
                            : calledOff
                                    ? inTurn(i)
                                            .bus()
                                            .ask(new CallOff(Bench.MERCHANT, oldNumber))
                                            .map(Object.class::cast)
                                    : release(i, old).map(Object.class::cast));

            List<UUID> holders = answers.stream()
                    .filter(OrderAnswer.Placed.class::isInstance)
                    .map(answer -> ((OrderAnswer.Placed) answer).orderId())
                    .toList();
            assertThat(holders).as(number).hasSizeLessThanOrEqualTo(1);
            holder = holders.isEmpty() ? placed(order(number + "nobody else", "seat")) : holders.get(0);
            together(6, i -> release(i, old));
            assertHeldBy(holder, old);
        }
    }

    @Test
    void money_for_an_old_order_does_not_take_the_seat_from_the_newer_one() {
        bench.product("seat", Strategy.UNIQUE, 1);
        UUID old = placed(order("old", "seat"));
        UUID attempt = bench.attempt(old);
        await(inTurn(0).bus().submit(Bench.news(FactKind.PAYMENT_CLOSED, attempt, "closed")));
        bench.endTime(old, Duration.ofSeconds(1));
        await(release(0, old));
        UUID newer = placed(order("new", "seat"));

        List<Verdict> verdicts = together(9, i -> inTurn(i).bus().submit(Bench.success(attempt, "late-" + i)));

        assertThat(verdicts)
                .filteredOn(verdict -> verdict.outcome() == Outcome.APPLIED)
                .hasSize(1);
        assertThat(bench.orderStatus(old)).isEqualTo("EXPIRED");
        assertThat(bench.refundStatus(attempt)).isEqualTo("REQUESTED");
        assertHeldBy(newer, old);
    }

    @Test
    void of_two_hundred_payments_for_ten_pieces_ten_get_theirs_and_the_others_their_money() {
        bench.product("last ones", Strategy.ON_PAYMENT, 10);
        List<OrderAnswer> orders = together(200, i -> inTurn(i).bus().ask(order("A" + i, "last ones")));
        List<UUID> attempts = orders.stream()
                .map(order -> bench.attempt(((OrderAnswer.Placed) order).orderId()))
                .toList();
        psp.onRefund(refund ->
                Future.succeededFuture(new RefundReport(RefundReport.Status.SUCCEEDED, refund.refundId(), "done")));
        processes.forEach(process -> process.deploy(Workers.refunds(process, psp)));

        together(200, i -> inTurn(i).bus().submit(Bench.success(attempts.get(i), "paid-" + i)));

        bench.until(
                "the others have their money",
                () -> bench.count("select count(*) from refunds where status = 'SUCCEEDED'") == 190);
        assertThat(bench.count("select count(*) from orders where status = 'PAID'"))
                .isEqualTo(10);
        assertThat(bench.count("select count(*) from orders where status = 'FAILED'"))
                .isEqualTo(190);
        assertThat(bench.count(
                        "select count(*) from refunds where reason = 'OUT_OF_STOCK' and amount_minor = ?",
                        Bench.PRICE.minor()))
                .isEqualTo(190);
        assertThat(bench.count("select count(*) from refunds")).isEqualTo(190);
        assertThat(psp.calls().stream()
                        .filter(call -> call.startsWith("refund "))
                        .distinct())
                .hasSize(190);
        assertThat(bench.available("last ones")).isZero();
    }

    private void assertHeldBy(UUID newer, UUID old) {
        assertThat(bench.holdStatus(newer)).isEqualTo("ACTIVE");
        assertThat(bench.holdStatus(old)).isIn("EXPIRED", "RELEASED");
        assertThat(bench.available("seat")).isZero();
    }

    // ---- helpers

    private BenchProcess inTurn(int i) {
        return processes.get(i % PROCESSES);
    }

    /** Everything is asked before anything is answered. */
    private static <T> List<T> together(int times, IntFunction<Future<T>> asked) {
        List<Future<T>> answers = IntStream.range(0, times).mapToObj(asked).toList();
        return answers.stream().map(Bench::await).toList();
    }

    private static PlaceOrder order(String orderNo, String sku) {
        return new PlaceOrder(
                Bench.MERCHANT,
                orderNo,
                Bench.PRICE,
                List.of(new Item(sku, 1)),
                Duration.ofMinutes(15),
                LatePolicy.REVIVE);
    }

    private UUID placed(PlaceOrder order) {
        OrderAnswer answer = await(inTurn(0).bus().ask(order));
        assertThat(answer).isInstanceOf(OrderAnswer.Placed.class);
        return ((OrderAnswer.Placed) answer).orderId();
    }

    private Future<Verdict> release(int i, UUID order) {
        Evidence timer = Evidence.ours(FactSource.TIMER, Instant.EPOCH);
        return inTurn(i).bus().submit(PaymentFact.bare(FactKind.ORDER_TIME_OVER, Ids.hex(order), timer, null));
    }
}
