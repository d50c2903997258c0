package io.quittance.dev;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quittance.testing.Services;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedPostgres17Test {

    @TempDir
    private Path directory;

    @Test
    void commits_are_durable_and_the_version_is_17() throws SQLException {
        try (EmbeddedPostgres17 server = EmbeddedPostgres17.start(EmbeddedPostgres17.Settings.temporary())) {
            String uri = server.uri("postgres");

            assertThat(ask(uri, "SHOW fsync")).isEqualTo("on");
            assertThat(ask(uri, "SHOW synchronous_commit")).isEqualTo("on");
            assertThat(ask(uri, "SHOW full_page_writes")).isEqualTo("on");
            assertThat(ask(uri, "SHOW server_version")).startsWith("17.");
            assertThat(ask(uri, "SHOW listen_addresses")).isEqualTo("127.0.0.1");
        }
    }

    @Test
    void a_given_directory_keeps_its_data_and_admits_one_server_at_a_time() throws SQLException {
        EmbeddedPostgres17.Settings settings = EmbeddedPostgres17.Settings.in(directory);
        try (EmbeddedPostgres17 first = EmbeddedPostgres17.start(settings)) {
            execute(first.uri("postgres"), "create table kept as select 42 as answer");

            assertThatThrownBy(() -> EmbeddedPostgres17.start(settings).close())
                    .isInstanceOf(EmbeddedServerFailed.class)
                    .hasMessage("The directory " + directory
                            + " is in use by another running server: stop that one, or choose another directory.");
        }
        try (EmbeddedPostgres17 second = EmbeddedPostgres17.start(settings)) {
            assertThat(ask(second.uri("postgres"), "select answer from kept")).isEqualTo("42");
        }
    }

    @Test
    void a_postmaster_file_left_by_a_crash_does_not_hinder_the_next_start() throws IOException, SQLException {
        EmbeddedPostgres17.Settings settings = EmbeddedPostgres17.Settings.in(directory);
        EmbeddedPostgres17.start(settings).close();
        long ourselves = ProcessHandle.current().pid();
        Files.writeString(directory.resolve("data").resolve("postmaster.pid"), ourselves + "\nno longer here\n");

        try (EmbeddedPostgres17 server = EmbeddedPostgres17.start(settings)) {
            assertThat(ask(server.uri("postgres"), "select 1")).isEqualTo("1");
        }
    }

    @Test
    void a_taken_port_is_named() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            EmbeddedPostgres17.Settings settings =
                    EmbeddedPostgres17.Settings.in(directory).withPort(taken.getLocalPort());

            assertThatThrownBy(() -> EmbeddedPostgres17.start(settings).close())
                    .isInstanceOf(EmbeddedServerFailed.class)
                    .hasMessage("The embedded Postgres cannot use port " + taken.getLocalPort()
                            + ": another program listens on it.");
        }
    }

    private static String ask(String uri, String query) throws SQLException {
        try (Connection connection = Services.connect(uri);
                var statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            rows.next();
            return rows.getString(1);
        }
    }

    private static void execute(String uri, String sql) throws SQLException {
        try (Connection connection = Services.connect(uri);
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
