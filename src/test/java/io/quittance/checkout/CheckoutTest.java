package io.quittance.checkout;

import static io.quittance.testing.Bench.await;
import static io.quittance.testing.Bench.awaitFailure;
import static org.assertj.core.api.Assertions.assertThat;

import io.quittance.domain.AttemptStatus;
import io.quittance.domain.FactKind;
import io.quittance.domain.Ids;
import io.quittance.domain.LatePolicy;
import io.quittance.domain.Money;
import io.quittance.domain.OrderStatus;
import io.quittance.domain.Outcome;
import io.quittance.domain.PaymentFact;
import io.quittance.message.Broken;
import io.quittance.message.Checkout.AttemptAnswer;
import io.quittance.message.Checkout.BeginKey;
import io.quittance.message.Checkout.EndKey;
import io.quittance.message.Checkout.Item;
import io.quittance.message.Checkout.KeyAnswer;
import io.quittance.message.Checkout.OpenAttempt;
import io.quittance.message.Checkout.OrderAnswer;
import io.quittance.message.Checkout.PlaceOrder;
import io.quittance.message.Checkout.ProductAnswer;
import io.quittance.message.Checkout.PutProduct;
import io.quittance.message.Checkout.Strategy;
import io.quittance.message.Request;
import io.quittance.message.Submission.Verdict;
import io.quittance.psp.PaymentReport;
import io.quittance.store.CheckoutStore;
import io.quittance.store.CheckoutStore.AttemptLimits;
import io.quittance.testing.Bench;
import io.quittance.testing.BenchProcess;
import io.quittance.testing.Logs;
import io.quittance.testing.ScriptedPsp;
import io.quittance.testing.Workers;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonObject;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What merchants ask for, on a real database. */
class CheckoutTest {

    private static final long CALL_LIMIT_MS = 60_000;
    private static final int ATTEMPTS_MAX = 3;
    private static final long ABANDONED_AFTER_MS = 30_000;

    private final ScriptedPsp psp = new ScriptedPsp();
    private Bench bench;
    private BenchProcess process;

    @BeforeEach
    void open() throws SQLException {
        bench = Bench.open();
        process = bench.process().withEngine();
        CheckoutOptions options = new CheckoutOptions(
                Workers.URLS,
                new AttemptLimits(CALL_LIMIT_MS, ATTEMPTS_MAX),
                Workers.SESSION_AFTER_MAX,
                ABANDONED_AFTER_MS);
        process.deploy(Workers.checkout(process, options, psp));
    }

    @AfterEach
    void close() {
        bench.close();
    }

    // ---- products

    @Test
    void supplied_may_grow_and_may_fall_only_as_far_as_nothing_promised_is_taken_away() {
        bench.product("book", Strategy.STOCK, 5);
        placed(place("A1", new Item("book", 3)));

        assertThat(ask(new PutProduct(Bench.MERCHANT, "book", Strategy.STOCK, 7)))
                .isEqualTo(new ProductAnswer.Kept("book", Strategy.STOCK, 7, 4));
        assertThat(ask(new PutProduct(Bench.MERCHANT, "book", Strategy.STOCK, 3)))
                .isEqualTo(new ProductAnswer.Kept("book", Strategy.STOCK, 3, 0));
        assertThat(ask(new PutProduct(Bench.MERCHANT, "book", Strategy.STOCK, 2)))
                .isInstanceOf(ProductAnswer.Refused.class);
        assertThat(bench.available("book")).isZero();
        bench.proveInvariants();
    }

    @Test
    void a_strategy_cannot_change_and_merchants_do_not_share_products() {
        bench.product("book", Strategy.STOCK, 5);

        assertThat(ask(new PutProduct(Bench.MERCHANT, "book", Strategy.ON_PAYMENT, 5)))
                .isInstanceOf(ProductAnswer.Refused.class);
        assertThat(ask(new PutProduct("another shop", "book", Strategy.ON_PAYMENT, 9)))
                .isEqualTo(new ProductAnswer.Kept("book", Strategy.ON_PAYMENT, 9, 9));
        assertThat(bench.count("select available from products where merchant_id = ?", Bench.MERCHANT))
                .isEqualTo(5);
    }

    // ---- orders

    @Test
    void an_order_is_placed_once_whatever_the_order_of_its_items() {
        bench.product("book", Strategy.STOCK, 5);
        bench.product("pen", Strategy.STOCK, 5);

        OrderAnswer.Placed first = placed(place("A1", new Item("book", 1), new Item("pen", 2)));
        OrderAnswer.Placed again = placed(place("A1", new Item("pen", 2), new Item("book", 1)));

        assertThat(first.created()).isTrue();
        assertThat(again).isEqualTo(new OrderAnswer.Placed(first.orderId(), false));
        assertThat(List.of(bench.available("book"), bench.available("pen"))).containsExactly(4L, 3L);
        bench.proveInvariants();
    }

    @Test
    void the_same_number_with_other_content_is_refused_in_every_respect() {
        bench.product("book", Strategy.STOCK, 50);
        PlaceOrder order = place("A1", new Item("book", 1));
        placed(order);

        assertThat(ask(place("A1", new Item("book", 2)))).isInstanceOf(OrderAnswer.OtherContent.class);
        assertThat(ask(new PlaceOrder(
                        order.merchantId(),
                        "A1",
                        new Money(order.amount().minor() + 1, "CNY"),
                        order.items(),
                        order.expiresIn(),
                        order.latePolicy())))
                .isInstanceOf(OrderAnswer.OtherContent.class);
        assertThat(ask(new PlaceOrder(
                        order.merchantId(), "A1", order.amount(), order.items(), order.expiresIn(), LatePolicy.REVIEW)))
                .isInstanceOf(OrderAnswer.OtherContent.class);
        assertThat(bench.available("book")).isEqualTo(49);
    }

    @Test
    void an_unknown_product_and_an_empty_shelf_leave_nothing_behind() {
        bench.product("book", Strategy.STOCK, 5);
        bench.product("rare", Strategy.STOCK, 1);

        assertThat(ask(place("A1", new Item("book", 1), new Item("nothing", 1))))
                .isEqualTo(new OrderAnswer.UnknownProduct("nothing"));
        assertThat(ask(place("A2", new Item("book", 1), new Item("rare", 2))))
                .isEqualTo(new OrderAnswer.OutOfStock("rare"));

        assertThat(bench.count("select count(*) from orders")).isZero();
        assertThat(bench.available("book")).isEqualTo(5);
    }

    @Test
    void what_is_taken_on_payment_is_ordered_although_the_shelf_is_empty() {
        bench.product("later", Strategy.ON_PAYMENT, 0);

        OrderAnswer.Placed order = placed(place("A1", new Item("later", 3)));

        assertThat(bench.count("select count(*) from holds where order_id = ?", order.orderId()))
                .isZero();
        assertThat(bench.text("select takes_on_payment from orders where id = ?", order.orderId()))
                .isEqualTo("t");
        bench.proveInvariants();
    }

    @Test
    void a_unique_piece_is_held_by_one_order() {
        bench.product("seat 7", Strategy.UNIQUE, 1);

        List<OrderAnswer> answers = together(10, i -> place("A" + i, new Item("seat 7", 1)));

        assertThat(answers).filteredOn(OrderAnswer.Placed.class::isInstance).hasSize(1);
        assertThat(answers).filteredOn(OrderAnswer.OutOfStock.class::isInstance).hasSize(9);
        bench.proveInvariants();
    }

    @Test
    void forty_orders_at_once_for_ten_pieces_hold_ten() {
        bench.product("ticket", Strategy.STOCK, 10);

        List<OrderAnswer> answers = together(40, i -> place("A" + i, new Item("ticket", 1)));

        assertThat(answers).filteredOn(OrderAnswer.Placed.class::isInstance).hasSize(10);
        assertThat(answers).filteredOn(OrderAnswer.OutOfStock.class::isInstance).hasSize(30);
        assertThat(bench.available("ticket")).isZero();
        bench.proveInvariants();
    }

    @Test
    void orders_that_name_the_same_products_in_opposite_order_do_not_wait_for_each_other() {
        bench.product("a", Strategy.STOCK, 100);
        bench.product("b", Strategy.STOCK, 100);
        Item a = new Item("a", 1);
        Item b = new Item("b", 1);

        List<OrderAnswer> answers = together(20, i -> i % 2 == 0 ? place("A" + i, a, b) : place("A" + i, b, a));

        assertThat(answers).allMatch(OrderAnswer.Placed.class::isInstance);
        bench.proveInvariants();
    }

    @Test
    void the_same_order_twice_at_once_is_one_order_even_for_the_last_piece() throws SQLException {
        bench.product("last", Strategy.STOCK, 1);
        PlaceOrder order = place("A1", new Item("last", 1));
        Connection other = bench.connect();
        other.setAutoCommit(false);
        try (var lock = other.createStatement()) {
            lock.execute("select 1 from products for update");
        }
        Future<OrderAnswer> first = process.bus().ask(order);
        Future<OrderAnswer> second = process.bus().ask(order);
        bench.untilBlocked(2);

        other.commit();

        assertThat(List.of((OrderAnswer.Placed) await(first), (OrderAnswer.Placed) await(second)))
                .extracting(OrderAnswer.Placed::created)
                .containsExactlyInAnyOrder(true, false);
        assertThat(bench.count("select count(*) from orders")).isEqualTo(1);
    }

    // ---- attempts

    @Test
    void an_attempt_is_durable_before_the_psp_is_called_and_pending_when_it_answered() {
        UUID order = bench.order("A1");
        List<String> seen = new ArrayList<>();
        psp.onCreate(payment -> {
            seen.add(bench.text(
                    "select status from attempts where replace(id::text, '-', '') = ?", payment.attemptId()));
            seen.add(payment.orderNo() + " " + payment.amount().minor() + " " + payment.notifyUrl());
            return Future.succeededFuture(PaymentReport.created("pay-1", new JsonObject().put("url", "x"), null));
        });

        AttemptAnswer.Opened opened = (AttemptAnswer.Opened) ask(attempt("A1"));

        assertThat(seen).containsExactly("PROCESSING", "A1 1999 https://gateway.example/v1/notify/fake/main");
        assertThat(opened.status()).isEqualTo(AttemptStatus.PENDING);
        assertThat(opened.pay()).isEqualTo(new JsonObject().put("url", "x"));
        assertThat(bench.text("select status || ' ' || psp_payment_id from attempts where order_id = ?", order))
                .isEqualTo("PENDING pay-1");
        assertThat(bench.text("select t.due_at = o.expires_at from timers t join orders o on o.id = t.order_id"))
                .as("nobody need look before the order's time is over")
                .isEqualTo("t");
        bench.proveInvariants();
    }

    @Test
    void a_psp_that_does_not_answer_leaves_the_attempt_unknown_and_somebody_will_look_soon() {
        UUID order = bench.order("A1");
        psp.onCreate(payment -> Future.succeededFuture(PaymentReport.noAnswer("time-out")));

        AttemptAnswer.Opened opened = (AttemptAnswer.Opened) ask(attempt("A1"));

        assertThat(opened.status()).isEqualTo(AttemptStatus.UNKNOWN);
        assertThat(bench.text("select status from attempts where order_id = ?", order))
                .isEqualTo("UNKNOWN");
        assertThat(bench.text("select due_at < now() + interval '61 seconds' from timers"))
                .isEqualTo("t");
        assertThat(ask(attempt("A1")))
                .isEqualTo(new AttemptAnswer.AlreadyLive(opened.attemptId(), AttemptStatus.UNKNOWN));
        bench.proveInvariants();
    }

    @Test
    void a_psp_that_does_not_know_what_it_was_told_to_create_is_asked_again_soon() {
        UUID order = bench.order("A1");
        psp.onCreate(payment ->
                Future.succeededFuture(PaymentReport.of(PaymentReport.Status.NOT_FOUND, null, "no such trade")));

        ask(attempt("A1"));

        assertThat(bench.text("select status from attempts where order_id = ?", order))
                .isEqualTo("UNKNOWN");
        assertThat(bench.text("select due_at < now() + interval '61 seconds' from timers"))
                .isEqualTo("t");
    }

    @Test
    void after_a_refused_creation_another_attempt_may_be_opened() {
        UUID order = bench.order("A1");
        psp.onCreate(payment -> Future.succeededFuture(PaymentReport.of(PaymentReport.Status.FAILED, null, "no")));
        assertThat(((AttemptAnswer.Opened) ask(attempt("A1"))).status()).isEqualTo(AttemptStatus.FAILED);
        psp.onCreate(payment -> Future.succeededFuture(PaymentReport.created("pay-2", new JsonObject(), null)));

        assertThat(((AttemptAnswer.Opened) ask(attempt("A1"))).status()).isEqualTo(AttemptStatus.PENDING);

        assertThat(bench.count("select count(*) from attempts where order_id = ?", order))
                .isEqualTo(2);
        bench.proveInvariants();
    }

    /** Who waits for the order's row sees the order anew, and the attempts as they were when it began to wait. */
    @Test
    void no_attempt_is_opened_while_another_one_comes_into_doubt() {
        UUID order = bench.order("A1");
        psp.onCreate(payment -> Future.succeededFuture(PaymentReport.of(PaymentReport.Status.FAILED, null, "no")));
        UUID failed = Ids.parseHex(((AttemptAnswer.Opened) ask(attempt("A1"))).attemptId())
                .orElseThrow();
        PaymentFact tooLittle = PaymentFact.succeeded(
                Ids.hex(failed), Bench.notified("ev-1"), "pay-1", new Money(Bench.PRICE.minor() - 1, "CNY"));
        Bench.RowLock lock = bench.lockOrder(order);
        Future<Verdict> doubted = process.bus().submit(tooLittle, Bench.delivery("ev-1"), "payment");
        bench.untilBlocked(1);
        Future<AttemptAnswer> opened = process.bus().ask(attempt("A1"));
        bench.untilBlocked(2);

        lock.release();

        assertThat(await(doubted).outcome()).isEqualTo(Outcome.MISMATCH);
        assertThat(await(opened))
                .isEqualTo(new AttemptAnswer.AlreadyLive(Ids.hex(failed), AttemptStatus.MANUAL_REVIEW));
        assertThat(bench.count("select count(*) from attempts where order_id = ?", order))
                .isEqualTo(1);
        bench.proveInvariants();
    }

    @Test
    void a_change_that_is_in_nobodys_way_only_makes_the_opening_look_again() throws SQLException {
        UUID order = bench.order("A1");
        psp.onCreate(payment -> Future.succeededFuture(PaymentReport.created("pay-1", new JsonObject(), null)));
        Connection other = bench.connect();
        other.setAutoCommit(false);
        try (var change = other.createStatement()) {
            change.execute("update orders set version = version + 1");
        }
        Future<AttemptAnswer> opened = process.bus().ask(attempt("A1"));
        bench.untilBlocked(1);

        other.commit();

        assertThat(await(opened)).isInstanceOf(AttemptAnswer.Opened.class);
        assertThat(bench.count("select count(*) from attempts where order_id = ?", order))
                .isEqualTo(1);
        bench.proveInvariants();
    }

    @Test
    void an_order_has_so_many_attempts_and_no_more() {
        UUID order = bench.order("A1");
        psp.onCreate(payment -> Future.succeededFuture(PaymentReport.of(PaymentReport.Status.FAILED, null, "no")));
        for (int i = 0; i < ATTEMPTS_MAX; i++) {
            assertThat(ask(attempt("A1"))).isInstanceOf(AttemptAnswer.Opened.class);
        }

        assertThat(ask(attempt("A1"))).isEqualTo(new AttemptAnswer.TooMany(ATTEMPTS_MAX));

        assertThat(bench.count("select count(*) from attempts where order_id = ?", order))
                .isEqualTo(ATTEMPTS_MAX);
        assertThat(await(new CheckoutStore(process.pool())
                        .openAttempt(
                                order,
                                UUID.randomUUID(),
                                Bench.PSP,
                                Bench.ACCOUNT,
                                new AttemptLimits(CALL_LIMIT_MS, ATTEMPTS_MAX))))
                .as("opened by one who had not looked")
                .isFalse();
        assertThat(bench.orderStatus(order)).isEqualTo("PENDING");
        bench.proveInvariants();
    }

    @Test
    void the_end_of_the_psps_session_is_kept_and_the_timer_is_set_to_it() {
        UUID order = bench.order("A1");
        Instant ends = Instant.now().plusSeconds(300).truncatedTo(ChronoUnit.SECONDS);
        psp.onCreate(payment -> Future.succeededFuture(PaymentReport.created("pay-1", new JsonObject(), ends)));

        AttemptAnswer.Opened opened = (AttemptAnswer.Opened) ask(attempt("A1"));

        assertThat(opened.sessionEnds()).isEqualTo(ends);
        assertThat(bench.text(
                        "select t.due_at = a.session_ends_at and a.session_ends_at = ?::timestamptz from timers t"
                                + " join attempts a using (order_id) where order_id = ?",
                        ends.toString(),
                        order))
                .isEqualTo("t");
    }

    @Test
    void a_session_end_beyond_the_limit_or_before_all_time_is_kept_within_them() {
        bench.order("A1");
        bench.order("A2");
        psp.onCreate(payment -> Future.succeededFuture(PaymentReport.created(
                null, new JsonObject(), payment.orderNo().equals("A1") ? Instant.MAX : Instant.MIN)));

        ask(attempt("A1"));
        ask(attempt("A2"));

        assertThat(bench.text("select string_agg((session_ends_at - expires_at)::text, ',') from attempts"
                        + " join orders o on o.id = order_id where order_no = 'A1'"))
                .isEqualTo("02:00:00");
        assertThat(bench.text("select extract(epoch from session_ends_at)::bigint from attempts"
                        + " join orders o on o.id = order_id where order_no = 'A2'"))
                .isEqualTo("0");
    }

    @Test
    void a_notification_that_is_faster_than_the_answer_and_the_end_that_the_answer_names_do_not_disturb_each_other() {
        UUID order = bench.order("A1");
        Instant ends = Instant.now().plusSeconds(300).truncatedTo(ChronoUnit.SECONDS);
        Promise<PaymentReport> answer = Promise.promise();
        Promise<String> asked = Promise.promise();
        psp.onCreate(payment -> {
            asked.complete(payment.attemptId());
            return answer.future();
        });
        Future<AttemptAnswer> opening = process.bus().ask(attempt("A1"));
        UUID attempt = Ids.parseHex(await(asked.future())).orElseThrow();

        await(process.bus().submit(Bench.success(attempt, "ev-1"), Bench.delivery("ev-1"), "test"));
        answer.complete(PaymentReport.created(null, new JsonObject(), ends));

        assertThat(await(opening)).isInstanceOf(AttemptAnswer.Opened.class);
        assertThat(bench.orderStatus(order)).isEqualTo("PAID");
        assertThat(bench.text(
                        "select status || ' ' || (session_ends_at = ?::timestamptz)::text from attempts where id = ?",
                        ends.toString(),
                        attempt))
                .isEqualTo("SUCCEEDED true");
        bench.proveInvariants();
    }

    @Test
    void a_call_that_ends_late_leaves_the_watch_over_the_next_call_alone() {
        UUID order = bench.order("A1");
        Promise<PaymentReport> first = Promise.promise();
        Promise<String> asked = Promise.promise();
        psp.onCreate(payment -> {
            asked.tryComplete(payment.attemptId());
            return first.future();
        });
        Future<AttemptAnswer> opening = process.bus().ask(attempt("A1"));
        UUID attempt = Ids.parseHex(await(asked.future())).orElseThrow();
        await(process.bus().submit(Bench.news(FactKind.PAYMENT_FAILED, attempt, "ev-1")));
        UUID next = bench.attempt(order);

        first.complete(PaymentReport.of(PaymentReport.Status.FAILED, null, "no"));
        await(opening);

        assertThat(bench.attemptStatus(next)).isEqualTo("PROCESSING");
        assertThat(bench.text("select due_at < now() + interval '61 seconds' from timers where order_id = ?", order))
                .isEqualTo("t");
    }

    @Test
    void of_two_attempts_at_once_one_is_opened_and_the_other_hears_of_it() {
        UUID order = bench.order("A1");
        Promise<PaymentReport> answer = Promise.promise();
        psp.onCreate(payment -> answer.future());
        Bench.RowLock lock = bench.lockOrder(order);
        Future<AttemptAnswer> first = process.bus().ask(attempt("A1"));
        Future<AttemptAnswer> second = process.bus().ask(attempt("A1"));
        bench.untilBlocked(2);
        lock.release();

        AttemptAnswer loser =
                await(Future.any(first, second).map(done -> first.succeeded() ? first.result() : second.result()));
        answer.complete(PaymentReport.created("pay-1", new JsonObject(), null));

        List<AttemptAnswer> answers = List.of(await(first), await(second));
        assertThat(loser).isInstanceOf(AttemptAnswer.AlreadyLive.class);
        assertThat(answers).filteredOn(AttemptAnswer.Opened.class::isInstance).hasSize(1);
        assertThat(psp.calls()).hasSize(1);
        bench.proveInvariants();
    }

    @Test
    void an_order_that_is_over_or_is_not_there_cannot_be_paid() {
        UUID order = bench.order("A1");
        bench.endTime(order, Duration.ofSeconds(1));

        assertThat(ask(attempt("A1"))).isEqualTo(new AttemptAnswer.NotPayable(OrderStatus.PENDING));
        assertThat(ask(attempt("A2"))).isInstanceOf(AttemptAnswer.NoSuchOrder.class);
        assertThat(ask(new OpenAttempt("another shop", "A1", Bench.PSP, Bench.ACCOUNT)))
                .isInstanceOf(AttemptAnswer.NoSuchOrder.class);
        assertThat(psp.calls()).isEmpty();
    }

    @Test
    void an_order_that_is_paid_cannot_be_paid_again() {
        UUID order = bench.order("A1");
        UUID attempt = bench.attempt(order);
        await(process.bus().submit(Bench.success(attempt, "ev-1"), Bench.delivery("ev-1"), "test"));

        assertThat(ask(attempt("A1"))).isEqualTo(new AttemptAnswer.NotPayable(OrderStatus.PAID));
    }

    @Test
    void an_account_that_is_not_there_is_a_mistake_of_the_asker() {
        bench.order("A1");

        try (Logs logs = new Logs()) {
            assertThat(awaitFailure(process.bus().ask(new OpenAttempt(Bench.MERCHANT, "A1", "nobody", "main"))))
                    .isInstanceOf(Broken.class)
                    .hasMessageContaining("no such account");
            assertThat(logs.lines()).hasSize(1);
        }
    }

    // ---- idempotency keys

    @Test
    void a_key_is_fresh_once_then_in_progress_then_replayed() {
        assertThat(ask(key("hash"))).isInstanceOf(KeyAnswer.Fresh.class);
        assertThat(ask(key("hash"))).isInstanceOf(KeyAnswer.InProgress.class);
        assertThat(ask(key("another hash"))).isInstanceOf(KeyAnswer.OtherRequest.class);

        ask(new EndKey(Bench.MERCHANT, "k1", 201, "{}"));

        assertThat(ask(key("hash"))).isEqualTo(new KeyAnswer.Replay(201, "{}"));
        assertThat(ask(key("another hash"))).isInstanceOf(KeyAnswer.OtherRequest.class);
        assertThat(ask(new BeginKey("another shop", "k1", "hash"))).isInstanceOf(KeyAnswer.Fresh.class);
    }

    @Test
    void a_key_without_an_answer_worth_keeping_is_free_again() {
        ask(key("hash"));

        ask(new EndKey(Bench.MERCHANT, "k1", null, null));

        assertThat(ask(key("another hash"))).isInstanceOf(KeyAnswer.Fresh.class);
    }

    @Test
    void a_key_whose_process_is_gone_may_be_taken_by_the_same_request_only() {
        ask(key("hash"));
        bench.run("update idempotency_keys set started_at = now() - interval '31 seconds'");

        assertThat(ask(key("another hash"))).isInstanceOf(KeyAnswer.OtherRequest.class);
        assertThat(ask(key("hash"))).isInstanceOf(KeyAnswer.Fresh.class);
        assertThat(ask(key("hash"))).as("and only once").isInstanceOf(KeyAnswer.InProgress.class);
    }

    @Test
    void of_many_requests_with_one_key_one_goes_on() {
        List<Future<KeyAnswer>> asked = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            asked.add(process.bus().ask(key("hash")));
        }

        assertThat(asked.stream().map(Bench::await).filter(KeyAnswer.Fresh.class::isInstance))
                .hasSize(1);
    }

    // ---- helpers

    private <R> R ask(Request<R> request) {
        return await(process.bus().ask(request));
    }

    private OrderAnswer.Placed placed(PlaceOrder order) {
        return (OrderAnswer.Placed) ask(order);
    }

    private static PlaceOrder place(String orderNo, Item... items) {
        return new PlaceOrder(
                Bench.MERCHANT, orderNo, Bench.PRICE, Arrays.asList(items), Duration.ofMinutes(15), LatePolicy.REFUND);
    }

    private static OpenAttempt attempt(String orderNo) {
        return new OpenAttempt(Bench.MERCHANT, orderNo, Bench.PSP, Bench.ACCOUNT);
    }

    private static BeginKey key(String hash) {
        return new BeginKey(Bench.MERCHANT, "k1", hash);
    }

    private List<OrderAnswer> together(int count, IntFunction<PlaceOrder> orders) {
        List<Future<OrderAnswer>> asked = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            asked.add(process.bus().ask(orders.apply(i)));
        }
        return asked.stream().map(Bench::await).toList();
    }
}
