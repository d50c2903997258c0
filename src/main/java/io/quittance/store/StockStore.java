package io.quittance.store;

import io.quittance.domain.PaymentFact;
import io.quittance.message.Delivery;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Takes stock for an order at the moment of its payment. */
public final class StockStore {

    /**
     * All that the order still lacks, or nothing: the items that it does not hold. Products are locked in the order of
     * their keys, so that two orders cannot wait for each other.
     */
    static final String TAKE = """
            with
            wanted as (
                select o.merchant_id, i.sku, i.quantity,
                       coalesce((select max(round) from holds h where h.order_id = o.id and h.sku = i.sku), 0) + 1 as round
                from orders o
                join order_items i on i.order_id = o.id
                where o.id = $1
                  and not exists (select from holds h where h.order_id = o.id and h.sku = i.sku
                                  and h.status in ('ACTIVE', 'CONSUMED'))
            ),
            locked as (
                select p.merchant_id, p.sku, p.available
                from products p join wanted w on w.merchant_id = p.merchant_id and w.sku = p.sku
                order by p.merchant_id, p.sku
                for update of p
            ),
            enough as (
                select bool_and(l.available >= w.quantity) as yes from wanted w join locked l on l.sku = w.sku
            ),
            taken as (
                update products p set available = p.available - w.quantity
                from wanted w, enough e, locked l
                where e.yes and l.sku = w.sku and p.merchant_id = w.merchant_id and p.sku = w.sku
            ),
            sold as (
                insert into holds (order_id, merchant_id, sku, round, quantity, status)
                select $1, w.merchant_id, w.sku, w.round, w.quantity, 'CONSUMED' from wanted w, enough e where e.yes
                returning order_id, sku, round
            ),
            audited as (
                insert into audit_entries (order_id, actor, fact, callback_id, reason, steps)
                select $1, $2, $3, $4, 'taken when the order was paid', jsonb_agg(%s)
                from sold s
                having count(*) > 0
            )
            select coalesce((select yes from enough), true)
            """.formatted(AuditSteps.step("'HOLD'", AuditSteps.holdIdOf("s"), "null", "'CONSUMED'"));

    private StockStore() {}

    /** Whether everything was there and is now sold to the order; if not, nothing was taken. */
    public static Future<Boolean> take(SqlClient client, UUID orderId, PaymentFact fact, @Nullable Delivery delivery) {
        return client.preparedQuery(TAKE)
                .execute(Tuple.of(
                        orderId,
                        RulingRows.actor(fact.evidence()),
                        RulingRows.factText(fact),
                        delivery == null ? null : delivery.id()))
                .map(rows -> rows.iterator().next().getBoolean(0));
    }
}
