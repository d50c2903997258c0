package io.quittance.store;

import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * Writes decisions: many orders in one statement, each of them whole or not at all. Only orders whose version is still
 * the one that was read are changed; the log entry of a decision stands or falls with it.
 */
public final class DecisionStore {

    static final String WRITE = """
            with
            moved as (
                update orders o
                set version = o.version + 1,
                    status = coalesce(d.status, o.status),
                    effective_attempt_id = coalesce(o.effective_attempt_id, d.effective),
                    concluded_at = case when d.status is null then o.concluded_at
                                        else coalesce(o.concluded_at, now()) end,
                    called_off_at = case when d.called_off then now() else o.called_off_at end,
                    closed_for_good = o.closed_for_good or d.closed_for_good
                from unnest($1::uuid[], $2::int[], $3::text[], $4::uuid[], $67::boolean[], $68::boolean[])
                    as d(id, version, status, effective, called_off, closed_for_good)
                where o.id = d.id and o.version = d.version
                returning o.id, o.merchant_id
            ),
            attempts_moved as (
                update attempts a
                set status = d.status,
                    psp_payment_id = coalesce(a.psp_payment_id, d.psp_payment_id),
                    received_minor = d.received_minor,
                    received_currency = d.received_currency
                from unnest($5::uuid[], $6::uuid[], $7::text[], $8::text[], $9::bigint[], $10::text[])
                    as d(order_id, id, status, psp_payment_id, received_minor, received_currency)
                join moved m on m.id = d.order_id
                where a.id = d.id
            ),
            holds_moved as (
                update holds h set status = d.after
                from unnest($11::uuid[], $12::text[], $13::text[], $14::text[], $15::text[], $16::uuid[], $17::text[])
                    as d(order_id, before, after, actor, fact, callback_id, reason)
                join moved m on m.id = d.order_id
                where h.order_id = d.order_id and h.status = d.before
                returning h.order_id, h.merchant_id, h.sku, h.round, h.quantity, d.before, d.after,
                          d.actor, d.fact, d.callback_id, d.reason
            ),
            stock_back as (
                select p.merchant_id, p.sku, b.quantity
                from products p
                join (select merchant_id, sku, sum(quantity) as quantity from holds_moved
                      where after in ('RELEASED', 'EXPIRED') group by merchant_id, sku) b
                  on b.merchant_id = p.merchant_id and b.sku = p.sku
                order by p.merchant_id, p.sku
                for update of p
            ),
            stock_returned as (
                update products p set available = p.available + b.quantity
                from stock_back b where p.merchant_id = b.merchant_id and p.sku = b.sku
            ),
            refunds_added as (
                insert into refunds (id, order_id, attempt_id, status, amount_minor, currency, reason, psp_refund_id)
                select d.id, d.order_id, d.attempt_id, d.status, d.amount_minor, d.currency, d.reason, d.psp_refund_id
                from unnest($18::uuid[], $19::uuid[], $20::uuid[], $21::text[], $22::bigint[], $23::text[],
                            $24::text[], $25::text[])
                    as d(order_id, id, attempt_id, status, amount_minor, currency, reason, psp_refund_id)
                join moved m on m.id = d.order_id
            ),
            refunds_moved as (
                update refunds r
                set status = d.status,
                    psp_refund_id = coalesce(r.psp_refund_id, d.psp_refund_id),
                    due_at = case when d.wake then now() else r.due_at end
                from unnest($26::uuid[], $27::uuid[], $28::text[], $29::text[], $30::boolean[])
                    as d(order_id, id, status, psp_refund_id, wake)
                join moved m on m.id = d.order_id
                where r.id = d.id
            ),
            reviews_opened as (
                insert into reviews (order_id, attempt_id, reason, detail)
                select d.order_id, d.attempt_id, d.reason, d.detail
                from unnest($31::uuid[], $32::uuid[], $33::text[], $34::text[])
                    as d(order_id, attempt_id, reason, detail)
                join moved m on m.id = d.order_id
            ),
            queued as (
                insert into outbox (order_id, target, conclusion, status, due_at)
                select d.order_id, d.target, d.conclusion, 'PENDING', now() + d.wait_ms * interval '1 millisecond'
                from unnest($35::uuid[], $36::text[], $69::text[], $70::bigint[])
                    as d(order_id, target, conclusion, wait_ms)
                join moved m on m.id = d.order_id
                on conflict (order_id, conclusion) do update
                set status = excluded.status, due_at = excluded.due_at, tries = 0, last_error = null
                where outbox.status = 'WITHDRAWN'
                returning order_id, conclusion, xmax = 0 as is_new
            ),
            woken as (
                insert into timers (order_id, due_at)
                select d.order_id, now() from unnest($37::uuid[]) as d(order_id)
                join moved m on m.id = d.order_id
                on conflict (order_id) do update set due_at = excluded.due_at
            ),
            logged as (
                insert into callbacks (id, received_at, psp, account, event_id, part, reference, kind, outcome, reason,
                                       key_label, body)
                select d.id, d.received_at, d.psp, d.account, d.event_id, d.part, d.reference, d.kind, d.outcome,
                       d.reason, d.key_label, d.body
                from unnest($38::uuid[], $39::uuid[], $40::timestamptz[], $41::text[], $42::text[], $43::text[],
                            $44::smallint[], $45::text[], $46::text[], $47::text[], $48::text[], $49::text[],
                            $50::bytea[])
                    as d(order_id, id, received_at, psp, account, event_id, part, reference, kind, outcome, reason,
                         key_label, body)
                where d.order_id is null or d.order_id in (select id from moved)
            ),
            parked as (
                insert into unmatched (callback_id, part, reference, attempt_id, fact, received_at, review_at)
                select d.callback_id, d.part, d.reference, d.attempt_id, d.fact::jsonb, d.received_at,
                       now() + $57::bigint * interval '1 millisecond'
                from unnest($51::uuid[], $52::smallint[], $53::text[], $54::uuid[], $55::text[], $56::timestamptz[])
                    as d(callback_id, part, reference, attempt_id, fact, received_at)
            ),
            audited as (
                insert into audit (order_id, entity, entity_id, from_status, to_status, actor, fact, callback_id, reason)
                select d.order_id, d.entity, d.entity_id, d.before, d.after, d.actor, d.fact, d.callback_id, d.reason
                from unnest($58::uuid[], $59::text[], $60::text[], $61::text[], $62::text[], $63::text[], $64::text[],
                            $65::uuid[], $66::text[])
                    with ordinality
                    as d(order_id, entity, entity_id, before, after, actor, fact, callback_id, reason, place)
                join moved m on m.id = d.order_id
                order by d.place
            ),
            holds_audited as (
                insert into audit (order_id, entity, entity_id, from_status, to_status, actor, fact, callback_id, reason)
                select order_id, 'HOLD', replace(order_id::text, '-', '') || '/' || sku || '/' || round, before, after,
                       actor, fact, callback_id, reason
                from holds_moved
            ),
            queued_audited as (
                insert into audit (order_id, entity, entity_id, from_status, to_status, actor, fact, callback_id, reason)
                select q.order_id, 'SYNC', %s, case when q.is_new then null else 'WITHDRAWN' end, 'PENDING',
                       d.actor, d.fact, d.callback_id, d.reason
                from unnest($35::uuid[], $69::text[], $71::text[], $72::text[], $73::uuid[], $74::text[])
                    as d(order_id, conclusion, actor, fact, callback_id, reason)
                join queued q on q.order_id = d.order_id and q.conclusion = d.conclusion
            )
            select id from moved
            """.formatted(OutboxStore.trailIdOf("q"));

    private final long unmatchedReviewAfterMs;

    /** @param unmatchedReviewAfterMs how long a notification may wait for its attempt before a person is asked, in ms */
    public DecisionStore(long unmatchedReviewAfterMs) {
        this.unmatchedReviewAfterMs = unmatchedReviewAfterMs;
    }

    /**
     * Writes.
     *
     * @param rulings at most one that changes anything for each order
     * @return the orders that were changed; the decisions on all others that wanted a change were made on an old version
     *     and nothing of them is written
     */
    public Future<Set<UUID>> write(SqlClient client, List<Ruling> rulings) {
        RulingColumns columns = new RulingColumns();
        rulings.forEach(columns::add);
        return client.preparedQuery(WRITE)
                .execute(columns.toTuple(unmatchedReviewAfterMs))
                .map(rows -> {
                    Set<UUID> moved = new HashSet<>();
                    for (Row row : rows) {
                        moved.add(row.getUUID(0));
                    }
                    return moved;
                });
    }
}
