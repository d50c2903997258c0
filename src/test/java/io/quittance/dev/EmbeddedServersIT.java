package io.quittance.dev;

import static org.assertj.core.api.Assertions.assertThat;

import io.quittance.testing.Services;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is left of the servers when the process that started them ends, well or badly. */
class EmbeddedServersIT {

    @TempDir
    private Path directory;

    @Test
    void a_terminated_process_leaves_no_server_behind() throws Exception {
        Servers servers = launch();

        servers.process().destroy();

        assertThat(servers.process().waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(servers.postmaster().isAlive()).isFalse();
        assertThat(Files.exists(directory.resolve("data").resolve("postmaster.pid")))
                .isFalse();
        assertThat(Files.readString(directory.resolve("postgres.log"))).contains("database system is shut down");
        LoopbackPorts.requireFree(servers.postgresPort(), "Postgres");
        LoopbackPorts.requireFree(servers.redisPort(), "Redis");
    }

    @Test
    void after_a_kill_the_next_start_stops_the_orphans_and_finds_the_data() throws Exception {
        Servers killed = launch();
        execute(killed.postgresPort(), "create table kept (answer int)");

        killed.process().destroyForcibly();
        killed.process().waitFor();
        assertThat(killed.postmaster().isAlive()).as("Postgres outlives a kill").isTrue();

        try (EmbeddedPostgres17 next = EmbeddedPostgres17.start(EmbeddedPostgres17.Settings.in(directory));
                EmbeddedRedis redis = EmbeddedRedis.start(0)) {
            assertThat(killed.postmaster().isAlive()).isFalse();
            assertThat(redis.port()).isPositive();
            LoopbackPorts.requireFree(killed.redisPort(), "Redis");
            execute(next.port(), "insert into kept values (42)");
        }
    }

    private Servers launch() throws IOException {
        Process process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        ServersProcess.class.getName(),
                        directory.toString()))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        BufferedReader output = process.inputReader();
        String[] ready = output.readLine().split(" ");
        assertThat(ready).hasSize(3);
        long postmaster =
                Long.parseLong(Files.readAllLines(directory.resolve("data").resolve("postmaster.pid"))
                        .get(0));
        return new Servers(
                process,
                ProcessHandle.of(postmaster).orElseThrow(),
                Integer.parseInt(ready[1]),
                Integer.parseInt(ready[2]));
    }

    private static void execute(int port, String sql) throws SQLException {
        try (Connection connection = Services.connect("postgresql://postgres@127.0.0.1:" + port + "/postgres");
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private record Servers(Process process, ProcessHandle postmaster, int postgresPort, int redisPort) {}
}
