package io.quittance.store;

import io.vertx.core.Vertx;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** How connections to Postgres are made. */
public final class Database {

    /** Longer than any statement of ours. The client's own limit is shorter, and what is beyond it is planned at each call. */
    private static final int STATEMENT_CHARS_MAX = 64 * 1024;

    private static final Pattern NAMES_NO_DATABASE = Pattern.compile("[a-z]+://[^/?]*/?(\\?.*)?");

    private Database() {}

    /**
     * Opens a pool. No connection is made before the first use, so a server that is away does not fail this call.
     *
     * <p>The pool's own queries are not pipelined, only those on a connection taken from it.
     *
     * @param uri {@code postgresql://user:password@host:port/database}
     * @throws IllegalArgumentException if the URI cannot be read
     */
    public static Pool pool(Vertx vertx, String uri, PoolLimits limits) {
        return pool(vertx, options(uri, limits), limits);
    }

    /**
     * The same for many short statements. None of them is given to several workers of the server, or compiled: where the
     * server has seen too little of a table to know better, it would, and starting them takes longer than the statement.
     */
    public static Pool servingPool(Vertx vertx, String uri, PoolLimits limits) {
        return pool(vertx, serving(uri, limits), limits);
    }

    /**
     * The same for statements that find every row by a key, and are as large as those of the engine: planning one of them
     * takes longer than running it. Each is planned once a connection, whatever its parameters; and by index, since a plan
     * that was made while a table was empty would read the whole of it later.
     */
    public static Pool keyedPool(Vertx vertx, String uri, PoolLimits limits) {
        PgConnectOptions connection = serving(uri, limits)
                .addProperty("plan_cache_mode", "force_generic_plan")
                .addProperty("enable_seqscan", "off");
        return pool(vertx, connection, limits);
    }

    private static PgConnectOptions serving(String uri, PoolLimits limits) {
        return options(uri, limits)
                .addProperty("max_parallel_workers_per_gather", "0")
                .addProperty("jit", "off");
    }

    private static PgConnectOptions options(String uri, PoolLimits limits) {
        return connection(uri)
                .setPipeliningLimit(limits.pipelining())
                .setCachePreparedStatements(true)
                .setPreparedStatementCacheSqlLimit(STATEMENT_CHARS_MAX)
                .setPreparedStatementCacheMaxSize(limits.preparedStatements())
                .addProperty("application_name", "quittance-" + limits.name());
    }

    private static Pool pool(Vertx vertx, PgConnectOptions connection, PoolLimits limits) {
        PoolOptions pool = new PoolOptions()
                .setName(limits.name())
                .setShared(true)
                .setMaxSize(limits.connections())
                .setMaxWaitQueueSize(limits.waiting())
                .setConnectionTimeout(toMillis(limits.connectTimeout()))
                .setConnectionTimeoutUnit(TimeUnit.MILLISECONDS);
        return PgBuilder.pool().with(pool).connectingTo(connection).using(vertx).build();
    }

    /**
     * Reads a Postgres URI.
     *
     * @throws IllegalArgumentException if it cannot be read; the message never shows the password
     */
    static PgConnectOptions connection(String uri) {
        PgConnectOptions read;
        try {
            read = PgConnectOptions.fromUri(uri);
        } catch (IllegalArgumentException malformed) {
            // The parser's own message repeats the URI, and with it the password.
            throw new IllegalArgumentException(
                    "the Postgres URI cannot be read; it must look like postgresql://user:password@host:port/database");
        }
        // Without one, the parser falls back to a name of its own choice.
        if (NAMES_NO_DATABASE.matcher(uri).matches()) {
            throw new IllegalArgumentException("the Postgres URI names no database");
        }
        return read;
    }

    private static int toMillis(Duration duration) {
        return Math.toIntExact(duration.toMillis());
    }

    /**
     * The limits of one pool.
     *
     * @param name the pool's name; pools of one name in one Vert.x share their connections, and the server shows it as
     *     {@code application_name} with "quittance-" before it
     * @param connections at most so many connections
     * @param pipelining at most so many statements on their way on one connection before the first is answered
     * @param waiting at most so many callers waiting for a connection; the next one fails at once
     * @param preparedStatements so many prepared statements are kept a connection
     * @param connectTimeout how long a caller waits for a connection, a new one or one that comes free
     */
    public record PoolLimits(
            String name,
            int connections,
            int pipelining,
            int waiting,
            int preparedStatements,
            Duration connectTimeout) {

        /** Limits for a pool of the given size, the rest at their defaults. */
        public static PoolLimits of(String name, int connections) {
            return new PoolLimits(name, connections, 64, 1_000, 256, Duration.ofSeconds(5));
        }

        public PoolLimits withPipelining(int statements) {
            return new PoolLimits(name, connections, statements, waiting, preparedStatements, connectTimeout);
        }

        public PoolLimits withConnectTimeout(Duration timeout) {
            return new PoolLimits(name, connections, pipelining, waiting, preparedStatements, timeout);
        }
    }
}
