package io.quittance.store;

import static io.quittance.store.Shop.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.quittance.domain.AttemptStatus;
import io.quittance.domain.FactKind;
import io.quittance.domain.LatePolicy;
import io.quittance.domain.OrderStatus;
import io.quittance.testing.Services;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OrderReadsTest {

    private Shop shop;
    private OrderReads reads;

    @BeforeEach
    void open() {
        shop = new Shop(Services.freshDatabase());
        shop.product("tee", "STOCK", 10);
        reads = new OrderReads(shop.pool);
    }

    @AfterEach
    void close() {
        shop.close();
    }

    @Test
    void orders_are_read_together_as_each_is_read_alone() {
        UUID first = shop.order("A-1", LatePolicy.REFUND, "tee");
        UUID second = shop.order("A-2", LatePolicy.REFUND, "tee");
        shop.paid(shop.attempt(first));
        shop.attempt(second);

        List<OrderView> together = await(reads.byIds(List.of(first, UUID.randomUUID(), second)));

        assertThat(together)
                .usingRecursiveFieldByFieldElementComparatorIgnoringFields("secondsLeft")
                .containsExactlyInAnyOrder(alone("A-1"), alone("A-2"));
        assertThat(alone("A-1").status()).isEqualTo(OrderStatus.PAID);
        assertThat(alone("A-2").attempts().get(0).status()).isEqualTo(AttemptStatus.PENDING);
    }

    @Test
    void the_time_that_is_left_is_the_databases_and_never_below_zero() {
        UUID order = shop.order("A-1", LatePolicy.REFUND, "tee");
        expires(order, "now() + interval '100 seconds'");
        assertThat(alone("A-1").secondsLeft()).isBetween(1L, 100L);

        expires(order, "now() - interval '1 second'");
        assertThat(alone("A-1").secondsLeft()).isZero();
    }

    @Test
    void the_psps_own_session_end_counts_as_long_as_the_attempt_is_live() {
        UUID order = shop.order("A-1", LatePolicy.REFUND, "tee");
        UUID attempt = shop.attempt(order);
        expires(order, "now() - interval '1 second'");
        await(shop.pool
                .preparedQuery("update attempts set session_ends_at = now() + interval '100 seconds' where id = $1")
                .execute(Tuple.of(attempt)));
        assertThat(alone("A-1").secondsLeft()).isBetween(1L, 100L);

        shop.told(attempt, FactKind.PAYMENT_CLOSED);
        assertThat(alone("A-1").secondsLeft()).isZero();
    }

    @Test
    void it_is_told_that_an_order_is_being_called_off() {
        UUID order = shop.order("A-1", LatePolicy.REFUND, "tee");
        assertThat(alone("A-1").calledOff()).isFalse();

        await(shop.pool
                .preparedQuery("update orders set called_off_at = now() where id = $1")
                .execute(Tuple.of(order)));

        assertThat(alone("A-1").calledOff()).isTrue();
    }

    private void expires(UUID order, String at) {
        await(shop.pool
                .preparedQuery("update orders set created_at = now() - interval '1 hour', expires_at = " + at
                        + " where id = $1")
                .execute(Tuple.of(order)));
    }

    private OrderView alone(String orderNo) {
        return await(reads.byNumber("acme", orderNo)).orElseThrow();
    }
}
