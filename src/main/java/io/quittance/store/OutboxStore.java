package io.quittance.store;

import io.quittance.domain.Ids;
import io.quittance.domain.Money;
import io.quittance.domain.OrderStatus;
import io.vertx.core.Future;
import io.vertx.sqlclient.DatabaseException;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.SqlResult;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Conclusions on their way to their targets. Whoever holds a row's lease, by the database's clock, may end its try; the
 * lease in the guard of each write is the fence against everybody else.
 */
public final class OutboxStore {

    /** Errors are kept for a person to read, not as a log; longer ones are cut. */
    public static final int ERROR_CHARS_MAX = 200;

    private static final String UNIQUE_VIOLATION = "23505";

    /** How long a conclusion is put off that must wait for another of its order, in milliseconds. */
    private static final int WAIT_FOR_SIBLING_MS = 1_000;

    /**
     * A row of a target that rests is only put off, in the same statement: that is no change of state and no try, and it
     * keeps the rows of a target that is away from standing before all others for good. So is one that must wait for
     * another of its order: no two of them are on their way at once, how the order was closed comes first, and that its
     * money went back comes last.
     */
    static final String CLAIM =
            """
            with due as (
                select x.order_id, x.conclusion, x.status as was, x.due_at, x.target = any($4::text[]) as rests,
                       exists (
                           select from outbox e
                            where e.order_id = x.order_id
                              and e.conclusion <> x.conclusion
                              and (e.status = 'PROCESSING'
                                   or e.status in ('PENDING', 'FAILED')
                                      and (x.conclusion = 'REFUNDED' and e.conclusion = 'PAID'
                                           or x.conclusion = 'PAID' and e.conclusion <> 'REFUNDED'
                                              and e.due_at <= now()))) as waits
                  from outbox x
                 where x.status in ('PENDING', 'PROCESSING', 'FAILED')
                   and x.due_at <= now()
                 order by x.due_at, x.order_id, x.conclusion
                 limit $1::int
                   for update skip locked),
            rested as (
                update outbox x
                   set due_at = now() + case when due.rests then $5::bigint else %d end * interval '1 millisecond'
                  from due
                 where x.order_id = due.order_id
                   and x.conclusion = due.conclusion
                   and (due.rests or due.waits)),
            taken as (
                update outbox x
                   set status = 'PROCESSING',
                       lease = $3::uuid,
                       due_at = now() + $2::bigint * interval '1 millisecond',
                       tries = x.tries + 1,
                       uncertain = x.uncertain or due.was = 'PROCESSING'
                  from due
                 where x.order_id = due.order_id
                   and x.conclusion = due.conclusion
                   and not due.rests
                   and not due.waits
                returning x.order_id, x.conclusion, x.target, x.tries, x.uncertain, x.lease, due.was),
            noted as (
                insert into audit_entries (order_id, actor, reason, steps)
                select order_id, 'dispatcher',
                       case was when 'PROCESSING' then 'the lease was lost and taken over, try '
                                else 'the lease was taken, try ' end || tries,
                       %s
                  from taken)
            select due.rests or due.waits as put_off,
                   t.order_id, t.conclusion, t.lease, t.target, t.tries, t.uncertain,
                   t.was = 'PROCESSING' as lease_lost,
                   o.merchant_id, o.order_no, o.status as order_status, o.amount_minor, o.currency,
                   a.id as attempt_id, a.psp, a.account, a.psp_payment_id,
                   (select e.conclusion
                      from outbox e
                     where e.order_id = t.order_id
                       and t.conclusion = 'PAID'
                       and e.conclusion in ('FAILED', 'EXPIRED', 'CANCELLED')
                       and (e.status = 'COMPLETED' or e.uncertain)) as corrects
              from due
              left join (taken t
                  join orders o on o.id = t.order_id
                  left join attempts a on a.id = o.effective_attempt_id)
                on t.order_id = due.order_id and t.conclusion = due.conclusion
             order by due.due_at, due.order_id, due.conclusion
            """.formatted(WAIT_FOR_SIBLING_MS, AuditSteps.only("'SYNC'", trailIdOf("taken"), "was", "'PROCESSING'"));

    private static final String COMPLETE =
            ending("COMPLETED", "third_party_id = $3, last_error = null", "'the target has it'");

    /** Doubt stays: only the target's word that it has the order takes it away. */
    private static final String FAILED = ending("FAILED", """
            last_error = $3,
            due_at = now() + $4::bigint * interval '1 millisecond',
            uncertain = uncertain or $5::boolean""", "$3");

    private static final String POSTPONED = ending("FAILED", """
            last_error = $3,
            due_at = now() + $4::bigint * interval '1 millisecond',
            tries = tries - 1""", "$3");

    private static final String WITHDRAWN = ending("WITHDRAWN", "last_error = $3", "$3");
    private static final String REJECTED = ending("REJECTED", "last_error = $3", "$3");

    private static final String ORDER_STATUS = "select status from orders where id = $1";

    /** A review belongs to its order, so it raises the order's version. */
    private static final String REVIEW =
            """
            with ended as (
                update outbox
                   set status = 'REVIEW', lease = null, last_error = $3
                 where order_id = $1 and status = 'PROCESSING' and lease = $2
                returning order_id, conclusion),
            raised as (
                update orders o
                   set version = o.version + 1
                  from ended
                 where o.id = ended.order_id
                returning o.id, o.effective_attempt_id),
            opened as (
                insert into reviews (order_id, attempt_id, reason, detail)
                select id, effective_attempt_id, 'SYNC_EXHAUSTED', $3
                  from raised
                on conflict (attempt_id, reason) where closed_at is null do nothing)
            insert into audit_entries (order_id, actor, reason, steps)
            select order_id, 'dispatcher', $3, %s
              from ended
            """.formatted(AuditSteps.only("'SYNC'", trailIdOf("ended"), "'PROCESSING'", "'REVIEW'"));

    static final String NEXT_DUE = """
            select greatest(0, ceil(extract(epoch from due_at - now()) * 1000))::bigint as wait_ms
              from outbox
             where status in ('PENDING', 'PROCESSING', 'FAILED')
             order by due_at
             limit 1
            """;

    private final SqlClient client;

    /**
     * The id of a row in the steps of the audit trail, as SQL. For a paid order it is the order's id alone.
     *
     * @param row the name of a row that has the column conclusion
     */
    static String trailIdOf(String row) {
        return "case %1$s.conclusion when 'PAID' then '%2$s' else '/' || %1$s.conclusion end"
                .formatted(row, AuditSteps.ORDER_ID);
    }

    /** The same for a row that is not there yet. */
    static String trailId(OrderStatus conclusion) {
        return conclusion == OrderStatus.PAID ? AuditSteps.ORDER_ID : "/" + conclusion;
    }

    /** The end of a try, if its lease still holds: parameter 1 is the order, parameter 2 the lease. */
    private static String ending(String status, String set, String reason) {
        return """
                with ended as (
                    update outbox
                       set status = '%1$s', lease = null, %2$s
                     where order_id = $1 and status = 'PROCESSING' and lease = $2
                    returning order_id, conclusion)
                insert into audit_entries (order_id, actor, reason, steps)
                select order_id, 'dispatcher', %4$s, %3$s
                  from ended
                """.formatted(
                status, set, AuditSteps.only("'SYNC'", trailIdOf("ended"), "'PROCESSING'", "'" + status + "'"), reason);
    }

    /** @param client of the primary */
    public OutboxStore(SqlClient client) {
        this.client = client;
    }

    /**
     * Takes what is due under a lease, oldest first, and counts a try for it.
     *
     * @param limit at most so many rows are touched
     * @param leaseId of this claim and no other
     * @param resting targets that are not to be tried now: their rows are put off by {@code restMillis} instead
     */
    public Future<Claim> claim(int limit, long leaseMillis, UUID leaseId, Set<String> resting, long restMillis) {
        return client.preparedQuery(CLAIM)
                .execute(Tuple.of(limit, leaseMillis, leaseId, resting.toArray(String[]::new), restMillis))
                .map(OutboxStore::claim);
    }

    /** The same with no target at rest. */
    public Future<Claim> claim(int limit, long leaseMillis, UUID leaseId) {
        return claim(limit, leaseMillis, leaseId, Set.of(), 0);
    }

    /**
     * The target has the order, or has heard what became of it.
     *
     * @param thirdPartyId the target's own id of a paid order; null for what is only told
     * @return whether the lease still held; fails with {@link IdTaken} if another order of the target has that id
     */
    public Future<Boolean> complete(UUID orderId, UUID lease, @Nullable String thirdPartyId) {
        return change(COMPLETE, Tuple.of(orderId, lease, thirdPartyId)).recover(failure -> {
            boolean taken =
                    failure instanceof DatabaseException database && UNIQUE_VIOLATION.equals(database.getSqlState());
            return Future.failedFuture(taken ? new IdTaken(failure) : failure);
        });
    }

    /**
     * There must be another try.
     *
     * @param error a few words, without anything that the target wrote
     * @param uncertain whether this try may have reached the target; earlier doubt is kept in any case
     * @return whether the lease still held
     */
    public Future<Boolean> failed(UUID orderId, UUID lease, String error, long retryAfterMillis, boolean uncertain) {
        return change(FAILED, Tuple.of(orderId, lease, shorten(error), retryAfterMillis, uncertain));
    }

    /** Nothing was tried after all, so the try is not counted. Returns whether the lease still held. */
    public Future<Boolean> postponed(UUID orderId, UUID lease, String error, long retryAfterMillis) {
        return change(POSTPONED, Tuple.of(orderId, lease, shorten(error), retryAfterMillis));
    }

    /** The target refused for good. Returns whether the lease still held. */
    public Future<Boolean> rejected(UUID orderId, UUID lease, String error) {
        return change(REJECTED, Tuple.of(orderId, lease, shorten(error)));
    }

    /** It is not true any more, and the target never heard it. Returns whether the lease still held. */
    public Future<Boolean> withdrawn(UUID orderId, UUID lease, String reason) {
        return change(WITHDRAWN, Tuple.of(orderId, lease, shorten(reason)));
    }

    /** What is concluded about an order now. */
    public Future<OrderStatus> statusOf(UUID orderId) {
        return client.preparedQuery(ORDER_STATUS)
                .execute(Tuple.of(orderId))
                .map(rows -> OrderStatus.valueOf(rows.iterator().next().getString("status")));
    }

    /** A person must look; opens a review item unless one is open. Returns whether the lease still held. */
    public Future<Boolean> review(UUID orderId, UUID lease, String error) {
        return change(REVIEW, Tuple.of(orderId, lease, shorten(error)));
    }

    /** How long until the next row is due, or a lease lapses, in milliseconds; null if nothing waits. */
    public Future<@Nullable Long> nextDue() {
        return client.preparedQuery(NEXT_DUE).execute().map(OutboxStore::waitMillis);
    }

    private Future<Boolean> change(String sql, Tuple parameters) {
        return client.preparedQuery(sql)
                .execute(parameters)
                .map(SqlResult::rowCount)
                .map(changed -> changed > 0);
    }

    private static Claim claim(RowSet<Row> rows) {
        List<Claimed> taken = new ArrayList<>(rows.size());
        int rested = 0;
        for (Row row : rows) {
            if (row.getBoolean("put_off")) {
                rested++;
            } else {
                taken.add(claimed(row));
            }
        }
        return new Claim(List.copyOf(taken), rested);
    }

    private static Claimed claimed(Row row) {
        UUID attemptId = row.getUUID("attempt_id");
        Attempt attempt = attemptId == null
                ? null
                : new Attempt(
                        Ids.hex(attemptId),
                        row.getString("psp"),
                        row.getString("account"),
                        row.getString("psp_payment_id"));
        String corrects = row.getString("corrects");
        return new Claimed(
                row.getUUID("order_id"),
                OrderStatus.valueOf(row.getString("conclusion")),
                row.getUUID("lease"),
                row.getString("target"),
                row.getInteger("tries"),
                row.getBoolean("uncertain"),
                row.getBoolean("lease_lost"),
                row.getString("merchant_id"),
                row.getString("order_no"),
                OrderStatus.valueOf(row.getString("order_status")),
                new Money(row.getLong("amount_minor"), row.getString("currency")),
                attempt,
                corrects == null ? null : OrderStatus.valueOf(corrects));
    }

    private static @Nullable Long waitMillis(RowSet<Row> rows) {
        for (Row row : rows) {
            return row.getLong("wait_ms");
        }
        return null;
    }

    private static String shorten(String error) {
        return error.length() <= ERROR_CHARS_MAX ? error : error.substring(0, ERROR_CHARS_MAX);
    }

    /**
     * What a claim touched.
     *
     * @param rested how many rows were put off, because their target rests or another conclusion of their order is first
     */
    public record Claim(List<Claimed> rows, int rested) {

        /** How many rows were due and free, up to the limit. */
        public int touched() {
            return rows.size() + rested;
        }
    }

    /**
     * A conclusion under a lease.
     *
     * @param conclusion what the target is to hear
     * @param tries this one included
     * @param uncertain whether an earlier try may have reached the target; true whenever a lease was lost
     * @param leaseLost whether another dispatcher's lease lapsed before this claim
     * @param orderStatus what was concluded about the order when it was claimed
     * @param attempt absent for an order that nobody paid
     * @param corrects what the target may have heard before and is no longer so; null if it heard nothing
     */
    public record Claimed(
            UUID orderId,
            OrderStatus conclusion,
            UUID lease,
            String target,
            int tries,
            boolean uncertain,
            boolean leaseLost,
            String merchantId,
            String orderNo,
            OrderStatus orderStatus,
            Money amount,
            @Nullable Attempt attempt,
            @Nullable OrderStatus corrects) {

        /** Whether the order has become something else that the target should hear instead. */
        public boolean isOutdated() {
            return conclusion == OrderStatus.PAID ? orderStatus == OrderStatus.REFUNDED : orderStatus != conclusion;
        }
    }

    /**
     * The attempt that paid.
     *
     * @param id 32 lower-case hex characters
     */
    public record Attempt(
            String id, String psp, String account, @Nullable String pspPaymentId) {}

    /** The target gave an id under which it has another order of ours. */
    public static final class IdTaken extends RuntimeException {

        IdTaken(Throwable cause) {
            super("another order of this target has that id", cause);
        }
    }
}
