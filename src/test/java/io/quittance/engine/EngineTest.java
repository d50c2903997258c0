package io.quittance.engine;

import static io.quittance.testing.Bench.await;
import static io.quittance.testing.Bench.awaitFailure;
import static io.quittance.testing.Bench.news;
import static io.quittance.testing.Bench.success;
import static org.assertj.core.api.Assertions.assertThat;

import io.quittance.FaultOfOthers;
import io.quittance.domain.FactKind;
import io.quittance.domain.Ids;
import io.quittance.domain.LatePolicy;
import io.quittance.domain.Money;
import io.quittance.domain.Outcome;
import io.quittance.domain.PaymentFact;
import io.quittance.message.Checkout.Item;
import io.quittance.message.Checkout.Strategy;
import io.quittance.message.Delivery;
import io.quittance.message.Submission.Verdict;
import io.quittance.message.Unavailable;
import io.quittance.redis.NotificationDedup;
import io.quittance.redis.NotificationDedup.Marks;
import io.quittance.redis.NotificationDedup.State;
import io.quittance.testing.Bench;
import io.quittance.testing.BenchProcess;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The engine on a real Postgres and a real Redis. Races are provoked by row locks that the test holds. */
class EngineTest {

    /** The token of another process. */
    private static final String ELSEWHERE = "elsewhere";

    private Bench bench;

    @BeforeEach
    void open() throws SQLException {
        bench = Bench.open();
    }

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void a_success_pays_the_order_and_queues_its_conclusion() {
        BenchProcess process = bench.process().withEngine();
        UUID order = bench.order("A1");
        UUID attempt = bench.attempt(order);

        Verdict verdict = await(notify(process, success(attempt, "ev-1"), "ev-1"));

        assertThat(verdict.outcome()).isEqualTo(Outcome.APPLIED);
        assertThat(bench.orderStatus(order)).isEqualTo("PAID");
        assertThat(bench.attemptStatus(attempt)).isEqualTo("SUCCEEDED");
        assertThat(bench.holdStatus(order)).isEqualTo("CONSUMED");
        assertThat(bench.text("select target from outbox where order_id = ?", order))
                .isEqualTo("target of " + Bench.MERCHANT);
        bench.proveInvariants();
    }

    @Test
    @FaultOfOthers(
            value = "jeepay PR#81",
            symptom =
                    "a notice is believed by its signature alone: one of another application, or of 0.01, pays for anything")
    void a_success_of_another_amount_pays_nothing_and_goes_before_a_person() {
        BenchProcess process = bench.process().withEngine();
        UUID order = bench.order("A2");
        UUID attempt = bench.attempt(order);
        PaymentFact tooLittle = PaymentFact.succeeded(
                Ids.hex(attempt), Bench.notified("ev-1"), "pay-1", new Money(Bench.PRICE.minor() - 1, "CNY"));

        assertThat(await(notify(process, tooLittle, "ev-1")).outcome()).isEqualTo(Outcome.MISMATCH);

        assertThat(bench.orderStatus(order)).isEqualTo("PENDING");
        assertThat(bench.attemptStatus(attempt)).isEqualTo("MANUAL_REVIEW");
        assertThat(bench.count("select count(*) from reviews where attempt_id = ?", attempt))
                .isEqualTo(1);
        bench.proveInvariants();
    }

    @Test
    void the_same_notification_again_is_a_duplicate_that_is_logged_without_its_body() {
        BenchProcess process = bench.process().withEngine();
        UUID attempt = bench.attempt(bench.order("A3"));

        Verdict first = await(notify(process, success(attempt, "ev-1"), "ev-1"));
        Verdict second = await(notify(process, success(attempt, "ev-1"), "ev-1"));

        assertThat(List.of(first.outcome(), second.outcome())).containsExactly(Outcome.APPLIED, Outcome.DUPLICATE);
        assertThat(bench.count("select count(*) from callbacks where event_id = 'ev-1'"))
                .isEqualTo(2);
        assertThat(bench.count("select count(body) from callbacks where event_id = 'ev-1'"))
                .isEqualTo(1);
    }

    @Test
    void a_change_that_two_events_tell_has_one_effect() {
        BenchProcess process = bench.process().withEngine();
        UUID attempt = bench.attempt(bench.order("A4"));

        await(notify(process, success(attempt, "ev-1"), "ev-1"));
        Verdict second = await(notify(process, success(attempt, "ev-2"), "ev-2"));

        assertThat(second.outcome()).isEqualTo(Outcome.DUPLICATE);
        assertThat(bench.count("select count(*) from outbox")).isEqualTo(1);
        bench.proveInvariants();
    }

    @Test
    @FaultOfOthers(
            value = "ahimu.com/posts/33",
            symptom = "the order is closed while the payer pays, and the money is nobody's")
    void of_two_processes_that_decide_the_same_order_at_once_one_wins_and_the_other_decides_again() {
        BenchProcess one = bench.process().withEngine();
        BenchProcess other = bench.process(1).withEngine();
        UUID order = bench.order("A5");
        UUID attempt = bench.attempt(order);
        Bench.RowLock lock = bench.lockOrder(order);
        Future<Verdict> paid = notify(one, success(attempt, "ev-1"), "ev-1");
        Future<Verdict> closed = notify(other, news(FactKind.PAYMENT_CLOSED, attempt, "ev-2"), "ev-2");
        bench.untilBlocked(2);

        lock.release();

        List<Outcome> outcomes = List.of(await(paid).outcome(), await(closed).outcome());
        // whoever comes first, the money moved: closed first makes the success a late one of an open order
        assertThat(outcomes).first().isEqualTo(Outcome.APPLIED);
        assertThat(outcomes.get(1)).isIn(Outcome.APPLIED, Outcome.STALE);
        assertThat(bench.orderStatus(order)).isEqualTo("PAID");
        assertThat(bench.attemptStatus(attempt)).isEqualTo("SUCCEEDED");
        bench.proveInvariants();
    }

    @Test
    void of_two_equal_successes_in_two_processes_one_is_applied_and_one_is_a_duplicate() {
        BenchProcess one = bench.process().withEngine();
        BenchProcess other = bench.process(1).withEngine();
        UUID order = bench.order("A6");
        UUID attempt = bench.attempt(order);
        Bench.RowLock lock = bench.lockOrder(order);
        Future<Verdict> first = notify(one, success(attempt, "ev-1"), "ev-1");
        Future<Verdict> second = notify(other, success(attempt, "ev-1"), "ev-1");
        bench.untilBlocked(2);

        lock.release();

        assertThat(List.of(await(first).outcome(), await(second).outcome()))
                .containsExactlyInAnyOrder(Outcome.APPLIED, Outcome.DUPLICATE);
        assertThat(bench.count("select version from orders where id = ?", order))
                .as("opened, paid")
                .isEqualTo(2);
        bench.proveInvariants();
    }

    @Test
    void nothing_is_answered_before_the_commit() {
        BenchProcess process = bench.process().withEngine();
        UUID order = bench.order("A7");
        UUID attempt = bench.attempt(order);
        Bench.RowLock lock = bench.lockOrder(order);
        Future<Verdict> verdict = notify(process, success(attempt, "ev-1"), "ev-1");
        bench.untilBlocked(1);

        assertThat(verdict.isComplete()).as("answered before the commit").isFalse();
        assertThat(askedElsewhere(process, "ev-1"))
                .as("marked before the commit")
                .isEqualTo(State.IN_FLIGHT);
        lock.release();

        assertThat(await(verdict).outcome()).isEqualTo(Outcome.APPLIED);
        assertThat(bench.orderStatus(order)).isEqualTo("PAID");
        untilItIs(process, "ev-1", State.DONE);
    }

    @Test
    void what_comes_beside_a_batch_on_its_way_goes_together_after_it() {
        BenchProcess process = bench.process(1).withEngine(patientBatchesOf(8));

        List<Future<Verdict>> verdicts = successesAtOnce(process, 5);

        verdicts.forEach(verdict -> assertThat(await(verdict).outcome()).isEqualTo(Outcome.APPLIED));
        assertThat(bench.count("select count(distinct stored_at) from callbacks where event_id <> 'ev-0'"))
                .as("transactions of those after the first")
                .isEqualTo(1);
        bench.proveInvariants();
    }

    @Test
    void a_full_batch_goes_beside_one_that_is_being_written() {
        BenchProcess process = bench.process(1).withEngine(patientBatchesOf(2));
        UUID held = bench.order("held");
        UUID heldAttempt = bench.attempt(held);
        Bench.RowLock lock = bench.lockOrder(held);
        Future<Verdict> waiting = notify(process, success(heldAttempt, "ev-held"), "ev-held");
        bench.untilBlocked(1);

        List<Future<Verdict>> verdicts = successesAtOnce(process, 3);

        assertThat(await(verdicts.get(0)).outcome()).isEqualTo(Outcome.APPLIED);
        assertThat(await(verdicts.get(1)).outcome()).isEqualTo(Outcome.APPLIED);
        assertThat(waiting.isComplete()).isFalse();
        lock.release();
        assertThat(await(waiting).outcome()).isEqualTo(Outcome.APPLIED);
        verdicts.forEach(verdict -> assertThat(await(verdict).outcome()).isEqualTo(Outcome.APPLIED));
        bench.proveInvariants();
    }

    /** A batch waits for others to come along; but not for one that waits for a row. */
    @Test
    void who_has_nothing_to_do_with_a_row_that_is_held_does_not_wait_for_it() {
        BenchProcess process = bench.process(1).withEngine();
        UUID held = bench.order("A7");
        UUID free = bench.order("A8");
        UUID heldAttempt = bench.attempt(held);
        UUID freeAttempt = bench.attempt(free);
        Bench.RowLock lock = bench.lockOrder(held);
        Future<Verdict> waiting = notify(process, success(heldAttempt, "ev-1"), "ev-1");
        bench.untilBlocked(1);

        assertThat(await(notify(process, success(freeAttempt, "ev-2"), "ev-2")).outcome())
                .isEqualTo(Outcome.APPLIED);

        assertThat(waiting.isComplete()).isFalse();
        lock.release();
        assertThat(await(waiting).outcome()).isEqualTo(Outcome.APPLIED);
        bench.proveInvariants();
    }

    @Test
    void a_notification_that_another_process_has_in_hand_is_answered_only_when_that_one_is_done() {
        BenchProcess process = bench.process().withEngine();
        UUID order = bench.order("A8");
        UUID attempt = bench.attempt(order);
        NotificationDedup elsewhere = takenElsewhere(process, "ev-1", Duration.ofMinutes(1));
        Future<Verdict> verdict = notify(process, success(attempt, "ev-1"), "ev-1");
        laterNotificationsAreDone(process, 3);

        assertThat(verdict.isComplete()).as("answered before the other one").isFalse();
        assertThat(bench.count("select count(*) from callbacks where event_id = 'ev-1'"))
                .isZero();
        elsewhere.allDone(ELSEWHERE);

        assertThat(await(verdict).outcome()).isEqualTo(Outcome.DUPLICATE);
        assertThat(bench.orderStatus(order)).as("left to the other one").isEqualTo("PENDING");
    }

    @Test
    void a_notification_whose_process_died_is_taken_over_when_its_mark_expires() {
        BenchProcess process = bench.process().withEngine();
        UUID order = bench.order("A9");
        UUID attempt = bench.attempt(order);
        takenElsewhere(process, "ev-1", Duration.ofMillis(200));

        assertThat(await(notify(process, success(attempt, "ev-1"), "ev-1")).outcome())
                .isEqualTo(Outcome.APPLIED);

        assertThat(bench.orderStatus(order)).isEqualTo("PAID");
        bench.proveInvariants();
    }

    /** Its mark says that it goes on for longer than anybody may. */
    @Test
    void a_notification_that_another_process_holds_for_too_long_is_taken_over_and_done_for_all() {
        Marks brief = new Marks(Duration.ofMillis(100), Marks.USUAL.done());
        BenchProcess process = bench.process().withEngine(BenchProcess.engineOptions(), brief);
        UUID order = bench.order("A13");
        UUID attempt = bench.attempt(order);
        takenElsewhere(process, "ev-1", Duration.ofMinutes(1));

        assertThat(await(notify(process, success(attempt, "ev-1"), "ev-1")).outcome())
                .isEqualTo(Outcome.APPLIED);

        untilItIs(process, "ev-1", State.DONE);
        bench.proveInvariants();
    }

    @Test
    void waiting_for_another_process_does_not_count_as_losing_a_race() {
        EngineOptions usual = BenchProcess.engineOptions();
        BenchProcess process = bench.process()
                .withEngine(
                        new EngineOptions(usual.batchMax(), 2, usual.queueMax(), 1, 25, 1, usual.audienceOfMerchant()));
        UUID order = bench.order("A10");
        UUID attempt = bench.attempt(order);
        NotificationDedup elsewhere = takenElsewhere(process, "ev-1", Duration.ofMinutes(1));
        Future<Verdict> verdict = notify(process, success(attempt, "ev-1"), "ev-1");
        laterNotificationsAreDone(process, 10);
        Bench.RowLock change = bench.changeOrder(order);
        elsewhere.release(Set.of(BenchProcess.dedupKey("ev-1")), ELSEWHERE);
        bench.untilBlocked(1);

        change.release();

        assertThat(await(verdict).outcome()).isEqualTo(Outcome.APPLIED);
        assertThat(bench.orderStatus(order)).isEqualTo("PAID");
    }

    /** Its row is not where it was read any more when it can be written. */
    @Test
    void a_payment_of_an_order_whose_row_was_changed_without_a_new_version_meanwhile_is_applied_once() {
        BenchProcess process = bench.process().withEngine();
        UUID order = bench.order("A12");
        UUID attempt = bench.attempt(order);
        Bench.RowLock change = bench.touchOrder(order);
        Future<Verdict> verdict = notify(process, success(attempt, "ev-1"), "ev-1");
        bench.untilBlocked(1);

        change.release();

        assertThat(await(verdict).outcome()).isEqualTo(Outcome.APPLIED);
        assertThat(bench.orderStatus(order)).isEqualTo("PAID");
        assertThat(bench.attemptStatus(attempt)).isEqualTo("SUCCEEDED");
        assertThat(bench.count("select count(*) from outbox")).isEqualTo(1);
        assertThat(bench.count("select count(*) from callbacks where event_id = 'ev-1'"))
                .isEqualTo(1);
        bench.proveInvariants();
    }

    @Test
    void a_fact_that_loses_every_race_is_handed_back_to_its_sender() {
        EngineOptions usual = BenchProcess.engineOptions();
        BenchProcess process = bench.process()
                .withEngine(new EngineOptions(
                        usual.batchMax(), 2, usual.queueMax(), 0, 25, 25, usual.audienceOfMerchant()));
        UUID order = bench.order("A11");
        UUID attempt = bench.attempt(order);
        Bench.RowLock change = bench.changeOrder(order);
        Future<Verdict> verdict = notify(process, success(attempt, "ev-1"), "ev-1");
        bench.untilBlocked(1);

        change.release();

        assertThat(awaitFailure(verdict)).isInstanceOf(Unavailable.class);
        assertThat(bench.orderStatus(order)).isEqualTo("PENDING");
    }

    @Test
    void what_the_dedup_store_knows_as_done_is_a_duplicate_without_a_look_at_the_order() {
        BenchProcess process = bench.process().withEngine();
        UUID nowhere = UUID.randomUUID();
        process.dedup(Marks.USUAL).done(Set.of(BenchProcess.dedupKey("ev-1")));
        untilItIs(process, "ev-1", State.DONE);

        assertThat(await(notify(process, success(nowhere, "ev-1"), "ev-1")).outcome())
                .isEqualTo(Outcome.DUPLICATE);
        assertThat(await(notify(process, success(nowhere, "ev-2"), "ev-2")).outcome())
                .as("the same without the mark")
                .isEqualTo(Outcome.UNMATCHED);
    }

    @Test
    @FaultOfOthers(value = "dj-stripe#832 (comment)", symptom = "one event that always fails holds up all others")
    void a_row_that_the_database_refuses_fails_alone() {
        BenchProcess process = bench.process().withEngine(oneBatchAtATime(8_192));
        List<UUID> attempts = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            attempts.add(bench.attempt(bench.order("B" + i)));
        }
        refuse("ev-3");
        List<Future<Verdict>> verdicts = new ArrayList<>();
        inOneBatch(process, () -> {
            for (int i = 0; i < attempts.size(); i++) {
                verdicts.add(notify(process, success(attempts.get(i), "ev-" + i), "ev-" + i));
            }
        });

        for (int i = 0; i < attempts.size(); i++) {
            if (i == 3) {
                assertThat(awaitFailure(verdicts.get(i))).isInstanceOf(Unavailable.class);
                assertThat(bench.attemptStatus(attempts.get(i))).isEqualTo("PROCESSING");
            } else {
                assertThat(await(verdicts.get(i)).outcome()).isEqualTo(Outcome.APPLIED);
                assertThat(bench.attemptStatus(attempts.get(i))).isEqualTo("SUCCEEDED");
                untilItIs(process, "ev-" + i, State.DONE);
            }
        }
        untilItIs(process, "ev-3", State.FRESH);
        bench.proveInvariants();
    }

    @Test
    void an_order_whose_stock_cannot_be_written_does_not_hold_up_the_next_one() {
        bench.product("ticket", Strategy.ON_PAYMENT, 10);
        BenchProcess process = bench.process().withEngine(oneBatchAtATime(8_192));
        List<UUID> attempts = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            attempts.add(bench.attempt(bench.order("C" + i, LatePolicy.REFUND, new Item("ticket", 1))));
        }
        refuse("ev-0");
        List<Future<Verdict>> verdicts = new ArrayList<>();
        inOneBatch(process, () -> {
            for (int i = 0; i < attempts.size(); i++) {
                verdicts.add(notify(process, success(attempts.get(i), "ev-" + i), "ev-" + i));
            }
        });

        assertThat(awaitFailure(verdicts.get(0))).isInstanceOf(Unavailable.class);
        assertThat(await(verdicts.get(1)).outcome()).isEqualTo(Outcome.APPLIED);
        assertThat(await(verdicts.get(2)).outcome()).isEqualTo(Outcome.APPLIED);
        assertThat(bench.available("ticket")).as("the refused one took nothing").isEqualTo(8);
        bench.proveInvariants();
    }

    /** What was taken up together is marked as done together, but only if it is. */
    @Test
    void while_a_part_of_a_batch_is_not_committed_only_the_rest_is_done_for_others() {
        bench.product("ticket", Strategy.ON_PAYMENT, 10);
        BenchProcess process = bench.process().withEngine(oneBatchAtATime(8_192));
        UUID quick = bench.attempt(bench.order("C1"));
        UUID slowOrder = bench.order("C2", LatePolicy.REFUND, new Item("ticket", 1));
        UUID slow = bench.attempt(slowOrder);
        Bench.RowLock lock = bench.lockOrder(slowOrder);
        List<Future<Verdict>> verdicts = new ArrayList<>();
        inOneBatch(process, () -> {
            verdicts.add(notify(process, success(quick, "ev-quick"), "ev-quick"));
            verdicts.add(notify(process, success(slow, "ev-slow"), "ev-slow"));
        });
        bench.untilBlocked(1);

        assertThat(await(verdicts.get(0)).outcome()).isEqualTo(Outcome.APPLIED);
        untilItIs(process, "ev-quick", State.DONE);
        assertThat(askedElsewhere(process, "ev-slow")).isEqualTo(State.IN_FLIGHT);
        lock.release();

        assertThat(await(verdicts.get(1)).outcome()).isEqualTo(Outcome.APPLIED);
        untilItIs(process, "ev-slow", State.DONE);
    }

    @Test
    void a_second_fact_of_an_order_in_one_batch_is_decided_after_the_first_and_given_back_if_it_fails() {
        BenchProcess process = bench.process().withEngine(oneBatchAtATime(8_192));
        UUID order = bench.order("D1");
        UUID failed = bench.attempt(order);
        await(notify(process, news(FactKind.PAYMENT_FAILED, failed, "ev-0"), "ev-0"));
        UUID live = bench.attempt(order);
        refuse("ev-2");
        List<Future<Verdict>> verdicts = new ArrayList<>();
        inOneBatch(process, () -> {
            verdicts.add(notify(process, success(failed, "ev-1"), "ev-1"));
            verdicts.add(notify(process, success(live, "ev-2"), "ev-2"));
        });

        assertThat(await(verdicts.get(0)).outcome()).isEqualTo(Outcome.APPLIED);
        assertThat(awaitFailure(verdicts.get(1))).isInstanceOf(Unavailable.class);
        untilItIs(process, "ev-2", State.FRESH);
        bench.run("drop trigger refuse on callbacks_default");

        assertThat(await(notify(process, success(live, "ev-2"), "ev-2")).outcome())
                .isEqualTo(Outcome.APPLIED);
        for (String event : List.of("ev-0", "ev-1", "ev-2")) {
            untilItIs(process, event, State.DONE);
        }
        assertThat(bench.text("select reason from refunds where attempt_id = ?", live))
                .isEqualTo("DOUBLE_PAYMENT");
        bench.proveInvariants();
    }

    @Test
    void a_batch_that_ends_in_a_deadlock_is_decided_again() {
        BenchProcess process = bench.process().withEngine(oneBatchAtATime(8_192));
        UUID low = bench.order("E1");
        UUID high = bench.order("E2");
        UUID lowAttempt = bench.attempt(low);
        UUID highAttempt = bench.attempt(high);
        Bench.RowLock other = bench.lockOrder(high);
        List<Future<Verdict>> verdicts = new ArrayList<>();
        inOneBatch(process, () -> {
            verdicts.add(notify(process, success(lowAttempt, "ev-1"), "ev-1"));
            verdicts.add(notify(process, success(highAttempt, "ev-2"), "ev-2"));
        });
        bench.untilBlocked(1);

        other.lockToo(low);
        other.release();

        assertThat(await(verdicts.get(0)).outcome()).isEqualTo(Outcome.APPLIED);
        assertThat(await(verdicts.get(1)).outcome()).isEqualTo(Outcome.APPLIED);
        bench.proveInvariants();
    }

    @Test
    void a_single_fact_that_ends_in_a_deadlock_is_decided_again() {
        bench.product("box", Strategy.STOCK, 5);
        BenchProcess process = bench.process().withEngine();
        UUID order = bench.order("E3", LatePolicy.REFUND, new Item("box", 1));
        Bench.RowLock other = bench.lockProduct("box");
        Future<Verdict> verdict = process.bus().submit(Bench.timeOver(order));
        bench.untilBlocked(1);

        other.lockToo(order);
        other.release();

        assertThat(await(verdict).outcome()).isEqualTo(Outcome.APPLIED);
        assertThat(bench.orderStatus(order)).isEqualTo("EXPIRED");
        assertThat(bench.available("box")).isEqualTo(5);
        bench.proveInvariants();
    }

    @Test
    void a_notification_that_cannot_even_be_encoded_fails_alone() {
        BenchProcess process = bench.process().withEngine(oneBatchAtATime(8_192));
        UUID good = bench.attempt(bench.order("E4"));
        UUID bad = bench.attempt(bench.order("E5"));
        Delivery usual = Bench.delivery("ev-bad");
        Delivery broken = new Delivery(
                usual.id(), usual.psp(), usual.account(), usual.eventId(), 0, null, usual.keyLabel(), usual.body());
        List<Future<Verdict>> verdicts = new ArrayList<>();
        inOneBatch(process, () -> {
            verdicts.add(process.bus().submit(success(bad, "ev-bad"), broken, "test"));
            verdicts.add(notify(process, success(good, "ev-good"), "ev-good"));
        });

        assertThat(awaitFailure(verdicts.get(0))).isInstanceOf(Unavailable.class);
        assertThat(await(verdicts.get(1)).outcome()).isEqualTo(Outcome.APPLIED);
        untilItIs(process, "ev-bad", State.FRESH);
    }

    @Test
    void more_than_the_queue_takes_is_refused_for_now() {
        BenchProcess process = bench.process().withEngine(oneBatchAtATime(2));
        UUID order = bench.order("F1");
        UUID attempt = bench.attempt(order);
        Bench.RowLock lock = bench.lockOrder(order);
        Future<Verdict> inHand = notify(process, success(attempt, "ev-1"), "ev-1");
        bench.untilBlocked(1);
        Future<Verdict> waiting1 = notify(process, success(UUID.randomUUID(), "ev-2"), "ev-2");
        Future<Verdict> waiting2 = notify(process, success(UUID.randomUUID(), "ev-3"), "ev-3");

        assertThat(awaitFailure(notify(process, success(UUID.randomUUID(), "ev-4"), "ev-4")))
                .isInstanceOf(Unavailable.class);
        lock.release();

        assertThat(await(inHand).outcome()).isEqualTo(Outcome.APPLIED);
        assertThat(await(waiting1).outcome()).isEqualTo(Outcome.UNMATCHED);
        assertThat(await(waiting2).outcome()).isEqualTo(Outcome.UNMATCHED);
    }

    @Test
    @FaultOfOthers(
            value = "fossasia/eventyay#3447",
            symptom = "everything is answered with a success, also what could not be stored, and the money is lost")
    void without_postgres_nothing_is_acknowledged_and_the_notification_is_given_back() {
        BenchProcess process = bench.process(1).withEngine();
        UUID attempt = bench.attempt(bench.order("G1"));
        await(process.pool().close());

        assertThat(awaitFailure(notify(process, success(attempt, "ev-1"), "ev-1")))
                .isInstanceOf(Unavailable.class);

        untilItIs(process, "ev-1", State.FRESH);
    }

    @Test
    @FaultOfOthers(
            value = "dj-stripe#832",
            symptom =
                    "the event was marked as seen although its handling failed, and its repetition was taken for a duplicate")
    void a_connection_that_breaks_during_the_write_acknowledges_nothing_and_the_repetition_is_applied() {
        BenchProcess process = bench.process(1).withEngine();
        UUID order = bench.order("G2");
        UUID attempt = bench.attempt(order);
        Bench.RowLock lock = bench.lockOrder(order);
        Future<Verdict> verdict = notify(process, success(attempt, "ev-1"), "ev-1");
        bench.untilBlocked(1);

        bench.run("select pg_terminate_backend(pid) from pg_stat_activity"
                + " where datname = current_database() and wait_event_type = 'Lock'");

        assertThat(awaitFailure(verdict)).isInstanceOf(Unavailable.class);
        lock.release();
        untilItIs(process, "ev-1", State.FRESH);
        assertThat(await(notify(process, success(attempt, "ev-1"), "ev-1")).outcome())
                .isEqualTo(Outcome.APPLIED);
        bench.proveInvariants();
    }

    @Test
    void of_two_paid_orders_for_one_piece_one_gets_it_and_the_other_its_money_back() {
        bench.product("last", Strategy.ON_PAYMENT, 1);
        BenchProcess one = bench.process().withEngine();
        BenchProcess other = bench.process(1).withEngine();
        UUID orderA = bench.order("H1", LatePolicy.REFUND, new Item("last", 1));
        UUID orderB = bench.order("H2", LatePolicy.REFUND, new Item("last", 1));
        UUID attemptA = bench.attempt(orderA);
        UUID attemptB = bench.attempt(orderB);
        Bench.RowLock lockA = bench.lockOrder(orderA);
        Bench.RowLock lockB = bench.lockOrder(orderB);
        Future<Verdict> paidA = notify(one, success(attemptA, "ev-1"), "ev-1");
        Future<Verdict> paidB = notify(other, success(attemptB, "ev-2"), "ev-2");
        bench.untilBlocked(2);

        lockA.release();
        lockB.release();

        assertThat(await(paidA).outcome()).isEqualTo(Outcome.APPLIED);
        assertThat(await(paidB).outcome()).isEqualTo(Outcome.APPLIED);
        assertThat(List.of(bench.orderStatus(orderA), bench.orderStatus(orderB)))
                .containsExactlyInAnyOrder("PAID", "FAILED");
        assertThat(bench.text("select reason || ' ' || status from refunds")).isEqualTo("OUT_OF_STOCK REQUESTED");
        assertThat(bench.available("last")).isZero();
        bench.proveInvariants();
    }

    @Test
    void an_order_of_held_and_unheld_items_gets_both_kinds_or_gives_back_what_it_held() {
        bench.product("book", Strategy.STOCK, 2);
        bench.product("last", Strategy.ON_PAYMENT, 1);
        BenchProcess process = bench.process().withEngine();
        Item[] items = {new Item("book", 1), new Item("last", 1)};
        UUID lucky = bench.order("I1", LatePolicy.REVIVE, items);
        UUID unlucky = bench.order("I2", LatePolicy.REVIVE, items);
        UUID paid = bench.attempt(lucky);
        UUID unpaid = bench.attempt(unlucky);

        await(notify(process, success(paid, "ev-1"), "ev-1"));
        await(notify(process, success(unpaid, "ev-2"), "ev-2"));

        assertThat(bench.orderStatus(lucky)).isEqualTo("PAID");
        assertThat(bench.text("select string_agg(distinct status, ' ') from hold_states where order_id = ?", lucky))
                .isEqualTo("CONSUMED");
        assertThat(bench.orderStatus(unlucky)).isEqualTo("FAILED");
        assertThat(bench.holdStatus(unlucky)).isEqualTo("RELEASED");
        assertThat(bench.refundStatus(unpaid)).isEqualTo("REQUESTED");
        assertThat(bench.available("book")).isEqualTo(1);
        bench.proveInvariants();
    }

    @Test
    void a_late_payment_of_mixed_items_is_revived_with_all_of_them() {
        bench.product("book", Strategy.STOCK, 1);
        bench.product("extra", Strategy.ON_PAYMENT, 1);
        BenchProcess process = bench.process().withEngine();
        UUID order = bench.order("I3", LatePolicy.REVIVE, new Item("book", 1), new Item("extra", 1));
        UUID attempt = expired(process, order);

        await(notify(process, success(attempt, "ev-late"), "ev-late"));

        assertThat(bench.orderStatus(order)).isEqualTo("PAID");
        assertThat(bench.available("book") + bench.available("extra")).isZero();
        bench.proveInvariants();
    }

    @Test
    void a_late_payment_takes_the_stock_again_if_it_is_still_there() {
        bench.product("single", Strategy.UNIQUE, 1);
        BenchProcess process = bench.process().withEngine();
        UUID order = bench.order("J1", LatePolicy.REVIVE, new Item("single", 1));
        UUID attempt = expired(process, order);
        assertThat(bench.orderStatus(order)).isEqualTo("EXPIRED");
        assertThat(bench.available("single")).isEqualTo(1);

        await(notify(process, success(attempt, "ev-late"), "ev-late"));

        assertThat(bench.orderStatus(order)).isEqualTo("PAID");
        assertThat(bench.available("single")).isZero();
        bench.proveInvariants();
    }

    @Test
    void a_late_payment_for_what_somebody_else_has_now_goes_back() {
        bench.product("single", Strategy.UNIQUE, 1);
        BenchProcess process = bench.process().withEngine();
        UUID late = bench.order("J2", LatePolicy.REVIVE, new Item("single", 1));
        UUID attempt = expired(process, late);
        bench.order("J3", LatePolicy.REVIVE, new Item("single", 1));

        await(notify(process, success(attempt, "ev-late"), "ev-late"));

        assertThat(bench.orderStatus(late)).isEqualTo("EXPIRED");
        assertThat(bench.text("select reason || ' ' || status from refunds where attempt_id = ?", attempt))
                .isEqualTo("OUT_OF_STOCK REQUESTED");
        bench.proveInvariants();
    }

    @Test
    void of_two_processes_that_revive_the_same_order_at_once_one_takes_the_stock() {
        bench.product("box", Strategy.STOCK, 5);
        BenchProcess one = bench.process().withEngine();
        BenchProcess other = bench.process(1).withEngine();
        UUID order = bench.order("J4", LatePolicy.REVIVE, new Item("box", 1));
        UUID attempt = expired(one, order);
        Bench.RowLock lock = bench.lockOrder(order);
        Future<Verdict> first = notify(one, success(attempt, "ev-late"), "ev-late");
        Future<Verdict> second = notify(other, success(attempt, "ev-late"), "ev-late");
        bench.untilBlocked(2);

        lock.release();

        assertThat(List.of(await(first).outcome(), await(second).outcome()))
                .containsExactlyInAnyOrder(Outcome.APPLIED, Outcome.DUPLICATE);
        assertThat(bench.available("box")).isEqualTo(4);
        bench.proveInvariants();
    }

    @Test
    void a_late_payment_is_sent_back_or_reviewed_as_the_order_says() {
        bench.product("box", Strategy.STOCK, 5);
        BenchProcess process = bench.process().withEngine();
        UUID refunded = bench.order("K1", LatePolicy.REFUND, new Item("box", 1));
        UUID reviewed = bench.order("K2", LatePolicy.REVIEW, new Item("box", 1));
        UUID back = expired(process, refunded);
        UUID asked = expired(process, reviewed);

        await(notify(process, success(back, "ev-1"), "ev-1"));
        await(notify(process, success(asked, "ev-2"), "ev-2"));

        assertThat(List.of(bench.orderStatus(refunded), bench.orderStatus(reviewed)))
                .containsOnly("EXPIRED");
        assertThat(bench.text("select reason || ' ' || amount_minor from refunds where attempt_id = ?", back))
                .isEqualTo("LATE_PAYMENT " + Bench.PRICE.minor());
        assertThat(bench.text("select reason from reviews where attempt_id = ?", asked))
                .isEqualTo("LATE_PAYMENT");
        assertThat(bench.available("box")).isEqualTo(5);
        bench.proveInvariants();
    }

    // ---- helpers

    private static Future<Verdict> notify(BenchProcess process, PaymentFact fact, String eventId) {
        return process.bus().submit(fact, Bench.delivery(eventId), "test");
    }

    private static EngineOptions oneBatchAtATime(int queueMax) {
        EngineOptions usual = BenchProcess.engineOptions();
        return new EngineOptions(usual.batchMax(), 1, queueMax, 24, 25, 25, usual.audienceOfMerchant());
    }

    /** Two at once, of which the second one begins for other reasons than that the first takes long. */
    private static EngineOptions patientBatchesOf(int batchMax) {
        EngineOptions usual = BenchProcess.engineOptions();
        long patienceMs = Duration.ofMinutes(5).toMillis();
        return new EngineOptions(batchMax, 2, 8_192, 24, patienceMs, 25, usual.audienceOfMerchant());
    }

    /** Each of another order, and all of them before the engine looks at the second one. */
    private List<Future<Verdict>> successesAtOnce(BenchProcess process, int count) {
        List<UUID> attempts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            attempts.add(bench.attempt(bench.order("G" + i)));
        }
        Promise<List<Future<Verdict>>> submitted = Promise.promise();
        process.vertx().runOnContext(turn -> {
            List<Future<Verdict>> verdicts = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                verdicts.add(notify(process, success(attempts.get(i), "ev-" + i), "ev-" + i));
            }
            submitted.complete(verdicts);
        });
        return await(submitted.future());
    }

    /** Holds the engine busy while facts are submitted, so that the next batch takes all of them. */
    private void inOneBatch(BenchProcess process, Runnable submissions) {
        UUID order = bench.order("blocker");
        UUID attempt = bench.attempt(order);
        Bench.RowLock lock = bench.lockOrder(order);
        Future<Verdict> blocker = notify(process, success(attempt, "ev-blocker"), "ev-blocker");
        bench.untilBlocked(1);
        submissions.run();
        lock.release();
        await(blocker);
    }

    /** The engine has taken up and finished so many batches after whatever was submitted before. */
    private void laterNotificationsAreDone(BenchProcess process, int batches) {
        for (int i = 0; i < batches; i++) {
            String event = "ev-later-" + i;
            await(notify(process, success(UUID.randomUUID(), event), event));
        }
    }

    private void refuse(String eventId) {
        bench.run("create function refuse() returns trigger language plpgsql as 'begin if new.event_id = ''" + eventId
                + "'' then raise exception ''refused by the test''; end if; return new; end'");
        bench.run(
                "create trigger refuse before insert on callbacks_default" + " for each row execute function refuse()");
    }

    /** Another process takes a notification up, for so long. */
    private static NotificationDedup takenElsewhere(BenchProcess process, String eventId, Duration inFlight) {
        NotificationDedup elsewhere = process.dedup(new Marks(inFlight, Marks.USUAL.done()));
        assertThat(await(elsewhere.begin(List.of(BenchProcess.dedupKey(eventId)), ELSEWHERE)))
                .containsExactly(State.FRESH);
        return elsewhere;
    }

    /** What another process is told of a notification; if it could have it, it gives it back. */
    private static State askedElsewhere(BenchProcess process, String eventId) {
        NotificationDedup elsewhere = process.dedup(Marks.USUAL);
        String token = UUID.randomUUID().toString();
        State state = await(elsewhere.begin(List.of(BenchProcess.dedupKey(eventId)), token))
                .get(0);
        if (state == State.FRESH) {
            elsewhere.release(Set.of(BenchProcess.dedupKey(eventId)), token);
        }
        return state;
    }

    /** The dedup store is told after the answer, so it may take a moment. */
    private static void untilItIs(BenchProcess process, String eventId, State expected) {
        long end = System.nanoTime() + Duration.ofSeconds(3).toNanos();
        State state = askedElsewhere(process, eventId);
        while (state != expected) {
            assertThat(System.nanoTime()).as("still " + state).isLessThan(end);
            state = askedElsewhere(process, eventId);
        }
    }

    /** An attempt of an order that ran out of time after the attempt was closed. */
    private UUID expired(BenchProcess process, UUID order) {
        UUID attempt = bench.attempt(order);
        String event = "ev-closed-" + attempt;
        await(notify(process, news(FactKind.PAYMENT_CLOSED, attempt, event), event));
        await(process.bus().submit(Bench.timeOver(order)));
        return attempt;
    }
}
