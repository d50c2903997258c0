package io.quittance.store;

import io.quittance.domain.AttemptStatus;
import io.quittance.domain.Audience;
import io.quittance.domain.HoldStatus;
import io.quittance.domain.LatePolicy;
import io.quittance.domain.Money;
import io.quittance.domain.OrderStatus;
import io.quittance.domain.RefundReason;
import io.quittance.domain.RefundStatus;
import io.quittance.domain.ReviewReason;
import io.quittance.domain.Snapshot;
import io.quittance.domain.Snapshot.AttemptState;
import io.quittance.domain.Snapshot.OrderState;
import io.quittance.domain.Snapshot.RefundState;
import io.quittance.domain.Snapshot.ReviewState;
import io.quittance.domain.Snapshot.StockAnswer;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads what the rules need to know, for many orders in one statement. */
public final class SnapshotStore {

    /**
     * What an order has only in rare cases is asked for only where the order says that it may be there: further attempts,
     * refunds and reviews where it is not plain, and holds where they are not those that it began with. Whoever has paid has
     * the goods, and so a paid order holds nothing.
     */
    static final String READ = """
            with subjects as (
                select a.id as subject, a.order_id, a.status, a.psp, a.account, a.psp_payment_id, a.received_minor,
                       a.received_currency
                from attempts a where a.id = any($1)
                union all
                select id, id, null, null, null, null, null, null from unnest($2::uuid[]) as wanted(id)
            )
            select s.subject, o.id as order_id, o.ctid::text as place, o.merchant_id, o.status, o.version, o.amount_minor, o.currency,
                   o.effective_attempt_id, o.late_policy, o.takes_on_payment,
                   o.called_off_at is not null as called_off, o.closed_for_good, o.held,
                   case when o.status in ('FAILED', 'EXPIRED', 'CANCELLED') or o.status = 'PENDING' and o.held is null then (
                       select jsonb_build_array((array_agg(status order by round desc))[1],
                                                jsonb_agg(sku || '/' || round) filter (where status = 'ACTIVE'))
                       from hold_states where order_id = o.id) end as holds,
                   s.status as attempt_status, s.psp, s.account, s.psp_payment_id, s.received_minor,
                   s.received_currency,
                   case when not o.plain or s.status is null then (
                       select jsonb_agg(jsonb_build_array(id, status, psp, account, psp_payment_id, received_minor,
                                                          received_currency) order by id)
                       from attempts where order_id = o.id) end as attempts,
                   case when not o.plain then (
                       select jsonb_agg(jsonb_build_array(id, attempt_id, status, amount_minor, currency, reason,
                                                          psp_refund_id) order by created_at, id)
                       from refunds where order_id = o.id) end as refunds,
                   case when not o.plain then (
                       select jsonb_agg(jsonb_build_array(attempt_id, reason))
                                  filter (where attempt_id is not null and closed_at is null)
                       from reviews where order_id = o.id) end as reviews
            from subjects s
            join orders o on o.id = s.order_id
            """;

    /** The columns of {@link #READ}, in its order: to look for each by its name costs more than to read it. */
    enum Column {
        SUBJECT,
        ORDER_ID,
        PLACE,
        MERCHANT_ID,
        STATUS,
        VERSION,
        AMOUNT_MINOR,
        CURRENCY,
        EFFECTIVE_ATTEMPT_ID,
        LATE_POLICY,
        TAKES_ON_PAYMENT,
        CALLED_OFF,
        CLOSED_FOR_GOOD,
        HELD,
        HOLDS,
        ATTEMPT_STATUS,
        PSP,
        ACCOUNT,
        PSP_PAYMENT_ID,
        RECEIVED_MINOR,
        RECEIVED_CURRENCY,
        ATTEMPTS,
        REFUNDS,
        REVIEWS;

        /** Their order is the statement's, which is what is meant here. */
        @SuppressWarnings("EnumOrdinal")
        private final int at = ordinal();
    }

    private SnapshotStore() {}

    /**
     * An order as it was read.
     *
     * @param place where its row was then, as the database's {@code ctid}; whatever changes it moves it to another place
     * @param version the version that a decision made on it must find again
     * @param held its active holds, each as product and round with a slash between them
     */
    public record Versioned(
            UUID orderId, String place, String merchantId, int version, Snapshot snapshot, List<String> held) {}

    /**
     * Reads the orders that have attempts with these ids, and the orders that have these ids themselves; keyed by the id
     * that was asked for.
     *
     * @param audiences who is told a merchant's conclusions
     */
    public static Future<Map<UUID, Versioned>> read(
            SqlClient client,
            Collection<UUID> attempts,
            Collection<UUID> orders,
            Function<String, Audience> audiences) {
        if (attempts.isEmpty() && orders.isEmpty()) {
            return Future.succeededFuture(Map.of());
        }
        return client.preparedQuery(READ)
                .execute(Tuple.tuple()
                        .addArrayOfUUID(attempts.toArray(UUID[]::new))
                        .addArrayOfUUID(orders.toArray(UUID[]::new)))
                .map(rows -> collect(rows, audiences));
    }

    private static Map<UUID, Versioned> collect(RowSet<Row> rows, Function<String, Audience> audiences) {
        Map<UUID, Versioned> found = new HashMap<>();
        for (Row row : rows) {
            Audience audience = audiences.apply(row.getString(Column.MERCHANT_ID.at));
            found.put(row.getUUID(Column.SUBJECT.at), versioned(row, audience));
        }
        return found;
    }

    private static Versioned versioned(Row row, Audience audience) {
        OrderStatus status = OrderStatus.valueOf(row.getString(Column.STATUS.at));
        Holds holds = holds(row, status);
        OrderState order = new OrderState(
                row.getUUID(Column.ORDER_ID.at),
                status,
                new Money(row.getLong(Column.AMOUNT_MINOR.at), row.getString(Column.CURRENCY.at)),
                row.getUUID(Column.EFFECTIVE_ATTEMPT_ID.at),
                LatePolicy.valueOf(row.getString(Column.LATE_POLICY.at)),
                holds.status(),
                row.getBoolean(Column.TAKES_ON_PAYMENT.at),
                row.getBoolean(Column.CALLED_OFF.at),
                row.getBoolean(Column.CLOSED_FOR_GOOD.at));
        Snapshot snapshot = new Snapshot(
                order,
                attempts(row),
                each(row.getJsonArray(Column.REFUNDS.at), SnapshotStore::refund),
                each(row.getJsonArray(Column.REVIEWS.at), SnapshotStore::review),
                StockAnswer.NOT_ASKED,
                audience);
        return new Versioned(
                order.id(),
                row.getString(Column.PLACE.at),
                row.getString(Column.MERCHANT_ID.at),
                row.getInteger(Column.VERSION.at),
                snapshot,
                holds.held());
    }

    /**
     * What an order holds.
     *
     * @param status of what it held last; null if it never held anything, or is paid
     * @param held what is active of it, each as product and round
     */
    private record Holds(@Nullable HoldStatus status, List<String> held) {}

    private static Holds holds(Row row, OrderStatus orderStatus) {
        if (orderStatus.isPaidFor()) {
            return new Holds(null, List.of());
        }
        JsonArray asked = row.getJsonArray(Column.HOLDS.at);
        if (asked == null) {
            List<String> held = List.of(row.getArrayOfStrings(Column.HELD.at));
            return new Holds(held.isEmpty() ? null : HoldStatus.ACTIVE, held);
        }
        String status = asked.getString(0);
        JsonArray active = asked.getJsonArray(1);
        return new Holds(
                status == null ? null : HoldStatus.valueOf(status),
                active == null
                        ? List.of()
                        : active.stream().map(String.class::cast).toList());
    }

    /** All of the order's attempts, or the one that was asked for, if there is no other one. */
    private static List<AttemptState> attempts(Row row) {
        JsonArray all = row.getJsonArray(Column.ATTEMPTS.at);
        if (all != null) {
            return each(all, SnapshotStore::attempt);
        }
        String status = row.getString(Column.ATTEMPT_STATUS.at);
        return status == null
                ? List.of()
                : List.of(new AttemptState(
                        row.getUUID(Column.SUBJECT.at),
                        AttemptStatus.valueOf(status),
                        row.getString(Column.PSP.at),
                        row.getString(Column.ACCOUNT.at),
                        row.getString(Column.PSP_PAYMENT_ID.at),
                        received(row.getLong(Column.RECEIVED_MINOR.at), row.getString(Column.RECEIVED_CURRENCY.at))));
    }

    private static AttemptState attempt(JsonArray attempt) {
        return new AttemptState(
                UUID.fromString(attempt.getString(0)),
                AttemptStatus.valueOf(attempt.getString(1)),
                attempt.getString(2),
                attempt.getString(3),
                attempt.getString(4),
                received(attempt.getLong(5), attempt.getString(6)));
    }

    private static @Nullable Money received(@Nullable Long minor, String currency) {
        return minor == null ? null : new Money(minor, currency);
    }

    private static RefundState refund(JsonArray refund) {
        return new RefundState(
                UUID.fromString(refund.getString(0)),
                UUID.fromString(refund.getString(1)),
                RefundStatus.valueOf(refund.getString(2)),
                new Money(refund.getLong(3), refund.getString(4)),
                RefundReason.valueOf(refund.getString(5)),
                refund.getString(6));
    }

    private static ReviewState review(JsonArray review) {
        return new ReviewState(UUID.fromString(review.getString(0)), ReviewReason.valueOf(review.getString(1)));
    }

    private static <T> List<T> each(@Nullable JsonArray rows, Function<JsonArray, T> reader) {
        List<T> read = new ArrayList<>();
        for (int i = 0; rows != null && i < rows.size(); i++) {
            read.add(reader.apply(rows.getJsonArray(i)));
        }
        return read;
    }
}
