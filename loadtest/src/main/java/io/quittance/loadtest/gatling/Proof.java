package io.quittance.loadtest.gatling;

import io.quittance.loadtest.gatling.Tally.Acknowledged;
import io.quittance.store.Database;
import io.quittance.store.Database.PoolLimits;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** What the gateway's database says of a run: whether the log has what was acknowledged, and what {@code check} finds. */
final class Proof implements AutoCloseable {

    private static final int EVENTS_AT_ONCE = 5_000;
    private static final long STEP_SECONDS_MAX = 300;

    /** Each acknowledgement was of a delivery of its own, and each delivery is a row of its own. */
    private static final String MISSING = """
            select g.psp, g.attempt, g.event_id, g.acknowledged, count(distinct c.id) as logged
            from unnest($1::text[], $2::text[], $3::text[], $4::bigint[]) as g(psp, attempt, event_id, acknowledged)
            left join callbacks c on c.reference = g.attempt and c.psp = g.psp and c.event_id = g.event_id
            group by g.psp, g.attempt, g.event_id, g.acknowledged
            having count(distinct c.id) < g.acknowledged
            order by g.psp, g.event_id
            """;

    private static final String ORDERS = """
            select status, count(*) as orders from orders where order_no like $1 group by status
            """;

    private static final String REVIVED = """
            select count(*) as orders
            from audit a join orders o on o.id = a.order_id
            where o.order_no like $1 and a.entity = 'ORDER' and a.from_status = 'EXPIRED' and a.to_status = 'PAID'
            """;

    private final Vertx vertx = Vertx.vertx();
    private final Pool pool;
    private final String uri;
    private final Path jar;
    private boolean reached;

    /** @param jar the packaged gateway, whose {@code check} is run */
    Proof(String uri, Path jar) {
        this.uri = uri;
        this.jar = jar;
        try {
            this.pool = Database.pool(vertx, uri, PoolLimits.of("gatling", 2));
        } catch (RuntimeException malformed) {
            vertx.close();
            throw new InvalidParameters(List.of("postgres: is no address of a database (" + malformed.getMessage()
                    + "); wanted: postgresql://user@host:5432/name"));
        }
    }

    /** An event that was acknowledged more often than it is in the log. */
    record Missing(String psp, String eventId, long acknowledged, long logged) {

        long lost() {
            return acknowledged - logged;
        }
    }

    List<Missing> missing(List<Acknowledged> all) {
        List<Missing> missing = new ArrayList<>();
        for (int from = 0; from < all.size(); from += EVENTS_AT_ONCE) {
            List<Acknowledged> some = all.subList(from, Math.min(from + EVENTS_AT_ONCE, all.size()));
            Tuple given = Tuple.of(
                    some.stream().map(one -> one.event().psp()).toArray(String[]::new),
                    some.stream().map(one -> one.event().attempt()).toArray(String[]::new),
                    some.stream().map(one -> one.event().eventId()).toArray(String[]::new),
                    some.stream().map(Acknowledged::times).toArray(Long[]::new));
            for (Row row : rows(MISSING, given)) {
                missing.add(new Missing(
                        row.getString("psp"),
                        row.getString("event_id"),
                        row.getLong("acknowledged"),
                        row.getLong("logged")));
            }
        }
        return missing;
    }

    /** How many orders with this prefix have which status. */
    Map<String, Long> orders(String prefix) {
        Map<String, Long> orders = new TreeMap<>();
        for (Row row : rows(ORDERS, Tuple.of(prefix + "%"))) {
            orders.put(row.getString("status"), row.getLong("orders"));
        }
        return orders;
    }

    /** How many of them were paid after they had expired. */
    long revived(String prefix) {
        return rows(REVIVED, Tuple.of(prefix + "%")).iterator().next().getLong("orders");
    }

    /**
     * What {@code check} printed.
     *
     * @param kept whether it ended with 0, which it does without violations only
     */
    record Checked(boolean kept, List<String> lines) {}

    Checked check() {
        try {
            Process check = new ProcessBuilder(
                            EmbeddedGateway.java(), "-jar", jar.toString(), "check", "--postgres", uri)
                    .redirectErrorStream(true)
                    .start();
            String said = new String(check.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Checked(check.waitFor() == 0, said.strip().lines().toList());
        } catch (IOException failure) {
            throw new UncheckedIOException("check cannot be run", failure);
        } catch (InterruptedException stopped) {
            throw new IllegalStateException("stopped while the database was checked", stopped);
        }
    }

    private RowSet<Row> rows(String query, Tuple given) {
        Future<RowSet<Row>> asked = pool.preparedQuery(query).execute(given);
        try {
            RowSet<Row> rows = await(asked);
            reached = true;
            return rows;
        } catch (RuntimeException failure) {
            String why = asked.failed() ? asked.cause().getMessage() : failure.getMessage();
            if (reached) {
                throw new IllegalStateException("the database cannot be asked any more: " + why, failure);
            }
            throw new InvalidParameters(List.of("postgres: it cannot be asked (" + why
                    + "); wanted: the gateway's database, as in postgresql://user@host:5432/name"));
        }
    }

    private static <T> T await(Future<T> future) {
        try {
            return future.await(STEP_SECONDS_MAX, TimeUnit.SECONDS);
        } catch (TimeoutException late) {
            throw new IllegalStateException("the database took more than " + STEP_SECONDS_MAX + " seconds", late);
        }
    }

    @Override
    public void close() {
        await(pool.close().otherwiseEmpty());
        await(vertx.close().otherwiseEmpty());
    }
}
