package io.quittance.store;

import static io.quittance.store.Shop.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.quittance.domain.Audience;
import io.quittance.domain.Decider;
import io.quittance.domain.FactSource;
import io.quittance.domain.Ids;
import io.quittance.domain.LatePolicy;
import io.quittance.domain.PaymentFact;
import io.quittance.store.Database.PoolLimits;
import io.quittance.store.SnapshotStore.Versioned;
import io.quittance.testing.Services;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.Tuple;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Decisions find an order's row at the place where it was read, and must not take another order's row for it. */
class OrderPlacesTest {

    private final String database = Services.freshDatabase();
    private final Shop shop = new Shop(database);
    private final DecisionStore decisions = new DecisionStore(60_000, (psp, account) -> true);

    @BeforeEach
    void open() {
        shop.product("tee", "STOCK", 10);
    }

    @AfterEach
    void close() {
        shop.close();
    }

    @Test
    void an_order_that_is_where_it_was_is_changed() {
        UUID order = shop.order("A1", LatePolicy.REFUND, "tee");
        UUID attempt = shop.attempt(order);

        assertThat(pay(attempt, read(attempt))).containsExactly(order);
        assertThat(read(attempt).snapshot().order().status()).hasToString("PAID");
    }

    /** As when a cleaned place is given to another row. */
    @Test
    void an_order_that_is_at_the_place_of_another_one_is_left_alone() {
        UUID attempt = shop.attempt(shop.order("A1", LatePolicy.REFUND, "tee"));
        UUID other = shop.attempt(shop.order("A2", LatePolicy.REFUND, "tee"));
        Versioned one = read(attempt);
        Versioned another = read(other);
        assertThat(one.version()).as("nothing but the id tells them apart").isEqualTo(another.version());

        assertThat(pay(attempt, at(another.place(), one))).isEmpty();

        assertThat(List.of(read(attempt), read(other))).containsExactly(one, another);
    }

    @Test
    void an_order_that_has_another_place_by_now_is_to_be_read_again() {
        UUID order = shop.order("A1", LatePolicy.REFUND, "tee");
        UUID attempt = shop.attempt(order);
        Versioned before = read(attempt);
        await(shop.pool
                .preparedQuery("update orders set expires_at = expires_at where id = $1")
                .execute(Tuple.of(order)));

        assertThat(pay(attempt, before)).isEmpty();
        assertThat(pay(attempt, read(attempt))).containsExactly(order);
    }

    @Test
    void the_engines_connections_look_at_the_place() {
        Pool engine = Database.keyedPool(shop.vertx, database, PoolLimits.of("engine", 1));
        String plan = await(engine.query("explain (generic_plan, costs off) "
                                + Part.statement(EnumSet.of(Part.ORDERS, Part.ATTEMPTS, Part.LOG, Part.AUDIT)))
                        .execute())
                .stream()
                .map(row -> row.getString(0))
                .collect(Collectors.joining("\n"));

        assertThat(plan).contains("Tid Scan on orders").doesNotContain("Seq Scan");
    }

    private Versioned read(UUID attempt) {
        return Objects.requireNonNull(
                await(SnapshotStore.read(shop.pool, List.of(attempt), List.of(), merchant -> Audience.ofPaid("erp")))
                        .get(attempt));
    }

    private Set<UUID> pay(UUID attempt, Versioned read) {
        PaymentFact fact = PaymentFact.succeeded(
                Ids.hex(attempt), shop.evidence(FactSource.NOTIFICATION), "pay-" + Ids.hex(attempt), Shop.PRICE);
        return await(decisions.write(
                shop.pool,
                List.of(new Ruling(Decider.decide(read.snapshot(), fact), fact, shop.delivery(fact), "test", read))));
    }

    private static Versioned at(String place, Versioned read) {
        return new Versioned(read.orderId(), place, read.merchantId(), read.version(), read.snapshot(), read.held());
    }
}
