package io.quittance.store;

import io.quittance.domain.AttemptStatus;
import io.quittance.domain.Ids;
import io.quittance.domain.Money;
import io.quittance.domain.OrderStatus;
import io.quittance.domain.RefundReason;
import io.quittance.domain.RefundStatus;
import io.quittance.domain.SyncStatus;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** Reads orders for those who only look at them. */
public class OrderReads {

    /** One statement and so one snapshot: a refund is never shown beside an attempt that was not paid yet. */
    private static final String ORDERS = """
            select o.id,
                   o.order_no,
                   o.status,
                   o.amount_minor,
                   o.currency,
                   o.expires_at,
                   greatest(0, ceil(extract(epoch from coalesce(
                       (select a.session_ends_at
                          from attempts a
                         where a.order_id = o.id
                           and a.status in ('CREATED', 'PROCESSING', 'PENDING', 'UNKNOWN')),
                       o.expires_at) - now())))::bigint as seconds_left,
                   o.called_off_at is not null as called_off,
                   x.status as sync_status,
                   x.third_party_id,
                   coalesce(
                       (select json_agg(json_build_object(
                                   'id', a.id,
                                   'psp', a.psp,
                                   'account', a.account,
                                   'status', a.status,
                                   'psp_payment_id', a.psp_payment_id) order by a.created_at, a.id)
                          from attempts a
                         where a.order_id = o.id),
                       '[]'::json) as attempts,
                   coalesce(
                       (select json_agg(json_build_object(
                                   'id', r.id,
                                   'status', r.status,
                                   'amount_minor', r.amount_minor,
                                   'currency', r.currency,
                                   'reason', r.reason) order by r.created_at, r.id)
                          from refunds r
                         where r.order_id = o.id),
                       '[]'::json) as refunds
              from orders o
              left join lateral (
                   select s.status,
                          max(s.third_party_id) over () as third_party_id
                     from outbox s
                    where s.order_id = o.id
                    order by s.created_at desc, s.conclusion = 'REFUNDED' desc
                    limit 1) x on true
            """;

    private static final String ORDER_BY_NUMBER = ORDERS + "where o.merchant_id = $1 and o.order_no = $2";

    private static final String ORDERS_BY_ID = ORDERS + "where o.id = any($1)";

    /** Who looks at an order is told to come again rather than kept waiting, in milliseconds. */
    private static final long READ_MS_MAX = 10_000;

    private final SqlClient client;

    /** @param client of the primary, or of a replica whose lag the reader can live with */
    public OrderReads(SqlClient client) {
        this.client = client;
    }

    /** An order by its merchant's own number. Fails with {@link Away} if the database cannot be asked now. */
    public Future<Optional<OrderView>> byNumber(String merchantId, String orderNo) {
        return client.preparedQuery(ORDER_BY_NUMBER)
                .execute(Tuple.of(merchantId, orderNo))
                .timeout(READ_MS_MAX, TimeUnit.MILLISECONDS)
                .map(OrderReads::first)
                .recover(failure -> Future.failedFuture(Away.understand(failure)));
    }

    /** Orders by their ids, as far as they are there. Fails with {@link Away} if the database cannot be asked now. */
    public Future<List<OrderView>> byIds(Collection<UUID> ids) {
        return client.preparedQuery(ORDERS_BY_ID)
                .execute(Tuple.tuple().addArrayOfUUID(ids.toArray(UUID[]::new)))
                .timeout(READ_MS_MAX, TimeUnit.MILLISECONDS)
                .map(OrderReads::all)
                .recover(failure -> Future.failedFuture(Away.understand(failure)));
    }

    private static List<OrderView> all(RowSet<Row> rows) {
        List<OrderView> orders = new ArrayList<>(rows.size());
        rows.forEach(row -> orders.add(order(row)));
        return orders;
    }

    private static Optional<OrderView> first(RowSet<Row> rows) {
        for (Row row : rows) {
            return Optional.of(order(row));
        }
        return Optional.empty();
    }

    private static OrderView order(Row row) {
        String sync = row.getString("sync_status");
        return new OrderView(
                row.getUUID("id"),
                row.getString("order_no"),
                OrderStatus.valueOf(row.getString("status")),
                sync == null ? null : SyncStatus.valueOf(sync),
                row.getString("third_party_id"),
                new Money(row.getLong("amount_minor"), row.getString("currency")),
                row.getOffsetDateTime("expires_at").toInstant(),
                row.getLong("seconds_left"),
                row.getBoolean("called_off"),
                attempts(row.getJsonArray("attempts")),
                refunds(row.getJsonArray("refunds")));
    }

    private static List<OrderView.Attempt> attempts(JsonArray rows) {
        return rows.stream()
                .map(JsonObject.class::cast)
                .map(a -> new OrderView.Attempt(
                        hex(a),
                        a.getString("psp"),
                        a.getString("account"),
                        AttemptStatus.valueOf(a.getString("status")),
                        a.getString("psp_payment_id")))
                .toList();
    }

    private static List<OrderView.Refund> refunds(JsonArray rows) {
        return rows.stream()
                .map(JsonObject.class::cast)
                .map(r -> new OrderView.Refund(
                        hex(r),
                        RefundStatus.valueOf(r.getString("status")),
                        new Money(r.getLong("amount_minor"), r.getString("currency")),
                        RefundReason.valueOf(r.getString("reason"))))
                .toList();
    }

    private static String hex(JsonObject row) {
        return Ids.hex(UUID.fromString(row.getString("id")));
    }
}
