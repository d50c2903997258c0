package io.quittance.timeout;

import static io.quittance.testing.Bench.await;
import static io.quittance.testing.Bench.news;
import static io.quittance.testing.Bench.success;
import static org.assertj.core.api.Assertions.assertThat;

import io.quittance.FaultOfOthers;
import io.quittance.domain.Evidence;
import io.quittance.domain.FactKind;
import io.quittance.domain.FactSource;
import io.quittance.domain.Ids;
import io.quittance.domain.LatePolicy;
import io.quittance.domain.PaymentFact;
import io.quittance.message.Addresses;
import io.quittance.message.Backoff;
import io.quittance.message.Checkout.Item;
import io.quittance.message.Checkout.Strategy;
import io.quittance.psp.PaymentReport;
import io.quittance.psp.PaymentReport.Status;
import io.quittance.psp.PspAdapter.Capabilities;
import io.quittance.testing.Bench;
import io.quittance.testing.BenchProcess;
import io.quittance.testing.ScriptedPsp;
import io.quittance.testing.Workers;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonObject;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Expiry is a conversation: what is said, in which order, and what comes of each answer. */
class TimeoutTest {

    private static final Duration JUST_NOW = Duration.ofSeconds(1);
    private static final Duration GRACE = Duration.ofMinutes(1);
    private static final Duration AGE_LIMIT = Duration.ofHours(1);
    private static final long LEASE_MS = 5_000;

    /** Its shortest pause is far longer than the lease, so that "later" can be told from "being worked on". */
    private static final Backoff BACKOFF = new Backoff(600_000, 3_600_000);

    /** An account whose PSP only tells, and has nothing that could be called. */
    private static final Capabilities TELLS_ONLY = new Capabilities(false, false, false, false);

    private static final PaymentReport WAITING = PaymentReport.created("pay-1", new JsonObject(), null);
    private static final PaymentReport CLOSED = PaymentReport.of(Status.CLOSED, "pay-1", "closed");
    private static final PaymentReport FAILED = PaymentReport.of(Status.FAILED, "pay-1", "refused");
    private static final PaymentReport NOT_FOUND = PaymentReport.of(Status.NOT_FOUND, null, "no such trade");
    private static final PaymentReport NO_ANSWER = PaymentReport.noAnswer("time-out");
    private static final PaymentReport PAID = PaymentReport.succeeded("pay-1", Bench.PRICE);

    private final String leasePrefix = "test:lease:" + UUID.randomUUID() + ":";
    private final ScriptedPsp psp = new ScriptedPsp();
    private Bench bench;
    private BenchProcess process;

    @BeforeEach
    void open() throws SQLException {
        bench = Bench.open();
        process = bench.process().withEngine();
        bench.product("seat", Strategy.STOCK, 10);
    }

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void an_order_that_nobody_tried_to_pay_expires_without_a_question() {
        UUID order = order("A1");
        bench.endTime(order, JUST_NOW);

        track();

        bench.until("the order expires and needs nobody", () -> isOver(order, "EXPIRED"));
        assertThat(bench.holdStatus(order)).isEqualTo("EXPIRED");
        assertThat(bench.available("seat")).isEqualTo(10);
        assertThat(psp.calls()).isEmpty();
        bench.proveInvariants();
    }

    @Test
    void nothing_is_asked_before_the_time_is_over() {
        UUID order = order("A1");
        UUID attempt = pending(order);
        bench.makeDue(order);

        track();

        bench.until("the timer is set to the expiry", () -> isDueAtExpiry(order));
        assertThat(bench.attemptStatus(attempt)).isEqualTo("PENDING");
        assertThat(psp.calls()).isEmpty();
    }

    @Test
    void paid_at_the_psp_is_paid_here() {
        UUID order = order("A1");
        UUID attempt = pending(order);
        psp.onQuery(PAID);
        bench.endTime(order, JUST_NOW);

        track();

        bench.until("the order is paid and needs nobody", () -> isOver(order, "PAID"));
        assertThat(psp.calls()).containsExactly("query " + Ids.hex(attempt));
        bench.proveInvariants();
    }

    @Test
    void unpaid_is_closed_at_the_psp_before_the_order_expires_and_the_hold_is_released() {
        UUID order = order("A1");
        UUID attempt = pending(order);
        Promise<String> whenClosing = Promise.promise();
        psp.onQuery(WAITING).onClose(payment -> {
            whenClosing.complete(bench.orderStatus(order) + " " + bench.holdStatus(order));
            return Future.succeededFuture(CLOSED);
        });
        bench.endTime(order, JUST_NOW);

        track();

        bench.until("the order expires and needs nobody", () -> isOver(order, "EXPIRED"));
        assertThat(await(whenClosing.future())).isEqualTo("PENDING ACTIVE");
        assertThat(psp.calls()).containsExactly("query " + Ids.hex(attempt), "close " + Ids.hex(attempt));
        assertThat(bench.attemptStatus(attempt)).isEqualTo("EXPIRED");
        assertThat(bench.holdStatus(order)).isEqualTo("EXPIRED");
        assertThat(bench.available("seat")).isEqualTo(10);
        bench.proveInvariants();
    }

    @Test
    void an_order_whose_last_attempt_failed_ends_as_failed() {
        UUID order = order("A1");
        pending(order);
        psp.onQuery(FAILED);
        bench.endTime(order, JUST_NOW);

        track();

        bench.until("the order fails and needs nobody", () -> isOver(order, "FAILED"));
        assertThat(bench.available("seat")).isEqualTo(10);
        bench.proveInvariants();
    }

    @Test
    void what_is_still_processing_at_the_psp_is_asked_about_later() {
        UUID order = order("A1");
        UUID attempt = pending(order);
        psp.onQuery(WAITING).onClose(WAITING);
        bench.endTime(order, JUST_NOW);

        track();

        bench.until("the order is put off", () -> isPutOffBySeconds(order, 290));
        assertThat(bench.orderStatus(order)).isEqualTo("PENDING");
        assertThat(bench.attemptStatus(attempt)).isEqualTo("PENDING");
        assertThat(bench.holdStatus(order)).isEqualTo("ACTIVE");
        bench.proveInvariants();
    }

    @Test
    void no_answer_is_unknown_never_expired_and_the_pauses_grow() {
        UUID order = order("A1");
        UUID attempt = pending(order);
        psp.onQuery(NO_ANSWER);
        bench.endTime(order, JUST_NOW);

        track();

        bench.until("the order is put off", () -> isPutOffBySeconds(order, 290));
        assertThat(bench.attemptStatus(attempt)).isEqualTo("UNKNOWN");
        bench.makeDue(order);
        nudge(order);
        bench.until("the order is put off for longer", () -> isPutOffBySeconds(order, 590));
        assertThat(psp.calls()).hasSize(2).allMatch(call -> call.startsWith("query"));
        assertThat(bench.attemptStatus(attempt)).isEqualTo("UNKNOWN");
        assertThat(bench.orderStatus(order)).isEqualTo("PENDING");
        assertThat(bench.holdStatus(order)).isEqualTo("ACTIVE");
        bench.proveInvariants();
    }

    @Test
    void no_answer_to_the_closing_is_unknown_too() {
        UUID order = order("A1");
        UUID attempt = pending(order);
        psp.onQuery(WAITING).onClose(NO_ANSWER);
        bench.endTime(order, JUST_NOW);

        track();

        bench.until("the order is put off", () -> isPutOffBySeconds(order, 290));
        assertThat(bench.attemptStatus(attempt)).isEqualTo("UNKNOWN");
        assertThat(bench.orderStatus(order)).isEqualTo("PENDING");
    }

    @Test
    void what_stays_unknown_past_the_age_limit_is_put_before_a_person_and_keeps_its_hold() {
        UUID order = order("A1");
        UUID attempt = pending(order);
        psp.onQuery(NO_ANSWER);
        bench.endTime(order, AGE_LIMIT.plusMinutes(1));

        track();

        bench.until("the attempt is in review", () -> "MANUAL_REVIEW".equals(bench.attemptStatus(attempt)));
        assertThat(bench.text("select reason from reviews where attempt_id = ?", attempt))
                .isEqualTo("OUTCOME_UNKNOWN");
        bench.until("the order is put off", () -> isPutOffBySeconds(order, 3_500));
        bench.makeDue(order);
        nudge(order);
        bench.until("and put off again", () -> isPutOffBySeconds(order, 3_500));
        assertThat(bench.orderStatus(order)).isEqualTo("PENDING");
        assertThat(bench.holdStatus(order)).isEqualTo("ACTIVE");
        bench.proveInvariants();
    }

    @Test
    @FaultOfOthers(
            value = "ahimu.com/posts/33",
            symptom = "the order is closed while the payer pays, and the money is nobody's")
    void a_payment_that_was_made_while_it_was_being_closed_pays() {
        UUID order = order("A1");
        pending(order);
        psp.onQuery(WAITING).onClose(PAID);
        bench.endTime(order, JUST_NOW);

        track();

        bench.until("the order is paid and needs nobody", () -> isOver(order, "PAID"));
        bench.proveInvariants();
    }

    @Test
    void what_the_psp_does_not_know_is_waited_for_during_the_grace() {
        UUID order = order("A1");
        UUID attempt = pending(order);
        psp.onQuery(NOT_FOUND).onClose(NOT_FOUND);
        bench.endTime(order, JUST_NOW);

        track();

        bench.until("the order is put off", () -> isPutOffBySeconds(order, 290));
        assertThat(bench.attemptStatus(attempt)).isEqualTo("PENDING");
        assertThat(bench.orderStatus(order)).isEqualTo("PENDING");
    }

    @Test
    void what_the_psp_does_not_know_after_the_grace_expires_where_that_proves_something() {
        UUID order = order("A1");
        UUID attempt = pending(order);
        psp.onQuery(NOT_FOUND).onClose(NOT_FOUND);
        bench.endTime(order, GRACE.plusSeconds(5));

        track();

        bench.until("the order expires and needs nobody", () -> isOver(order, "EXPIRED"));
        assertThat(bench.attemptStatus(attempt)).isEqualTo("EXPIRED");
        bench.proveInvariants();
    }

    @Test
    void what_the_psp_does_not_know_proves_nothing_elsewhere_and_goes_before_a_person_in_the_end() {
        UUID order = order("A1");
        UUID attempt = pending(order);
        psp.can(new Capabilities(true, true, true, false)).onQuery(NOT_FOUND).onClose(NOT_FOUND);
        bench.endTime(order, GRACE.plusSeconds(5));

        track();

        bench.until("the order is put off", () -> isPutOffBySeconds(order, 290));
        assertThat(bench.orderStatus(order)).isEqualTo("PENDING");
        bench.endTime(order, AGE_LIMIT.plusMinutes(1));
        nudge(order);
        bench.until("the attempt is in review", () -> "MANUAL_REVIEW".equals(bench.attemptStatus(attempt)));
        assertThat(bench.orderStatus(order)).isEqualTo("PENDING");
        bench.proveInvariants();
    }

    @Test
    void what_the_psp_does_not_know_is_not_closed_where_nothing_can_be_closed_but_is_waited_for_and_expires() {
        UUID order = order("A1");
        UUID attempt = pending(order);
        psp.can(new Capabilities(true, false, true, true)).onQuery(NOT_FOUND);
        bench.endTime(order, JUST_NOW);

        track();

        bench.until("the order is put off", () -> isPutOffBySeconds(order, 290));
        assertThat(bench.attemptStatus(attempt)).isEqualTo("PENDING");
        bench.endTime(order, GRACE.plusSeconds(5));
        nudge(order);
        bench.until("the order expires and needs nobody", () -> isOver(order, "EXPIRED"));
        assertThat(psp.calls()).containsOnly("query " + Ids.hex(attempt));
        bench.proveInvariants();
    }

    @Test
    void an_account_that_cannot_be_asked_is_left_alone_before_the_time_is_over() {
        UUID order = order("A1");
        UUID attempt = bench.attempt(order);
        psp.can(TELLS_ONLY);
        bench.makeDue(order);

        track();

        bench.until("the timer is set to the expiry", () -> isDueAtExpiry(order));
        assertThat(bench.attemptStatus(attempt)).isEqualTo("PROCESSING");
        assertThat(psp.calls()).isEmpty();
    }

    @Test
    void an_account_that_cannot_be_asked_is_waited_for_during_the_grace_and_may_still_say_that_it_was_paid() {
        UUID order = order("A1");
        UUID attempt = pending(order);
        psp.can(TELLS_ONLY);
        bench.endTime(order, JUST_NOW);

        track();

        bench.until("the order is put off", () -> isPutOffBySeconds(order, 290));
        assertThat(bench.attemptStatus(attempt)).isEqualTo("PENDING");
        assertThat(bench.orderStatus(order)).isEqualTo("PENDING");
        say(success(attempt, "ev-1"), "ev-1");
        assertThat(bench.orderStatus(order)).isEqualTo("PAID");
        assertThat(psp.calls()).isEmpty();
        bench.proveInvariants();
    }

    @Test
    void an_account_that_cannot_be_asked_and_told_nothing_until_the_grace_was_over_lets_the_order_expire() {
        UUID order = order("A1");
        UUID attempt = pending(order);
        psp.can(TELLS_ONLY);
        bench.endTime(order, GRACE.plusSeconds(5));

        track();

        bench.until("the order expires and needs nobody", () -> isOver(order, "EXPIRED"));
        assertThat(bench.attemptStatus(attempt)).isEqualTo("EXPIRED");
        assertThat(bench.available("seat")).isEqualTo(10);
        assertThat(bench.text(
                        "select actor || ': ' || reason from audit where entity_id = ? and to_status = 'EXPIRED'",
                        Ids.hex(attempt)))
                .startsWith("timer: ")
                .contains("cannot be asked");
        assertThat(bench.count("select count(*) from reviews")).isZero();
        assertThat(psp.calls()).isEmpty();
        bench.proveInvariants();
    }

    @Test
    void a_success_that_such_an_account_tells_after_that_goes_by_the_late_payment_policy() {
        UUID order = order("A1");
        UUID attempt = pending(order);
        psp.can(TELLS_ONLY);
        bench.endTime(order, GRACE.plusSeconds(5));
        track();
        bench.until("the order expires and needs nobody", () -> isOver(order, "EXPIRED"));

        say(success(attempt, "ev-1"), "ev-1");

        assertThat(bench.attemptStatus(attempt)).isEqualTo("SUCCEEDED");
        assertThat(bench.orderStatus(order)).isEqualTo("EXPIRED");
        assertThat(bench.refundStatus(attempt)).isEqualTo("REQUESTED");
        bench.proveInvariants();
    }

    @Test
    void a_live_attempt_beside_a_paid_order_ends_after_the_grace_where_nobody_can_be_asked() {
        UUID order = order("A1");
        UUID declared = bench.attempt(order);
        say(news(FactKind.PAYMENT_FAILED, declared, "ev-1"), "ev-1");
        UUID live = pending(order);
        psp.can(TELLS_ONLY);
        track();

        say(success(declared, "ev-2"), "ev-2");

        bench.until("the timer is set to the expiry", () -> isDueAtExpiry(order));
        assertThat(bench.attemptStatus(live)).isEqualTo("PENDING");
        bench.endTime(order, GRACE.plusSeconds(5));
        nudge(order);
        bench.until("the live attempt ends", () -> "EXPIRED".equals(bench.attemptStatus(live)));
        assertThat(bench.orderStatus(order)).isEqualTo("PAID");
        assertThat(psp.calls()).isEmpty();
        bench.proveInvariants();
    }

    @Test
    void an_account_that_is_not_configured_any_more_leaves_the_attempt_unknown_and_then_to_a_person() {
        UUID order = order("A1");
        UUID attempt = pending(order);
        bench.endTime(order, GRACE.plusSeconds(5));

        track(process, new ScriptedPsp[0]);

        bench.until("the order is put off", () -> isPutOffBySeconds(order, 290));
        assertThat(bench.attemptStatus(attempt)).isEqualTo("UNKNOWN");
        assertThat(bench.orderStatus(order)).isEqualTo("PENDING");
        bench.endTime(order, AGE_LIMIT.plusMinutes(1));
        nudge(order);
        bench.until("the attempt is in review", () -> "MANUAL_REVIEW".equals(bench.attemptStatus(attempt)));
        assertThat(bench.orderStatus(order)).isEqualTo("PENDING");
        bench.proveInvariants();
    }

    // ---- a PSP whose session ends at a time of its own

    @Test
    void a_session_that_ends_before_the_order_is_closed_at_its_end_and_the_order_may_still_be_paid() {
        UUID order = order("A1");
        UUID attempt = pending(order);
        psp.onQuery(WAITING).onClose(CLOSED);
        endSession(attempt, JUST_NOW.negated());
        bench.makeDue(order);

        track();

        bench.until("the session is over, and the order waits for its own end", () -> isDueAtExpiry(order));
        assertThat(psp.calls()).containsExactly("query " + Ids.hex(attempt), "close " + Ids.hex(attempt));
        assertThat(bench.attemptStatus(attempt)).isEqualTo("EXPIRED");
        assertThat(bench.orderStatus(order)).isEqualTo("PENDING");
        assertThat(bench.holdStatus(order)).isEqualTo("ACTIVE");
        UUID next = bench.attempt(order);
        say(success(next, "ev-1"), "ev-1");
        assertThat(bench.orderStatus(order)).isEqualTo("PAID");
        bench.proveInvariants();
    }

    @Test
    void a_session_that_has_not_ended_is_waited_for_although_the_order_has() {
        UUID order = order("A1");
        UUID attempt = pending(order);
        endSession(attempt, Duration.ofMinutes(20));
        bench.endTime(order, JUST_NOW);

        track();

        bench.until("the timer is set to the session's end", () -> isDueAtSessionEnd(order));
        assertThat(psp.calls()).isEmpty();
        assertThat(bench.orderStatus(order)).isEqualTo("PENDING");
        psp.onQuery(WAITING).onClose(CLOSED);
        endSession(attempt, JUST_NOW.negated());
        bench.makeDue(order);
        nudge(order);
        bench.until("the order expires and needs nobody", () -> isOver(order, "EXPIRED"));
        assertThat(bench.attemptStatus(attempt)).isEqualTo("EXPIRED");
        assertThat(bench.available("seat")).isEqualTo(10);
        bench.proveInvariants();
    }

    @Test
    void the_grace_and_the_age_limit_count_from_the_sessions_end() {
        UUID order = order("A1");
        UUID attempt = pending(order);
        psp.onQuery(NOT_FOUND).onClose(NOT_FOUND);
        endSession(attempt, JUST_NOW.negated());
        bench.endTime(order, AGE_LIMIT.plusMinutes(1));

        track();

        bench.until("the order is put off", () -> isPutOffBySeconds(order, 290));
        assertThat(bench.attemptStatus(attempt)).isEqualTo("PENDING");
        endSession(attempt, GRACE.plusSeconds(5).negated());
        bench.makeDue(order);
        nudge(order);
        bench.until("the order expires and needs nobody", () -> isOver(order, "EXPIRED"));
        bench.proveInvariants();
    }

    @Test
    void an_order_that_was_called_off_does_not_wait_for_a_session() {
        UUID order = order("A1");
        UUID attempt = pending(order);
        endSession(attempt, Duration.ofMinutes(20));
        psp.onQuery(WAITING).onClose(CLOSED);
        track();

        Evidence wish = Evidence.ours(FactSource.MERCHANT, Instant.EPOCH);
        await(process.bus().submit(PaymentFact.bare(FactKind.ORDER_CALLED_OFF, Ids.hex(order), wish, null)));
        nudge(order);

        bench.until("the order is called off", () -> isOver(order, "CANCELLED"));
        bench.proveInvariants();
    }

    @Test
    void an_answer_that_names_the_sessions_end_is_kept_although_the_creation_was_never_answered() {
        UUID order = order("A1");
        UUID attempt = bench.attempt(order);
        Instant ends = Instant.now().plusSeconds(300).truncatedTo(ChronoUnit.SECONDS);
        psp.onQuery(PaymentReport.created("pay-1", new JsonObject(), ends));
        bench.makeDue(order);

        track();

        bench.until("the timer is set to the session's end", () -> isDueAtSessionEnd(order));
        assertThat(bench.text(
                        "select session_ends_at = ?::timestamptz from attempts where id = ?", ends.toString(), attempt))
                .isEqualTo("t");
    }

    @Test
    void an_attempt_that_was_opened_while_another_one_ended_keeps_its_watch() {
        UUID order = order("A1");
        UUID ending = pending(order);
        psp.onQuery(payment -> {
            say(news(FactKind.PAYMENT_FAILED, ending, "ev-f"), "ev-f");
            bench.attempt(order);
            return Future.succeededFuture(CLOSED);
        });
        endSession(ending, JUST_NOW.negated());
        bench.makeDue(order);

        track();

        bench.until(
                "the timer is given back",
                () -> bench.count("select count(*) from timers where tries = 0 and order_id = ?", order) == 1);
        assertThat(bench.text("select due_at < now() + interval '61 seconds' from timers where order_id = ?", order))
                .isEqualTo("t");
    }

    @Test
    void a_live_attempt_beside_a_paid_order_is_closed_at_once() {
        UUID order = order("A1");
        UUID declared = bench.attempt(order);
        say(news(FactKind.PAYMENT_FAILED, declared, "ev-1"), "ev-1");
        UUID live = pending(order);
        psp.onQuery(WAITING).onClose(CLOSED);
        track();

        say(success(declared, "ev-2"), "ev-2");

        bench.until("the live attempt is closed", () -> "EXPIRED".equals(bench.attemptStatus(live)));
        assertThat(psp.calls()).containsExactly("query " + Ids.hex(live), "close " + Ids.hex(live));
        assertThat(bench.orderStatus(order)).isEqualTo("PAID");
        bench.proveInvariants();
    }

    @Test
    void a_call_that_was_never_heard_of_again_is_asked_about() {
        UUID order = order("A1");
        UUID attempt = bench.attempt(order);
        assertThat(bench.attemptStatus(attempt)).isEqualTo("PROCESSING");
        psp.onQuery(WAITING);
        bench.makeDue(order);

        track();

        bench.until("the timer is set to the expiry", () -> isDueAtExpiry(order));
        assertThat(bench.text("select status || ' ' || psp_payment_id from attempts"))
                .isEqualTo("PENDING pay-1");
        assertThat(psp.calls()).containsExactly("query " + Ids.hex(attempt));
        bench.proveInvariants();
    }

    @Test
    void a_call_that_was_never_heard_of_again_and_is_not_known_there_is_unknown_until_its_time_is_over() {
        UUID order = order("A1");
        UUID attempt = bench.attempt(order);
        psp.onQuery(NOT_FOUND);
        bench.makeDue(order);

        track();

        bench.until("the order is put off", () -> isPutOffBySeconds(order, 290));
        assertThat(bench.attemptStatus(attempt)).isEqualTo("UNKNOWN");
        assertThat(bench.orderStatus(order)).isEqualTo("PENDING");
    }

    @Test
    void two_trackers_do_not_ask_the_same_thing_at_once_even_if_a_claim_has_run_out() {
        UUID order = order("A1");
        UUID attempt = pending(order);
        Promise<PaymentReport> answer = Promise.promise();
        Promise<Void> asked = Promise.promise();
        psp.onQuery(payment -> {
            asked.tryComplete();
            return answer.future();
        });
        bench.endTime(order, JUST_NOW);
        track();
        await(asked.future());
        bench.makeDue(order);

        BenchProcess other = bench.process(1);
        track(other);

        bench.until("the second one leaves it", () -> isPutOffBySeconds(order, 290));
        assertThat(psp.calls()).containsExactly("query " + Ids.hex(attempt));
        answer.complete(PAID);
        bench.until("the order is paid", () -> "PAID".equals(bench.orderStatus(order)));
        assertThat(psp.calls()).hasSize(1);
        bench.proveInvariants();
    }

    // ---- helpers

    private void track() {
        track(process);
    }

    private void track(BenchProcess where) {
        track(where, psp);
    }

    private void track(BenchProcess where, ScriptedPsp... accounts) {
        TimeoutOptions options = new TimeoutOptions(
                Workers.URLS,
                10,
                10,
                1_000,
                60_000,
                LEASE_MS,
                GRACE.toMillis(),
                AGE_LIMIT.toMillis(),
                Workers.SESSION_AFTER_MAX,
                BACKOFF);
        where.deploy(Workers.tracker(where, leasePrefix, options, accounts));
    }

    private void nudge(UUID order) {
        process.bus().tell(Addresses.TIMER_SET, order);
    }

    private UUID order(String orderNo) {
        return bench.order(orderNo, LatePolicy.REFUND, new Item("seat", 1));
    }

    /** An attempt that the PSP knows and that waits for the payer. */
    private UUID pending(UUID order) {
        UUID attempt = bench.attempt(order);
        say(news(FactKind.PAYMENT_PENDING, attempt, "ev-p"), "ev-p-" + attempt);
        return attempt;
    }

    private void say(PaymentFact fact, String eventId) {
        await(process.bus().submit(fact, Bench.delivery(eventId), "test"));
    }

    private boolean isOver(UUID order, String status) {
        return status.equals(bench.orderStatus(order))
                && bench.count("select count(*) from timers where order_id = ?", order) == 0;
    }

    private boolean isPutOffBySeconds(UUID order, int seconds) {
        return bench.count(
                        "select count(*) from timers where order_id = ? and due_at > now() + ? * interval '1 second'",
                        order,
                        seconds)
                == 1;
    }

    private void endSession(UUID attempt, Duration fromNow) {
        bench.run(
                "update attempts set session_ends_at = now() + ? * interval '1 second' where id = ?",
                fromNow.toMillis() / 1000.0,
                attempt);
    }

    private boolean isDueAtSessionEnd(UUID order) {
        return bench.count(
                        "select count(*) from timers t join attempts a using (order_id)"
                                + " where order_id = ? and t.due_at = a.session_ends_at and t.tries = 0",
                        order)
                == 1;
    }

    private boolean isDueAtExpiry(UUID order) {
        return bench.count(
                        "select count(*) from timers t join orders o on o.id = t.order_id"
                                + " where o.id = ? and t.due_at = o.expires_at and t.tries = 0",
                        order)
                == 1;
    }
}
