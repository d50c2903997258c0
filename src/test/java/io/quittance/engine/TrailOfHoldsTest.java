package io.quittance.engine;

import static io.quittance.testing.Bench.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.quittance.domain.Ids;
import io.quittance.domain.LatePolicy;
import io.quittance.message.Checkout.Item;
import io.quittance.message.Checkout.Strategy;
import io.quittance.testing.Bench;
import io.quittance.testing.BenchProcess;
import java.sql.SQLException;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the audit trail says of what an order holds. */
class TrailOfHoldsTest {

    private static final String CONSUMED = """
            select string_agg(entity_id, ' ' order by entity_id) from audit
            where order_id = ? and entity = 'HOLD' and from_status = 'ACTIVE' and to_status = 'CONSUMED'
            """;

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
    void each_product_of_an_order_has_a_step() {
        assertThat(trailOfPaid("mug", "tee-2")).isEqualTo("mug/1 tee-2/1");
    }

    /** The API takes no such names, but whoever fills the tables may. */
    @Test
    void a_name_that_json_would_trip_over_stands_in_no_payments_way() {
        assertThat(trailOfPaid("nail 5\" \\", "tab\there")).isEqualTo("nail 5\" \\/1 tab\there/1");
    }

    /** Orders that were placed before orders said what they hold. */
    @Test
    void an_order_that_does_not_say_what_it_holds_is_paid_and_expires_like_others() {
        BenchProcess process = bench.process().withEngine();
        bench.product("mug", Strategy.STOCK, 10);
        UUID paid = bench.order("H1", LatePolicy.REFUND, new Item("mug", 1));
        UUID over = bench.order("H2", LatePolicy.REFUND, new Item("mug", 2));
        bench.run("update orders set held = null");

        pay(process, paid);
        await(process.bus().submit(Bench.timeOver(over)));

        assertThat(bench.orderStatus(over)).isEqualTo("EXPIRED");
        assertThat(bench.holdStatus(over)).isEqualTo("EXPIRED");
        assertThat(bench.holdStatus(paid)).isEqualTo("CONSUMED");
        assertThat(bench.available("mug")).isEqualTo(9);
        assertThat(bench.text(CONSUMED, paid)).isEqualTo(Ids.hex(paid) + "/mug/1");
        bench.proveInvariants();
    }

    /** What it holds is read with what was taken just now, and what it held is given back if that is not to be had. */
    @Test
    void an_order_that_holds_one_thing_and_takes_another_when_it_is_paid_gets_both_or_neither() {
        BenchProcess process = bench.process().withEngine();
        bench.product("mug", Strategy.STOCK, 10);
        bench.product("song", Strategy.ON_PAYMENT, 1);
        UUID served = bench.order("H1", LatePolicy.REFUND, new Item("mug", 1), new Item("song", 1));
        UUID late = bench.order("H2", LatePolicy.REFUND, new Item("mug", 1), new Item("song", 1));

        pay(process, served);
        UUID attempt = bench.attempt(late);
        await(process.bus().submit(Bench.success(attempt, "ev-late"), Bench.delivery("ev-late"), "payment.succeeded"));

        assertThat(bench.text(
                        "select string_agg(sku || ' ' || status, ', ' order by sku) from hold_states where order_id = ?",
                        served))
                .isEqualTo("mug CONSUMED, song CONSUMED");
        assertThat(bench.orderStatus(late)).isEqualTo("FAILED");
        assertThat(bench.holdStatus(late)).isEqualTo("RELEASED");
        assertThat(bench.available("mug")).isEqualTo(9);
        bench.proveInvariants();
    }

    private String trailOfPaid(String sku, String other) {
        BenchProcess process = bench.process().withEngine();
        bench.product(sku, Strategy.STOCK, 10);
        bench.product(other, Strategy.STOCK, 10);
        UUID order = bench.order("H1", LatePolicy.REFUND, new Item(sku, 1), new Item(other, 2));
        pay(process, order);
        bench.proveInvariants();
        return bench.text(CONSUMED, order).replace(Ids.hex(order) + "/", "");
    }

    private void pay(BenchProcess process, UUID order) {
        UUID attempt = bench.attempt(order);
        await(process.bus().submit(Bench.success(attempt, "ev-1"), Bench.delivery("ev-1"), "payment.succeeded"));
        assertThat(bench.orderStatus(order)).isEqualTo("PAID");
    }
}
