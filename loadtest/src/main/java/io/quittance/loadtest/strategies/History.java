package io.quittance.loadtest.strategies;

import io.vertx.core.Future;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;

/** Orders that were paid and fulfilled long ago, with all that they leave behind: what a gateway has after years. */
final class History {

    private static final int CHUNK = 100_000;

    /** The rows belong together by how they are made, and looking each of them up would take hours. */
    private static final String WITHOUT_LOOKING_UP = "set session_replication_role = replica";

    /**
     * These rows grow after they were written: the pages of orders that were paid are fuller than what is left free in new
     * ones, and take no rows of others any more. Here each is written in its last form, and half empty pages would take one
     * more, each from another place of the disk.
     */
    private static final int AS_FULL_AS_GROWN = 65;

    /** How to make the tables again as the schema made them. */
    private static final String AS_THEY_WERE = """
            select string_agg(format('alter table %I set (%s)', relname, array_to_string(reloptions, ', ')), '; ') as statements
            from pg_class where oid in ('orders'::regclass, 'attempts'::regclass, 'outbox'::regclass)
            """;

    private static final String FILL_THEM = """
            alter table orders set (fillfactor = %1$d); alter table attempts set (fillfactor = %1$d);
            alter table outbox set (fillfactor = %1$d)
            """;

    private static final String PRODUCT = """
            insert into products (merchant_id, sku, strategy, supplied, available) values ('acme', 'history', 'STOCK', $1, 0)
            """;

    /** Ids of version 7: they begin with the time, one order a millisecond. */
    private static final String ORDERS = """
            with days as (
                select n, 1700000000000 + n as ms, md5('o' || n) as o, md5('a' || n) as a, md5('c' || n) as c
                from generate_series($1::bigint, $2::bigint) n
            ),
            given as materialized (
                select (lpad(to_hex(ms), 12, '0') || '7' || left(o, 3) || '8' || right(o, 15))::uuid as order_id,
                       (lpad(to_hex(ms), 12, '0') || '7' || left(a, 3) || '8' || right(a, 15))::uuid as attempt_id,
                       (lpad(to_hex(ms), 12, '0') || '7' || left(c, 3) || '8' || right(c, 15))::uuid as callback_id,
                       to_timestamp(ms / 1000.0) as at
                from days
            ),
            named as materialized (
                select *, replace(order_id::text, '-', '') as o, replace(attempt_id::text, '-', '') as a from given
            ),
            orders_in as (
                insert into orders (id, merchant_id, order_no, status, version, amount_minor, currency, late_policy,
                                    takes_on_payment, effective_attempt_id, content_hash, created_at, expires_at,
                                    concluded_at)
                select order_id, 'acme', o, 'PAID', 3, 1999, 'CNY', 'REFUND', false, attempt_id, 'x', at,
                       at + interval '1 hour', at + interval '1 minute'
                from named
            ),
            items_in as (
                insert into order_items (order_id, sku, quantity) select order_id, 'history', 1 from named
            ),
            holds_in as (
                insert into holds (order_id, merchant_id, sku, round, quantity, status)
                select order_id, 'acme', 'history', 1, 1, 'CONSUMED' from named
            ),
            attempts_in as (
                insert into attempts (id, order_id, status, psp, account, psp_payment_id, received_minor,
                                      received_currency, created_at)
                select attempt_id, order_id, 'SUCCEEDED', 'standardwebhooks', 'acme', 'pay_' || a, 1999, 'CNY', at
                from named
            ),
            outbox_in as (
                insert into outbox (order_id, conclusion, target, status, third_party_id, tries, created_at)
                select order_id, 'PAID', 'erp', 'COMPLETED', 'erp-' || o, 1, at from named
            ),
            callbacks_in as (
                insert into callbacks (id, received_at, psp, account, event_id, part, reference, kind, outcome, reason,
                                       key_label, body)
                select callback_id, at, 'standardwebhooks', 'acme', 'msg_' || a, 0, a, 'PAYMENT_SUCCEEDED', 'APPLIED',
                       'the payment succeeded', 'current', convert_to(repeat(a, 16), 'UTF8')
                from named
            )
            insert into audit_entries (at, order_id, actor, fact, callback_id, reason, steps)
            select at, order_id, actor, fact, callback_id, reason, steps
            from (
                select at, order_id, 1 as place, 'merchant acme' as actor, null as fact, null::uuid as callback_id,
                       'placed' as reason,
                       jsonb_build_array(jsonb_build_array('ORDER', '', null, 'PENDING'),
                                         jsonb_build_array('HOLD', '/history/1', null, 'ACTIVE'),
                                         jsonb_build_array('ATTEMPT', a, null, 'CREATED'),
                                         jsonb_build_array('ATTEMPT', a, 'CREATED', 'PENDING')) as steps
                from named
                union all
                select at, order_id, 2, 'standardwebhooks/acme', 'PAYMENT_SUCCEEDED NOTIFICATION msg_' || a, callback_id,
                       'the payment succeeded',
                       jsonb_build_array(jsonb_build_array('ATTEMPT', a, 'PENDING', 'SUCCEEDED'),
                                         jsonb_build_array('ORDER', '', 'PENDING', 'PAID'),
                                         jsonb_build_array('HOLD', '/history/1', 'ACTIVE', 'CONSUMED'),
                                         jsonb_build_array('SYNC', '', null, 'PENDING'))
                from named
                union all
                select at, order_id, 3, 'dispatcher', null, null, 'the target has it',
                       jsonb_build_array(jsonb_build_array('SYNC', '', 'PENDING', 'PROCESSING'),
                                         jsonb_build_array('SYNC', '', 'PROCESSING', 'COMPLETED'))
                from named
            ) entries
            order by order_id, place
            """;

    private History() {}

    /** Fills a database that is empty. */
    static Future<Void> fill(Pool pool, long orders) {
        return pool.withConnection(connection -> connection
                .query(AS_THEY_WERE)
                .execute()
                .map(rows -> rows.iterator().next().getString("statements"))
                .compose(asTheyWere -> connection
                        .query(WITHOUT_LOOKING_UP + "; " + FILL_THEM.formatted(AS_FULL_AS_GROWN))
                        .execute()
                        .compose(set -> connection.preparedQuery(PRODUCT).execute(Tuple.of(orders)))
                        .compose(made -> fill(connection, 0, orders))
                        .compose(filled -> connection
                                .query("reset session_replication_role; " + asTheyWere)
                                .execute()))
                .compose(reset -> connection.query("vacuum (analyze)").execute())
                .compose(tidied -> connection.query("checkpoint").execute())
                .mapEmpty());
    }

    private static Future<Void> fill(SqlConnection connection, long from, long orders) {
        if (from >= orders) {
            return Future.succeededFuture();
        }
        long to = Math.min(from + CHUNK, orders) - 1;
        return connection
                .preparedQuery(ORDERS)
                .execute(Tuple.of(from, to))
                .compose(filled -> fill(connection, to + 1, orders));
    }
}
