package io.quittance.endtoend;

import static io.quittance.endtoend.Stage.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.quittance.psp.sandbox.SandboxPayment;
import io.quittance.testing.Services;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.sqlclient.Tuple;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A gateway that is killed in the middle of its work, without a chance to say goodbye, and started again. */
class KillIT {

    private static final int PAID_IN_TIME = 300;
    private static final int PAID_LATE = 20;
    private static final int BEING_OPENED = 6;
    private static final int COPIES = 2;
    private static final int PLACED_AT_ONCE = 16;

    /** The kill comes with this success, about in the middle of what is sent. */
    private static final int SUCCESSES_BEFORE_KILL = 250;

    private static final int REPETITIONS_MAX = 100;

    /** SIGKILL, as a shell tells it. */
    private static final int KILLED = 128 + 9;

    private static final String LATE_ONES_ARE_OVER = """
            with over as (
                update orders set expires_at = greatest(created_at + interval '1 microsecond', now())
                where order_no like 'late-%' returning id
            ),
            no_session as (
                update attempts a set session_ends_at = null from over where a.order_id = over.id
            )
            update timers t set due_at = now() from over where t.order_id = over.id
            """;

    private static final String NOT_EXPIRED =
            "select count(*) from orders where order_no like 'late-%' and status <> 'EXPIRED'";
    private static final String CALLED = "select count(*) from attempts where status in ('CREATED', 'PROCESSING')";
    private static final String REFUNDS_UNDER_WAY = "select count(*) from refunds where status = 'PROCESSING'";
    private static final String PAID = "select order_no from orders where effective_attempt_id is not null";

    @TempDir
    private Path directory;

    private Stage stage;
    private ServedGateway gateway;

    private record Placed(String orderNo, String attempt) {}

    @BeforeEach
    void start() throws Exception {
        stage = Stage.set(Services.redisUri());
        gateway = ServedGateway.start(stage, directory);
    }

    @AfterEach
    void close() throws Exception {
        gateway.stop();
        stage.close();
    }

    @Test
    void what_was_answered_before_a_kill_is_kept_and_everything_else_is_finished_after_it() throws Exception {
        await(stage.merchant().product("tee", "STOCK", 1_000));
        List<Placed> late = place("late", PAID_LATE);
        expire();
        List<Placed> inTime = place("paid", PAID_IN_TIME);
        List<Notification> lateNews = pay(late);
        List<Notification> news = pay(inTime);

        stage.gate().mute();
        leaveAttemptsBeingOpened();
        leaveRefundsUnderWay(lateNews);
        List<Notification> unanswered = killInTheMiddleOf(news);

        assertThat(gateway.awaitEnd()).isEqualTo(KILLED);
        assertThat(await(stage.count(CALLED))).as("attempts being opened").isPositive();
        assertThat(await(stage.count(REFUNDS_UNDER_WAY)))
                .as("refunds under way")
                .isPositive();
        assertAnsweredOnesAreKept();
        assertThat(unanswered).as("notifications without an answer").isNotEmpty();

        stage.gate().unmute();
        stage.mailbox().passOn(stage.poster(), 1);
        gateway = ServedGateway.start(stage, directory);
        await(Future.all(unanswered.stream()
                .map(notification -> stage.poster().postUntilSuccess(notification, REPETITIONS_MAX))
                .toList()));
        payWhatWasBeingOpened();
        stage.awaitSettled();

        assertThat(stage.violations()).isEmpty();
        assertAnsweredOnesAreKept();
        assertEverybodyGotWhatHePaidFor(inTime, late);
    }

    private List<Placed> place(String prefix, int count) {
        List<Placed> all = new ArrayList<>();
        for (int from = 0; from < count; from += PLACED_AT_ONCE) {
            List<Future<Placed>> together = new ArrayList<>();
            for (int i = from; i < Math.min(from + PLACED_AT_ONCE, count); i++) {
                together.add(place(prefix + "-" + i, Stage.PSPS.get(i % Stage.PSPS.size())));
            }
            await(Future.all(together));
            together.forEach(placed -> all.add(placed.result()));
        }
        return all;
    }

    private Future<Placed> place(String orderNo, String psp) {
        return stage.placeAndOpen(orderNo, psp, "REFUND").map(attempt -> new Placed(orderNo, attempt));
    }

    private void expire() {
        await(stage.pool().query(LATE_ONES_ARE_OVER).execute());
        stage.awaitUntil("the late ones are expired", () -> await(stage.count(NOT_EXPIRED)) == 0);
    }

    private List<Notification> pay(List<Placed> orders) {
        stage.mailbox().hold();
        orders.forEach(order -> await(stage.psp().payLateEvenIfClosed(order.attempt())));
        await(stage.psp().settled());
        return stage.mailbox().take();
    }

    /** The PSP is asked to create payments, and nobody hears its answer. */
    private void leaveAttemptsBeingOpened() {
        for (int i = 0; i < BEING_OPENED; i++) {
            String orderNo = "open-" + i;
            String psp = i % 2 == 0 ? "stripe" : "wechatpay";
            await(stage.merchant().order(orderNo, "19.99", "tee", "REFUND"));
            stage.merchant().attempt(orderNo, psp);
        }
        stage.awaitUntil(
                "attempts are being opened",
                () -> openedAtPsp().size() == BEING_OPENED && await(stage.count(CALLED)) == BEING_OPENED);
    }

    /** The money may have gone back already, and nobody hears of it. */
    private void leaveRefundsUnderWay(List<Notification> lateNews) {
        await(Future.all(lateNews.stream()
                .map(notification -> stage.poster().postUntilSuccess(notification, 1))
                .toList()));
        stage.awaitUntil("refunds are under way", () -> await(stage.count(REFUNDS_UNDER_WAY)) > 0);
    }

    /** Sends everything at once, kills with a certain success, and returns what got none. */
    private List<Notification> killInTheMiddleOf(List<Notification> news) {
        int before = stage.poster().successesInTotal();
        Promise<Void> killed = Promise.promise();
        List<Notification> unanswered = new ArrayList<>();
        List<Future<Boolean>> answers = new ArrayList<>();
        for (int copy = 0; copy < COPIES; copy++) {
            for (Notification notification : news) {
                answers.add(stage.poster().post(notification).otherwise(false).map(success -> {
                    if (stage.poster().successesInTotal() - before >= SUCCESSES_BEFORE_KILL && killed.tryComplete()) {
                        gateway.kill();
                    }
                    return success;
                }));
            }
        }
        await(Future.all(answers));
        for (int i = 0; i < answers.size(); i++) {
            if (!answers.get(i).result()) {
                unanswered.add(news.get(i % news.size()));
            }
        }
        return unanswered;
    }

    private List<String> openedAtPsp() {
        return stage
                .rows("select replace(a.id::text, '-', '') from attempts a join orders o on o.id = a.order_id"
                        + " where o.order_no like 'open-%'")
                .stream()
                .map(row -> row.getString(0))
                .filter(attempt -> stage.psp().payment(attempt).isPresent())
                .toList();
    }

    private void payWhatWasBeingOpened() {
        List<String> attempts = openedAtPsp();
        assertThat(attempts).hasSize(BEING_OPENED);
        stage.awaitUntil("the PSP was asked about what was being opened", () -> await(stage.count(CALLED)) == 0);
        attempts.forEach(attempt -> await(stage.psp().pay(attempt)));
    }

    private void assertAnsweredOnesAreKept() {
        String[] answered = stage.poster().successes().keySet().toArray(String[]::new);
        Set<String> kept = await(stage.pool()
                        .preparedQuery("select distinct event_id from callbacks where event_id = any($1)")
                        .execute(Tuple.of(answered)))
                .stream()
                .map(row -> row.getString(0))
                .collect(Collectors.toSet());
        assertThat(kept).containsExactlyInAnyOrder(answered);
    }

    private void assertEverybodyGotWhatHePaidFor(List<Placed> inTime, List<Placed> late) {
        TreeSet<String> expected = new TreeSet<>();
        inTime.forEach(order -> expected.add(order.orderNo()));
        for (int i = 0; i < BEING_OPENED; i++) {
            expected.add("open-" + i);
        }
        TreeSet<String> paid =
                stage.rows(PAID).stream().map(row -> row.getString(0)).collect(Collectors.toCollection(TreeSet::new));
        assertThat(paid).isEqualTo(expected);
        assertThat(new TreeSet<>(stage.target().records().keySet())).isEqualTo(expected);
        assertThat(stage.target().counts().doubles()).isZero();
        for (Placed order : late) {
            SandboxPayment payment = stage.psp().payment(order.attempt()).orElseThrow();
            assertThat(payment.refundedMinor()).as(order.orderNo()).isEqualTo(payment.amountMinor());
        }
    }
}
