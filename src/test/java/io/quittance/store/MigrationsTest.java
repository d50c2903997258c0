package io.quittance.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quittance.testing.Services;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
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

    @Test
    void says_in_one_sentence_that_no_server_answers() throws IOException {
        int port = unusedPort();

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

    private static int unusedPort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
