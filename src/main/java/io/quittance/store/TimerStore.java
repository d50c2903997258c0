package io.quittance.store;

import io.quittance.domain.AttemptStatus;
import io.quittance.domain.Money;
import io.quittance.domain.OrderStatus;
import io.vertx.core.Future;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** When orders must be looked at. All times are the database's. */
public final class TimerStore {

    /** Orders that were concluded in time need nobody: their timers go in bulk. */
    static final String SWEEP = """
            with settled as (
                select t.order_id
                from timers t join orders o on o.id = t.order_id
                where t.due_at <= now() and o.status <> 'PENDING'
                  and not exists (select from attempts a where a.order_id = t.order_id
                                  and a.status in ('CREATED', 'PROCESSING', 'PENDING', 'UNKNOWN'))
                order by t.due_at, t.order_id
                limit $1
                for update of t skip locked
            )
            delete from timers t using settled s where t.order_id = s.order_id
            """;

    static final String CLAIM = """
            with due as (
                select order_id from timers where due_at <= now()
                order by due_at, order_id limit $1 for update skip locked
            ),
            claimed as (
                update timers t
                set due_at = now() + $2::bigint * interval '1 millisecond', tries = t.tries + 1
                from due where t.order_id = due.order_id
                returning t.order_id, t.due_at, t.tries
            )
            select c.order_id, c.due_at, c.tries, o.order_no, o.status, o.amount_minor, o.currency, o.expires_at,
                   o.expires_at <= now() as over,
                   o.expires_at <= now() - $3::bigint * interval '1 millisecond' as grace_over,
                   o.expires_at <= now() - $4::bigint * interval '1 millisecond' as aged,
                   a.id as attempt_id, a.status as attempt_status, a.psp, a.account, a.psp_payment_id
            from claimed c
            join orders o on o.id = c.order_id
            left join attempts a on a.order_id = o.id and a.status in ('CREATED', 'PROCESSING', 'PENDING', 'UNKNOWN')
            """;

    /** Only the worker whose claim still stands may set or remove a timer. */
    static final String POSTPONE = """
            update timers t set due_at = now() + $3::bigint * interval '1 millisecond'
            where order_id = $1 and due_at = $2
            """;

    static final String UNTIL_EXPIRY = """
            update timers t set due_at = o.expires_at, tries = 0
            from orders o where o.id = t.order_id and t.order_id = $1 and ($2::timestamptz is null or t.due_at = $2)
            """;

    static final String REMOVE = "delete from timers where order_id = $1 and due_at = $2";

    static final String NEXT_DUE = "select ceil(extract(epoch from (min(due_at) - now())) * 1000)::bigint from timers";

    private final Pool pool;

    public TimerStore(Pool pool) {
        this.pool = pool;
    }

    /**
     * An order that was claimed.
     *
     * @param claim names this claim
     * @param tries how often it was claimed since its timer was set
     * @param over whether its time is over
     * @param graceOver whether it has been over for longer than the grace
     * @param aged whether it has been over for longer than the age limit
     * @param live the attempt that may still be paid, if there is one
     */
    public record Due(
            UUID orderId,
            OffsetDateTime claim,
            int tries,
            String orderNo,
            OrderStatus status,
            Money amount,
            Instant expiresAt,
            boolean over,
            boolean graceOver,
            boolean aged,
            @Nullable Live live) {}

    /** A live attempt. */
    public record Live(
            UUID attemptId,
            AttemptStatus status,
            String psp,
            String account,
            @Nullable String pspPaymentId) {}

    /** Removes up to so many timers that have nothing left to watch; returns how many. */
    public Future<Integer> sweep(int limit) {
        return pool.preparedQuery(SWEEP).execute(Tuple.of(limit)).map(rows -> rows.rowCount());
    }

    /** Takes up to so many orders that are due, for this worker alone until the lease ends. */
    public Future<List<Due>> claim(int limit, long leaseMs, long graceMs, long ageLimitMs) {
        return pool.preparedQuery(CLAIM)
                .execute(Tuple.of(limit, leaseMs, graceMs, ageLimitMs))
                .map(rows -> {
                    List<Due> due = new ArrayList<>(rows.size());
                    rows.forEach(row -> due.add(due(row)));
                    return due;
                });
    }

    private static Due due(Row row) {
        UUID attempt = row.getUUID("attempt_id");
        Live live = attempt == null
                ? null
                : new Live(
                        attempt,
                        AttemptStatus.valueOf(row.getString("attempt_status")),
                        row.getString("psp"),
                        row.getString("account"),
                        row.getString("psp_payment_id"));
        return new Due(
                row.getUUID("order_id"),
                row.getOffsetDateTime("due_at"),
                row.getInteger("tries"),
                row.getString("order_no"),
                OrderStatus.valueOf(row.getString("status")),
                new Money(row.getLong("amount_minor"), row.getString("currency")),
                row.getOffsetDateTime("expires_at").toInstant(),
                row.getBoolean("over"),
                row.getBoolean("grace_over"),
                row.getBoolean("aged"),
                live);
    }

    public Future<Void> postpone(Due due, long delayMs) {
        return pool.preparedQuery(POSTPONE)
                .execute(Tuple.of(due.orderId(), due.claim(), delayMs))
                .mapEmpty();
    }

    /** Sets the timer to the order's expiry, if this claim still stands. */
    public Future<Void> untilExpiry(Due due) {
        return pool.preparedQuery(UNTIL_EXPIRY)
                .execute(Tuple.of(due.orderId(), due.claim()))
                .mapEmpty();
    }

    /** Sets the timer to the order's expiry: the call that it watched over has ended. */
    public Future<Void> callEnded(UUID orderId) {
        return pool.preparedQuery(UNTIL_EXPIRY)
                .execute(Tuple.tuple().addUUID(orderId).addOffsetDateTime(null))
                .mapEmpty();
    }

    public Future<Void> remove(Due due) {
        return pool.preparedQuery(REMOVE)
                .execute(Tuple.of(due.orderId(), due.claim()))
                .mapEmpty();
    }

    /** Milliseconds until the next order is due, negative if it is overdue; empty if none waits. */
    public Future<OptionalLong> nextDue() {
        return pool.preparedQuery(NEXT_DUE).execute().map(rows -> {
            Long ms = rows.iterator().next().getLong(0);
            return ms == null ? OptionalLong.empty() : OptionalLong.of(ms);
        });
    }
}
