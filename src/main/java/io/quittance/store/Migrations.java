package io.quittance.store;

import io.vertx.pgclient.PgConnectOptions;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Optional;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;

/** Brings a database to the schema of this version. Blocks, so it runs at start-up only and never on an event loop. */
public final class Migrations {

    /** A caller at start-up would rather hear that the server is away than wait, so this is in seconds and small. */
    private static final int CONNECT_TIMEOUT_S = 10;

    private Migrations() {}

    /**
     * Applies what is missing. Several gateways may start at once: one migrates, the others wait for it.
     *
     * @param uri {@code postgresql://user:password@host:port/database}
     * @return how many migrations were applied
     * @throws MigrationFailed if the server cannot be reached, refuses us, or a migration fails; the message is one
     *     sentence without the password
     */
    public static int run(String uri) {
        PgConnectOptions target = Database.connection(uri);
        try {
            return Flyway.configure()
                    .dataSource(jdbcUrl(target), target.getUser(), target.getPassword())
                    .locations("classpath:db/migration")
                    .loggers("slf4j")
                    .placeholderReplacement(false)
                    .load()
                    .migrate()
                    .migrationsExecuted;
        } catch (FlywayException failure) {
            throw new MigrationFailed(explain(target, failure), failure);
        }
    }

    private static String jdbcUrl(PgConnectOptions target) {
        return "jdbc:postgresql://" + place(target) + "?connectTimeout=" + CONNECT_TIMEOUT_S + "&sslmode="
                + sslMode(target) + "&ApplicationName=quittance-migrations";
    }

    private static String sslMode(PgConnectOptions target) {
        return target.getSslMode().name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static String place(PgConnectOptions target) {
        String host = target.getHost();
        String inUrl = host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host;
        return inUrl + ":" + target.getPort() + "/" + target.getDatabase();
    }

    private static String explain(PgConnectOptions target, FlywayException failure) {
        String place = place(target);
        Optional<SQLException> cause = sqlCause(failure);
        String state = cause.map(SQLException::getSQLState).orElse("");
        if (state.startsWith("08")) {
            return "Postgres does not answer at " + place + ": start it, or correct postgres.uri.";
        }
        if (state.startsWith("28")) {
            return "Postgres at " + place + " refuses the user or password of postgres.uri (user " + target.getUser()
                    + ").";
        }
        if (state.equals("3D000")) {
            return "Postgres at " + place + " has no such database: create it, or correct postgres.uri.";
        }
        String detail = cause.map(SQLException::getMessage).orElseGet(failure::getMessage);
        return "The database at " + place + " could not be migrated: " + firstLine(detail);
    }

    private static Optional<SQLException> sqlCause(Throwable failure) {
        for (Throwable at = failure; at != null; at = at.getCause()) {
            if (at instanceof SQLException sql && sql.getSQLState() != null) {
                return Optional.of(sql);
            }
        }
        return Optional.empty();
    }

    private static String firstLine(String text) {
        return text.strip().lines().findFirst().orElse("no reason was given");
    }

    /** The database is not at the schema of this version, and the gateway must not start. */
    public static final class MigrationFailed extends RuntimeException {

        MigrationFailed(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
