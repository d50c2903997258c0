package io.quittance.dev;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A Postgres 17 of our own, on the loopback interface, as durable as one in production: the library that brings it turns
 * fsync and synchronous_commit off, and both are turned on again here.
 *
 * <p>It runs in a session of its own, so that Ctrl-C in the terminal does not reach it, and registers no shutdown hook:
 * it lives until {@link #close}, and the caller says when that is.
 */
public final class EmbeddedPostgres17 implements AutoCloseable {

    static final String PROGRAM = "postgres";

    private static final String DATA = "data";
    private static final String LOG = "postgres.log";
    private static final Duration START_LIMIT = Duration.ofSeconds(30);

    private final ServerDirectory directory;
    private final EmbeddedPostgres server;

    private EmbeddedPostgres17(ServerDirectory directory, EmbeddedPostgres server) {
        this.directory = directory;
        this.server = server;
    }

    /**
     * Starts a server and waits until it answers. Blocks for seconds; the very first start on a machine unpacks the
     * binaries.
     *
     * @throws EmbeddedServerFailed if the directory is in use, the port is taken, or the server does not come up
     */
    public static EmbeddedPostgres17 start(Settings settings) {
        ServerDirectory directory =
                settings.directory() == null ? ServerDirectory.temporary() : ServerDirectory.keep(settings.directory());
        try {
            LoopbackPorts.requireFree(settings.port(), "Postgres");
            return new EmbeddedPostgres17(
                    directory, builder(settings, directory).start());
        } catch (EmbeddedServerFailed portTaken) {
            directory.close();
            throw portTaken;
        } catch (IOException | RuntimeException | Error failure) {
            EmbeddedServerFailed explained = new EmbeddedServerFailed(
                    "The embedded Postgres did not start: " + lastLine(directory.resolve(LOG), failure), failure);
            // Whatever had started in spite of the failure must not outlive it.
            running(directory).ifPresent(EmbeddedPostgres17::stop);
            directory.close();
            throw explained;
        }
    }

    private static EmbeddedPostgres.Builder builder(Settings settings, ServerDirectory directory) {
        EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder();
        settings.config().forEach(builder::setServerConfig);
        // The library's own choice would be of the ports that connections get, and it is made seconds before the server
        // listens on it.
        return builder.setPort(settings.port() == 0 ? LoopbackPorts.free() : settings.port())
                .setDataDirectory(directory.resolve(DATA))
                .setCleanDataDirectory(false)
                .setRegisterShutdownHook(false)
                .setPGStartupWait(START_LIMIT)
                .setErrorRedirector(ProcessBuilder.Redirect.DISCARD)
                .setOutputRedirector(
                        ProcessBuilder.Redirect.to(directory.resolve(LOG).toFile()))
                .setLocaleConfig("locale", "C")
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("full_page_writes", "on")
                .setServerConfig("timezone", settings.timeZone())
                .setServerConfig("listen_addresses", "127.0.0.1")
                .setServerConfig("unix_socket_directories", "");
    }

    private static String lastLine(Path log, Throwable failure) {
        try (Stream<String> lines = Files.lines(log)) {
            return lines.filter(line -> !line.isBlank()).reduce("it left no log", (before, line) -> line.strip());
        } catch (IOException none) {
            return String.valueOf(failure.getMessage());
        }
    }

    public int port() {
        return server.getPort();
    }

    /** The address of a database on this server, for its superuser, who needs no password. */
    public String uri(String database) {
        return "postgresql://postgres@127.0.0.1:" + port() + "/" + database;
    }

    /**
     * Stops the server and waits for its end. One whose data stays writes everything down first; one whose data goes
     * with it need not, and after hundreds of databases that would take minutes.
     */
    @Override
    public void close() {
        Optional<ProcessHandle> postmaster = running(directory);
        if (directory.isTemporary() && postmaster.isPresent()) {
            try {
                quit(postmaster.get());
            } finally {
                directory.close();
            }
            return;
        }
        try {
            server.close();
        } catch (IOException failure) {
            throw new EmbeddedServerFailed("The embedded Postgres did not stop: " + failure.getMessage(), failure);
        } finally {
            // The library waits five seconds only and then goes on.
            postmaster.ifPresent(ServerDirectory::awaitEnd);
            directory.close();
        }
    }

    /** Postgres' "immediate shutdown" (SIGQUIT): no checkpoint, and its children end with it. */
    private static void quit(ProcessHandle postmaster) {
        try {
            new ProcessBuilder("kill", "-QUIT", Long.toString(postmaster.pid()))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .onExit()
                    .join();
        } catch (IOException noKill) {
            postmaster.destroy();
        }
        ServerDirectory.awaitEnd(postmaster);
    }

    static Path pidFile(ServerDirectory directory) {
        return directory.resolve(DATA).resolve("postmaster.pid");
    }

    private static Optional<ProcessHandle> running(ServerDirectory directory) {
        return ServerDirectory.running(pidFile(directory), PROGRAM);
    }

    private static void stop(ProcessHandle postmaster) {
        postmaster.destroy();
        ServerDirectory.awaitEnd(postmaster);
    }

    /**
     * How the server is to run.
     *
     * @param directory where its data is kept between runs; null for a directory that is deleted on close
     * @param port 0 for any free one
     * @param timeZone the server's time zone, which sessions inherit
     * @param config other settings of the server, by name; durability cannot be turned off by them
     */
    public record Settings(@Nullable Path directory, int port, String timeZone, Map<String, String> config) {

        public Settings {
            config = Map.copyOf(config);
        }

        /** Data that ends with the server, on any free port, in UTC. */
        public static Settings temporary() {
            return new Settings(null, 0, "UTC", Map.of());
        }

        /** Data that is kept in a directory, on any free port, in UTC. */
        public static Settings in(Path directory) {
            return new Settings(directory, 0, "UTC", Map.of());
        }

        public Settings withPort(int port) {
            return new Settings(directory, port, timeZone, config);
        }

        /** The same with another setting of the server, as in its configuration file. */
        public Settings withConfig(String name, String value) {
            Map<String, String> more = new HashMap<>(config);
            more.put(name, value);
            return new Settings(directory, port, timeZone, more);
        }

        public Settings withTimeZone(String timeZone) {
            return new Settings(directory, port, timeZone, config);
        }
    }
}
