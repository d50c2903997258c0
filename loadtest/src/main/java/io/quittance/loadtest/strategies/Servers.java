package io.quittance.loadtest.strategies;

import io.quittance.dev.EmbeddedPostgres17;
import io.quittance.dev.EmbeddedRedis;
import io.quittance.loadtest.Machine;
import io.quittance.store.Database;
import io.quittance.store.Database.PoolLimits;
import io.quittance.store.Migrations;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.sqlclient.Pool;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/** The embedded Postgres, with fsync and synchronous_commit on, and Redis; and the one event loop of the load generator. */
final class Servers implements AutoCloseable {

    /** The proof of some millions of orders takes a quarter of an hour. */
    private static final long AWAIT_SECONDS_MAX = 3_600;

    /** Random reads of a gigabyte are slower without huge pages, which the system must have set aside. */
    private static final String VERSION =
            "select current_setting('server_version') || ', shared_buffers ' || current_setting('shared_buffers')"
                    + " || ', huge pages ' || current_setting('huge_pages_status')";

    /**
     * A server that has been up for a while has used all of its memory, and writes its log into files that it had before. A new
     * one gets both from the system at the moment at which it needs them, as pages and files of zeros, and whoever is
     * measured then waits for that. So each page of its memory is filled with a row, and is full when the measuring begins.
     */
    private static final List<String> BE_UP_FOR_A_WHILE = List.of(
            "create table before (page text storage plain) with (autovacuum_enabled = false)", """
            insert into before
            select repeat('x', current_setting('block_size')::int - 192)
            from generate_series(1, (select setting::int from pg_settings where name = 'shared_buffers'))
            """, "checkpoint");

    private final EmbeddedPostgres17 postgres;
    private final EmbeddedRedis redis;
    private final Vertx vertx =
            Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1).setPreferNativeTransport(true));
    private final Vertx aside =
            Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1).setPreferNativeTransport(true));

    /** @param brief for so little that a gibibyte of memory is enough, which is sooner in use */
    Servers(boolean brief) {
        this.postgres = EmbeddedPostgres17.start(EmbeddedPostgres17.Settings.temporary()
                .withConfig("max_connections", "200")
                .withConfig("shared_buffers", (brief ? 1 : sharedBuffersGib()) + "GB")
                .withConfig("max_wal_size", "8GB")
                .withConfig("checkpoint_timeout", "15min"));
        this.redis = EmbeddedRedis.start(0);
        for (String statement : BE_UP_FOR_A_WHILE) {
            with("postgres", pool -> pool.query(statement).execute());
        }
    }

    /** A quarter of the memory, as PostgreSQL's manual has it ("Resource Consumption"), and no more than holds all of this. */
    private static long sharedBuffersGib() {
        return Math.max(1, Math.min(4, Machine.memoryGib() / 4));
    }

    /** Of the load generator. */
    Vertx vertx() {
        return vertx;
    }

    String uri(String database) {
        return postgres.uri(database);
    }

    String redisUri() {
        return redis.uri();
    }

    /** Makes a database with the gateway's schema. */
    void create(String database) {
        with("postgres", pool -> pool.query("create database " + database).execute());
        Migrations.run(uri(database));
    }

    String version() {
        return with("postgres", pool -> pool.query(VERSION)
                .execute()
                .map(found -> found.iterator().next().getString(0)));
    }

    long count(String database, String query) {
        return with(database, pool -> pool.query(query)
                .execute()
                .map(found -> found.iterator().next().getLong(0)));
    }

    /** Does something with a database, and waits for it; aside from the load generator, which goes on meanwhile. */
    <T> T with(String database, Function<Pool, Future<T>> work) {
        return with(Database.pool(aside, uri(database), limits(database)), work);
    }

    /**
     * The same for what finds its rows by their keys, and begins while tables are empty: what the server does for it, as when
     * it looks whether an order is there, is planned then, and would go on to read all of a table.
     */
    <T> T withKeys(String database, Function<Pool, Future<T>> work) {
        return with(Database.keyedPool(aside, uri(database), limits(database)), work);
    }

    private static PoolLimits limits(String database) {
        return PoolLimits.of("bench-" + database, 2);
    }

    private static <T> T with(Pool pool, Function<Pool, Future<T>> work) {
        try {
            return await(work.apply(pool));
        } finally {
            await(pool.close());
        }
    }

    static <T> T await(Future<T> future) {
        try {
            return future.await(AWAIT_SECONDS_MAX, TimeUnit.SECONDS);
        } catch (TimeoutException late) {
            throw new IllegalStateException("nothing happened for " + AWAIT_SECONDS_MAX + " seconds", late);
        }
    }

    @Override
    public void close() {
        await(vertx.close());
        await(aside.close());
        redis.close();
        postgres.close();
    }
}
