package io.quittance.testing;

import io.quittance.domain.Ids;
import io.quittance.domain.StateGraph;
import io.quittance.domain.SyncStatus;
import io.vertx.core.Future;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/** A database with paid orders in its outbox, which tells each change of a row as it is committed. */
public final class OutboxBench implements AutoCloseable {

    public static final String MERCHANT = "acme";

    private static final long LIMIT_MS = 15_000;
    private static final String TELL = """
            create function tell() returns trigger language plpgsql as $$
            begin
                perform pg_notify('outbox', new.order_id || ' ' || new.status || ' ' || new.tries);
                return new;
            end $$;
            create trigger tell after insert or update on outbox for each row execute function tell();
            """;

    private final String uri = Services.freshDatabase();
    private final Connection sql = Services.connect(uri);
    private final Connection ear = Services.connect(uri);
    private final Map<UUID, List<String>> heard = new HashMap<>();

    /** A row of the outbox as it stands. */
    public record OutboxRow(
            SyncStatus status, String thirdPartyId, int tries, boolean uncertain, UUID lease, String lastError) {}

    public OutboxBench() throws SQLException {
        run(TELL);
        try (var statement = ear.createStatement()) {
            statement.execute("listen outbox");
        }
    }

    public String uri() {
        return uri;
    }

    /** A paid order of 19.99 CNY, due now. */
    public UUID paid(String orderNo, String target) throws SQLException {
        UUID order = UUID.randomUUID();
        UUID attempt = UUID.randomUUID();
        run("""
                insert into orders (id, merchant_id, order_no, status, amount_minor, currency, late_policy,
                                    takes_on_payment, effective_attempt_id, content_hash, expires_at, concluded_at)
                values (?, ?, ?, 'PAID', 1999, 'CNY', 'REFUND', false, ?, 'x', now() + interval '1 hour', now())
                """, order, MERCHANT, orderNo, attempt);
        run("""
                insert into attempts (id, order_id, status, psp, account, psp_payment_id, received_minor,
                                      received_currency)
                values (?, ?, 'SUCCEEDED', 'stripe', 'main', ?, 1999, 'CNY')
                """, attempt, order, "pi_" + orderNo);
        run(
                "insert into outbox (order_id, conclusion, target, status) values (?, 'PAID', ?, 'PENDING')",
                order,
                target);
        return order;
    }

    /** Runs a statement. */
    public void run(String statement, Object... parameters) throws SQLException {
        try (PreparedStatement prepared = sql.prepareStatement(statement)) {
            for (int i = 0; i < parameters.length; i++) {
                prepared.setObject(i + 1, parameters[i]);
            }
            prepared.execute();
        }
    }

    /** Makes a row due, or its lease lapse. */
    public void makeDue(UUID order) throws SQLException {
        run("update outbox set due_at = now() - interval '1 second' where order_id = ?", order);
    }

    public OutboxRow row(UUID order) throws SQLException {
        try (PreparedStatement read = sql.prepareStatement("select * from outbox where order_id = ?")) {
            read.setObject(1, order);
            ResultSet rows = read.executeQuery();
            rows.next();
            return new OutboxRow(
                    SyncStatus.valueOf(rows.getString("status")),
                    rows.getString("third_party_id"),
                    rows.getInt("tries"),
                    rows.getBoolean("uncertain"),
                    rows.getObject("lease", UUID.class),
                    rows.getString("last_error"));
        }
    }

    public long count(String query, Object... parameters) throws SQLException {
        try (PreparedStatement read = sql.prepareStatement(query)) {
            for (int i = 0; i < parameters.length; i++) {
                read.setObject(i + 1, parameters[i]);
            }
            ResultSet rows = read.executeQuery();
            rows.next();
            return rows.getLong(1);
        }
    }

    /** How the server runs a statement whatever its parameters are. */
    public String plan(String statement, int parameters) throws SQLException {
        String none = parameters == 0 ? "" : "(" + String.join(", ", Collections.nCopies(parameters, "null")) + ")";
        run("set plan_cache_mode = force_generic_plan");
        run("prepare looked_at as " + statement);
        StringBuilder plan = new StringBuilder();
        try (var explain = sql.createStatement();
                ResultSet rows = explain.executeQuery("explain execute looked_at" + none)) {
            while (rows.next()) {
                plan.append(rows.getString(1)).append('\n');
            }
        }
        run("deallocate looked_at");
        return plan.toString();
    }

    /** The audit trail of an order's sync, as "FROM -> TO"; every entry is an edge of the state graph. */
    public List<String> trail(UUID order) throws SQLException {
        List<String> steps = new ArrayList<>();
        try (PreparedStatement read = sql.prepareStatement("""
                select entity_id, actor, from_status, to_status
                  from audit
                 where order_id = ? and entity = 'SYNC'
                 order by id
                """)) {
            read.setObject(1, order);
            ResultSet rows = read.executeQuery();
            String at = SyncStatus.PENDING.name();
            while (rows.next()) {
                String from = rows.getString("from_status");
                String to = rows.getString("to_status");
                boolean legal = StateGraph.SYNC.allows(SyncStatus.valueOf(from), SyncStatus.valueOf(to));
                boolean told = rows.getString("entity_id").equals(Ids.hex(order))
                        && !rows.getString("actor").isBlank();
                if (!legal || !told || !from.equals(at)) {
                    throw new AssertionError("not a step from " + at + ": " + from + " -> " + to);
                }
                at = to;
                steps.add(from + " -> " + to);
            }
            if (!row(order).status().name().equals(at)) {
                throw new AssertionError("the audit trail ends in " + at + ", the row is " + row(order));
            }
        }
        return steps;
    }

    /** Waits until the row has been told to be in a state after so many tries, now or earlier. */
    public void awaitRow(UUID order, SyncStatus status, int tries) throws SQLException {
        String wanted = status + " " + tries;
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LIMIT_MS);
        while (!heard.getOrDefault(order, List.of()).contains(wanted)) {
            long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            if (left <= 0) {
                throw new AssertionError("never " + wanted + ", but " + heard.get(order) + "; now " + row(order));
            }
            listen((int) left);
        }
    }

    /** Forgets what was told about a row, so that the next wait is for something new. */
    public void forget(UUID order) throws SQLException {
        listen(1);
        heard.remove(order);
    }

    private void listen(int limitMs) throws SQLException {
        PGNotification[] told = ear.unwrap(PGConnection.class).getNotifications(limitMs);
        for (PGNotification one : told) {
            String[] parts = one.getParameter().split(" ", 2);
            heard.computeIfAbsent(UUID.fromString(parts[0]), key -> new ArrayList<>())
                    .add(parts[1]);
        }
    }

    /** Waits for a result, bounded. */
    public static <T> T await(Future<T> future) {
        try {
            return future.await(LIMIT_MS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            throw new AssertionError("nothing happened in time", late);
        }
    }

    @Override
    public void close() throws SQLException {
        sql.close();
        ear.close();
    }
}
