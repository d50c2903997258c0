package io.quittance.store;

import static io.quittance.store.ColumnType.BIGINT;
import static io.quittance.store.ColumnType.BOOLEAN;
import static io.quittance.store.ColumnType.BYTEA;
import static io.quittance.store.ColumnType.INT;
import static io.quittance.store.ColumnType.SMALLINT;
import static io.quittance.store.ColumnType.TEXT;
import static io.quittance.store.ColumnType.TIMESTAMPTZ;
import static io.quittance.store.ColumnType.UUID;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The parts of the statement that writes decisions. A batch has rows for some of them, and only those stand in its
 * statement: each one that is there costs the server time even if it has nothing to do. There are few combinations in
 * practice, and each is planned once a connection.
 *
 * <p>Every part but {@link #LOG} and {@link #PARKED} goes with an order whose version is still the one that was read.
 */
enum Part {
    /**
     * An order is found where it was when it was read, which is cheaper than by its id: whatever has changed since has
     * another place. Another order may be there by now, and so the id is looked at too, by an operator that no index knows:
     * the server takes the index for cheaper.
     */
    ORDERS(List.of(UUID, TEXT, INT, TEXT, UUID, BOOLEAN, BOOLEAN), """
            moved as (
                update orders o
                set version = o.version + 1,
                    status = coalesce(d.status, o.status),
                    effective_attempt_id = coalesce(o.effective_attempt_id, d.effective),
                    concluded_at = case when d.status is null then o.concluded_at
                                        else coalesce(o.concluded_at, now()) end,
                    called_off_at = case when d.called_off then now() else o.called_off_at end,
                    closed_for_good = o.closed_for_good or d.closed_for_good
                from {rows} as d(id, place, version, status, effective, called_off, closed_for_good)
                where o.ctid = d.place::tid and o.id is not distinct from d.id and o.version = d.version
                returning o.id
            )"""),
    ATTEMPTS(List.of(UUID, UUID, TEXT, TEXT, TEXT, BIGINT, TEXT), """
            attempts_moved as (
                update attempts a
                set status = d.status,
                    psp_payment_id = coalesce(a.psp_payment_id, d.psp_payment_id),
                    return_payment_id = coalesce(a.return_payment_id, d.return_payment_id),
                    received_minor = d.received_minor,
                    received_currency = d.received_currency
                from {rows} as d(order_id, id, status, psp_payment_id, return_payment_id, received_minor,
                                      received_currency)
                join moved m on m.id = d.order_id
                where a.id = d.id
            )"""),
    REFUNDS(List.of(UUID, UUID, UUID, TEXT, BIGINT, TEXT, TEXT, TEXT), """
            refunds_added as (
                insert into refunds (id, order_id, attempt_id, status, amount_minor, currency, reason, psp_refund_id)
                select d.id, d.order_id, d.attempt_id, d.status, d.amount_minor, d.currency, d.reason, d.psp_refund_id
                from {rows} as d(order_id, id, attempt_id, status, amount_minor, currency, reason, psp_refund_id)
                join moved m on m.id = d.order_id
            )"""),
    REFUND_MOVES(List.of(UUID, UUID, TEXT, TEXT, BOOLEAN), """
            refunds_moved as (
                update refunds r
                set status = d.status,
                    psp_refund_id = coalesce(r.psp_refund_id, d.psp_refund_id),
                    due_at = case when d.wake then now() else r.due_at end
                from {rows} as d(order_id, id, status, psp_refund_id, wake)
                join moved m on m.id = d.order_id
                where r.id = d.id
            )"""),
    REVIEWS(List.of(UUID, UUID, TEXT, TEXT), """
            reviews_opened as (
                insert into reviews (order_id, attempt_id, reason, detail)
                select d.order_id, d.attempt_id, d.reason, d.detail
                from {rows} as d(order_id, attempt_id, reason, detail)
                join moved m on m.id = d.order_id
            )"""),
    TIMERS(List.of(UUID), """
            woken as (
                insert into timers (order_id, due_at)
                select d.order_id, now() from {rows} as d(order_id)
                join moved m on m.id = d.order_id
                on conflict (order_id) do update set due_at = excluded.due_at
            )"""),
    LOG(List.of(UUID, UUID, TIMESTAMPTZ, TEXT, TEXT, TEXT, SMALLINT, TEXT, TEXT, TEXT, TEXT, TEXT, BYTEA), """
            logged as (
                insert into callbacks (id, received_at, psp, account, event_id, part, reference, kind, outcome, reason,
                                       key_label, body)
                select d.id, d.received_at, d.psp, d.account, d.event_id, d.part, d.reference, d.kind, d.outcome,
                       d.reason, d.key_label, d.body
                from {rows} as d(order_id, id, received_at, psp, account, event_id, part, reference, kind, outcome,
                                 reason, key_label, body)
                where d.order_id is null{or guarded}
            )"""),
    PARKED(List.of(UUID, SMALLINT, TEXT, UUID, TEXT, TIMESTAMPTZ, BIGINT), """
            parked as (
                insert into unmatched (callback_id, part, reference, attempt_id, fact, received_at, review_at)
                select d.callback_id, d.part, d.reference, d.attempt_id, d.fact::jsonb, d.received_at,
                       now() + d.review_ms * interval '1 millisecond'
                from {rows} as d(callback_id, part, reference, attempt_id, fact, received_at, review_ms)
            )"""),
    HOLDS(List.of(UUID, TEXT, TEXT), """
            holds_moved as (
                update holds h set status = d.after
                from {rows} as d(order_id, before, after)
                join moved m on m.id = d.order_id
                where h.order_id = d.order_id and h.status = d.before
                returning h.merchant_id, h.sku, h.quantity, d.after
            )"""),
    /** What holds that end give back; it has no columns, since it reads all from {@link #HOLDS}. */
    STOCK_BACK(List.of(), """
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
            )"""),
    /** An order's first conclusion, which can meet no other one. */
    OUTBOX(List.of(UUID, TEXT, TEXT, BIGINT), """
            queued as (
                insert into outbox (order_id, target, conclusion, status, due_at)
                select d.order_id, d.target, d.conclusion, 'PENDING', now() + d.wait_ms * interval '1 millisecond'
                from {rows} as d(order_id, target, conclusion, wait_ms)
                join moved m on m.id = d.order_id
            )"""),
    /** A further conclusion, which may have been withdrawn before. */
    OUTBOX_AGAIN(List.of(UUID, TEXT, TEXT, BIGINT), """
            queued_again as (
                insert into outbox (order_id, target, conclusion, status, due_at)
                select d.order_id, d.target, d.conclusion, 'PENDING', now() + d.wait_ms * interval '1 millisecond'
                from {rows} as d(order_id, target, conclusion, wait_ms)
                join moved m on m.id = d.order_id
                on conflict (order_id, conclusion) do update
                set status = excluded.status, due_at = excluded.due_at, tries = 0, last_error = null
                where outbox.status = 'WITHDRAWN'
                returning order_id, conclusion, case when xmax = 0 then null else 'WITHDRAWN' end as before
            )"""),
    /** One entry a decision; what only the statement itself knows is put behind the steps that are given. */
    AUDIT(List.of(UUID, TEXT, TEXT, UUID, TEXT, TEXT), """
            audited as (
                insert into audit_entries (order_id, actor, fact, callback_id, reason, steps)
                select d.order_id, d.actor, d.fact, d.callback_id, d.reason, {steps}
                from {rows} as d(order_id, actor, fact, callback_id, reason, steps)
                join moved m on m.id = d.order_id{further rows}
            )""");

    private static final Map<Set<Part>, String> STATEMENTS = new ConcurrentHashMap<>();

    /** Made by {@code List.of}, and so never changed. */
    @SuppressWarnings("ImmutableEnumChecker")
    private final List<ColumnType> columns;

    private final String sql;

    Part(List<ColumnType> columns, String sql) {
        this.columns = columns;
        this.sql = sql;
    }

    List<ColumnType> columns() {
        return columns;
    }

    /**
     * The statement of these parts. Its parameters are the columns of each of them as arrays, in the order of this enum;
     * it answers with the ids of the orders that were changed.
     *
     * @param parts at least one
     */
    static String statement(Set<Part> parts) {
        return STATEMENTS.computeIfAbsent(Set.copyOf(parts), Part::assembled);
    }

    private static String assembled(Set<Part> parts) {
        boolean guarded = parts.contains(ORDERS);
        List<String> all = new ArrayList<>();
        int first = 1;
        String steps = "d.steps::json";
        String furtherRows = "";
        if (parts.contains(OUTBOX_AGAIN)) {
            String step = AuditSteps.step("'SYNC'", OutboxStore.trailIdOf("q"), "q.before", "'PENDING'");
            steps = "d.steps::jsonb || case when q.order_id is null then '[]' else jsonb_build_array(%s) end"
                    .formatted(step);
            furtherRows = "\nleft join queued_again q on q.order_id = d.order_id";
        }
        for (Part part : values()) {
            if (parts.contains(part)) {
                all.add(part.sql
                        .replace("{steps}", steps)
                        .replace("{further rows}", furtherRows)
                        .replace("{rows}", part.rows(first))
                        .replace("{or guarded}", guarded ? " or d.order_id in (select id from moved)" : ""));
                first += part.columns.size();
            }
        }
        String changed = guarded ? "select id from moved" : "select null::uuid where false";
        return "with " + String.join(",\n", all) + "\n" + changed;
    }

    /** Arrays that are taken apart in a select list cost the server a third of what they do in {@code from unnest(...)}. */
    private String rows(int first) {
        return IntStream.range(0, columns.size())
                .mapToObj(i -> "unnest($" + (first + i) + "::" + columns.get(i).sql() + "[])")
                .collect(Collectors.joining(", ", "(select ", ")"));
    }
}
