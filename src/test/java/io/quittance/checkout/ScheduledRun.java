package io.quittance.checkout;

import static io.quittance.testing.Bench.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.quittance.checkout.RandomSchedule.Action;
import io.quittance.checkout.RandomSchedule.Plan;
import io.quittance.domain.Evidence;
import io.quittance.domain.FactKind;
import io.quittance.domain.FactSource;
import io.quittance.domain.Ids;
import io.quittance.domain.Money;
import io.quittance.domain.PaymentFact;
import io.quittance.domain.PaymentFact.RefundNews;
import io.quittance.message.Addresses;
import io.quittance.message.Checkout.CallOff;
import io.quittance.message.Checkout.OpenAttempt;
import io.quittance.message.Checkout.OrderAnswer;
import io.quittance.message.Checkout.PlaceOrder;
import io.quittance.message.Checkout.WantRefund;
import io.quittance.message.Request;
import io.quittance.message.Unavailable;
import io.quittance.testing.Bench;
import io.quittance.testing.BenchProcess;
import io.quittance.testing.PspWorld;
import io.quittance.testing.PspWorld.Payment;
import io.quittance.testing.PspWorld.State;
import io.quittance.testing.Workers;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/** One run of a schedule, on a database of its own. */
final class ScheduledRun {

    private static final int WORKERS = 8;
    private static final Duration EXPIRES_IN = Duration.ofMinutes(15);

    /** A PSP sends again what was not taken; after so many times something is wrong. */
    private static final int DELIVERIES_MAX = 50;

    private static final String END_TIME = """
            update orders set created_at = now() - interval '30 days',
                              expires_at = now() - $2::bigint * interval '1 second'
            where order_no = $1 and status = 'PENDING'
            returning id
            """;

    private static final String END_SESSION = """
            update attempts a set session_ends_at = now() - interval '1 second'
            from orders o where o.id = a.order_id and o.order_no = $1 returning o.id
            """;

    private static final String MAKE_DUE = "update timers set due_at = now() where order_id = any($1)";

    /** Later than the grace: what the PSP does not know by now was never made. */
    private static final String END_ALL = """
            with over as (
                update orders o set created_at = now() - interval '30 days', expires_at = now() - interval '2 minutes'
                where o.status = 'PENDING'
                   or exists (select from attempts a where a.order_id = o.id
                              and a.status in ('CREATED', 'PROCESSING', 'PENDING', 'UNKNOWN'))
                returning o.id
            ),
            no_session as (
                update attempts a set session_ends_at = null from over where a.order_id = over.id
            )
            select id from over
            """;

    /** What is not at its end. An order whose payment is before a person waits for him. */
    private static final String OPEN = """
            select (select count(*) from orders o where o.status = 'PENDING'
                      and not exists (select from attempts a where a.order_id = o.id and a.status = 'MANUAL_REVIEW'))
                 + (select count(*) from attempts where status in ('CREATED', 'PROCESSING', 'PENDING', 'UNKNOWN'))
                 + (select count(*) from refunds where status in ('REQUESTED', 'PROCESSING', 'UNKNOWN'))
            """;

    private static final String WHAT_IS_OPEN = """
            select jsonb_agg(jsonb_build_object('order', o.order_no, 'is', o.status, 'expires_at', o.expires_at,
                       'now', now(), 'attempt', a.status, 'session_ends_at', a.session_ends_at, 'refund', r.status,
                       'refund_due_at', r.due_at, 'refund_tries', r.tries, 'timer_due_at', t.due_at, 'tries', t.tries))
            from orders o
            left join attempts a on a.order_id = o.id and a.status in ('CREATED', 'PROCESSING', 'PENDING', 'UNKNOWN')
            left join refunds r on r.order_id = o.id and r.status in ('REQUESTED', 'PROCESSING', 'UNKNOWN')
            left join timers t on t.order_id = o.id
            where o.status = 'PENDING' or a.id is not null or r.id is not null
            """;

    private static final String WHERE_THE_MONEY_IS = """
            select replace(a.id::text, '-', '') as attempt, a.status, o.status as order_status,
                   coalesce(o.effective_attempt_id = a.id, false) as effective,
                   coalesce((select sum(amount_minor) from refunds r
                             where r.attempt_id = a.id and r.status = 'SUCCEEDED'), 0)::bigint as gone_back,
                   exists (select from reviews v where v.attempt_id = a.id and v.closed_at is null) as in_review
            from attempts a join orders o on o.id = a.order_id
            """;

    /** Whoever paid for something has it, once; whoever did not has nothing. */
    private static final String WRONGLY_SERVED = """
            select count(*) from orders o join order_items i on i.order_id = o.id
            where coalesce((select sum(h.quantity) from hold_states h where h.order_id = o.id and h.sku = i.sku
                              and h.status = 'CONSUMED'), 0)
                  <> case when o.effective_attempt_id is null then 0 else i.quantity end
            """;

    private final Bench bench;
    private final long seed;
    private final RandomSchedule schedule;
    private final PspWorld world;
    private final List<BenchProcess> processes;
    private final Map<String, UUID> placed = new ConcurrentHashMap<>();
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

    ScheduledRun(Bench bench, long seed, RandomSchedule schedule) {
        this.bench = bench;
        this.seed = seed;
        this.schedule = schedule;
        this.world = new PspWorld(seed);
        this.processes = List.of(bench.process(), bench.process(2));
        String leases = "test:lease:" + UUID.randomUUID() + ":";
        for (BenchProcess process : processes) {
            process.withEngine();
            process.deploy(Workers.checkout(process, world.account()));
            process.deploy(Workers.tracker(process, leases, Workers.eager(1_000), world.account()));
            process.deploy(Workers.refunds(process, world.account()));
        }
        schedule.products().forEach((sku, stock) -> bench.product(sku, stock.strategy(), stock.supplied()));
    }

    /** Does everything, by eight workers at once, who take one action after the other. */
    void play() {
        Queue<Action> left = new ConcurrentLinkedQueue<>(schedule.actions());
        List<Thread> workers = new ArrayList<>();
        for (int i = 0; i < WORKERS; i++) {
            Thread worker = new Thread(() -> work(left), "worker " + i);
            workers.add(worker);
            worker.start();
        }
        workers.forEach(ScheduledRun::join);
        assertThat(failures).as("what went wrong while it was done").isEmpty();
    }

    private static void join(Thread worker) {
        try {
            worker.join();
        } catch (InterruptedException stopped) {
            throw new AssertionError("stopped while the workers work", stopped);
        }
    }

    private void work(Queue<Action> left) {
        for (Action action = left.poll(); action != null && failures.isEmpty(); action = left.poll()) {
            try {
                act(action);
            } catch (AssertionError | RuntimeException failure) {
                failures.add(new AssertionError(action.toString(), failure));
            }
        }
    }

    private void act(Action action) {
        Plan plan = schedule.orders().get(action.order());
        switch (action.kind()) {
            case PLACE -> place(plan, action, Bench.PRICE);
            case PLACE_WITH_OTHER_CONTENT -> place(plan, action, new Money(Bench.PRICE.minor() + 1, "CNY"));
            case OPEN_ATTEMPT -> ask(action, new OpenAttempt(Bench.MERCHANT, plan.orderNo(), Bench.PSP, Bench.ACCOUNT));
            case END_THE_ORDERS_TIME -> end(action, END_TIME, plan.orderNo(), action.draw() % 4 == 0 ? 120L : 1L);
            case END_THE_SESSION -> end(action, END_SESSION, plan.orderNo());
            case CALL_OFF -> ask(action, new CallOff(Bench.MERCHANT, plan.orderNo()));
            case REFUND -> {
                Money some = action.draw() % 2 == 0 ? null : new Money(1 + action.draw() % 900, "CNY");
                ask(action, new WantRefund(Bench.MERCHANT, plan.orderNo(), "R" + action.draw() % 5, some));
            }
            case REJECT ->
                Optional.ofNullable(placed.get(plan.orderNo()))
                        .ifPresent(order -> tell(
                                action,
                                PaymentFact.bare(
                                        FactKind.FULFILMENT_REJECTED,
                                        Ids.hex(order),
                                        Evidence.ours(FactSource.TARGET, Instant.EPOCH),
                                        null)));
            default -> {
                List<Payment> known = world.paymentsOf(plan.orderNo());
                if (!known.isEmpty()) {
                    atThePsp(action, known.get(action.draw() % known.size()));
                }
            }
        }
    }

    private void atThePsp(Action action, Payment payment) {
        String attempt = payment.attemptId();
        switch (action.kind()) {
            case PAY_AND_TELL -> {
                world.pay(attempt, false);
                tellIfPaid(action, attempt, "paid");
            }
            case PAY_IN_SILENCE -> world.pay(attempt, false);
            case PAY_WHAT_IS_CLOSED -> {
                world.pay(attempt, true);
                tellIfPaid(action, attempt, "paid");
            }
            case TELL_AGAIN -> tellIfPaid(action, attempt, "paid");
            case TELL_AS_ANOTHER_EVENT -> tellIfPaid(action, attempt, "paid, as event " + action.draw() % 3);
            case TELL_A_WRONG_AMOUNT ->
                notify(action, success(attempt, payment.amountMinor() - 1, "short"), "short " + attempt);
            case DECLINE -> notify(action, news(FactKind.PAYMENT_DECLINED, attempt), "declined " + action);
            case FAIL_AND_TELL -> {
                if (world.end(attempt, State.FAILED)) {
                    notify(action, news(FactKind.PAYMENT_FAILED, attempt), "failed " + attempt);
                }
            }
            case CLOSE_AND_TELL -> {
                if (world.end(attempt, State.CLOSED)) {
                    notify(action, news(FactKind.PAYMENT_CLOSED, attempt), "closed " + attempt);
                }
            }
            case REFUND_BY_HAND -> refundByHand(action, attempt);
            default -> throw new AssertionError(action.kind() + " does not happen at a PSP");
        }
    }

    private void refundByHand(Action action, String attempt) {
        long minor = world.refundByHand(attempt, 1 + action.draw() % 3_000);
        if (minor > 0) {
            String name = "by hand " + action.draw() + " " + action.order();
            RefundNews news = new RefundNews(name, name, new Money(minor, "CNY"), null);
            notify(
                    action,
                    PaymentFact.refund(FactKind.REFUND_SUCCEEDED, attempt, Bench.notified(name), news, null),
                    name);
        }
    }

    // ---- merchants

    private void place(Plan plan, Action action, Money amount) {
        PlaceOrder order =
                new PlaceOrder(Bench.MERCHANT, plan.orderNo(), amount, plan.items(), EXPIRES_IN, plan.latePolicy());
        Optional<OrderAnswer> answer = ask(action, order);
        if (answer.isPresent() && answer.get() instanceof OrderAnswer.Placed now) {
            UUID before = placed.putIfAbsent(plan.orderNo(), now.orderId());
            assertThat(before).as(plan + " is one order").isIn(null, now.orderId());
        }
    }

    /** A click is not repeated by us; what could not be done now is no answer. */
    private <R> Optional<R> ask(Action action, Request<R> request) {
        return await(process(action)
                .bus()
                .ask(request)
                .map(Optional::of)
                .recover(failure -> failure instanceof Unavailable
                        ? Future.succeededFuture(Optional.empty())
                        : Future.failedFuture(failure)));
    }

    // ---- the PSP's notifications

    private void tellIfPaid(Action action, String attempt, String event) {
        for (Payment payment : world.payments()) {
            if (payment.attemptId().equals(attempt) && payment.state() == State.PAID) {
                notify(action, success(attempt, payment.amountMinor(), event), event + " " + attempt);
            }
        }
    }

    private static PaymentFact success(String attempt, long minor, String event) {
        return PaymentFact.succeeded(
                attempt, Bench.notified(event + " " + attempt), "pay-" + attempt, new Money(minor, "CNY"));
    }

    private static PaymentFact news(FactKind kind, String attempt) {
        return PaymentFact.payment(kind, attempt, Bench.notified(kind + " " + attempt), null, null);
    }

    /** Up to three copies at once, at either process. */
    private void notify(Action action, PaymentFact fact, String eventId) {
        List<Future<?>> copies = new ArrayList<>();
        for (int copy = 0; copy <= action.draw() % 3; copy++) {
            copies.add(deliver(processes.get((action.draw() + copy) % 2), fact, eventId, 0));
        }
        await(Future.all(copies));
    }

    private Future<?> deliver(BenchProcess process, PaymentFact fact, String eventId, int before) {
        return process.bus()
                .submit(fact, Bench.delivery(eventId), "test")
                .<Object>map(verdict -> verdict)
                .recover(failure -> failure instanceof Unavailable && before < DELIVERIES_MAX
                        ? deliver(process, fact, eventId, before + 1).map(done -> done)
                        : Future.failedFuture(failure));
    }

    private void tell(Action action, PaymentFact fact) {
        await(process(action).bus().submit(fact).otherwise(failure -> null));
    }

    // ---- time

    private void end(Action action, String statement, Object... values) {
        Future<UUID[]> ended = process(action)
                .pool()
                .preparedQuery(statement)
                .execute(Tuple.wrap(values))
                .map(rows -> {
                    List<UUID> ids = new ArrayList<>();
                    rows.forEach(row -> ids.add(row.getUUID(0)));
                    return ids.toArray(UUID[]::new);
                });
        await(ended.compose(
                ids -> process(action).pool().preparedQuery(MAKE_DUE).execute(Tuple.of(ids))));
        nudge();
    }

    private void nudge() {
        processes.forEach(process -> process.bus().tell(Addresses.TIMER_SET, new UUID(0, 0)));
    }

    private BenchProcess process(Action action) {
        return processes.get(action.draw() % processes.size());
    }

    // ---- the end

    /** The PSP answers again and sends what was not taken, all time is over, and everything comes to its end. */
    void settle() {
        world.calm();
        Action last = new Action(RandomSchedule.Kind.TELL_AGAIN, 0, 0);
        for (Payment payment : world.payments()) {
            tellIfPaid(last, payment.attemptId(), "paid");
        }
        end(last, END_ALL);
        try {
            bench.until("everything is settled", () -> bench.count(OPEN) == 0);
        } catch (AssertionError late) {
            throw new AssertionError("left open: " + bench.text(WHAT_IS_OPEN), late);
        }
    }

    void prove() {
        bench.proveInvariants();
        proveMoney();
        assertThat(bench.count(WRONGLY_SERVED))
                .as("items that were not paid for or not given")
                .isZero();
        assertThat(bench.count("select count(*) from hold_states h join orders o on o.id = h.order_id"
                        + " where h.status = 'ACTIVE' and o.status <> 'PENDING'"))
                .as("holds of orders that are over")
                .isZero();
        assertThat(bench.count("select count(*) from orders where effective_attempt_id is not null"))
                .as("orders paid")
                .isPositive();
        assertThat(bench.count("select count(*) from refunds where status = 'SUCCEEDED'"))
                .as("refunds")
                .isPositive();
    }

    /** By the PSP's books: what it has of a payer belongs to a paid order, or a person has been told. */
    private void proveMoney() {
        Map<String, Row> rows = new HashMap<>();
        await(bench.process().pool().query(WHERE_THE_MONEY_IS).execute())
                .forEach(row -> rows.put(row.getString("attempt"), row));
        for (Payment payment : world.payments()) {
            Row row = rows.remove(payment.attemptId());
            String about = payment + " is " + row.toJson();
            boolean paid = payment.state() == State.PAID;
            assertThat(row.getString("status").equals("SUCCEEDED")).as(about).isEqualTo(paid);
            assertThat(row.getLong("gone_back")).as(about).isEqualTo(payment.refundedMinor());
            long kept = paid ? payment.amountMinor() - payment.refundedMinor() : 0;
            boolean mayBeKept = row.getBoolean("effective") || row.getBoolean("in_review");
            assertThat(kept == 0 || mayBeKept).as(about).isTrue();
        }
        rows.values().forEach(row -> assertThat(row.getString("status"))
                .as("%s, which the PSP never had (seed %d)", row.toJson(), seed)
                .isIn("FAILED", "EXPIRED"));
    }
}
