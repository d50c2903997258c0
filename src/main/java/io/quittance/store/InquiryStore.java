package io.quittance.store;

import io.quittance.domain.AttemptStatus;
import io.quittance.domain.Ids;
import io.quittance.domain.Money;
import io.quittance.domain.OrderStatus;
import io.quittance.message.Inquiry.Subject;
import io.vertx.core.Future;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowIterator;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Finds the payment that somebody asks about, whatever it is named by. */
public final class InquiryStore {

    static final String BY_ATTEMPT = """
            select o.id, o.merchant_id, o.order_no, o.status, o.amount_minor, o.currency, o.expires_at,
                   a.id as attempt_id, a.status as attempt_status, a.psp, a.account, a.psp_payment_id
            from attempts a join orders o on o.id = a.order_id
            where a.id = $1 and a.psp = $2 and a.account = $3
            """;

    /** No PSP gives an id twice; if one did, the younger payment would be meant. */
    static final String BY_PAYMENT = """
            select o.id, o.merchant_id, o.order_no, o.status, o.amount_minor, o.currency, o.expires_at,
                   a.id as attempt_id, a.status as attempt_status, a.psp, a.account, a.psp_payment_id
            from attempts a join orders o on o.id = a.order_id
            where a.psp = $1 and a.account = $2 and a.return_payment_id = $3
            order by a.id desc limit 1
            """;

    /** The live attempt if there is one, for at most one is; otherwise the youngest. */
    static final String BY_ORDER = """
            select o.id, o.merchant_id, o.order_no, o.status, o.amount_minor, o.currency, o.expires_at,
                   a.id as attempt_id, a.status as attempt_status, a.psp, a.account, a.psp_payment_id
            from orders o left join attempts a on a.order_id = o.id
            where o.merchant_id = $1 and o.order_no = $2
            order by a.status in ('CREATED', 'PROCESSING', 'PENDING', 'UNKNOWN') desc nulls last, a.id desc
            limit 1
            """;

    private final Pool pool;

    public InquiryStore(Pool pool) {
        this.pool = pool;
    }

    /**
     * An order with the attempt that was meant.
     *
     * @param attempt absent if the order has none
     */
    public record Found(
            UUID orderId,
            String merchantId,
            String orderNo,
            OrderStatus status,
            Money amount,
            Instant expiresAt,
            @Nullable Attempt attempt) {}

    /** The attempt that was meant. */
    public record Attempt(
            UUID id,
            AttemptStatus status,
            String psp,
            String account,
            @Nullable String pspPaymentId) {}

    /** Empty if nothing has this name. */
    public Future<Optional<Found>> find(Subject subject) {
        if (subject instanceof Subject.OfAttempt named) {
            Optional<UUID> id = Ids.parseHex(named.attemptId());
            return id.isEmpty()
                    ? Future.succeededFuture(Optional.empty())
                    : first(BY_ATTEMPT, Tuple.of(id.get(), named.psp(), named.account()));
        }
        if (subject instanceof Subject.OfPayment named) {
            return first(BY_PAYMENT, Tuple.of(named.psp(), named.account(), named.pspPaymentId()));
        }
        Subject.OfOrder named = (Subject.OfOrder) subject;
        return first(BY_ORDER, Tuple.of(named.merchantId(), named.orderNo()));
    }

    private Future<Optional<Found>> first(String statement, Tuple values) {
        return pool.preparedQuery(statement).execute(values).map(rows -> {
            RowIterator<Row> found = rows.iterator();
            return found.hasNext() ? Optional.of(found(found.next())) : Optional.empty();
        });
    }

    private static Found found(Row row) {
        return new Found(
                row.getUUID("id"),
                row.getString("merchant_id"),
                row.getString("order_no"),
                OrderStatus.valueOf(row.getString("status")),
                new Money(row.getLong("amount_minor"), row.getString("currency")),
                row.getOffsetDateTime("expires_at").toInstant(),
                attempt(row));
    }

    private static @Nullable Attempt attempt(Row row) {
        UUID id = row.getUUID("attempt_id");
        return id == null
                ? null
                : new Attempt(
                        id,
                        AttemptStatus.valueOf(row.getString("attempt_status")),
                        row.getString("psp"),
                        row.getString("account"),
                        row.getString("psp_payment_id"));
    }
}
