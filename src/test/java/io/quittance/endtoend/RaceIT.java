package io.quittance.endtoend;

import static io.quittance.endtoend.Stage.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.quittance.psp.sandbox.SandboxPayment;
import io.quittance.psp.sandbox.SentNotification;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The success and the expiry of the same orders, let loose at the same instant. */
class RaceIT {

    private static final int ORDERS = 500;
    private static final int WAVE = 50;
    private static final int PLACED_AT_ONCE = 16;
    private static final int COPIES = 3;

    /** Fewer than may be paid, so that some who paid get their money back. */
    private static final int MUGS = 60;

    private static final long LOOK_EVERY_MS = 5;

    /** In half of the waves notifications start when the PSP is asked, and up to so much later, as its answer does. */
    private static final int ANSWER_MS = 400;

    private static final String TIME_IS_OVER = """
            with over as (
                update orders set expires_at = greatest(created_at + interval '1 microsecond', now())
                where order_no = any($1) returning id
            ),
            no_session as (
                update attempts a set session_ends_at = null from over where a.order_id = over.id
            )
            update timers t set due_at = now() from over where t.order_id = over.id
            """;

    private static final String BY_WHOM = """
            select count(*) filter (where callback_id is not null) as by_notification,
                   count(*) filter (where callback_id is null) as by_tracker
            from audit where entity = 'ATTEMPT' and to_status = 'SUCCEEDED'
            """;

    private static final String BOOKS = """
            select order_no, status, effective_attempt_id is not null as paid from orders
            """;

    private final long seed = Long.getLong("race.seed", System.nanoTime());
    private final SplittableRandom random = new SplittableRandom(seed);
    private TestGateway gateway;
    private Stage stage;

    /** When the payer's money moves. */
    private enum Payer {
        /** Before the release: the notification is already there. */
        BEFORE,
        /** At the release, while the PSP is being asked. */
        AT_RELEASE,
        /** When the PSP has closed the payment and lets it through all the same. */
        AFTER_CLOSE,
        NEVER
    }

    private record Racer(String orderNo, String psp, Payer payer, String attempt) {}

    @BeforeEach
    void start() {
        gateway = TestGateway.start();
        stage = gateway.stage();
    }

    @AfterEach
    void close() {
        gateway.close();
    }

    @Test
    void success_and_expiry_at_the_same_instant_leave_one_conclusion_an_order() {
        List<Racer> racers = place();
        Map<String, List<Notification>> captured = payEarly(racers);
        stage.mailbox().passOn(stage.poster(), COPIES);

        for (int from = 0; from < ORDERS; from += WAVE) {
            release(racers.subList(from, from + WAVE), captured);
        }
        stage.awaitSettled();

        assertThat(stage.violations()).as("seed %d", seed).isEmpty();
        assertMoneyIsWhereItBelongs(racers);
        assertOneRecordForEachPaidOrder();
        assertAnsweredOnesAreLogged();
        assertBothSidesWonSometimes();
    }

    private List<Racer> place() {
        await(stage.merchant().product("tee", "STOCK", ORDERS).compose(done -> stage.merchant()
                .product("mug", "ON_PAYMENT", MUGS)));
        List<Racer> racers = new ArrayList<>();
        for (int from = 0; from < ORDERS; from += PLACED_AT_ONCE) {
            List<Future<Racer>> together = new ArrayList<>();
            for (int i = from; i < Math.min(from + PLACED_AT_ONCE, ORDERS); i++) {
                together.add(place(i));
            }
            await(Future.all(together));
            together.forEach(placed -> racers.add(placed.result()));
        }
        return racers;
    }

    private Future<Racer> place(int i) {
        String orderNo = "race-" + i;
        String psp = Stage.PSPS.get(i % Stage.PSPS.size());
        Payer payer = payer(random.nextInt(10));
        boolean neverOpened = payer == Payer.NEVER && random.nextBoolean();
        String value = String.format(Locale.ROOT, "%d.%02d", 1 + i, i % 100);
        String policy = random.nextBoolean() ? "REVIVE" : "REFUND";
        Future<JsonObject> order = random.nextInt(4) == 0
                ? stage.merchant().order(orderNo, value, "mug", policy)
                : unique(i, random.nextInt(4) == 0)
                        .compose(sku -> stage.merchant().order(orderNo, value, sku, policy));
        return order.compose(placed -> stage.merchant().attempt(orderNo, psp)).compose(attempt -> {
            String url = attempt.getJsonObject("pay").getString("url");
            Future<Void> opened = url == null || neverOpened
                    ? Future.succeededFuture()
                    : stage.psp().open(url);
            return opened.map(done -> new Racer(orderNo, psp, payer, attempt.getString("id")));
        });
    }

    private Future<String> unique(int i, boolean unique) {
        String sku = "print-" + i;
        return unique ? stage.merchant().product(sku, "UNIQUE", 1).map(sku) : Future.succeededFuture("tee");
    }

    private static Payer payer(int drawn) {
        return switch (drawn) {
            case 0, 1, 2, 3 -> Payer.BEFORE;
            case 4, 5 -> Payer.AT_RELEASE;
            case 6, 7 -> Payer.AFTER_CLOSE;
            default -> Payer.NEVER;
        };
    }

    /** The notifications of those who pay before the release, by attempt. */
    private Map<String, List<Notification>> payEarly(List<Racer> racers) {
        stage.mailbox().hold();
        for (Racer racer : racers) {
            if (racer.payer() == Payer.BEFORE) {
                await(stage.psp().pay(racer.attempt()));
            }
        }
        await(stage.psp().settled());
        Map<String, String> attemptOf = stage.psp().sent().stream()
                .collect(Collectors.toMap(SentNotification::eventId, SentNotification::attemptId, (one, same) -> one));
        return stage.mailbox().take().stream()
                .collect(Collectors.groupingBy(notification -> attemptOf.get(notification.eventId())));
    }

    private void release(List<Racer> wave, Map<String, List<Notification>> captured) {
        Promise<Void> gun = Promise.promise();
        Future<Void> go = gun.future();
        boolean timeFirst = random.nextBoolean();
        boolean whenAsked = random.nextBoolean();
        List<Future<?>> all = new ArrayList<>();
        Future<Void> over = timeFirst ? go.compose(now -> timeIsOver(wave)) : null;
        for (Racer racer : wave) {
            for (Notification notification : captured.getOrDefault(racer.attempt(), List.of())) {
                int afterMs = 1 + random.nextInt(ANSWER_MS);
                Future<?> start =
                        whenAsked ? asked(racer).compose(now -> stage.vertx().timer(afterMs)) : go;
                for (int copy = 0; copy < COPIES; copy++) {
                    all.add(start.compose(now -> stage.poster().postUntilSuccess(notification, 10)));
                }
            }
        }
        Future<Void> ended = over != null ? over : go.compose(now -> timeIsOver(wave));
        all.add(ended);
        for (Racer racer : wave) {
            if (racer.payer() == Payer.AT_RELEASE) {
                Future<Void> start = random.nextBoolean() ? go : ended;
                all.add(start.compose(now -> stage.psp().payLateEvenIfClosed(racer.attempt())));
            }
            if (racer.payer() == Payer.AFTER_CLOSE) {
                all.add(ended.compose(now -> closed(racer.attempt()))
                        .timeout(30, TimeUnit.SECONDS)
                        .compose(now -> stage.psp().payLateEvenIfClosed(racer.attempt())));
            }
        }

        gun.complete();

        await(Future.all(all));
    }

    /** The PSP is being asked about it: its answer and the notifications are on their way together. */
    private Future<Void> asked(Racer racer) {
        String name = racer.psp().equals("stripe")
                ? stage.psp().payment(racer.attempt()).orElseThrow().pspPaymentId()
                : racer.attempt();
        return stage.gate().asked(name).timeout(20, TimeUnit.SECONDS);
    }

    private Future<Void> timeIsOver(List<Racer> wave) {
        String[] numbers = wave.stream().map(Racer::orderNo).toArray(String[]::new);
        return stage.pool()
                .preparedQuery(TIME_IS_OVER)
                .execute(Tuple.of(numbers))
                .mapEmpty();
    }

    private Future<Void> closed(String attempt) {
        boolean closed = stage.psp()
                .payment(attempt)
                .filter(payment -> payment.state() == SandboxPayment.State.CLOSED)
                .isPresent();
        return closed
                ? Future.succeededFuture()
                : stage.vertx().timer(LOOK_EVERY_MS).compose(later -> closed(attempt));
    }

    /** What the PSP has, and not what we think, says who must have got what. */
    private void assertMoneyIsWhereItBelongs(List<Racer> racers) {
        Map<String, Row> books =
                stage.rows(BOOKS).stream().collect(Collectors.toMap(row -> row.getString("order_no"), row -> row));
        for (Racer racer : racers) {
            Row order = books.get(racer.orderNo());
            String status = order.getString("status");
            String about = "seed " + seed + ": " + racer + " is " + status;
            SandboxPayment payment = stage.psp().payment(racer.attempt()).orElse(null);
            if (racer.payer() == Payer.NEVER) {
                assertThat(status).as(about).isEqualTo("EXPIRED");
                continue;
            }
            assertThat(payment).as(about).isNotNull();
            assertThat(payment.state()).as(about).isEqualTo(SandboxPayment.State.PAID);
            long kept = payment.amountMinor() - payment.refundedMinor();
            assertThat(kept).as(about).isEqualTo(status.equals("PAID") ? payment.amountMinor() : 0);
        }
    }

    private void assertOneRecordForEachPaidOrder() {
        TreeSet<String> paid = stage.rows(BOOKS).stream()
                .filter(row -> row.getBoolean("paid"))
                .map(row -> row.getString("order_no"))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(new TreeSet<>(stage.target().records().keySet()))
                .as("seed %d", seed)
                .isEqualTo(paid);
        assertThat(stage.target().counts().doubles()).as("seed %d", seed).isZero();
    }

    private void assertAnsweredOnesAreLogged() {
        Map<String, Long> logged =
                stage.rows("select event_id, count(*) as times from callbacks where part = 0 group by 1").stream()
                        .collect(Collectors.toMap(row -> row.getString("event_id"), row -> row.getLong("times")));
        stage.poster().successes().forEach((event, times) -> assertThat(logged.getOrDefault(event, 0L))
                .as("seed %d: log entries of event %s", seed, event)
                .isGreaterThanOrEqualTo(times.get()));
    }

    /** If one side always won, nothing would have raced. */
    private void assertBothSidesWonSometimes() {
        Row won = stage.rows(BY_WHOM).get(0);
        assertThat(won.getLong("by_notification")).as("seed %d", seed).isPositive();
        assertThat(won.getLong("by_tracker")).as("seed %d", seed).isPositive();
    }
}
