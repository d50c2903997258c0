package io.quittance.store;

import java.util.List;

/** The invariant about stock: I5. */
final class StockProofs {

    private static final String STOCK_ADDS_UP = """
            with taken as (
                select merchant_id, sku,
                       sum(quantity) filter (where status = 'ACTIVE') as held,
                       sum(quantity) filter (where status = 'CONSUMED') as sold
                from hold_states
                where status in ('ACTIVE', 'CONSUMED')
                group by merchant_id, sku
            )
            select null::uuid as order_id,
                   'product ' || p.sku || ' of merchant ' || p.merchant_id || ': supplied ' || p.supplied
                       || ', but available ' || p.available || ' + held ' || coalesce(t.held, 0) || ' + sold '
                       || coalesce(t.sold, 0) as detail
            from products p
            left join taken t on t.merchant_id = p.merchant_id and t.sku = p.sku
            where p.available < 0
               or p.supplied <> p.available + coalesce(t.held, 0) + coalesce(t.sold, 0)
            """;

    private static final String UNIQUE_HAS_ONE_OWNER = """
            with owners as (
                select h.merchant_id, h.sku, count(*) as holds
                from hold_states h
                join products p on p.merchant_id = h.merchant_id and p.sku = h.sku
                where p.strategy = 'UNIQUE' and h.status in ('ACTIVE', 'CONSUMED')
                group by h.merchant_id, h.sku
                having count(*) > 1
            )
            select h.order_id,
                   'it has the unique product ' || h.sku || ' (' || h.status || '), of which there are ' || w.holds
                       || ' holds' as detail
            from hold_states h
            join owners w on w.merchant_id = h.merchant_id and w.sku = h.sku
            where h.status in ('ACTIVE', 'CONSUMED')
            """;

    private static final String ONLY_OPEN_ORDERS_HOLD = """
            select h.order_id, 'it is ' || o.status || ' and still holds ' || h.quantity || ' of ' || h.sku as detail
            from hold_states h
            join orders o on o.id = h.order_id
            where h.status = 'ACTIVE' and o.status <> 'PENDING'
            """;

    /** Whatever the strategy: at the latest the payment takes what the order lacks. */
    private static final String PAID_MEANS_SOLD = """
            with sold as (
                select order_id, sku, sum(quantity) as quantity
                from hold_states
                where status = 'CONSUMED'
                group by order_id, sku
            )
            select o.id as order_id,
                   'it is ' || o.status || ' for ' || i.quantity || ' of ' || i.sku || ', and ' || coalesce(s.quantity, 0)
                       || ' are sold to it' as detail
            from orders o
            join order_items i on i.order_id = o.id
            join products p on p.merchant_id = o.merchant_id and p.sku = i.sku
            left join sold s on s.order_id = i.order_id and s.sku = i.sku
            where o.status in ('PAID', 'PARTIALLY_REFUNDED', 'REFUNDED')
              and coalesce(s.quantity, 0) <> i.quantity
            """;

    /** As long as nothing is paid: what was held from the beginning, in the order's own words. */
    private static final String AN_ORDER_KNOWS_ITS_HOLDS = """
            select o.id as order_id,
                   'it says that it holds ' || o.held::text || ', and holds ' || coalesce(h.held, '{}')::text as detail
            from orders o
            left join lateral (
                select array_agg(sku || '/' || round order by sku, round) as held
                from hold_states where order_id = o.id and status = 'ACTIVE') h on true
            where o.status = 'PENDING' and o.held is not null
              and (select array_agg(x order by x) from unnest(o.held) x)
                  is distinct from (select array_agg(x order by x) from unnest(h.held) x)
            """;

    private StockProofs() {}

    static List<Proof> all() {
        return List.of(
                new Proof("I5", "stock adds up", STOCK_ADDS_UP),
                new Proof("I5", "a unique product has one owner", UNIQUE_HAS_ONE_OWNER),
                new Proof("I5", "only open orders hold", ONLY_OPEN_ORDERS_HOLD),
                new Proof("I5", "paid means sold", PAID_MEANS_SOLD),
                new Proof("I5", "an order knows its holds", AN_ORDER_KNOWS_ITS_HOLDS));
    }
}
