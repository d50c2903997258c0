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

    private String trailOfPaid(String sku, String other) {
        BenchProcess process = bench.process().withEngine();
        bench.product(sku, Strategy.STOCK, 10);
        bench.product(other, Strategy.STOCK, 10);
        UUID order = bench.order("H1", LatePolicy.REFUND, new Item(sku, 1), new Item(other, 2));
        UUID attempt = bench.attempt(order);

        await(process.bus().submit(Bench.success(attempt, "ev-1"), Bench.delivery("ev-1"), "payment.succeeded"));

        assertThat(bench.orderStatus(order)).isEqualTo("PAID");
        bench.proveInvariants();
        return bench.text(CONSUMED, order).replace(Ids.hex(order) + "/", "");
    }
}
