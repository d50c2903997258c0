package io.quittance.testing;

import io.quittance.dev.EmbeddedPostgres17;
import io.quittance.dev.EmbeddedRedis;
import io.quittance.store.Migrations;
import io.vertx.pgclient.PgConnectOptions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;

/**
 * The Postgres and the Redis that tests use: one of each a JVM, started at first use.
 *
 * <p>In this order: the addresses in the environment, containers if asked for by {@code -Dservices=docker}, embedded ones.
 * The Redis is shared, so a test must use keys of its own; a test that stops Redis takes a {@link RestartableRedis}.
 */
public final class Services {

    /** Neither UTC nor a whole number of hours from it, so that a time-zone mistake cannot hide. */
    public static final String TIME_ZONE = "Asia/Kathmandu";

    private static final String JVM_ID = UUID.randomUUID().toString().substring(0, 8);
    private static final AtomicInteger DATABASES = new AtomicInteger();

    private static final Duration BLOCKED_LIMIT = Duration.ofSeconds(30);
    private static final String WAITING = """
            select 1 from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock' having count(*) >= ?
            """;

    private static final Once POSTGRES = new Once(Services::startPostgres);
    private static final Once TEMPLATE = new Once(Services::migratedTemplate);
    private static final Once REDIS = new Once(Services::startRedis);

    private Services() {}

    /** A new, empty database at the schema of this version. */
    public static String freshDatabase() {
        return createDatabase("TEMPLATE " + TEMPLATE.get());
    }

    /** A new database without any table. */
    public static String emptyDatabase() {
        return createDatabase("");
    }

    /** The shared Redis. */
    public static String redisUri() {
        return REDIS.get();
    }

    /** The server's own database, for statements about databases. */
    public static String postgresUri() {
        return POSTGRES.get();
    }

    /** A JDBC connection, for what a test must look at or do itself. */
    public static Connection connect(String uri) throws SQLException {
        PgConnectOptions at = PgConnectOptions.fromUri(uri);
        return DriverManager.getConnection(
                "jdbc:postgresql://" + at.getHost() + ":" + at.getPort() + "/" + at.getDatabase(),
                at.getUser(),
                at.getPassword());
    }

    /** Waits until so many statements of a database wait for a lock. */
    public static void untilBlocked(String uri, int statements) {
        long end = System.nanoTime() + BLOCKED_LIMIT.toNanos();
        try (Connection connection = connect(uri);
                PreparedStatement waiting = connection.prepareStatement(WAITING)) {
            waiting.setInt(1, statements);
            while (!waiting.executeQuery().next()) {
                if (System.nanoTime() > end) {
                    throw new AssertionError("not in time: " + statements + " statements wait for a lock");
                }
                Thread.onSpinWait();
            }
        } catch (SQLException failure) {
            throw new AssertionError("who waits for a lock cannot be seen", failure);
        }
    }

    private static String createDatabase(String clause) {
        String name = "test_" + JVM_ID + "_" + DATABASES.incrementAndGet();
        createDatabase(name, clause);
        return withDatabase(name);
    }

    private static void createDatabase(String name, String clause) {
        run("CREATE DATABASE " + name + " " + clause);
        run("ALTER DATABASE " + name + " SET timezone TO '" + TIME_ZONE + "'");
    }

    private static String withDatabase(String name) {
        String server = POSTGRES.get();
        int query = server.indexOf('?');
        String base = query < 0 ? server : server.substring(0, query);
        String parameters = query < 0 ? "" : server.substring(query);
        return base.substring(0, base.lastIndexOf('/') + 1) + name + parameters;
    }

    private static void run(String sql) {
        try (Connection connection = connect(POSTGRES.get());
                var statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException failure) {
            throw new IllegalStateException("the test server refused: " + sql, failure);
        }
    }

    private static boolean docker() {
        return switch (System.getProperty("services", "embedded")) {
            case "embedded" -> false;
            case "docker" -> true;
            default ->
                throw new IllegalStateException(
                        "-Dservices must be embedded or docker, was " + System.getProperty("services"));
        };
    }

    private static GenericContainer<?> container(String image, int port) {
        if (!DockerClientFactory.instance().isDockerAvailable()) {
            throw new IllegalStateException(
                    "-Dservices=docker was asked for, but Docker does not answer: start it, or leave the option out.");
        }
        return new GenericContainer<>(image).withExposedPorts(port);
    }

    private static String address(GenericContainer<?> container, int port) {
        return container.getHost() + ":" + container.getMappedPort(port);
    }

    private static void atEnd(Runnable close) {
        Runtime.getRuntime().addShutdownHook(new Thread(close));
    }

    private static String migratedTemplate() {
        String name = "template_" + JVM_ID;
        createDatabase(name, "");
        Migrations.run(withDatabase(name));
        return name;
    }

    private static String startPostgres() {
        String given = System.getenv("QUITTANCE_TEST_POSTGRES_URI");
        if (given != null) {
            atEnd(Services::dropOurDatabases);
            return given;
        }
        if (docker()) {
            GenericContainer<?> container = container("postgres:17", 5432)
                    .withEnv("POSTGRES_HOST_AUTH_METHOD", "trust")
                    // The image starts the server twice: for its initialisation, and for good.
                    .waitingFor(Wait.forLogMessage(".*ready to accept connections.*", 2));
            container.start();
            return "postgresql://postgres@" + address(container, 5432) + "/postgres";
        }
        EmbeddedPostgres17 server =
                EmbeddedPostgres17.start(EmbeddedPostgres17.Settings.temporary().withTimeZone(TIME_ZONE));
        atEnd(server::close);
        return server.uri("postgres");
    }

    /** A server that is not ours must not fill with our databases. */
    private static void dropOurDatabases() {
        for (int i = 1; i <= DATABASES.get(); i++) {
            run("DROP DATABASE IF EXISTS test_" + JVM_ID + "_" + i + " WITH (FORCE)");
        }
        run("DROP DATABASE IF EXISTS template_" + JVM_ID + " WITH (FORCE)");
    }

    private static String startRedis() {
        String given = System.getenv("QUITTANCE_TEST_REDIS_URI");
        if (given != null) {
            return given;
        }
        if (docker()) {
            GenericContainer<?> container = container("redis:7", 6379);
            container.start();
            return "redis://" + address(container, 6379);
        }
        EmbeddedRedis server = EmbeddedRedis.start(0);
        atEnd(server::close);
        return server.uri();
    }

    /** A value that is made at first use. Who comes after a failure gets the same failure, not a puzzling one. */
    private static final class Once {
        private final Supplier<String> make;
        private String value;
        private RuntimeException failure;

        Once(Supplier<String> make) {
            this.make = make;
        }

        synchronized String get() {
            if (failure != null) {
                throw failure;
            }
            if (value == null) {
                try {
                    value = make.get();
                } catch (RuntimeException failed) {
                    failure = failed;
                    throw failed;
                }
            }
            return value;
        }
    }
}
