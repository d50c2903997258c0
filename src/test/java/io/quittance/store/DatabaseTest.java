package io.quittance.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quittance.store.Database.PoolLimits;
import io.quittance.testing.Services;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import io.vertx.junit5.VertxTestContext;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import io.vertx.sqlclient.desc.ColumnDescriptor;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
class DatabaseTest {

    private static final List<String> EAGER_TO_SHARE = List.of(
            "max_parallel_workers_per_gather = 2",
            "debug_parallel_query = on",
            "parallel_setup_cost = 0",
            "parallel_tuple_cost = 0",
            "min_parallel_table_scan_size = 0",
            "min_parallel_index_scan_size = 0");

    @Test
    void a_connection_tells_the_server_whose_it_is_and_inherits_the_odd_time_zone(
            Vertx vertx, VertxTestContext context) {
        Pool pool = Database.pool(vertx, Services.freshDatabase(), PoolLimits.of("engine", 2));

        pool.query("select current_setting('application_name'), current_setting('timezone')")
                .execute()
                .onComplete(context.succeeding(rows -> context.verify(() -> {
                    Row row = rows.iterator().next();
                    assertThat(row.getString(0)).isEqualTo("quittance-engine");
                    assertThat(row.getString(1)).isEqualTo(Services.TIME_ZONE);
                    context.completeNow();
                })));
    }

    @Test
    void statements_as_long_as_the_engines_stay_prepared(Vertx vertx, VertxTestContext context) {
        String written = Part.statement(EnumSet.allOf(Part.class));
        String asLong = "select $1::int /*" + "x".repeat(written.length()) + "*/";
        Pool pool = Database.keyedPool(vertx, Services.freshDatabase(), PoolLimits.of("engine", 1));

        pool.withConnection(connection -> connection
                        .preparedQuery(asLong)
                        .execute(Tuple.of(1))
                        .compose(once -> connection.preparedQuery(asLong).execute(Tuple.of(2)))
                        .compose(twice -> connection
                                .query("select generic_plans from pg_prepared_statements where statement like '%xxx%'")
                                .execute()))
                .onComplete(context.succeeding(rows -> context.verify(() -> {
                    assertThat(rows).hasSize(1);
                    assertThat(rows.iterator().next().getLong(0)).isEqualTo(2);
                    context.completeNow();
                })));
    }

    /** A table that grew before the server looked at it is thought to have hundreds of rows for each key. */
    @Test
    void no_statement_is_shared_out_to_workers_of_the_server(Vertx vertx, VertxTestContext context)
            throws SQLException {
        String database = Services.freshDatabase();
        try (Connection connection = Services.connect(database);
                Statement server = connection.createStatement()) {
            for (String setting : EAGER_TO_SHARE) {
                server.execute("alter database " + connection.getCatalog() + " set " + setting);
            }
        }

        Future.all(
                        plan(Database.pool(vertx, database, PoolLimits.of("tools", 1))),
                        plan(Database.servingPool(vertx, database, PoolLimits.of("work", 1))),
                        plan(Database.keyedPool(vertx, database, PoolLimits.of("engine", 1))))
                .onComplete(context.succeeding(plans -> context.verify(() -> {
                    assertThat((String) plans.resultAt(0))
                            .as("the server shares out what it can")
                            .contains("Gather");
                    assertThat((String) plans.resultAt(1)).contains("attempts").doesNotContain("Gather");
                    assertThat((String) plans.resultAt(2)).contains("attempts").doesNotContain("Gather");
                    context.completeNow();
                })));
    }

    private static Future<String> plan(Pool pool) {
        return pool.preparedQuery("explain " + SnapshotStore.READ)
                .execute(Tuple.tuple()
                        .addArrayOfUUID(new UUID[] {new UUID(1, 1)})
                        .addArrayOfUUID(new UUID[0]))
                .map(rows -> rows.stream().map(row -> row.getString(0)).collect(Collectors.joining("\n")));
    }

    @Test
    void an_orders_columns_are_read_where_the_statement_has_them(Vertx vertx, VertxTestContext context) {
        List<String> expected = Arrays.stream(SnapshotStore.Column.values())
                .map(column -> column.name().toLowerCase(Locale.ROOT))
                .toList();
        Database.pool(vertx, Services.freshDatabase(), PoolLimits.of("columns", 1))
                .preparedQuery(SnapshotStore.READ)
                .execute(Tuple.tuple().addArrayOfUUID(new UUID[0]).addArrayOfUUID(new UUID[0]))
                .onComplete(context.succeeding(rows -> context.verify(() -> {
                    assertThat(rows.columnDescriptors())
                            .extracting(ColumnDescriptor::name)
                            .isEqualTo(expected);
                    context.completeNow();
                })));
    }

    @Test
    void an_address_without_a_database_is_refused(Vertx vertx) {
        assertThatThrownBy(() -> Database.pool(vertx, "postgresql://u@127.0.0.1:5432", PoolLimits.of("x", 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("names no database");
    }
}
