package io.quittance.inquiry;

import static io.quittance.testing.Bench.await;
import static io.quittance.testing.Bench.awaitFailure;
import static io.quittance.testing.Bench.news;
import static io.quittance.testing.Bench.success;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.quittance.domain.AttemptStatus;
import io.quittance.domain.FactKind;
import io.quittance.domain.Ids;
import io.quittance.domain.LatePolicy;
import io.quittance.domain.Money;
import io.quittance.domain.OrderStatus;
import io.quittance.domain.PaymentFact;
import io.quittance.message.Checkout.Item;
import io.quittance.message.Checkout.Strategy;
import io.quittance.message.Inquiry;
import io.quittance.message.Inquiry.Answer;
import io.quittance.message.Inquiry.Answer.Known;
import io.quittance.message.Inquiry.Answer.NoSuchPayment;
import io.quittance.message.Inquiry.Subject;
import io.quittance.message.Unavailable;
import io.quittance.psp.CallbackUrls;
import io.quittance.psp.PaymentReport;
import io.quittance.psp.PaymentReport.Status;
import io.quittance.psp.PspAdapter.Capabilities;
import io.quittance.psp.Psps;
import io.quittance.redis.Leases;
import io.quittance.store.InquiryStore;
import io.quittance.testing.Bench;
import io.quittance.testing.BenchProcess;
import io.quittance.testing.ScriptedPsp;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonObject;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Who asks a PSP, who shares an answer, and who is told what is stored. */
class InquiryTest {

    /** What is provoked here is warned of, and rightly. */
    private final Logger warnings = (Logger) LoggerFactory.getLogger("io.quittance.inquiry");

    private static final Duration LONG = Duration.ofSeconds(20);

    /** Longer than a test takes, so that a pause that is kept shows. */
    private static final long PAUSE_MS = 60_000;

    private static final long NO_PAUSE_MS = 1;
    private static final long LEASE_MS = 30_000;

    private static final PaymentReport WAITING = PaymentReport.created("pay-1", new JsonObject(), null);
    private static final PaymentReport PAID = PaymentReport.succeeded("pay-1", Bench.PRICE);

    private final String leasePrefix = "test:lease:" + UUID.randomUUID() + ":";
    private final ScriptedPsp psp = new ScriptedPsp();
    private Bench bench;
    private BenchProcess process;

    @BeforeEach
    void open() throws SQLException {
        warnings.setLevel(Level.OFF);
        bench = Bench.open();
        process = bench.process().withEngine();
        bench.product("seat", Strategy.STOCK, 10);
    }

    @AfterEach
    void close() {
        bench.close();
        warnings.setLevel(null);
    }

    // ---- one question

    @Test
    void paid_at_the_psp_is_paid_here_and_the_answer_says_so() {
        UUID order = order("A1");
        UUID attempt = pending(order);
        psp.onQuery(PAID);
        serve(PAUSE_MS);

        Known known = known(ask(attempt(attempt)));

        assertThat(known).isEqualTo(new Known("shop", "A1", OrderStatus.PAID, AttemptStatus.SUCCEEDED, true));
        assertThat(psp.calls()).containsExactly("query " + Ids.hex(attempt));
        assertThat(bench.text("select actor || ' ' || coalesce(fact, '') from audit where entity = 'ATTEMPT'"
                        + " and to_status = 'SUCCEEDED'"))
                .contains("QUERY");
        bench.proveInvariants();
    }

    @Test
    void the_psps_id_and_the_order_lead_to_the_same_payment() {
        UUID order = order("A1");
        UUID attempt = identified(order, "pay-1");
        psp.onQuery(asked -> {
            assertThat(asked.pspPaymentId()).isEqualTo("pay-1");
            assertThat(asked.original().orderNo()).isEqualTo("A1");
            return Future.succeededFuture(WAITING);
        });
        serve(NO_PAUSE_MS);

        assertThat(known(ask(new Subject.OfPayment(Bench.PSP, Bench.ACCOUNT, "pay-1"))))
                .isEqualTo(new Known("shop", "A1", OrderStatus.PENDING, AttemptStatus.PENDING, true));
        assertThat(known(ask(new Subject.OfOrder(Bench.MERCHANT, "A1"))).orderNo())
                .isEqualTo("A1");
        assertThat(psp.calls()).containsOnly("query " + Ids.hex(attempt));
    }

    static Stream<Subject> strangers() {
        String unknown = Ids.hex(UUID.randomUUID());
        return Stream.of(
                new Subject.OfAttempt(Bench.PSP, Bench.ACCOUNT, unknown),
                new Subject.OfAttempt(Bench.PSP, Bench.ACCOUNT, "A1"),
                new Subject.OfPayment(Bench.PSP, Bench.ACCOUNT, "pay-2"),
                new Subject.OfPayment(Bench.PSP, "other", "pay-1"),
                new Subject.OfPayment("other", Bench.ACCOUNT, "pay-1"),
                new Subject.OfOrder(Bench.MERCHANT, "A2"),
                new Subject.OfOrder("other", "A1"));
    }

    @ParameterizedTest
    @MethodSource("strangers")
    void what_is_not_here_or_anothers_is_not_found(Subject stranger) {
        identified(order("A1"), "pay-1");
        serve(PAUSE_MS);

        assertThat(ask(stranger)).isEqualTo(new NoSuchPayment());
        assertThat(psp.calls()).isEmpty();
    }

    @Test
    void an_attempt_is_not_found_at_another_account() {
        String attempt = Ids.hex(pending(order("A1")));
        serve(PAUSE_MS);

        assertThat(ask(new Subject.OfAttempt(Bench.PSP, "other", attempt))).isEqualTo(new NoSuchPayment());
        assertThat(ask(new Subject.OfAttempt("other", Bench.ACCOUNT, attempt))).isEqualTo(new NoSuchPayment());
    }

    @Test
    void an_order_is_asked_about_by_its_live_attempt_and_not_by_an_older_one() {
        UUID order = order("A1");
        UUID failed = bench.attempt(order);
        say(news(FactKind.PAYMENT_FAILED, failed, "ev-1"), "ev-1");
        UUID live = pending(order);
        psp.onQuery(WAITING);
        serve(NO_PAUSE_MS);

        assertThat(known(ask(new Subject.OfOrder(Bench.MERCHANT, "A1"))).asked())
                .isTrue();
        assertThat(known(ask(attempt(failed))).asked()).isFalse();
        assertThat(psp.calls()).containsExactly("query " + Ids.hex(live));
    }

    @Test
    void an_order_that_nobody_tried_to_pay_is_known_without_a_question() {
        order("A1");
        serve(PAUSE_MS);

        assertThat(known(ask(new Subject.OfOrder(Bench.MERCHANT, "A1"))))
                .isEqualTo(new Known("shop", "A1", OrderStatus.PENDING, null, false));
    }

    // ---- what is concluded

    @Test
    void a_conclusion_is_answered_from_the_store() {
        UUID order = order("A1");
        UUID attempt = pending(order);
        say(success(attempt, "ev-1"), "ev-1");
        serve(NO_PAUSE_MS);

        for (int i = 0; i < 3; i++) {
            assertThat(known(ask(attempt(attempt))))
                    .isEqualTo(new Known("shop", "A1", OrderStatus.PAID, AttemptStatus.SUCCEEDED, false));
        }
        assertThat(psp.calls()).isEmpty();
    }

    @Test
    void a_final_attempt_of_an_open_order_is_not_asked_about() {
        UUID attempt = bench.attempt(order("A1"));
        say(news(FactKind.PAYMENT_FAILED, attempt, "ev-1"), "ev-1");
        serve(NO_PAUSE_MS);

        assertThat(known(ask(attempt(attempt))).attempt()).isEqualTo(AttemptStatus.FAILED);
        assertThat(psp.calls()).isEmpty();
    }

    @Test
    void what_is_before_a_person_is_not_asked_about() {
        UUID attempt = pending(order("A1"));
        psp.onQuery(PaymentReport.succeeded("pay-1", new Money(1, "CNY")));
        serve(NO_PAUSE_MS);

        assertThat(known(ask(attempt(attempt))))
                .as("a success of another amount")
                .isEqualTo(new Known("shop", "A1", OrderStatus.PENDING, AttemptStatus.MANUAL_REVIEW, true));
        assertThat(known(ask(attempt(attempt))).asked()).isFalse();
        assertThat(psp.calls()).hasSize(1);
        bench.proveInvariants();
    }

    // ---- no news

    @ParameterizedTest
    @ValueSource(strings = {"NO_ANSWER", "NOT_FOUND"})
    void no_answer_and_not_found_write_nothing(String status) {
        UUID order = order("A1");
        UUID attempt = pending(order);
        String before = written(order);
        psp.onQuery(PaymentReport.of(Status.valueOf(status), null, "as the test says"));
        serve(PAUSE_MS);

        Known known = known(ask(attempt(attempt)));

        assertThat(known).isEqualTo(new Known("shop", "A1", OrderStatus.PENDING, AttemptStatus.PENDING, true));
        assertThat(psp.calls()).hasSize(1);
        assertThat(written(order)).isEqualTo(before);
    }

    @Test
    void a_payment_that_still_waits_writes_nothing_new() {
        UUID order = order("A1");
        UUID attempt = identified(order, "pay-1");
        String before = written(order);
        psp.onQuery(WAITING);
        serve(PAUSE_MS);

        assertThat(known(ask(attempt(attempt))).attempt()).isEqualTo(AttemptStatus.PENDING);
        assertThat(written(order)).isEqualTo(before);
    }

    @Test
    void an_unknown_outcome_becomes_known_by_the_answer() {
        UUID order = order("A1");
        UUID attempt = bench.attempt(order);
        say(news(FactKind.PAYMENT_NO_ANSWER, attempt, "ev-1"), "ev-1");
        psp.onQuery(WAITING);
        serve(PAUSE_MS);

        assertThat(known(ask(attempt(attempt))).attempt()).isEqualTo(AttemptStatus.PENDING);
        bench.proveInvariants();
    }

    @Test
    void an_account_that_cannot_be_asked_or_is_gone_is_answered_from_the_store() {
        UUID attempt = pending(order("A1"));
        psp.can(new Capabilities(false, true, true, true));
        serve(PAUSE_MS);
        BenchProcess other = bench.process(1);
        serve(other, new Psps(List.of()), new InquiryOptions(urls(), 8, LEASE_MS, PAUSE_MS));

        assertThat(known(ask(attempt(attempt))).asked()).isFalse();
        assertThat(known(await(other.bus().ask(new Inquiry(attempt(attempt), LONG))))
                        .asked())
                .isFalse();
        assertThat(psp.calls()).isEmpty();
    }

    @Test
    void a_broken_adapter_or_a_refusing_engine_is_answered_from_the_store() {
        UUID order = order("A1");
        UUID attempt = pending(order);
        psp.onQuery(asked -> Future.failedFuture(new IllegalStateException("a bug")));
        serve(NO_PAUSE_MS);
        BenchProcess withoutEngine = bench.process(1);
        serve(withoutEngine, new Psps(List.of(psp)), new InquiryOptions(urls(), 8, LEASE_MS, NO_PAUSE_MS));

        assertThat(known(ask(attempt(attempt))).attempt()).isEqualTo(AttemptStatus.PENDING);
        psp.onQuery(asked -> {
            throw new IllegalStateException("another bug");
        });
        untilAsked(process, attempt, false);
        Leases leases = new Leases(process.link(), leasePrefix);
        assertThat(await(leases.acquire("order:" + Ids.hex(order), "the timeout tracker", 1)))
                .as("the lease was given back")
                .isTrue();
        psp.onQuery(PAID);
        untilAsked(withoutEngine, attempt, false);
        assertThat(bench.attemptStatus(attempt)).isEqualTo("PENDING");
        untilAsked(process, attempt, true);
        assertThat(bench.attemptStatus(attempt)).isEqualTo("SUCCEEDED");
    }

    // ---- one flight

    @Test
    void many_returns_at_once_are_one_question() {
        UUID order = order("A1");
        UUID attempt = identified(order, "pay-1");
        Promise<PaymentReport> answer = Promise.promise();
        Promise<Void> asked = Promise.promise();
        psp.onQuery(payment -> {
            asked.tryComplete();
            return answer.future();
        });
        serve(PAUSE_MS);

        List<Future<Answer>> all = IntStream.range(0, 50)
                .mapToObj(i -> process.bus().ask(new Inquiry(i % 2 == 0 ? attempt(attempt) : payment("pay-1"), LONG)))
                .toList();
        await(asked.future());
        Future<Answer> later = process.bus().ask(new Inquiry(new Subject.OfOrder(Bench.MERCHANT, "A1"), LONG));
        await(process.bus().ask(new Inquiry(attempt(attempt), Duration.ofMillis(1))));
        answer.complete(PAID);

        assertThat(await(Future.all(all)).<Answer>list())
                .hasSize(50)
                .allMatch(each -> known(each).order() == OrderStatus.PAID);
        assertThat(known(await(later)).order()).isEqualTo(OrderStatus.PAID);
        assertThat(psp.calls()).containsExactly("query " + Ids.hex(attempt));
        bench.proveInvariants();
    }

    @Test
    void who_has_no_patience_gets_what_is_stored_and_the_question_goes_on() {
        UUID order = order("A1");
        UUID attempt = pending(order);
        Promise<PaymentReport> answer = Promise.promise();
        psp.onQuery(payment -> answer.future());
        serve(PAUSE_MS);

        Answer early = await(process.bus().ask(new Inquiry(attempt(attempt), Duration.ofMillis(20))));
        answer.complete(PAID);

        assertThat(early).isEqualTo(new Known("shop", "A1", OrderStatus.PENDING, AttemptStatus.PENDING, false));
        bench.until("the order is paid all the same", () -> "PAID".equals(bench.orderStatus(order)));
        assertThat(psp.calls()).hasSize(1);
    }

    @Test
    void while_somebody_else_has_the_orders_lease_nobody_is_asked() {
        UUID order = order("A1");
        UUID attempt = pending(order);
        Leases leases = new Leases(process.link(), leasePrefix);
        String lease = "order:" + Ids.hex(order);
        await(leases.acquire(lease, "the timeout tracker", LEASE_MS));
        psp.onQuery(PAID);
        serve(PAUSE_MS);

        assertThat(known(ask(attempt(attempt))))
                .isEqualTo(new Known("shop", "A1", OrderStatus.PENDING, AttemptStatus.PENDING, false));
        assertThat(psp.calls()).isEmpty();

        await(leases.release(lease, "the timeout tracker"));
        untilAsked(process, attempt, true);
        assertThat(bench.orderStatus(order)).isEqualTo("PAID");
    }

    @Test
    void two_processes_do_not_ask_at_once_nor_one_right_after_the_other() {
        UUID attempt = identified(order("A1"), "pay-1");
        Promise<PaymentReport> answer = Promise.promise();
        Promise<Void> asked = Promise.promise();
        psp.onQuery(payment -> {
            asked.tryComplete();
            return answer.future();
        });
        serve(PAUSE_MS);
        BenchProcess other = bench.process(1);
        serve(other, new Psps(List.of(psp)), new InquiryOptions(urls(), 8, LEASE_MS, PAUSE_MS));

        Future<Answer> first = process.bus().ask(new Inquiry(attempt(attempt), LONG));
        await(asked.future());
        assertThat(known(await(other.bus().ask(new Inquiry(attempt(attempt), LONG))))
                        .asked())
                .as("at once")
                .isFalse();
        answer.complete(WAITING);
        assertThat(known(await(first)).asked()).isTrue();
        assertThat(known(await(other.bus().ask(new Inquiry(attempt(attempt), LONG))))
                        .asked())
                .as("right after")
                .isFalse();
        assertThat(known(ask(attempt(attempt))).asked()).as("right after, here").isFalse();
        assertThat(psp.calls()).hasSize(1);
    }

    @Test
    void after_a_question_the_timeout_tracker_may_ask_at_once() {
        UUID order = order("A1");
        UUID attempt = identified(order, "pay-1");
        psp.onQuery(WAITING);
        serve(PAUSE_MS);

        known(ask(attempt(attempt)));

        Leases leases = new Leases(process.link(), leasePrefix);
        assertThat(await(leases.acquire("order:" + Ids.hex(order), "the timeout tracker", LEASE_MS)))
                .isTrue();
    }

    @Test
    void after_the_pause_it_is_asked_again() {
        UUID attempt = identified(order("A1"), "pay-1");
        psp.onQuery(WAITING);
        serve(NO_PAUSE_MS);

        untilAsked(process, attempt, true);
        untilAsked(process, attempt, true);

        assertThat(psp.calls()).hasSize(2);
    }

    @Test
    void beyond_the_limit_in_flight_the_store_answers() {
        UUID busy = pending(order("A1"));
        UUID another = pending(order("A2"));
        Promise<PaymentReport> answer = Promise.promise();
        Promise<Void> asked = Promise.promise();
        psp.onQuery(payment -> {
            asked.tryComplete();
            return answer.future();
        });
        serve(process, new Psps(List.of(psp)), new InquiryOptions(urls(), 1, LEASE_MS, NO_PAUSE_MS));
        Future<Answer> first = process.bus().ask(new Inquiry(attempt(busy), LONG));
        await(asked.future());

        assertThat(known(ask(attempt(another))).asked()).isFalse();
        assertThat(psp.calls()).hasSize(1);

        answer.complete(WAITING);
        await(first);
        untilAsked(process, another, true);
    }

    @Test
    void a_process_that_stops_ends_its_questions_first() {
        UUID order = order("A1");
        UUID attempt = pending(order);
        Promise<PaymentReport> answer = Promise.promise();
        Promise<Void> asked = Promise.promise();
        psp.onQuery(payment -> {
            asked.tryComplete();
            return answer.future();
        });
        String deployed = serve(PAUSE_MS);
        Future<Answer> waiting = process.bus().ask(new Inquiry(attempt(attempt), LONG));
        await(asked.future());

        Future<Void> stopped = process.vertx().undeploy(deployed);
        untilNobodyAnswers(attempt);
        assertThat(stopped.isComplete()).isFalse();
        answer.complete(PAID);

        await(stopped);
        assertThat(bench.orderStatus(order)).isEqualTo("PAID");
        assertThat(known(await(waiting)).order()).isEqualTo(OrderStatus.PAID);
    }

    /** What is asked while the end begins may still be answered, from the store as soon as the patience is over. */
    private void untilNobodyAnswers(UUID attempt) {
        Inquiry inquiry = new Inquiry(attempt(attempt), Duration.ofMillis(1));
        boolean answered = true;
        while (answered) {
            answered = await(process.bus().ask(inquiry).map(true).recover(failure -> {
                assertThat(failure).isInstanceOf(Unavailable.class);
                return Future.succeededFuture(false);
            }));
        }
    }

    @Test
    void a_store_that_is_away_is_told_as_such() {
        BenchProcess lost = bench.processAt("postgresql://nobody@127.0.0.1:1/none");
        serve(lost, new Psps(List.of(psp)), new InquiryOptions(urls(), 8, LEASE_MS, PAUSE_MS));

        assertThat(awaitFailure(lost.bus().ask(new Inquiry(payment("pay-1"), LONG))))
                .isInstanceOf(Unavailable.class);
    }

    // ---- helpers

    private String serve(long pauseMs) {
        return serve(process, new Psps(List.of(psp)), new InquiryOptions(urls(), 8, LEASE_MS, pauseMs));
    }

    private String serve(BenchProcess where, Psps psps, InquiryOptions options) {
        return where.deploy(new InquiryVerticle(
                where.bus(),
                new InquiryStore(where.pool()),
                psps,
                new Leases(where.link(), leasePrefix),
                options,
                Clock.systemUTC()));
    }

    private static CallbackUrls urls() {
        return new CallbackUrls("https://gateway.example");
    }

    private Answer ask(Subject subject) {
        return await(process.bus().ask(new Inquiry(subject, LONG)));
    }

    /** Asks until the PSP is asked once more; the pause of a question before may just be ending. */
    private void untilAsked(BenchProcess where, UUID attempt, boolean answered) {
        int before = psp.calls().size();
        Known known;
        do {
            known = known(await(where.bus().ask(new Inquiry(attempt(attempt), LONG))));
        } while (psp.calls().size() == before);
        assertThat(known.asked()).isEqualTo(answered);
    }

    private static Known known(Answer answer) {
        assertThat(answer).isInstanceOf(Known.class);
        return (Known) answer;
    }

    private static Subject attempt(UUID attempt) {
        return new Subject.OfAttempt(Bench.PSP, Bench.ACCOUNT, Ids.hex(attempt));
    }

    private static Subject payment(String pspPaymentId) {
        return new Subject.OfPayment(Bench.PSP, Bench.ACCOUNT, pspPaymentId);
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

    /** The same, with the PSP's id. */
    private UUID identified(UUID order, String pspPaymentId) {
        UUID attempt = bench.attempt(order);
        say(
                PaymentFact.payment(
                        FactKind.PAYMENT_PENDING, Ids.hex(attempt), Bench.notified("ev-i"), pspPaymentId, null),
                "ev-i-" + attempt);
        return attempt;
    }

    private void say(PaymentFact fact, String eventId) {
        await(process.bus().submit(fact, Bench.delivery(eventId), "test"));
    }

    /** All that is written about an order. */
    private String written(UUID order) {
        return bench.text(
                "select o.version || ' ' || o.status || ' ' || (select string_agg(a::text, ',') from attempts a"
                        + " where a.order_id = o.id) || (select count(*) from audit u where u.order_id = o.id)"
                        + " || ' ' || (select t::text from timers t where t.order_id = o.id)"
                        + " || (select count(*) from callbacks) from orders o where o.id = ?",
                order);
    }
}
