package io.quittance.store;

import java.util.List;

/** The invariants about money and what is concluded from it: I1 to I4. */
final class MoneyProofs {

    private static final String MONEY_HAS_A_PLACE = """
            with paid as (
                select id, order_id from attempts where status = 'SUCCEEDED'
                union
                select a.id, a.order_id
                from callbacks c
                join attempts a on replace(a.id::text, '-', '') = c.reference
                where c.kind = 'PAYMENT_SUCCEEDED' and c.outcome in ('APPLIED', 'MISMATCH') and a.status <> 'SUCCEEDED'
            )
            select p.order_id,
                   'the money of attempt ' || replace(p.id::text, '-', '') || ' is orphaned: the order is ' || o.status
                       || ' and not by it, nothing goes back, no review is open' as detail
            from paid p
            join orders o on o.id = p.order_id
            where (o.status not in ('PAID', 'PARTIALLY_REFUNDED', 'REFUNDED') or o.effective_attempt_id is distinct from p.id)
              and not exists (select from refunds r
                              where r.attempt_id = p.id and r.status not in ('FAILED', 'MANUAL_REVIEW'))
              and not exists (select from reviews v where v.attempt_id = p.id and v.closed_at is null)
            """;

    /** What an order does not know of is not read when news of it comes. */
    private static final String PLAIN_MEANS_NOTHING_MORE = """
            with more as (
                select order_id, 'a further attempt' as what from attempts group by order_id having count(*) > 1
                union
                select order_id, 'a refund' from refunds
                union
                select order_id, 'a review' from reviews where order_id is not null
            )
            select o.id as order_id, 'it is plain, and has ' || m.what as detail
            from more m
            join orders o on o.id = m.order_id
            where o.plain
            """;

    private static final String PAID_BY_AN_ATTEMPT_OF_ITS_OWN = """
            select o.id as order_id,
                   'it is ' || o.status || ' by attempt ' || coalesce(replace(o.effective_attempt_id::text, '-', ''), 'none')
                       || ', which is not one of its own' as detail
            from orders o
            left join attempts a on a.id = o.effective_attempt_id and a.order_id = o.id
            where o.status in ('PAID', 'PARTIALLY_REFUNDED', 'REFUNDED') and a.id is null
            """;

    private static final String PAID_BY_A_SUCCESS = """
            select o.id as order_id,
                   'it is ' || o.status || ' by attempt ' || replace(a.id::text, '-', '') || ', which is ' || a.status
                       as detail
            from orders o
            join attempts a on a.id = o.effective_attempt_id
            where o.status in ('PAID', 'PARTIALLY_REFUNDED', 'REFUNDED') and a.status <> 'SUCCEEDED'
            """;

    private static final String PAID_IN_FULL = """
            select o.id as order_id,
                   'it costs ' || o.amount_minor || ' minor units ' || o.currency || ' and attempt '
                       || replace(a.id::text, '-', '') || ' received ' || coalesce(a.received_minor::text, 'nothing')
                       || coalesce(' ' || a.received_currency, '') as detail
            from orders o
            join attempts a on a.id = o.effective_attempt_id
            where o.status in ('PAID', 'PARTIALLY_REFUNDED', 'REFUNDED')
              and (a.received_minor is distinct from o.amount_minor or a.received_currency is distinct from o.currency)
            """;

    private static final String PAID_BECAUSE_THE_PSP_SAID_SO = """
            select o.id as order_id,
                   'no PAYMENT_SUCCEEDED is on record for attempt ' || replace(o.effective_attempt_id::text, '-', '')
                       || ', which paid it' as detail
            from orders o
            where o.status in ('PAID', 'PARTIALLY_REFUNDED', 'REFUNDED')
              and o.effective_attempt_id is not null
              and not exists (select from audit u
                              where u.entity = 'ATTEMPT'
                                and u.entity_id = replace(o.effective_attempt_id::text, '-', '')
                                and u.to_status = 'SUCCEEDED'
                                and starts_with(u.fact, 'PAYMENT_SUCCEEDED '))
            """;

    private static final String SECOND_PAYMENT_GOES_BACK = """
            with going_back as (
                select attempt_id, currency, sum(amount_minor) as minor
                from refunds
                where status not in ('FAILED', 'MANUAL_REVIEW')
                group by attempt_id, currency
            )
            select a.order_id,
                   'attempt ' || replace(a.id::text, '-', '') || ' did not pay it, yet of '
                       || coalesce(a.received_minor, o.amount_minor) || ' minor units only ' || coalesce(g.minor, 0)
                       || ' go back, and no review is open' as detail
            from attempts a
            join orders o on o.id = a.order_id
            left join going_back g on g.attempt_id = a.id and g.currency = coalesce(a.received_currency, o.currency)
            where a.status = 'SUCCEEDED'
              and o.effective_attempt_id is distinct from a.id
              and coalesce(g.minor, 0) < coalesce(a.received_minor, o.amount_minor)
              and not exists (select from reviews v where v.attempt_id = a.id and v.closed_at is null)
            """;

    private static final String ONE_PAYMENT_ONE_ORDER = """
            select o.id as order_id,
                   'attempt ' || replace(o.effective_attempt_id::text, '-', '') || ' pays ' || shared.orders || ' orders'
                       as detail
            from orders o
            join (select effective_attempt_id, count(*) as orders
                  from orders
                  where effective_attempt_id is not null
                  group by effective_attempt_id
                  having count(*) > 1) shared on shared.effective_attempt_id = o.effective_attempt_id
            """;

    private static final String PAID_IS_CARRIED = """
            with paid as (
                select distinct order_id from audit where entity = 'ORDER' and to_status = 'PAID'
            )
            select p.order_id, 'it was paid and nothing carries that to its target' as detail
            from paid p
            where not exists (select from outbox x where x.order_id = p.order_id and x.conclusion = 'PAID')
            """;

    private static final String CARRIED_ONCE = """
            select order_id, 'its conclusion ' || conclusion || ' is in the outbox ' || count(*) || ' times' as detail
            from outbox
            group by order_id, conclusion
            having count(*) > 1
            """;

    private static final String PAID_IS_NOT_WITHDRAWN = """
            select o.id as order_id, 'it is ' || o.status || ', its target was never told, and nobody looks at it' as detail
            from orders o
            join outbox x on x.order_id = o.id and x.conclusion = 'PAID' and x.status = 'WITHDRAWN'
            where o.status in ('PAID', 'PARTIALLY_REFUNDED')
              and not exists (select from reviews v where v.order_id = o.id and v.closed_at is null)
            """;

    private static final String ONLY_WHAT_WAS_IS_CARRIED = """
            select x.order_id, 'it was never ' || x.conclusion || ', and its target is to hear that' as detail
            from outbox x
            where not exists (select from audit u
                              where u.order_id = x.order_id and u.entity = 'ORDER' and u.to_status = x.conclusion)
            """;

    private static final String CLOSED_FOR_GOOD_STAYS_CLOSED = """
            select id as order_id, 'it was closed for good, and is ' || status as detail
            from orders
            where closed_for_good and status not in ('FAILED', 'EXPIRED', 'CANCELLED')
            """;

    private static final String CARRIED_MEANS_KNOWN_THERE = """
            select order_id, 'it is COMPLETED at ' || target || ' without an id from there' as detail
            from outbox
            where status = 'COMPLETED' and conclusion = 'PAID' and (third_party_id is null or third_party_id = '')
            """;

    private static final String ONE_RECORD_THERE_ONE_ORDER = """
            select x.order_id,
                   'record ' || x.third_party_id || ' at ' || x.target || ' stands for ' || shared.orders || ' orders'
                       as detail
            from outbox x
            join (select target, third_party_id, count(*) as orders
                  from outbox
                  where third_party_id is not null
                  group by target, third_party_id
                  having count(*) > 1) shared
              on shared.target = x.target and shared.third_party_id = x.third_party_id
            """;

    private MoneyProofs() {}

    static List<Proof> all() {
        return List.of(
                new Proof("I1", "money received has a place", MONEY_HAS_A_PLACE),
                new Proof("I1", "an order knows whether there is more to it", PLAIN_MEANS_NOTHING_MORE),
                new Proof("I2", "paid by an attempt of its own", PAID_BY_AN_ATTEMPT_OF_ITS_OWN),
                new Proof("I2", "paid by an attempt that succeeded", PAID_BY_A_SUCCESS),
                new Proof("I2", "paid in full", PAID_IN_FULL),
                new Proof("I2", "paid because the PSP said so", PAID_BECAUSE_THE_PSP_SAID_SO),
                new Proof("I3", "a second payment goes back", SECOND_PAYMENT_GOES_BACK),
                new Proof("I3", "one payment pays one order", ONE_PAYMENT_ONE_ORDER),
                new Proof("I4", "each paid order is carried", PAID_IS_CARRIED),
                new Proof("I4", "and carried once", CARRIED_ONCE),
                new Proof("I4", "and not withdrawn while it is paid", PAID_IS_NOT_WITHDRAWN),
                new Proof("I4", "and nothing that never was", ONLY_WHAT_WAS_IS_CARRIED),
                new Proof("I4", "what can no longer change has not", CLOSED_FOR_GOOD_STAYS_CLOSED),
                new Proof("I4", "what was carried has an id there", CARRIED_MEANS_KNOWN_THERE),
                new Proof("I4", "and an id of its own", ONE_RECORD_THERE_ONE_ORDER));
    }
}
