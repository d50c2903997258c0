package io.quittance.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quittance.dev.LoopbackPorts;
import io.quittance.testing.Services;
import io.vertx.pgclient.PgConnectOptions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;

class MigrationsTest {

    @Test
    void brings_an_empty_database_to_the_schema_and_does_nothing_the_second_time() throws SQLException {
        String database = Services.emptyDatabase();

        assertThat(Migrations.run(database)).isPositive();
        assertThat(Migrations.run(database)).isZero();

        assertThat(tables(database)).contains("orders", "attempts", "holds", "refunds", "outbox", "callbacks", "audit");
    }

    @Test
    void a_fresh_database_is_migrated_and_empty_and_not_shared() throws SQLException {
        String one = Services.freshDatabase();
        String other = Services.freshDatabase();

        assertThat(tables(one)).contains("orders");
        assertThat(one).isNotEqualTo(other);
        assertThat(Migrations.run(one)).isZero();
    }

    /** Sampling a big table as the server does by itself makes notifications wait for the disk. */
    @Test
    void all_columns_are_sampled_a_little() throws SQLException {
        List<String> sampledMore = new ArrayList<>();
        try (Connection connection = Services.connect(Services.freshDatabase());
                Statement server = connection.createStatement();
                ResultSet rows = server.executeQuery("""
                        select t.relname || '.' || a.attname
                        from pg_class t join pg_attribute a on a.attrelid = t.oid
                        where t.relnamespace = 'public'::regnamespace and t.relkind in ('r', 'p')
                          and t.relname <> 'flyway_schema_history'
                          and a.attnum > 0 and not a.attisdropped and a.attstattarget is distinct from 10
                        """)) {
            while (rows.next()) {
                sampledMore.add(rows.getString(1));
            }
        }

        assertThat(sampledMore).isEmpty();
    }

    /** Entries of before had one step each. */
    @Test
    void an_audit_trail_of_before_reads_as_it_did() throws SQLException {
        String database = Services.emptyDatabase();
        migrateTo("7", database);
        UUID order = UUID.fromString("01a22b75-c918-7f90-9c80-e4205758b71e");
        asTheVersionBefore(database, """
                insert into audit (order_id, entity, entity_id, from_status, to_status, actor, fact, reason)
                values ('%1$s', 'ORDER', 'o', null, 'PENDING', 'merchant acme', null, 'placed'),
                       ('%1$s', 'ORDER', 'o', 'PENDING', 'PAID', 'stripe/acme', 'PAYMENT_SUCCEEDED QUERY', 'paid')
                """.formatted(order));

        Migrations.run(database);

        assertThat(trail(database))
                .containsExactly(
                        order + " ORDER o - PENDING merchant acme - placed",
                        order + " ORDER o PENDING PAID stripe/acme PAYMENT_SUCCEEDED QUERY paid");
    }

    /** A process of the version before goes on until it is replaced, and its statement names the table that is a view now. */
    @Test
    void a_gateway_of_before_still_writes_its_audit_trail_after_the_migration() throws SQLException {
        assertGoesOn("7", """
                with moved as (select ?::uuid as id)
                insert into audit (order_id, entity, entity_id, from_status, to_status, actor, fact, reason)
                select m.id, d.entity, 'o', d.before, d.after, 'timer', 'ORDER_TIME_OVER TIMER', 'over'
                from moved m,
                     unnest(array['ORDER', 'HOLD'], array['PENDING', 'ACTIVE'], array['EXPIRED', 'EXPIRED'])
                         with ordinality as d(entity, before, after, place)
                order by d.place
                """);
    }

    /** The same for the version that wrote entries with all their steps as jsonb. */
    @Test
    void a_gateway_that_writes_whole_entries_goes_on_after_the_migration() throws SQLException {
        assertGoesOn("9", """
                insert into audit_entries (order_id, actor, fact, reason, steps)
                select d.order_id, 'timer', 'ORDER_TIME_OVER TIMER', 'over', d.steps::jsonb
                from unnest(array[?::uuid],
                            array['[["ORDER", "o", "PENDING", "EXPIRED"], ["HOLD", "o", "ACTIVE", "EXPIRED"]]'])
                    as d(order_id, steps)
                """);
    }

    /** A statement that says that an order expired, prepared before the migration, says so after it too. */
    private static void assertGoesOn(String version, String statement) throws SQLException {
        String database = Services.emptyDatabase();
        migrateTo(version, database);
        UUID order = UUID.fromString("01a22b75-c918-7f90-9c80-e4205758b71e");
        try (Connection before = Services.connect(database);
                PreparedStatement prepared = before.prepareStatement(statement)) {
            prepared.setObject(1, order);
            prepared.executeUpdate();
            Migrations.run(database);

            prepared.executeUpdate();
        }

        List<String> once = List.of(
                order + " ORDER o PENDING EXPIRED timer ORDER_TIME_OVER TIMER over",
                order + " HOLD o ACTIVE EXPIRED timer ORDER_TIME_OVER TIMER over");
        assertThat(trail(database)).containsExactly(once.get(0), once.get(1), once.get(0), once.get(1));
    }

    @Test
    void payers_who_are_on_their_way_back_are_still_recognised_after_the_migration() throws SQLException {
        String database = Services.emptyDatabase();
        migrateTo("8", database);
        asTheVersionBefore(database, """
                insert into orders (id, merchant_id, order_no, status, amount_minor, currency, late_policy, takes_on_payment,
                                    content_hash, expires_at)
                select gen_random_uuid(), 'acme', no, 'PENDING', 1999, 'CNY', 'REFUND', false, 'x', now() + interval '1 hour'
                from unnest(array['A', 'B', 'C']) as no;
                insert into attempts (id, order_id, status, psp, account, psp_payment_id, created_at)
                select gen_random_uuid(), id, 'PENDING', 'stripe', 'acme', case when order_no <> 'B' then 'pi_' || order_no end,
                       now() - case when order_no = 'C' then interval '2 days' else interval '1 hour' end
                from orders;
                """);

        Migrations.run(database);

        try (Connection connection = Services.connect(database);
                Statement server = connection.createStatement();
                ResultSet found = server.executeQuery("""
                        select string_agg(o.order_no || ' ' || a.return_payment_id, ', ' order by o.order_no)
                        from attempts a join orders o on o.id = a.order_id where a.return_payment_id is not null
                        """)) {
            assertThat(found.next()).isTrue();
            assertThat(found.getString(1)).isEqualTo("A pi_A");
        }
    }

    /** What is on its way while the trail is taken over must not be dropped with the old table. */
    @Test
    void what_a_gateway_of_before_has_not_yet_committed_is_waited_for_and_taken_over() throws Exception {
        String database = Services.emptyDatabase();
        migrateTo("7", database);
        UUID order = UUID.fromString("01a22b75-c918-7f90-9c80-e4205758b71e");
        try (Connection before = Services.connect(database);
                Statement writer = before.createStatement()) {
            before.setAutoCommit(false);
            writer.execute("""
                    insert into audit (order_id, entity, entity_id, from_status, to_status, actor, reason)
                    values ('%s', 'ORDER', 'o', 'PENDING', 'PAID', 'stripe/acme', 'paid')
                    """.formatted(order));
            Future<Integer> migrated = ForkJoinPool.commonPool().submit(() -> Migrations.run(database));
            Services.untilBlocked(database, 1);

            before.commit();

            assertThat(migrated.get(30, TimeUnit.SECONDS)).isPositive();
        }
        assertThat(trail(database)).containsExactly(order + " ORDER o PENDING PAID stripe/acme - paid");
    }

    private static void asTheVersionBefore(String database, String sql) throws SQLException {
        try (Connection connection = Services.connect(database);
                Statement server = connection.createStatement()) {
            server.execute(sql);
        }
    }

    private static List<String> trail(String database) throws SQLException {
        List<String> trail = new ArrayList<>();
        try (Connection connection = Services.connect(database);
                Statement server = connection.createStatement();
                ResultSet rows = server.executeQuery("""
                        select concat_ws(' ', order_id, entity, entity_id, coalesce(from_status, '-'), to_status, actor,
                                         coalesce(fact, '-'), reason)
                        from audit order by id
                        """)) {
            while (rows.next()) {
                trail.add(rows.getString(1));
            }
        }
        return trail;
    }

    @Test
    void says_in_one_sentence_that_no_server_answers() {
        int port = LoopbackPorts.free();

        assertThatThrownBy(() -> Migrations.run("postgresql://someone:hidden@127.0.0.1:" + port + "/shop"))
                .isInstanceOf(Migrations.MigrationFailed.class)
                .hasMessage(
                        "Postgres does not answer at 127.0.0.1:" + port + "/shop: start it, or correct postgres.uri.");
    }

    @Test
    void says_in_one_sentence_that_the_database_does_not_exist() {
        String uri = Services.postgresUri().replaceAll("/[^/]*$", "/no_such_database");

        assertThatThrownBy(() -> Migrations.run(uri))
                .isInstanceOf(Migrations.MigrationFailed.class)
                .hasMessageEndingWith("/no_such_database has no such database: create it, or correct postgres.uri.");
    }

    @Test
    void a_malformed_address_is_refused_without_showing_its_password() {
        assertThatThrownBy(() -> Migrations.run("postgres//someone:hidden@host/db"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("postgresql://user:password@host:port/database")
                .hasMessageNotContaining("hidden")
                .hasNoCause();
    }

    private static void migrateTo(String version, String database) {
        PgConnectOptions target = PgConnectOptions.fromUri(database);
        String url = "jdbc:postgresql://" + target.getHost() + ":" + target.getPort() + "/" + target.getDatabase();
        Flyway.configure()
                .dataSource(url, target.getUser(), target.getPassword())
                .locations("classpath:db/migration")
                .target(version)
                .loggers("slf4j")
                .load()
                .migrate();
    }

    private static List<String> tables(String database) throws SQLException {
        try (Connection connection = Services.connect(database);
                ResultSet rows = connection.getMetaData().getTables(null, "public", "%", null)) {
            List<String> names = new ArrayList<>();
            while (rows.next()) {
                names.add(rows.getString("TABLE_NAME"));
            }
            return names;
        }
    }
}
