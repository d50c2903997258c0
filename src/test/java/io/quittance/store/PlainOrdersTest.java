package io.quittance.store;

import static io.quittance.store.Shop.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.quittance.domain.Audience;
import io.quittance.domain.LatePolicy;
import io.quittance.store.SnapshotStore.Versioned;
import io.quittance.testing.Services;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Orders to which there is nothing more than one attempt are read with less, and say themselves whether they are such. */
class PlainOrdersTest {

    private final Shop shop = new Shop(Services.freshDatabase());

    @AfterEach
    void close() {
        shop.close();
    }

    @Test
    void an_order_is_plain_until_there_is_a_further_attempt_or_a_refund_or_a_review() {
        Histories.writeTo(shop);

        assertThat(plainOrders())
                .containsExactly(
                        "CANCELLED", "EXPIRED", "FAILED", "ON-PAYMENT", "OPEN", "PAID", "REVIVED", "UNIQUE", "UNTRIED");
    }

    /** What orders say of themselves saves reading, and changes nothing of what is read. */
    @Test
    void whatever_happened_to_an_order_it_is_read_as_if_it_said_nothing_of_itself() {
        Histories.writeTo(shop);
        shop.attempt(shop.order("HOLDS-NOTHING", LatePolicy.REFUND, "song"));
        List<UUID> attempts = ids("select id from attempts");
        List<UUID> orders = ids("select id from orders");
        Map<UUID, Versioned> read = read(attempts, orders);

        await(shop.pool.query("update orders set plain = false, held = null").execute());

        assertThat(read).hasSize(attempts.size() + orders.size());
        assertThat(read(attempts, orders))
                .usingRecursiveComparison()
                .ignoringFieldsMatchingRegexes(".*place")
                .isEqualTo(read);
        assertThat(read.get(attempts.get(0)).snapshot().attempts()).isNotEmpty();
    }

    /** A gateway of the version before adds these rows in statements that say nothing of the order. */
    @Test
    void whoever_adds_a_row_need_not_know_that_the_order_is_told() {
        String refund = """
                insert into refunds (id, order_id, attempt_id, status, amount_minor, currency, reason)
                values (gen_random_uuid(), $1, $2, 'REQUESTED', 1, 'CNY', 'MADE_AT_PSP')
                """;
        String review = "insert into reviews (order_id, attempt_id, reason, detail) values ($1, $2, 'X', 'x')";
        String attempt = """
                insert into attempts (id, order_id, status, psp, account)
                select gen_random_uuid(), $1, 'FAILED', psp, account from attempts where id = $2
                """;
        shop.product("tee", "STOCK", 10);
        Map<String, String> additions = Map.of("REFUND", refund, "REVIEW", review, "ATTEMPT", attempt);
        additions.forEach((orderNo, addition) -> {
            UUID order = shop.order(orderNo, LatePolicy.REFUND, "tee");
            UUID first = shop.attempt(order);
            assertThat(plainOrders()).containsExactly(orderNo);

            await(shop.pool.preparedQuery(addition).execute(Tuple.of(order, first)));

            assertThat(plainOrders()).isEmpty();
        });
    }

    private Map<UUID, Versioned> read(List<UUID> attempts, List<UUID> orders) {
        return await(SnapshotStore.read(shop.pool, attempts, orders, merchant -> Audience.ofPaid("erp")));
    }

    private List<UUID> ids(String query) {
        List<UUID> ids = new ArrayList<>();
        for (Row row : await(shop.pool.query(query).execute())) {
            ids.add(row.getUUID(0));
        }
        return ids;
    }

    private List<String> plainOrders() {
        List<String> numbers = new ArrayList<>();
        for (Row row : await(shop.pool
                .query("select order_no from orders where plain order by order_no")
                .execute())) {
            numbers.add(row.getString(0));
        }
        return numbers;
    }
}
