package io.quittance.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quittance.testing.Services;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import io.vertx.junit5.VertxTestContext;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
class DatabaseTest {

    @Test
    void a_connection_tells_the_server_whose_it_is_and_inherits_the_odd_time_zone(
            Vertx vertx, VertxTestContext context) {
        Pool pool = Database.pool(vertx, Services.freshDatabase(), Database.PoolLimits.of("engine", 2));

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
        Pool pool = Database.keyedPool(vertx, Services.freshDatabase(), Database.PoolLimits.of("engine", 1));

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

    @Test
    void an_address_without_a_database_is_refused(Vertx vertx) {
        assertThatThrownBy(() -> Database.pool(vertx, "postgresql://u@127.0.0.1:5432", Database.PoolLimits.of("x", 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("names no database");
    }
}
