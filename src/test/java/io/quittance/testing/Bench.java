package io.quittance.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.quittance.domain.Evidence;
import io.quittance.domain.FactKind;
import io.quittance.domain.FactSource;
import io.quittance.domain.Ids;
import io.quittance.domain.LatePolicy;
import io.quittance.domain.Money;
import io.quittance.domain.PaymentFact;
import io.quittance.message.Checkout.Item;
import io.quittance.message.Checkout.OrderAnswer;
import io.quittance.message.Checkout.PlaceOrder;
import io.quittance.message.Checkout.PutProduct;
import io.quittance.message.Checkout.Strategy;
import io.quittance.message.Delivery;
import io.quittance.store.CheckoutStore;
import io.quittance.store.Invariants;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Pool;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.postgresql.PGConnection;

/**
 * One database with its orders, and the gateway processes that work on it. What the processes write signals whoever
 * waits here, so that no test sleeps.
 */
public final class Bench implements AutoCloseable {

    public static final String MERCHANT = "shop";
    public static final String PSP = "fake";
    public static final String ACCOUNT = "main";
    public static final Money PRICE = new Money(1999, "CNY");

    /** How long anything may take, in milliseconds; far more than it does. */
    private static final long LIMIT_MS = 20_000;

    private static final String[] SIGNALLING = {
        "orders", "attempts", "holds", "refunds", "reviews", "timers", "unmatched", "callbacks", "outbox"
    };

    private final String database = Services.freshDatabase();
    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final Connection sql;
    private final Connection signals;
    private final BenchProcess first;
    private final CheckoutStore checkout;
    private long ids;

    private Bench(int shards) throws SQLException {
        this.sql = connect();
        this.signals = connect();
        run("create function tell() returns trigger language plpgsql as "
                + "'begin perform pg_notify(''changed'', tg_table_name); return null; end'");
        for (String table : SIGNALLING) {
            run("create trigger tell after insert or update or delete on " + table
                    + " for each statement execute function tell()");
        }
        try (var listen = signals.createStatement()) {
            listen.execute("listen changed");
        }
        this.first = process(shards);
        this.checkout = new CheckoutStore(first.pool());
    }

    /** A fresh database and a process with one engine shard on it, which is not started yet. */
    public static Bench open() throws SQLException {
        return new Bench(1);
    }

    /** The same with several engine shards. */
    public static Bench withShards(int shards) throws SQLException {
        return new Bench(shards);
    }

    public String database() {
        return database;
    }

    public BenchProcess process() {
        return first;
    }

    /** Another process on the same database, whose dedup store is its own. */
    public BenchProcess process(int shards) {
        return kept(new BenchProcess(database, shards));
    }

    /** Another process that reaches the database under this address. */
    public BenchProcess processAt(String uri) {
        return kept(new BenchProcess(uri, 1));
    }

    private BenchProcess kept(BenchProcess process) {
        open.push(process);
        return process;
    }

    public Connection connect() throws SQLException {
        Connection connection = Services.connect(database);
        open.push(connection);
        return connection;
    }

    // ---- what merchants do

    public void product(String sku, Strategy strategy, long supplied) {
        await(checkout.put(new PutProduct(MERCHANT, sku, strategy, supplied)));
    }

    /** An order for one piece of a product, which is made if it is not there yet. */
    public UUID order(String orderNo) {
        product("plenty", Strategy.STOCK, 1_000);
        return order(orderNo, LatePolicy.REFUND, new Item("plenty", 1));
    }

    public UUID order(String orderNo, LatePolicy late, Item... items) {
        PlaceOrder order = new PlaceOrder(MERCHANT, orderNo, PRICE, List.of(items), Duration.ofMinutes(15), late);
        OrderAnswer answer = await(checkout.place(order, newId(), "content of " + orderNo));
        assertThat(answer).isInstanceOf(OrderAnswer.Placed.class);
        return ((OrderAnswer.Placed) answer).orderId();
    }

    /** An attempt whose call to the PSP is in flight. */
    public UUID attempt(UUID order) {
        return attempt(order, newId());
    }

    /** The same with an id that is known already. */
    public UUID attempt(UUID order, UUID attempt) {
        assertThat(await(checkout.openAttempt(order, attempt, PSP, ACCOUNT, Workers.ATTEMPTS)))
                .as("attempt opened")
                .isTrue();
        return attempt;
    }

    /** Ids in the order in which they are made, so that a test knows which row a batch locks first. */
    private UUID newId() {
        return Ids.version7(1_700_000_000_000L + ids++, 0, UUID.randomUUID().getLeastSignificantBits());
    }

    // ---- what PSPs say

    public static Evidence notified(String eventId) {
        return new Evidence(FactSource.NOTIFICATION, PSP, ACCOUNT, eventId, Instant.EPOCH);
    }

    /** That an order's time is over. */
    public static PaymentFact timeOver(UUID order) {
        return PaymentFact.bare(
                FactKind.ORDER_TIME_OVER, Ids.hex(order), Evidence.ours(FactSource.TIMER, Instant.EPOCH), null);
    }

    public static PaymentFact success(UUID attempt, String eventId) {
        return PaymentFact.succeeded(Ids.hex(attempt), notified(eventId), "pay-" + Ids.hex(attempt), PRICE);
    }

    public static PaymentFact news(FactKind kind, UUID attempt, String eventId) {
        return PaymentFact.payment(kind, Ids.hex(attempt), notified(eventId), null, null);
    }

    /** A notification of which this is one delivery. */
    public static Delivery delivery(String eventId) {
        return new Delivery(
                UUID.randomUUID(),
                PSP,
                ACCOUNT,
                eventId,
                0,
                Instant.parse("2026-01-02T03:04:05Z"),
                "key 1",
                Buffer.buffer("body of " + eventId));
    }

    // ---- the database, as the test sees and changes it

    public void run(String statement, Object... values) {
        try (PreparedStatement prepared = prepare(sql, statement, values)) {
            prepared.execute();
        } catch (SQLException failure) {
            throw new AssertionError(statement, failure);
        }
    }

    /** The first column of the first row as text; null if there is none. */
    public String text(String query, Object... values) {
        try (PreparedStatement prepared = prepare(sql, query, values);
                ResultSet rows = prepared.executeQuery()) {
            return rows.next() ? rows.getString(1) : null;
        } catch (SQLException failure) {
            throw new AssertionError(query, failure);
        }
    }

    public long count(String query, Object... values) {
        return Long.parseLong(text(query, values));
    }

    private static PreparedStatement prepare(Connection connection, String statement, Object... values)
            throws SQLException {
        PreparedStatement prepared = connection.prepareStatement(statement);
        for (int i = 0; i < values.length; i++) {
            prepared.setObject(i + 1, values[i]);
        }
        return prepared;
    }

    public String orderStatus(UUID order) {
        return text("select status from orders where id = ?", order);
    }

    public String attemptStatus(UUID attempt) {
        return text("select status from attempts where id = ?", attempt);
    }

    public String holdStatus(UUID order) {
        return text("select status from hold_states where order_id = ? order by round desc limit 1", order);
    }

    public String refundStatus(UUID attempt) {
        return text("select status from refunds where attempt_id = ?", attempt);
    }

    public long available(String sku) {
        return count("select available from products where sku = ?", sku);
    }

    /** Ends an order's time, and makes its timer due. */
    public void endTime(UUID order, Duration ago) {
        double seconds = ago.toMillis() / 1000.0;
        run(
                "update orders set created_at = now() - interval '30 days',"
                        + " expires_at = now() - ? * interval '1 second' where id = ?",
                seconds,
                order);
        makeDue(order);
    }

    public void makeDue(UUID order) {
        run("update timers set due_at = now() - interval '1 second' where order_id = ?", order);
    }

    /** Nothing that is written contradicts a promise. */
    public void proveInvariants() {
        Pool pool = first.pool();
        assertThat(await(new Invariants(pool).check())).as("violations").isEmpty();
    }

    // ---- waiting for signals

    public static <T> T await(Future<T> future) {
        try {
            return future.toCompletionStage().toCompletableFuture().get(LIMIT_MS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException failure) {
            throw new AssertionError("failed: " + failure.getCause(), failure.getCause());
        } catch (TimeoutException | InterruptedException late) {
            throw new AssertionError("no answer in time", late);
        }
    }

    public static Throwable awaitFailure(Future<?> future) {
        return await(future.transform(done -> Future.succeededFuture(done.cause())));
    }

    /** Waits until something is so; looks again whenever the database says that something was written. */
    public void until(String what, BooleanSupplier so) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LIMIT_MS);
        try {
            while (!so.getAsBoolean()) {
                long leftMs = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
                if (leftMs <= 0) {
                    throw new AssertionError("not in time: " + what);
                }
                signals.unwrap(PGConnection.class).getNotifications((int) leftMs);
            }
        } catch (SQLException failure) {
            throw new AssertionError(what, failure);
        }
    }

    /** Waits until so many statements wait for a lock of this database. */
    public void untilBlocked(int statements) {
        Services.untilBlocked(database, statements);
    }

    /** Holds the row of an order, until released. */
    public RowLock lockOrder(UUID order) {
        return new RowLock("select 1 from orders where id = ? for update", order);
    }

    /** Holds the row of a product, until released. */
    public RowLock lockProduct(String sku) {
        return new RowLock("select 1 from products where sku = ? for update", sku);
    }

    /** Holds the row of an order and changes it, as somebody else's decision does. */
    public RowLock changeOrder(UUID order) {
        return new RowLock("update orders set version = version + 1 where id = ?", order);
    }

    /** The same for what is no decision, and so leaves the version as it is: the row only comes to another place. */
    public RowLock touchOrder(UUID order) {
        return new RowLock("update orders set expires_at = expires_at where id = ?", order);
    }

    /** A transaction of the test that stands in the way of others. */
    public final class RowLock implements AutoCloseable {
        private final Connection connection;

        private RowLock(String statement, Object value) {
            try {
                connection = connect();
                connection.setAutoCommit(false);
                try (PreparedStatement prepared = prepare(connection, statement, value)) {
                    prepared.execute();
                }
            } catch (SQLException failure) {
                throw new AssertionError(failure);
            }
        }

        /** Asks for another order's row, as patiently as is needed to make others the victims of a deadlock. */
        public void lockToo(UUID order) {
            try (var patience = connection.createStatement();
                    PreparedStatement lock =
                            prepare(connection, "select 1 from orders where id = ? for update", order)) {
                patience.execute("set deadlock_timeout = '1min'");
                lock.execute();
            } catch (SQLException failure) {
                throw new AssertionError(failure);
            }
        }

        /** Commits and lets the others go on. */
        public void release() {
            try {
                connection.commit();
            } catch (SQLException failure) {
                throw new AssertionError(failure);
            }
        }

        @Override
        public void close() throws SQLException {
            if (!connection.isClosed()) {
                connection.close();
            }
        }
    }

    @Override
    public void close() {
        while (!open.isEmpty()) {
            try {
                open.pop().close();
            } catch (Exception failure) {
                throw new AssertionError("could not be closed", failure);
            }
        }
    }
}
