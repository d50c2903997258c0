package io.quittance.store;

import io.quittance.domain.Money;
import io.quittance.domain.RefundReason;
import io.quittance.domain.RefundStatus;
import io.vertx.core.Future;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Refunds that must be carried to their PSP. A claim is a lease only; states are moved by the engine. */
public final class RefundStore {

    static final String CLAIM = """
            with due as (
                select id from refunds
                where due_at <= now() and status in ('REQUESTED', 'PROCESSING', 'UNKNOWN')
                order by due_at, id limit $1 for update skip locked
            ),
            claimed as (
                update refunds r
                set due_at = now() + $2::bigint * interval '1 millisecond', tries = r.tries + 1
                from due where r.id = due.id
                returning r.*
            )
            select c.id, c.order_id, c.attempt_id, c.status, c.amount_minor, c.currency, c.reason, c.tries,
                   c.created_at <= now() - $3::bigint * interval '1 millisecond' as aged,
                   o.order_no, o.amount_minor as paid_minor, o.expires_at, a.psp, a.account, a.psp_payment_id
            from claimed c
            join orders o on o.id = c.order_id
            join attempts a on a.id = c.attempt_id
            """;

    static final String POSTPONE =
            "update refunds set due_at = now() + $2::bigint * interval '1 millisecond' where id = $1";

    static final String NEXT_DUE = """
            select ceil(extract(epoch from (min(due_at) - now())) * 1000)::bigint from refunds
            where status in ('REQUESTED', 'PROCESSING', 'UNKNOWN')
            """;

    private final Pool pool;

    public RefundStore(Pool pool) {
        this.pool = pool;
    }

    /**
     * A refund that was claimed.
     *
     * @param aged whether it has been open for longer than the age limit
     */
    public record Due(
            UUID id,
            UUID orderId,
            UUID attemptId,
            RefundStatus status,
            Money amount,
            Money paid,
            RefundReason reason,
            int tries,
            boolean aged,
            String orderNo,
            Instant expiresAt,
            String psp,
            String account,
            @Nullable String pspPaymentId) {}

    /** Takes up to so many refunds that are due, for this worker alone until the lease ends. */
    public Future<List<Due>> claim(int limit, long leaseMs, long ageLimitMs) {
        return pool.preparedQuery(CLAIM)
                .execute(Tuple.of(limit, leaseMs, ageLimitMs))
                .map(rows -> {
                    List<Due> due = new ArrayList<>(rows.size());
                    rows.forEach(row -> due.add(due(row)));
                    return due;
                });
    }

    private static Due due(Row row) {
        String currency = row.getString("currency");
        return new Due(
                row.getUUID("id"),
                row.getUUID("order_id"),
                row.getUUID("attempt_id"),
                RefundStatus.valueOf(row.getString("status")),
                new Money(row.getLong("amount_minor"), currency),
                new Money(row.getLong("paid_minor"), currency),
                RefundReason.valueOf(row.getString("reason")),
                row.getInteger("tries"),
                row.getBoolean("aged"),
                row.getString("order_no"),
                row.getOffsetDateTime("expires_at").toInstant(),
                row.getString("psp"),
                row.getString("account"),
                row.getString("psp_payment_id"));
    }

    public Future<Void> postpone(UUID refundId, long delayMs) {
        return pool.preparedQuery(POSTPONE).execute(Tuple.of(refundId, delayMs)).mapEmpty();
    }

    /** Milliseconds until the next refund is due, negative if it is overdue; empty if none waits. */
    public Future<OptionalLong> nextDue() {
        return pool.preparedQuery(NEXT_DUE).execute().map(rows -> {
            Long ms = rows.iterator().next().getLong(0);
            return ms == null ? OptionalLong.empty() : OptionalLong.of(ms);
        });
    }
}
