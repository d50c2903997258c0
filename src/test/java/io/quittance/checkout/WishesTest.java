package io.quittance.checkout;

import static io.quittance.testing.Bench.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.quittance.domain.Ids;
import io.quittance.domain.LatePolicy;
import io.quittance.domain.Money;
import io.quittance.domain.OrderStatus;
import io.quittance.message.Checkout.AttemptAnswer;
import io.quittance.message.Checkout.CallOff;
import io.quittance.message.Checkout.Item;
import io.quittance.message.Checkout.OpenAttempt;
import io.quittance.message.Checkout.Strategy;
import io.quittance.message.Checkout.WantRefund;
import io.quittance.message.Checkout.WishAnswer;
import io.quittance.psp.PaymentReport;
import io.quittance.psp.PaymentReport.Status;
import io.quittance.store.CheckoutStore;
import io.quittance.testing.Bench;
import io.quittance.testing.BenchProcess;
import io.quittance.testing.ScriptedPsp;
import io.quittance.testing.Workers;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonObject;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Calling orders off and sending money back, on a real database. */
class WishesTest {

    private static final PaymentReport WAITING = PaymentReport.of(Status.PENDING, "pay-1", "waiting");
    private static final PaymentReport CLOSED = PaymentReport.of(Status.CLOSED, null, "closed");
    private static final PaymentReport PAID = PaymentReport.succeeded("pay-1", Bench.PRICE);
    private static final Money THIRTY_PERCENT = new Money(600, "CNY");

    private final ScriptedPsp psp = new ScriptedPsp();
    private Bench bench;
    private BenchProcess process;

    @BeforeEach
    void open() throws SQLException {
        bench = Bench.withShards(2);
        process = bench.process().withEngine();
        bench.product("seat", Strategy.STOCK, 10);
        process.deploy(Workers.checkout(process, psp));
    }

    @AfterEach
    void nothingContradictsThePromises() {
        bench.proveInvariants();
        bench.close();
    }

    // ---- calling off

    @Test
    void an_order_that_nobody_is_paying_is_called_off_at_once_and_holds_nothing() {
        UUID order = order("A1");

        assertThat(callOff("A1")).isEqualTo(new WishAnswer.Granted(true, null));
        assertThat(callOff("A1")).isEqualTo(new WishAnswer.Granted(false, null));

        assertThat(bench.orderStatus(order)).isEqualTo("CANCELLED");
        assertThat(bench.holdStatus(order)).isEqualTo("RELEASED");
        assertThat(bench.available("seat")).isEqualTo(10);
        assertThat(open("A1")).isEqualTo(new AttemptAnswer.NotPayable(OrderStatus.CANCELLED));
        assertThat(psp.calls()).isEmpty();
    }

    @Test
    void an_attempt_is_closed_at_the_psp_first_and_meanwhile_no_other_one_is_opened() {
        UUID order = order("A1");
        UUID attempt = pending(order);
        Promise<String> whenClosing = Promise.promise();
        psp.onQuery(WAITING).onClose(payment -> {
            whenClosing.complete(bench.orderStatus(order) + " " + bench.holdStatus(order));
            return Future.succeededFuture(CLOSED);
        });

        assertThat(callOff("A1")).isEqualTo(new WishAnswer.Granted(true, null));
        assertThat(callOff("A1")).isEqualTo(new WishAnswer.Granted(false, null));
        assertThat(open("A1")).isInstanceOf(AttemptAnswer.AlreadyLive.class);
        track();

        bench.until("the order is called off", () -> bench.orderStatus(order).equals("CANCELLED"));
        assertThat(await(whenClosing.future())).isEqualTo("PENDING ACTIVE");
        assertThat(psp.calls()).containsExactly("query " + Ids.hex(attempt), "close " + Ids.hex(attempt));
        assertThat(bench.attemptStatus(attempt)).isEqualTo("EXPIRED");
        assertThat(bench.available("seat")).isEqualTo(10);
    }

    @Test
    void money_that_was_on_its_way_pays_the_order_after_all() {
        UUID order = order("A1");
        pending(order);
        psp.onQuery(PAID);

        callOff("A1");
        track();

        bench.until("the order is paid", () -> bench.orderStatus(order).equals("PAID"));
        assertThat(callOff("A1")).isEqualTo(new WishAnswer.Refused("the order is already PAID"));
    }

    @Test
    void an_answer_of_the_psp_to_the_creation_does_not_make_the_wish_wait_for_the_expiry() {
        UUID order = order("A1");
        Promise<PaymentReport> created = Promise.promise();
        Promise<Void> asked = Promise.promise();
        psp.onCreate(payment -> {
                    asked.complete();
                    return created.future();
                })
                .onQuery(WAITING)
                .onClose(CLOSED);
        Future<AttemptAnswer> opening =
                process.bus().ask(new OpenAttempt(Bench.MERCHANT, "A1", Bench.PSP, Bench.ACCOUNT));
        await(asked.future());

        callOff("A1");
        created.complete(PaymentReport.created("pay-1", new JsonObject(), null));
        assertThat(await(opening)).isInstanceOf(AttemptAnswer.Opened.class);
        track();

        bench.until("the order is called off", () -> bench.orderStatus(order).equals("CANCELLED"));
    }

    @Test
    void an_order_is_called_off_or_gets_an_attempt_and_never_both() throws SQLException {
        for (int round = 0; round < 20; round++) {
            String number = "R" + round;
            UUID order = bench.order(number);
            Future<WishAnswer> off;
            Future<Boolean> opened;
            try (Bench.RowLock lock = bench.lockOrder(order)) {
                off = process.bus().ask(new CallOff(Bench.MERCHANT, number));
                opened = new CheckoutStore(process.pool())
                        .openAttempt(order, Ids.version7(round, 1, 1), Bench.PSP, Bench.ACCOUNT, Workers.ATTEMPTS);
                bench.untilBlocked(2);
                lock.release();
            }
            assertThat(await(off)).isEqualTo(new WishAnswer.Granted(true, null));
            boolean live = await(opened);
            assertThat(bench.orderStatus(order)).isEqualTo(live ? "PENDING" : "CANCELLED");
            assertThat(bench.text("select called_off_at is not null from orders where id = ?", order))
                    .isEqualTo(live ? "t" : "f");
        }
    }

    @Test
    void late_money_of_an_order_that_was_called_off_goes_by_its_policy() {
        UUID order = order("A1");
        UUID attempt = pending(order);
        psp.onQuery(WAITING).onClose(CLOSED);
        callOff("A1");
        track();
        bench.until("the order is called off", () -> bench.orderStatus(order).equals("CANCELLED"));

        await(process.bus().submit(Bench.success(attempt, "late")));

        assertThat(bench.orderStatus(order)).isEqualTo("CANCELLED");
        assertThat(bench.refundStatus(attempt)).isEqualTo("REQUESTED");
    }

    // ---- refunds

    @Test
    void a_part_goes_back_once_however_often_it_is_asked_for() {
        UUID attempt = paid("A1");

        WishAnswer.Granted first = (WishAnswer.Granted) refund("A1", "R1", THIRTY_PERCENT);
        assertThat(first.first()).isTrue();
        assertThat(refund("A1", "R1", THIRTY_PERCENT)).isEqualTo(new WishAnswer.Granted(false, first.id()));
        assertThat(refund("A1", "R1", new Money(601, "CNY")))
                .isEqualTo(new WishAnswer.Refused("this refund was asked for with another amount"));

        assertThat(bench.text("select id || ' ' || amount_minor || ' ' || reason from refunds"))
                .isEqualTo(Ids.parseHex(first.id()).orElseThrow() + " 600 MERCHANT_REQUEST");
        assertThat(bench.refundStatus(attempt)).isEqualTo("REQUESTED");
    }

    @Test
    void without_an_amount_all_that_is_left_goes_back() {
        paid("A1");
        refund("A1", "R1", THIRTY_PERCENT);

        assertThat(refund("A1", "R2", null)).isInstanceOf(WishAnswer.Granted.class);

        assertThat(bench.count("select sum(amount_minor) from refunds")).isEqualTo(Bench.PRICE.minor());
        assertThat(refund("A1", "R3", null)).isEqualTo(new WishAnswer.Refused("less is left to be refunded"));
    }

    @Test
    void of_fifty_refunds_of_thirty_percent_at_once_three_are_accepted() throws SQLException {
        UUID attempt = paid("A1");
        List<Future<WishAnswer>> wishes = new ArrayList<>();
        UUID order = UUID.fromString(bench.text("select order_id::text from attempts where id = ?", attempt));
        try (Bench.RowLock lock = bench.lockOrder(order)) {
            for (int i = 0; i < 50; i++) {
                wishes.add(process.bus().ask(new WantRefund(Bench.MERCHANT, "A1", "R" + i, THIRTY_PERCENT)));
            }
            bench.untilBlocked(1);
            lock.release();
        }

        long granted = wishes.stream()
                .filter(wish -> await(wish) instanceof WishAnswer.Granted)
                .count();
        assertThat(granted).isEqualTo(3);
        assertThat(bench.count("select count(*) from refunds")).isEqualTo(3);
    }

    @Test
    void what_was_not_paid_or_is_no_order_of_theirs_or_of_another_currency_is_not_sent_back() {
        order("A1");
        assertThat(refund("A1", "R1", null)).isEqualTo(new WishAnswer.Refused("the order is PENDING"));
        assertThat(refund("A2", "R1", null)).isEqualTo(new WishAnswer.NoSuchOrder());
        paid("A3");
        assertThat(refund("A3", "R1", new Money(1, "USD")))
                .isEqualTo(new WishAnswer.Refused("the order was paid in another currency"));
        assertThat(await(process.bus().ask(new CallOff("another shop", "A3")))).isEqualTo(new WishAnswer.NoSuchOrder());
    }

    private WishAnswer callOff(String orderNo) {
        return await(process.bus().ask(new CallOff(Bench.MERCHANT, orderNo)));
    }

    private WishAnswer refund(String orderNo, String refundNo, Money amount) {
        return await(process.bus().ask(new WantRefund(Bench.MERCHANT, orderNo, refundNo, amount)));
    }

    private AttemptAnswer open(String orderNo) {
        return await(process.bus().ask(new OpenAttempt(Bench.MERCHANT, orderNo, Bench.PSP, Bench.ACCOUNT)));
    }

    private UUID order(String number) {
        return bench.order(number, LatePolicy.REFUND, new Item("seat", 1));
    }

    private UUID pending(UUID order) {
        UUID attempt = bench.attempt(order);
        await(process.bus().submit(Bench.news(io.quittance.domain.FactKind.PAYMENT_PENDING, attempt, "p-" + attempt)));
        return attempt;
    }

    private UUID paid(String number) {
        UUID attempt = bench.attempt(order(number));
        await(process.bus().submit(Bench.success(attempt, "s-" + attempt)));
        return attempt;
    }

    private void track() {
        process.deploy(Workers.tracker(process, "test:lease:" + UUID.randomUUID() + ":", Workers.eager(1_000), psp));
    }
}
