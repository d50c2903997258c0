package io.quittance.refund;

import static io.quittance.testing.Bench.await;
import static io.quittance.testing.Bench.news;
import static io.quittance.testing.Bench.success;
import static org.assertj.core.api.Assertions.assertThat;

import io.quittance.FaultOfOthers;
import io.quittance.domain.Evidence;
import io.quittance.domain.FactKind;
import io.quittance.domain.FactSource;
import io.quittance.domain.Ids;
import io.quittance.domain.PaymentFact;
import io.quittance.domain.PaymentFact.RefundNews;
import io.quittance.message.Addresses;
import io.quittance.message.Backoff;
import io.quittance.psp.CallbackUrls;
import io.quittance.psp.PspAdapter.Capabilities;
import io.quittance.psp.PspAdapter.RefundOrder;
import io.quittance.psp.Psps;
import io.quittance.psp.RefundReport;
import io.quittance.psp.RefundReport.Status;
import io.quittance.store.RefundStore;
import io.quittance.testing.Bench;
import io.quittance.testing.BenchProcess;
import io.quittance.testing.ScriptedPsp;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Money that goes back: asked for once in effect, and never forgotten. */
class RefundTest {

    private static final Backoff BACKOFF = new Backoff(600_000, 3_600_000);
    private static final RefundReport DONE = new RefundReport(Status.SUCCEEDED, "re-1", "done");
    private static final RefundReport PENDING = new RefundReport(Status.PENDING, "re-1", "pending");
    private static final RefundReport FAILED = new RefundReport(Status.FAILED, "re-1", "refused");
    private static final RefundReport NOT_FOUND = new RefundReport(Status.NOT_FOUND, null, "no such refund");
    private static final RefundReport NO_ANSWER = RefundReport.noAnswer("time-out");

    private final ScriptedPsp psp = new ScriptedPsp();
    private Bench bench;
    private BenchProcess process;

    @BeforeEach
    void open() throws SQLException {
        bench = Bench.open();
        process = bench.process().withEngine();
    }

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void that_a_refund_is_asked_for_is_written_before_the_call() {
        UUID attempt = latePayment();
        Promise<String> whenCalled = Promise.promise();
        Promise<RefundOrder> asked = Promise.promise();
        psp.onRefund(refund -> {
            whenCalled.complete(bench.refundStatus(attempt));
            asked.complete(refund);
            return Future.succeededFuture(DONE);
        });

        work();

        untilRefund(attempt, "SUCCEEDED");
        assertThat(await(whenCalled.future())).isEqualTo("PROCESSING");
        RefundOrder refund = await(asked.future());
        assertThat(refund.refundId()).isEqualTo(refundId(attempt));
        assertThat(refund.payment().attemptId()).isEqualTo(Ids.hex(attempt));
        assertThat(refund.payment().pspPaymentId()).isEqualTo("pay-" + Ids.hex(attempt));
        assertThat(List.of(refund.paid(), refund.amount())).containsOnly(Bench.PRICE);
        assertThat(refund.reason()).isEqualTo("late payment");
        assertThat(bench.text("select psp_refund_id from refunds")).isEqualTo("re-1");
        assertThat(psp.calls()).containsExactly("refund " + refundId(attempt));
        bench.proveInvariants();
    }

    @Test
    @FaultOfOthers(
            value = "gumroad#6193",
            symptom = "the notification of a refund arrives before the refund is written, and it is recorded twice")
    void a_refund_that_is_told_of_before_the_call_has_come_back_is_the_same_refund() {
        UUID attempt = latePayment();
        psp.onRefund(refund -> {
            RefundNews news = new RefundNews(refund.refundId(), "re-1", refund.amount(), null);
            PaymentFact told = PaymentFact.refund(
                    FactKind.REFUND_SUCCEEDED, Ids.hex(attempt), Bench.notified("ev-refund"), news, null);
            return process.bus()
                    .submit(told, Bench.delivery("ev-refund"), "test")
                    .map(PENDING);
        });

        work();

        untilRefund(attempt, "SUCCEEDED");
        untilPutOff(attempt);
        assertThat(bench.refundStatus(attempt))
                .as("after the call has come back, with less")
                .isEqualTo("SUCCEEDED");
        assertThat(bench.count("select count(*) from refunds")).isEqualTo(1);
        assertThat(bench.text("select reason || ' ' || psp_refund_id from refunds"))
                .isEqualTo("LATE_PAYMENT re-1");
        bench.proveInvariants();
    }

    @Test
    void a_refund_that_is_requested_later_is_carried_at_once() {
        psp.onRefund(DONE);
        work();

        UUID attempt = latePayment();

        untilRefund(attempt, "SUCCEEDED");
    }

    @Test
    void a_pending_refund_is_asked_about_and_not_asked_for_again() {
        UUID attempt = latePayment();
        psp.onRefund(PENDING).onQueryRefund(DONE);
        work();
        untilPutOff(attempt);
        assertThat(bench.refundStatus(attempt)).isEqualTo("PROCESSING");

        makeDue(attempt);

        untilRefund(attempt, "SUCCEEDED");
        assertThat(psp.calls()).containsExactly("refund " + refundId(attempt), "queryRefund " + refundId(attempt));
        bench.proveInvariants();
    }

    @Test
    void after_no_answer_the_psp_is_asked_first_and_what_it_has_is_not_asked_for_again() {
        UUID attempt = latePayment();
        psp.onRefund(NO_ANSWER).onQueryRefund(DONE);
        work();
        untilPutOff(attempt);
        assertThat(bench.refundStatus(attempt)).isEqualTo("UNKNOWN");

        makeDue(attempt);

        untilRefund(attempt, "SUCCEEDED");
        assertThat(psp.calls()).containsExactly("refund " + refundId(attempt), "queryRefund " + refundId(attempt));
        bench.proveInvariants();
    }

    @Test
    void what_the_psp_does_not_know_is_asked_for_again_under_the_same_key() {
        UUID attempt = latePayment();
        psp.onRefund(NO_ANSWER).onQueryRefund(NOT_FOUND);
        work();
        untilPutOff(attempt);
        psp.onRefund(DONE);

        makeDue(attempt);

        untilRefund(attempt, "SUCCEEDED");
        String key = refundId(attempt);
        assertThat(psp.calls()).containsExactly("refund " + key, "queryRefund " + key, "refund " + key);
        bench.proveInvariants();
    }

    @Test
    void silence_about_an_unknown_refund_is_never_a_failure() {
        UUID attempt = latePayment();
        psp.onRefund(NO_ANSWER).onQueryRefund(NO_ANSWER);
        work();
        untilPutOff(attempt);

        makeDue(attempt);

        untilPutOff(attempt);
        assertThat(bench.refundStatus(attempt)).isEqualTo("UNKNOWN");
        assertThat(psp.calls()).containsExactly("refund " + refundId(attempt), "queryRefund " + refundId(attempt));
        assertThat(bench.count("select count(*) from reviews")).isZero();
    }

    @Test
    void a_process_that_hangs_in_the_call_leaves_a_refund_that_is_asked_about_first() {
        UUID attempt = latePayment();
        Promise<Void> called = Promise.promise();
        Promise<RefundReport> tooLate = Promise.promise();
        psp.onRefund(refund -> {
            called.tryComplete();
            return tooLate.future();
        });
        BenchProcess hanging = bench.process(1).withEngine();
        work(hanging);
        await(called.future());
        psp.onQueryRefund(DONE);
        work();

        makeDue(attempt);

        untilRefund(attempt, "SUCCEEDED");
        assertThat(psp.calls()).containsExactly("refund " + refundId(attempt), "queryRefund " + refundId(attempt));
        tooLate.complete(NO_ANSWER);
        bench.proveInvariants();
    }

    @Test
    void a_failed_refund_goes_before_a_person() {
        UUID attempt = latePayment();
        psp.onRefund(FAILED);

        work();

        untilRefund(attempt, "FAILED");
        assertThat(bench.text("select reason from reviews where attempt_id = ?", attempt))
                .isEqualTo("REFUND_FAILED");
        bench.proveInvariants();
    }

    @Test
    void an_account_that_cannot_send_money_back_leaves_it_to_a_person() {
        UUID attempt = latePayment();
        psp.can(new Capabilities(true, true, false, true));

        work();

        untilRefund(attempt, "MANUAL_REVIEW");
        assertThat(bench.text("select reason || ': ' || detail from reviews where attempt_id = ?", attempt))
                .startsWith("REFUND_UNKNOWN: a refund needs a person")
                .contains("cannot send money back");
        assertThat(psp.calls()).isEmpty();
        bench.proveInvariants();
    }

    @Test
    void a_refund_that_a_person_made_at_the_psp_of_such_an_account_is_settled_by_its_notification() {
        UUID attempt = latePayment();
        psp.can(new Capabilities(false, false, false, false));
        work();
        untilRefund(attempt, "MANUAL_REVIEW");

        RefundNews news = new RefundNews(refundId(attempt), "re-1", Bench.PRICE, null);
        PaymentFact told = PaymentFact.refund(
                FactKind.REFUND_SUCCEEDED, Ids.hex(attempt), Bench.notified("ev-refund"), news, null);
        say(told, "ev-refund");

        untilRefund(attempt, "SUCCEEDED");
        bench.proveInvariants();
    }

    @Test
    void a_refund_that_is_open_past_the_age_limit_goes_before_a_person() {
        UUID attempt = latePayment();
        psp.onRefund(NO_ANSWER);
        work();
        untilPutOff(attempt);
        bench.run("update refunds set created_at = now() - interval '2 hours'");

        makeDue(attempt);

        untilRefund(attempt, "MANUAL_REVIEW");
        assertThat(psp.calls()).hasSize(1);
        bench.proveInvariants();
    }

    @Test
    void a_double_payment_goes_back_once_however_often_it_is_told() {
        UUID order = bench.order("A1");
        UUID declared = bench.attempt(order);
        say(news(FactKind.PAYMENT_FAILED, declared, "ev-1"), "ev-1");
        UUID paying = bench.attempt(order);
        psp.onRefund(DONE);
        work();
        say(success(paying, "ev-2"), "ev-2");

        say(success(declared, "ev-3"), "ev-3");
        say(success(declared, "ev-3"), "ev-3");
        say(success(declared, "ev-4"), "ev-4");

        untilRefund(declared, "SUCCEEDED");
        say(success(declared, "ev-5"), "ev-5");
        assertThat(bench.text("select string_agg(reason || ' ' || attempt_id, ',') from refunds"))
                .isEqualTo("DOUBLE_PAYMENT " + declared);
        assertThat(psp.calls()).containsExactly("refund " + refundId(declared));
        assertThat(bench.orderStatus(order)).isEqualTo("PAID");
        assertThat(bench.text("select effective_attempt_id from orders where id = ?", order))
                .isEqualTo(paying.toString());
        bench.proveInvariants();
    }

    @Test
    void what_the_target_refuses_for_good_is_refunded_and_the_order_says_so() {
        UUID order = bench.order("A1");
        UUID attempt = bench.attempt(order);
        say(success(attempt, "ev-1"), "ev-1");
        psp.onRefund(DONE);
        work();

        Evidence target = Evidence.ours(FactSource.TARGET, Instant.EPOCH);
        await(process.bus().submit(PaymentFact.bare(FactKind.FULFILMENT_REJECTED, Ids.hex(order), target, null)));

        bench.until("the order is refunded", () -> "REFUNDED".equals(bench.orderStatus(order)));
        assertThat(bench.text("select reason from refunds")).isEqualTo("FULFILMENT_FAILED");
        bench.proveInvariants();
    }

    // ---- helpers

    private void work() {
        work(process);
    }

    private void work(BenchProcess where) {
        RefundOptions options = new RefundOptions(
                new CallbackUrls("https://gateway.example"),
                10,
                60_000,
                5_000,
                Duration.ofHours(1).toMillis(),
                BACKOFF);
        where.deploy(new RefundVerticle(
                where.bus(), new RefundStore(where.pool()), new Psps(List.of(psp)), options, Clock.systemUTC()));
    }

    /** A payment that came after its order had expired, and must go back. */
    private UUID latePayment() {
        UUID order = bench.order("late");
        UUID attempt = bench.attempt(order);
        say(news(FactKind.PAYMENT_CLOSED, attempt, "ev-closed"), "ev-closed");
        Evidence timer = Evidence.ours(FactSource.TIMER, Instant.EPOCH);
        await(process.bus().submit(PaymentFact.bare(FactKind.ORDER_TIME_OVER, Ids.hex(order), timer, null)));
        say(success(attempt, "ev-late"), "ev-late");
        return attempt;
    }

    private void say(PaymentFact fact, String eventId) {
        await(process.bus().submit(fact, Bench.delivery(eventId), "test"));
    }

    private String refundId(UUID attempt) {
        return bench.text("select replace(id::text, '-', '') from refunds where attempt_id = ?", attempt);
    }

    private void untilRefund(UUID attempt, String status) {
        bench.until("the refund is " + status, () -> status.equals(bench.refundStatus(attempt)));
    }

    /** The worker is done with it for now: its next turn is further away than a lease. */
    private void untilPutOff(UUID attempt) {
        bench.until(
                "the refund is put off",
                () -> bench.count(
                                "select count(*) from refunds"
                                        + " where attempt_id = ? and due_at > now() + interval '290 seconds'",
                                attempt)
                        == 1);
    }

    private void makeDue(UUID attempt) {
        bench.run("update refunds set due_at = now() - interval '1 second' where attempt_id = ?", attempt);
        process.bus().tell(Addresses.REFUND_DUE, attempt);
    }
}
