package io.quittance.store;

import static io.quittance.store.Shop.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quittance.domain.FactKind;
import io.quittance.domain.FactSource;
import io.quittance.domain.Ids;
import io.quittance.domain.LatePolicy;
import io.quittance.domain.PaymentFact;
import io.quittance.testing.Services;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the server does with the rows of attempts. */
class AttemptRowsTest {

    private static final String UNIQUE_VIOLATION = "23505";

    /** Rows that were changed by this transaction, and those of them that no index had to hear of. */
    private static final String CHANGED = """
            select relname || ' ' || n_tup_upd || ' ' || n_tup_hot_upd from pg_stat_xact_user_tables
            where n_tup_upd > 0 order by relname
            """;

    private static final String ADD =
            "insert into attempts (id, order_id, status, psp, account) values (?, ?, ?, 'p', 'a')";

    private final String database = Services.freshDatabase();
    private @Nullable Shop shop;

    @BeforeEach
    void open() {
        shop = shop(database, (psp, account) -> false);
    }

    private static Shop shop(String database, ReturnNaming returns) {
        Shop opened = new Shop(database, returns);
        opened.product("tee", "STOCK", 10);
        return opened;
    }

    @AfterEach
    void close() {
        shop.close();
    }

    /** An index that reads what a notification changes costs a tenth of all that a notification does. */
    @Test
    void a_payment_changes_its_order_and_attempt_in_place_and_not_its_hold() {
        UUID attempt = shop.attempt(shop.order("A", LatePolicy.REFUND, "tee"));
        PaymentFact paid =
                PaymentFact.succeeded(Ids.hex(attempt), shop.evidence(FactSource.NOTIFICATION), "pay-1", Shop.PRICE);

        List<String> changed = onNewConnection(connection -> shop.rule(connection, paid, shop.delivery(paid))
                .compose(outcome -> connection.query(CHANGED).execute())
                .map(AttemptRowsTest::texts));

        assertThat(changed).containsExactly("attempts 1 1", "orders 1 1");
    }

    /** Those that were opened at about the same time stand together, and are paid before what they were can be forgotten. */
    @Test
    void all_attempts_of_a_page_are_paid_in_place() {
        UUID order = shop.order("A", LatePolicy.REFUND, "tee");
        String add = """
                insert into attempts (id, order_id, status, psp, account)
                select gen_random_uuid(), $1, 'FAILED', 'standardwebhooks', 'acme' from generate_series(1, 1000)
                """;
        String pay = """
                update attempts set status = 'SUCCEEDED', psp_payment_id = 'pay_' || replace(id::text, '-', ''),
                                    received_minor = 1999, received_currency = 'CNY'
                """;

        List<String> changed = onNewConnection(connection -> connection
                .preparedQuery(add)
                .execute(Tuple.of(order))
                .compose(added -> connection.query(pay).execute())
                .compose(paid -> connection.query(CHANGED).execute())
                .map(AttemptRowsTest::texts));

        assertThat(changed).contains("attempts 1000 1000");
    }

    @Test
    void the_psps_id_is_kept_to_be_found_by_where_payers_come_back_with_nothing_else() {
        UUID attempt = shop.attempt(shop.order("A", LatePolicy.REFUND, "tee"));
        shop.paid(attempt, "pay-1", Shop.PRICE);
        assertThat(returnedBy(shop, attempt)).isNull();

        try (Shop other =
                shop(Services.freshDatabase(), (psp, account) -> psp.equals("psp") && account.equals("acme"))) {
            UUID found = other.attempt(other.order("B", LatePolicy.REFUND, "tee"));
            other.told(found, FactKind.PAYMENT_PENDING);
            assertThat(returnedBy(other, found)).isEqualTo("pay-" + Ids.hex(found));

            other.paid(found);
            assertThat(returnedBy(other, found)).isEqualTo("pay-" + Ids.hex(found));
        }
    }

    @Test
    void the_psps_id_that_payers_bring_back_is_looked_up_in_an_index() {
        List<String> plan = await(shop.pool.withTransaction(connection -> connection
                .query("set local enable_seqscan = off")
                .execute()
                .compose(set -> connection
                        .query("explain (generic_plan, costs off) " + InquiryStore.BY_PAYMENT)
                        .execute())
                .map(AttemptRowsTest::texts)));

        assertThat(String.join("\n", plan)).contains("attempts_by_return");
    }

    private static @Nullable String returnedBy(Shop where, UUID attempt) {
        return await(where.pool
                        .preparedQuery("select return_payment_id from attempts where id = $1")
                        .execute(Tuple.of(attempt)))
                .iterator()
                .next()
                .getString(0);
    }

    /** One that has no transactions of before to tell of. */
    private <T> T onNewConnection(Function<SqlConnection, io.vertx.core.Future<T>> work) {
        Pool pool = Database.pool(shop.vertx, database, Database.PoolLimits.of("watcher", 1));
        return await(pool.withTransaction(work).eventually(pool::close));
    }

    /** What triggers do is planned at their first use: where the server knows of a table that it is empty, to read all of it. */
    @Test
    void to_add_an_attempt_does_not_read_all_others_whenever_it_was_planned() {
        await(shop.pool.query("vacuum attempts, orders").execute());
        UUID order = shop.order("A", LatePolicy.REFUND, "tee");

        List<String> readWhole = onNewConnection(connection -> connection
                .preparedQuery("insert into attempts (id, order_id, status, psp, account)"
                        + " select gen_random_uuid(), $1, s, 'p', 'a' from unnest(array['FAILED', 'CREATED']) s")
                .execute(Tuple.of(order))
                .compose(added -> connection
                        .query("select relname from pg_stat_xact_user_tables where seq_scan > 0")
                        .execute())
                .map(AttemptRowsTest::texts));

        assertThat(readWhole).doesNotContain("attempts");
    }

    /** The same for every other function of a table's triggers; foreign keys would hide it where it is watched. */
    @Test
    void what_the_triggers_of_tables_do_is_planned_by_index() {
        List<String> functions =
                onNewConnection(connection -> connection.query("""
                        select distinct p.proname || ' ' || coalesce(array_to_string(p.proconfig, ','), 'as it comes')
                        from pg_trigger t join pg_proc p on p.oid = t.tgfoid join pg_class c on c.oid = t.tgrelid
                        where not t.tgisinternal and c.relkind in ('r', 'p')
                        """).execute().map(AttemptRowsTest::texts));

        assertThat(functions).hasSizeGreaterThanOrEqualTo(3).allSatisfy(function -> assertThat(function)
                .endsWith("enable_seqscan=off"));
    }

    private static List<String> texts(RowSet<Row> rows) {
        List<String> texts = new ArrayList<>();
        rows.forEach(row -> texts.add(row.getString(0)));
        return texts;
    }

    @Test
    void no_attempt_can_be_added_beside_one_that_can_still_be_paid() throws SQLException {
        UUID order = shop.order("A", LatePolicy.REFUND, "tee");
        try (Connection connection = Services.connect(database)) {
            add(connection, order, "PENDING");

            for (String live : List.of("CREATED", "PROCESSING", "PENDING", "UNKNOWN")) {
                assertThatThrownBy(() -> add(connection, order, live))
                        .isInstanceOfSatisfying(SQLException.class, refused -> assertThat(refused.getSQLState())
                                .isEqualTo(UNIQUE_VIOLATION))
                        .hasMessageContaining("has an attempt that can still be paid");
            }
            add(connection, order, "FAILED");
        }
    }

    @Test
    void an_attempt_can_be_added_where_all_others_have_ended_and_to_other_orders() throws SQLException {
        UUID order = shop.order("A", LatePolicy.REFUND, "tee");
        try (Connection connection = Services.connect(database)) {
            add(connection, order, "EXPIRED");
            add(connection, order, "UNKNOWN");
            add(connection, shop.order("B", LatePolicy.REFUND, "tee"), "CREATED");
        }
        assertThat(await(shop.pool.query("select count(*) from attempts").execute())
                        .iterator()
                        .next()
                        .getLong(0))
                .isEqualTo(3);
    }

    /** Whoever does not look at the order, or looks too early, is stopped by the table itself. */
    @Test
    void of_two_that_are_added_at_once_one_waits_and_is_refused() throws Exception {
        UUID order = shop.order("A", LatePolicy.REFUND, "tee");
        try (Connection first = Services.connect(database);
                Connection second = Services.connect(database)) {
            first.setAutoCommit(false);
            add(first, order, "CREATED");
            Future<@Nullable String> refused = ForkJoinPool.commonPool().submit(() -> {
                try {
                    add(second, order, "CREATED");
                    return null;
                } catch (SQLException refusal) {
                    return refusal.getSQLState();
                }
            });
            Services.untilBlocked(database, 1);

            first.commit();

            assertThat(refused.get(30, TimeUnit.SECONDS)).isEqualTo(UNIQUE_VIOLATION);
        }
    }

    private void add(Connection connection, UUID order, String status) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(ADD)) {
            insert.setObject(1, shop.nextId());
            insert.setObject(2, order);
            insert.setString(3, status);
            insert.executeUpdate();
        }
    }
}
