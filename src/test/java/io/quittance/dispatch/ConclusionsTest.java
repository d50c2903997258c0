package io.quittance.dispatch;

import static io.quittance.testing.Bench.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.quittance.domain.Audience;
import io.quittance.domain.Evidence;
import io.quittance.domain.FactKind;
import io.quittance.domain.FactSource;
import io.quittance.domain.Ids;
import io.quittance.domain.LatePolicy;
import io.quittance.domain.OrderStatus;
import io.quittance.domain.Outcome;
import io.quittance.domain.PaymentFact;
import io.quittance.domain.PaymentFact.RefundNews;
import io.quittance.engine.EngineOptions;
import io.quittance.message.Addresses;
import io.quittance.message.Checkout.Item;
import io.quittance.message.Checkout.Strategy;
import io.quittance.message.Submission.Verdict;
import io.quittance.store.OutboxStore;
import io.quittance.testing.Bench;
import io.quittance.testing.BenchProcess;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which conclusions leave the house, and when: a real engine, a real outbox and a target that only listens. */
class ConclusionsTest {

    private static final String SECRET = "whsec_c2l4dHktZm91ciBieXRlcyBhdCBtb3N0LCAyNCBhdCBsZWFzdA==";
    private static final Duration FAR = Duration.ofDays(1000);
    private static final DispatchOptions OPTIONS = DispatchOptions.defaults()
            .withTries(5, FAR, FAR)
            .withBreaker(1_000, DispatchOptions.BREAKER_WINDOW_MAX, FAR);
    private static final Set<OrderStatus> EVERYTHING = Set.of(
            OrderStatus.PAID, OrderStatus.FAILED, OrderStatus.EXPIRED, OrderStatus.CANCELLED, OrderStatus.REFUNDED);

    /** Of a closing that was claimed. */
    private static final Set<String> ENDS = Set.of("COMPLETED", "WITHDRAWN");

    /** What a target was told: the key, and the document. */
    private record Told(String key, JsonObject document) {}

    private final BlockingQueue<Told> told = new LinkedBlockingQueue<>();
    private Bench bench;
    private BenchProcess process;
    private HttpServer server;
    private volatile int lookupStatus = 404;

    @BeforeEach
    void open() throws SQLException {
        bench = Bench.withShards(2);
        bench.product("seat", Strategy.UNIQUE, 1);
        process = bench.process();
        server = await(
                process.vertx().createHttpServer().requestHandler(this::listen).listen(0, "127.0.0.1"));
    }

    @AfterEach
    void nothingContradictsThePromises() {
        bench.proveInvariants();
        bench.close();
    }

    private void listen(HttpServerRequest request) {
        String key = request.getHeader("Idempotency-Key");
        request.body().onSuccess(body -> {
            if (key == null) {
                String asked = request.path().substring(request.path().lastIndexOf('/') + 1);
                request.response().setStatusCode(lookupStatus).end(record(asked).toBuffer());
                return;
            }
            JsonObject document = body.toJsonObject();
            told.add(new Told(key, document));
            request.response()
                    .setStatusCode(200)
                    .end(record(document.getString("order_no")).toBuffer());
        });
    }

    private static JsonObject record(String orderNo) {
        return new JsonObject().put("id", "record of " + orderNo);
    }

    private void engine(Set<OrderStatus> wants, boolean corrections, Duration finalAfter) {
        EngineOptions usual = BenchProcess.engineOptions();
        Audience audience = new Audience("erp", wants, corrections, finalAfter.toMillis());
        process.withEngine(new EngineOptions(
                usual.batchMax(),
                2,
                usual.queueMax(),
                usual.roundsMax(),
                usual.patienceMs(),
                usual.waitForOtherMs(),
                merchant -> audience));
    }

    private void dispatcher(boolean corrections, boolean canBeAsked) {
        String url = "http://127.0.0.1:" + server.actualPort() + "/orders";
        Target target = Target.of("erp", url, SECRET, canBeAsked ? url + "/{order_no}" : null, corrections);
        process.deploy(new DispatchVerticle(
                new OutboxStore(process.pool()),
                process.bus(),
                List.of(target),
                OPTIONS,
                Clock.systemUTC(),
                new Random(20_261_129)));
    }

    // ---- closed orders

    @Test
    void an_expired_order_that_nobody_tried_to_pay_is_told_at_once() throws Exception {
        engine(EVERYTHING, false, FAR);
        dispatcher(false, true);
        UUID order = bench.order("A-1");

        expire(order);

        assertThat(next()).isEqualTo(new Told("A-1/EXPIRED", document("A-1", "EXPIRED")));
        untilSync(order, "EXPIRED", "COMPLETED");
        assertThat(isClosedForGood(order)).isTrue();
    }

    @Test
    void a_called_off_order_and_one_that_failed_are_told_as_such() throws Exception {
        engine(EVERYTHING, false, Duration.ZERO);
        dispatcher(false, true);
        UUID cancelled = bench.order("A-1");
        tell(PaymentFact.bare(FactKind.ORDER_CALLED_OFF, Ids.hex(cancelled), ours(FactSource.MERCHANT), null));
        assertThat(next()).isEqualTo(new Told("A-1/CANCELLED", document("A-1", "CANCELLED")));

        UUID failed = bench.order("A-2");
        UUID attempt = bench.attempt(failed);
        notify(Bench.news(FactKind.PAYMENT_FAILED, attempt, "event-1"));
        expire(failed);
        assertThat(next()).isEqualTo(new Told("A-2/FAILED", document("A-2", "FAILED")));
    }

    @Test
    void who_did_not_ask_for_it_is_never_told_that_an_order_was_closed() {
        engine(Set.of(OrderStatus.PAID), false, Duration.ZERO);
        UUID order = bench.order("A-1");
        expire(order);
        assertThat(bench.count("select count(*) from outbox")).isZero();
    }

    @Test
    void an_order_that_late_money_could_revive_is_told_when_it_no_longer_can_and_late_money_goes_back()
            throws Exception {
        engine(EVERYTHING, false, FAR);
        dispatcher(false, true);
        UUID order = bench.order("A-1", LatePolicy.REVIVE, new Item("seat", 1));
        UUID attempt = closedAttempt(order);
        expire(order);
        assertThat(bench.text("select status from outbox where due_at > now() + interval '900 days'"))
                .isEqualTo("PENDING");

        due(order, "EXPIRED");

        assertThat(next()).isEqualTo(new Told("A-1/EXPIRED", document("A-1", "EXPIRED")));
        untilSync(order, "EXPIRED", "COMPLETED");
        assertThat(notify(Bench.success(attempt, "late")).outcome()).isEqualTo(Outcome.APPLIED);
        assertThat(bench.orderStatus(order)).isEqualTo("EXPIRED");
        assertThat(bench.refundStatus(attempt)).isEqualTo("REQUESTED");
        assertThat(bench.available("seat")).isOne();
    }

    @Test
    void an_order_revived_while_its_closing_waits_is_told_as_paid_and_never_as_closed() throws Exception {
        engine(EVERYTHING, false, FAR);
        dispatcher(false, true);
        UUID order = bench.order("A-1", LatePolicy.REVIVE, new Item("seat", 1));
        UUID attempt = closedAttempt(order);
        expire(order);

        notify(Bench.success(attempt, "late"));

        Told paid = next();
        assertThat(paid.key).isEqualTo("A-1");
        assertThat(paid.document.getString("status")).isEqualTo("PAID");
        assertThat(paid.document.containsKey("corrects")).isFalse();
        due(order, "EXPIRED");
        untilSync(order, "EXPIRED", "WITHDRAWN");
        untilSync(order, "PAID", "COMPLETED");
        assertThat(told).isEmpty();
        assertThat(isClosedForGood(order)).isFalse();
    }

    /** The order's row is held until both stand before it, each of them first in every second round. */
    @Test
    void late_money_and_the_closing_for_good_at_the_same_instant_agree_on_one_of_them() throws Exception {
        engine(EVERYTHING, false, FAR);
        dispatcher(false, true);
        int revived = 0;
        for (int round = 0; round < 8; round++) {
            UUID order = bench.order("A-" + round, LatePolicy.REVIVE);
            UUID attempt = closedAttempt(order);
            expire(order);
            assertThat(await(meetAtTheRow(order, attempt, round % 2 == 0)).outcome())
                    .isEqualTo(Outcome.APPLIED);
            bench.until("the closing is told or withdrawn", () -> ENDS.contains(sync(order, "EXPIRED")));
            boolean closed = sync(order, "EXPIRED").equals("COMPLETED");
            assertThat(bench.orderStatus(order)).isEqualTo(closed ? "EXPIRED" : "PAID");
            assertThat(bench.refundStatus(attempt)).isEqualTo(closed ? "REQUESTED" : null);
            assertThat(next().document.getString("status")).isEqualTo(closed ? "EXPIRED" : "PAID");
            revived += closed ? 0 : 1;
        }
        assertThat(revived).as("times that the money was first").isBetween(1, 7);
    }

    private Future<Verdict> meetAtTheRow(UUID order, UUID attempt, boolean closingFirst) {
        try (Bench.RowLock held = bench.lockOrder(order)) {
            if (closingFirst) {
                due(order, "EXPIRED");
                bench.untilBlocked(1);
            }
            Future<Verdict> late = submit(Bench.success(attempt, "late-" + attempt));
            bench.untilBlocked(closingFirst ? 2 : 1);
            if (!closingFirst) {
                due(order, "EXPIRED");
                bench.untilBlocked(2);
            }
            held.release();
            return late;
        } catch (SQLException failure) {
            throw new AssertionError(failure);
        }
    }

    @Test
    void a_closing_waits_for_the_person_who_decides_about_late_money() throws Exception {
        engine(EVERYTHING, false, FAR);
        dispatcher(false, true);
        UUID order = bench.order("A-1", LatePolicy.REVIEW, new Item("seat", 1));
        UUID attempt = closedAttempt(order);
        expire(order);
        notify(Bench.success(attempt, "late"));

        due(order, "EXPIRED");

        untilSync(order, "EXPIRED", "FAILED");
        assertThat(bench.text("select last_error from outbox")).isEqualTo("not tried: it may still change");
        assertThat(bench.count("select tries from outbox")).isZero();
        assertThat(isClosedForGood(order)).isFalse();
        assertThat(told).isEmpty();
    }

    @Test
    void who_takes_corrections_is_told_at_once_and_corrected_later() throws Exception {
        engine(EVERYTHING, true, FAR);
        dispatcher(true, true);
        UUID order = bench.order("A-1", LatePolicy.REVIVE, new Item("seat", 1));
        UUID attempt = closedAttempt(order);
        expire(order);
        assertThat(next()).isEqualTo(new Told("A-1/EXPIRED", document("A-1", "EXPIRED")));
        untilSync(order, "EXPIRED", "COMPLETED");
        assertThat(isClosedForGood(order)).isFalse();

        notify(Bench.success(attempt, "late"));

        Told correction = next();
        assertThat(correction.key).isEqualTo("A-1");
        assertThat(correction.document.getString("status")).isEqualTo("PAID");
        assertThat(correction.document.getString("corrects")).isEqualTo("EXPIRED");
        untilSync(order, "PAID", "COMPLETED");
    }

    // ---- refunded orders

    @Test
    void a_refunded_order_is_told_after_it_was_told_as_paid_and_once_it_is_final() throws Exception {
        engine(EVERYTHING, false, FAR);
        dispatcher(false, true);
        UUID order = bench.order("A-1");
        UUID attempt = paidAttempt(order);
        assertThat(next().key).isEqualTo("A-1");
        untilSync(order, "PAID", "COMPLETED");

        refundInFull(attempt);
        assertThat(sync(order, "REFUNDED")).isEqualTo("PENDING");
        due(order, "REFUNDED");

        Told refunded = next();
        assertThat(refunded.key).isEqualTo("A-1/REFUNDED");
        assertThat(refunded.document.getString("status")).isEqualTo("REFUNDED");
        assertThat(refunded.document.getJsonObject("attempt").getString("id")).isEqualTo(Ids.hex(attempt));
        untilSync(order, "REFUNDED", "COMPLETED");
        assertThat(bench.text("select third_party_id from outbox where conclusion = 'PAID'"))
                .isEqualTo("record of A-1");
    }

    @Test
    void a_refund_that_was_reversed_meanwhile_is_not_told_and_one_that_came_again_is() throws Exception {
        engine(EVERYTHING, false, FAR);
        dispatcher(false, true);
        UUID order = bench.order("A-1");
        UUID attempt = paidAttempt(order);
        next();
        untilSync(order, "PAID", "COMPLETED");
        RefundNews refund = refundInFull(attempt);
        notify(PaymentFact.refund(FactKind.REFUND_FAILED, Ids.hex(attempt), Bench.notified("back"), refund, null));
        due(order, "REFUNDED");
        untilSync(order, "REFUNDED", "WITHDRAWN");
        assertThat(told).isEmpty();

        Evidence asked = new Evidence(FactSource.QUERY, Bench.PSP, Bench.ACCOUNT, null, Instant.EPOCH);
        tell(PaymentFact.refund(FactKind.REFUND_SUCCEEDED, Ids.hex(attempt), asked, refund, null));
        due(order, "REFUNDED");

        assertThat(next().key).isEqualTo("A-1/REFUNDED");
        untilSync(order, "REFUNDED", "COMPLETED");
    }

    @Test
    void an_order_refunded_before_it_was_handed_over_is_not_handed_over() {
        engine(Set.of(OrderStatus.PAID), false, Duration.ZERO);
        UUID order = bench.order("A-1");
        refundInFull(paidAttempt(order));

        dispatcher(false, true);

        untilSync(order, "PAID", "WITHDRAWN");
        assertThat(told).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Doubt.class)
    void a_refunded_order_that_may_have_been_handed_over_is_asked_for_and_never_sent_again(Doubt doubt) {
        engine(Set.of(OrderStatus.PAID), false, Duration.ZERO);
        UUID order = bench.order("A-1");
        refundInFull(paidAttempt(order));
        bench.run("update outbox set uncertain = true");
        lookupStatus = doubt.lookupStatus;

        dispatcher(false, doubt.canBeAsked);

        untilSync(order, "PAID", doubt.end);
        assertThat(told).isEmpty();
    }

    private enum Doubt {
        IT_HAS_IT(true, 200, "COMPLETED"),
        IT_LACKS_IT(true, 404, "WITHDRAWN"),
        IT_CANNOT_BE_ASKED(false, 404, "REVIEW");

        private final boolean canBeAsked;
        private final int lookupStatus;
        private final String end;

        Doubt(boolean canBeAsked, int lookupStatus, String end) {
            this.canBeAsked = canBeAsked;
            this.lookupStatus = lookupStatus;
            this.end = end;
        }
    }

    @Test
    void a_refund_is_never_told_before_the_payment_that_is_still_to_be_told() throws Exception {
        engine(EVERYTHING, false, Duration.ZERO);
        UUID order = bench.order("A-1");
        UUID attempt = paidAttempt(order);
        Future<OutboxStore.Claim> claim = new OutboxStore(process.pool()).claim(1, 60_000, UUID.randomUUID());
        assertThat(await(claim).rows()).hasSize(1);
        refundInFull(attempt);
        OutboxStore outbox = new OutboxStore(process.pool());
        OutboxStore.Claim second = await(outbox.claim(10, 60_000, UUID.randomUUID(), Set.of(), 60_000));
        assertThat(second.rows()).isEmpty();
        assertThat(second.rested()).isOne();

        bench.run("update outbox set due_at = now() where conclusion = 'PAID'");
        lookupStatus = 200;
        dispatcher(false, true);
        untilSync(order, "PAID", "COMPLETED");
        due(order, "REFUNDED");
        assertThat(next().key).isEqualTo("A-1/REFUNDED");
        untilSync(order, "REFUNDED", "COMPLETED");
    }

    // ---- what happens to an order

    private void expire(UUID order) {
        bench.endTime(order, Duration.ofSeconds(1));
        tell(PaymentFact.bare(FactKind.ORDER_TIME_OVER, Ids.hex(order), ours(FactSource.TIMER), null));
    }

    private UUID closedAttempt(UUID order) {
        UUID attempt = bench.attempt(order);
        notify(Bench.news(FactKind.PAYMENT_CLOSED, attempt, "closed-" + attempt));
        return attempt;
    }

    private UUID paidAttempt(UUID order) {
        UUID attempt = bench.attempt(order);
        notify(Bench.success(attempt, "paid-" + attempt));
        return attempt;
    }

    private RefundNews refundInFull(UUID attempt) {
        RefundNews refund = new RefundNews("at the psp", "re-1", Bench.PRICE, null);
        notify(PaymentFact.refund(
                FactKind.REFUND_SUCCEEDED, Ids.hex(attempt), Bench.notified("refund-" + attempt), refund, null));
        return refund;
    }

    private static Evidence ours(FactSource source) {
        return Evidence.ours(source, Instant.EPOCH);
    }

    private void tell(PaymentFact fact) {
        assertThat(await(process.bus().submit(fact)).outcome()).isEqualTo(Outcome.APPLIED);
    }

    private Verdict notify(PaymentFact fact) {
        return await(submit(fact));
    }

    private Future<Verdict> submit(PaymentFact fact) {
        return process.bus()
                .submit(
                        fact,
                        Bench.delivery(String.valueOf(fact.evidence().eventId())),
                        fact.kind().name());
    }

    /** Makes a conclusion due, and says so. */
    private void due(UUID order, String conclusion) {
        bench.run(
                "update outbox set due_at = now() - interval '1 second' where order_id = ? and conclusion = ?",
                order,
                conclusion);
        process.bus().tell(Addresses.CONCLUDED, order);
    }

    // ---- what came of it

    private Told next() throws InterruptedException {
        Told one = told.poll(20, TimeUnit.SECONDS);
        assertThat(one).as("what the target was told").isNotNull();
        return one;
    }

    private static JsonObject document(String orderNo, String status) {
        return new JsonObject()
                .put("order_no", orderNo)
                .put("status", status)
                .put("amount", new JsonObject().put("value", "19.99").put("currency", "CNY"));
    }

    private String sync(UUID order, String conclusion) {
        return bench.text("select status from outbox where order_id = ? and conclusion = ?", order, conclusion);
    }

    private void untilSync(UUID order, String conclusion, String status) {
        bench.until(conclusion + " is " + status, () -> status.equals(sync(order, conclusion)));
    }

    private boolean isClosedForGood(UUID order) {
        return "t".equals(bench.text("select closed_for_good from orders where id = ?", order));
    }
}
