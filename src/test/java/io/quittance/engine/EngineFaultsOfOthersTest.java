package io.quittance.engine;

import static io.quittance.testing.Bench.await;
import static io.quittance.testing.Bench.news;
import static io.quittance.testing.Bench.notified;
import static io.quittance.testing.Bench.success;
import static org.assertj.core.api.Assertions.assertThat;

import io.quittance.FaultOfOthers;
import io.quittance.domain.FactKind;
import io.quittance.domain.Ids;
import io.quittance.domain.Money;
import io.quittance.domain.Outcome;
import io.quittance.domain.PaymentFact;
import io.quittance.domain.PaymentFact.RefundNews;
import io.quittance.testing.Bench;
import io.quittance.testing.BenchProcess;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Orders of events that broke other shops. */
class EngineFaultsOfOthersTest {

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
    @FaultOfOthers(
            value = "razorpay/razorpay-woocommerce#664",
            symptom = "a refund that is told of before its payment is dropped, and the order stays as if it were paid")
    void a_payment_and_a_part_that_went_back_end_alike_in_whatever_order_they_are_told() {
        int number = 0;
        for (List<Integer> order : permutations()) {
            UUID orderId = bench.order("part-" + number);
            UUID attempt = bench.attempt(orderId);
            tell(attempt, "part-" + number++, new Money(500, "CNY"), order);

            assertThat(bench.orderStatus(orderId)).as("told in order %s", order).isEqualTo("PARTIALLY_REFUNDED");
            assertThat(money(attempt)).as("told in order %s", order).isEqualTo("SUCCEEDED 1999 back 500 ");
        }
        bench.proveInvariants();
    }

    /** Whoever hears of the refund first never concludes that the order is paid; the money is the same in the end. */
    @Test
    @FaultOfOthers(
            value = "razorpay/razorpay-woocommerce#664",
            symptom = "a refund that is told of before its payment is dropped, and the order stays as if it were paid")
    void a_payment_that_went_back_completely_is_never_left_as_paid_in_whatever_order_that_is_told() {
        int number = 0;
        for (List<Integer> order : permutations()) {
            UUID orderId = bench.order("whole-" + number);
            UUID attempt = bench.attempt(orderId);
            tell(attempt, "whole-" + number++, Bench.PRICE, order);

            boolean paidFirst = order.indexOf(1) < order.indexOf(2);
            assertThat(bench.orderStatus(orderId))
                    .as("told in order %s", order)
                    .isEqualTo(paidFirst ? "REFUNDED" : "PENDING");
            assertThat(money(attempt)).as("told in order %s", order).isEqualTo("SUCCEEDED 1999 back 1999 ");
        }
        bench.proveInvariants();
    }

    @Test
    @FaultOfOthers(
            value = "mollie/WooCommerce#1252",
            symptom = "a success that is told again after the refund makes the order paid again and takes stock again")
    void a_success_that_is_told_again_after_a_refund_changes_nothing() {
        UUID order = bench.order("A1");
        UUID attempt = bench.attempt(order);
        say(success(attempt, "ev-1"), "ev-1");
        say(refunded(attempt, "ev-2", Bench.PRICE), "ev-2");
        long available = bench.available("plenty");

        assertThat(say(success(attempt, "ev-3"), "ev-3")).isEqualTo(Outcome.DUPLICATE);

        assertThat(bench.orderStatus(order)).isEqualTo("REFUNDED");
        assertThat(bench.available("plenty")).isEqualTo(available);
        assertThat(bench.count("select count(*) from outbox where order_id = ?", order))
                .isEqualTo(1);
        bench.proveInvariants();
    }

    @Test
    @FaultOfOthers(
            value = "mollie/WooCommerce#1252",
            symptom = "an old attempt runs out of time and cancels the order that another attempt has paid")
    void an_old_attempt_that_ends_leaves_the_order_paid_by_another() {
        UUID order = bench.order("A1");
        UUID old = bench.attempt(order);
        say(news(FactKind.PAYMENT_FAILED, old, "ev-1"), "ev-1");
        UUID paying = bench.attempt(order);
        say(success(paying, "ev-2"), "ev-2");

        assertThat(say(news(FactKind.PAYMENT_CLOSED, old, "ev-3"), "ev-3")).isEqualTo(Outcome.STALE);
        assertThat(say(news(FactKind.PAYMENT_FAILED, old, "ev-4"), "ev-4")).isEqualTo(Outcome.DUPLICATE);

        assertThat(bench.orderStatus(order)).isEqualTo("PAID");
        assertThat(bench.holdStatus(order)).isEqualTo("CONSUMED");
        bench.proveInvariants();
    }

    @Test
    @FaultOfOthers(
            value = "YunaiV/ruoyi-vue-pro#1152",
            symptom =
                    "two channels are paid for one order: the second callback fails for ever, and nobody sends the money"
                            + " back; or a repetition of the first is taken for a second payment")
    void of_two_channels_that_were_paid_the_second_goes_back_and_a_repetition_of_the_first_does_not() {
        UUID order = bench.order("A1");
        UUID first = bench.attempt(order);
        say(news(FactKind.PAYMENT_FAILED, first, "ev-0"), "ev-0");
        UUID second = bench.attempt(order);

        assertThat(say(success(first, "ev-1"), "ev-1")).isEqualTo(Outcome.APPLIED);
        assertThat(say(success(second, "ev-2"), "ev-2")).isEqualTo(Outcome.APPLIED);
        assertThat(say(success(first, "ev-1"), "ev-1")).isEqualTo(Outcome.DUPLICATE);
        assertThat(say(success(first, "ev-3"), "ev-3")).isEqualTo(Outcome.DUPLICATE);

        assertThat(bench.text("select string_agg(reason || ' of ' || attempt_id, ',') from refunds"))
                .isEqualTo("DOUBLE_PAYMENT of " + second);
        assertThat(bench.text("select effective_attempt_id from orders where id = ?", order))
                .isEqualTo(first.toString());
        assertThat(bench.orderStatus(order)).isEqualTo("PAID");
        bench.proveInvariants();
    }

    @Test
    @FaultOfOthers(
            value = "jeepay PR#81",
            symptom =
                    "a notice is believed by its signature alone: one of another application, or of 0.01, pays for anything")
    void the_right_number_in_another_currency_pays_nothing() {
        UUID order = bench.order("A1");
        UUID attempt = bench.attempt(order);
        PaymentFact yen = PaymentFact.succeeded(
                Ids.hex(attempt), notified("ev-1"), "pay-1", new Money(Bench.PRICE.minor(), "JPY"));

        assertThat(say(yen, "ev-1")).isEqualTo(Outcome.MISMATCH);

        assertThat(bench.orderStatus(order)).isEqualTo("PENDING");
        assertThat(bench.text("select reason from reviews where attempt_id = ?", attempt))
                .isEqualTo("MISMATCH");
        bench.proveInvariants();
    }

    /** All orders of three things: what is authorised, what is captured, what goes back. */
    private static List<List<Integer>> permutations() {
        List<List<Integer>> all = new ArrayList<>();
        for (int first = 0; first < 3; first++) {
            for (int second = 0; second < 3; second++) {
                if (first != second) {
                    all.add(List.of(first, second, 3 - first - second));
                }
            }
        }
        return all;
    }

    private void tell(UUID attempt, String prefix, Money back, List<Integer> order) {
        for (int what : order) {
            String event = prefix + "-" + what;
            say(
                    switch (what) {
                        case 0 -> news(FactKind.PAYMENT_PENDING, attempt, event);
                        case 1 -> success(attempt, event);
                        default -> refunded(attempt, event, back);
                    },
                    event);
        }
    }

    /** A refund that was made at the PSP, and not by us. */
    private static PaymentFact refunded(UUID attempt, String event, Money amount) {
        RefundNews news = new RefundNews("by hand", "re-" + Ids.hex(attempt), amount, null);
        return PaymentFact.refund(FactKind.REFUND_SUCCEEDED, Ids.hex(attempt), notified(event), news, null);
    }

    private String money(UUID attempt) {
        return bench.text(
                "select a.status || ' ' || a.received_minor || ' back '"
                        + " || (select sum(amount_minor) from refunds r where r.attempt_id = a.id and r.status = 'SUCCEEDED')"
                        + " || ' ' || coalesce((select string_agg(reason, ',') from reviews v where v.attempt_id = a.id), '')"
                        + " from attempts a where a.id = ?",
                attempt);
    }

    private Outcome say(PaymentFact fact, String eventId) {
        return await(process.bus().submit(fact, Bench.delivery(eventId), "test"))
                .outcome();
    }
}
