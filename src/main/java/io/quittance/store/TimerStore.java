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
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** When orders must be looked at. All times are the database's. */
public final class TimerStore {

    /**
     * A condition that always holds, and lets the commit of its statement not wait for the disk. What a crash of the server
     * so takes back is that an alarm was claimed, moved or removed: it goes off at its earlier time, or at the end of its
     * lease, and whoever hears it looks at the order itself. What is decided about an order is written by the engine, and
     * durable. A burst of expiries so leaves the disk to the notifications.
     */
    private static final String MAY_BE_FORGOTTEN = "(select set_config('synchronous_commit', 'off', true)) = 'off'";

    /** Orders that were concluded in time need nobody: their timers go in bulk. */
    static final String SWEEP = """
            with settled as (
                select t.order_id
                from timers t join orders o on o.id = t.order_id
                where t.due_at <= now() and o.status <> 'PENDING' and %s
                  and not exists (select from attempts a where a.order_id = t.order_id
                                  and a.status in ('CREATED', 'PROCESSING', 'PENDING', 'UNKNOWN'))
                order by t.due_at, t.order_id
                limit $1
                for update of t skip locked
            )
            delete from timers t using settled s where t.order_id = s.order_id
            """.formatted(MAY_BE_FORGOTTEN);

    static final String CLAIM = """
            with due as (
                select order_id from timers where due_at <= now() and %s
                order by due_at, order_id limit $1 for update skip locked
            ),
            claimed as (
                update timers t
                set due_at = now() + $2::bigint * interval '1 millisecond', tries = t.tries + 1
                from due where t.order_id = due.order_id
                returning t.order_id, t.due_at, t.tries
            )
            select c.order_id, c.due_at, c.tries, o.order_no, o.status, o.amount_minor, o.currency, o.expires_at,
                   o.expires_at <= now() or o.called_off_at is not null as over,
                   e.ends_at <= now() or o.called_off_at is not null as attempt_over,
                   e.ends_at <= now() - $3::bigint * interval '1 millisecond' as grace_over,
                   least(e.ends_at, o.called_off_at) <= now() - $4::bigint * interval '1 millisecond' as aged,
                   a.id as attempt_id, a.status as attempt_status, a.psp, a.account, a.psp_payment_id
            from claimed c
            join orders o on o.id = c.order_id
            left join attempts a on a.order_id = o.id and a.status in ('CREATED', 'PROCESSING', 'PENDING', 'UNKNOWN')
            cross join lateral (select coalesce(a.session_ends_at, o.expires_at) as ends_at) e
            """.formatted(MAY_BE_FORGOTTEN);

    /** Only the worker whose claim still stands may set or remove a timer. */
    static final String POSTPONE = """
            update timers t set due_at = now() + $3::bigint * interval '1 millisecond'
            where order_id = $1 and due_at = $2 and %s
            """.formatted(MAY_BE_FORGOTTEN);

    /**
     * What could not be asked about now, as if it had not been claimed. Who locks several timers and waits for none of
     * them cannot be part of a deadlock; a timer that somebody else is changing is set by him.
     */
    static final String PUT_OFF = """
            with ours as (
                select t.order_id, p.delay_ms
                from unnest($1::uuid[], $2::timestamptz[], $3::bigint[]) as p(order_id, claim, delay_ms)
                join timers t on t.order_id = p.order_id and t.due_at = p.claim
                for update of t skip locked
            )
            update timers t
            set due_at = now() + ours.delay_ms * interval '1 millisecond', tries = greatest(t.tries - 1, 0)
            from ours where t.order_id = ours.order_id and %s
            """.formatted(MAY_BE_FORGOTTEN);

    /**
     * To the end of the attempt that may still be paid, else to the order's. A call for another attempt than the one that
     * was looked at ($3) has begun meanwhile, and the timer watches over it: then it stays as it is.
     */
    static final String UNTIL_END = """
            update timers t
            set due_at = case
                    when o.called_off_at is not null then now()
                    when a.id is distinct from $3::uuid and a.status in ('CREATED', 'PROCESSING', 'UNKNOWN') then t.due_at
                    else coalesce(a.session_ends_at, o.expires_at)
                end,
                tries = 0
            from orders o
            left join attempts a on a.order_id = o.id and a.status in ('CREATED', 'PROCESSING', 'PENDING', 'UNKNOWN')
            where o.id = t.order_id and t.order_id = $1 and ($2::timestamptz is null or t.due_at = $2)
              and %s
            """.formatted(MAY_BE_FORGOTTEN);

    /** Guarded by nothing, since it decides nothing; what was said last counts. */
    static final String NOTE_SESSION_END =
            "update attempts set session_ends_at = $2 where id = $1 and session_ends_at is distinct from $2";

    static final String REMOVE = "delete from timers where order_id = $1 and due_at = $2 and " + MAY_BE_FORGOTTEN;

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
     * @param over whether its time is over, or its merchant called it off
     * @param graceOver whether what may still be paid has been over for longer than the grace
     * @param aged whether that has been over for longer than the age limit
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

    /**
     * A live attempt.
     *
     * @param over whether its PSP's session is over, or the order's time if the PSP named no end of its own; or the order
     *     was called off
     */
    public record Live(
            UUID attemptId,
            AttemptStatus status,
            String psp,
            String account,
            @Nullable String pspPaymentId,
            boolean over) {}

    /**
     * An order that was claimed and cannot be asked about now.
     *
     * @param delayMs when to look at it again, in milliseconds from now
     */
    public record PutOff(Due due, long delayMs) {}

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
                        row.getString("psp_payment_id"),
                        row.getBoolean("attempt_over"));
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

    /** Gives back claims that still stand, and does not count them as tries. */
    public Future<Void> putOff(List<PutOff> several) {
        Tuple values = Tuple.tuple()
                .addArrayOfUUID(several.stream().map(one -> one.due().orderId()).toArray(UUID[]::new))
                .addArrayOfOffsetDateTime(
                        several.stream().map(one -> one.due().claim()).toArray(OffsetDateTime[]::new))
                .addArrayOfLong(several.stream().map(PutOff::delayMs).toArray(Long[]::new));
        return pool.preparedQuery(PUT_OFF).execute(values).mapEmpty();
    }

    /** Sets the timer to the end of the attempt that may be paid, else of the order, if this claim still stands. */
    public Future<Void> untilEnd(Due due) {
        Live live = due.live();
        return untilEnd(due.orderId(), due.claim(), live == null ? null : live.attemptId());
    }

    /** Sets the timer to the attempt's or the order's end: the call that it watched over has ended. */
    public Future<Void> callEnded(UUID orderId, UUID attemptId) {
        return untilEnd(orderId, null, attemptId);
    }

    private Future<Void> untilEnd(UUID orderId, @Nullable OffsetDateTime claim, @Nullable UUID seen) {
        return pool.preparedQuery(UNTIL_END)
                .execute(Tuple.tuple().addUUID(orderId).addOffsetDateTime(claim).addUUID(seen))
                .mapEmpty();
    }

    /** Keeps when the PSP stops taking an attempt's payment. It waits for nobody's decision and disturbs none. */
    public Future<Void> noteSessionEnd(UUID attemptId, Instant end) {
        return pool.preparedQuery(NOTE_SESSION_END)
                .execute(Tuple.of(attemptId, OffsetDateTime.ofInstant(end, ZoneOffset.UTC)))
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
