package io.quittance.store;

import io.quittance.domain.StateGraph;
import io.quittance.domain.StateMachine;
import java.util.ArrayList;
import java.util.List;

/** The invariants about what is on record of the past: I6 to I8. */
final class TrailProofs {

    /** There are few kinds of steps, however many steps there are: each kind is looked up once. */
    private static final String EDGES_ARE_LEGAL = """
            with illegal as (
                select u.entity, u.from_status, u.to_status
                from audit u
                where u.from_status is not null
                group by u.entity, u.from_status, u.to_status
                having not exists (select from unnest($2::text[], $3::text[], $4::text[]) as e(entity, before, after)
                                   where e.entity = u.entity and e.before = u.from_status and e.after = u.to_status)
            )
            select u.order_id,
                   u.entity || ' ' || u.entity_id || ' went from ' || u.from_status || ' to ' || u.to_status
                       || ', which is no edge (audit entry ' || u.id || ')' as detail
            from illegal i
            join audit u on u.entity = i.entity and u.from_status = i.from_status and u.to_status = i.to_status
            """;

    private static final String STARTS_ARE_LEGAL = """
            select u.order_id,
                   u.entity || ' ' || u.entity_id || ' began as ' || u.to_status || ', which is no beginning (audit entry '
                       || u.id || ')' as detail
            from audit u
            where u.from_status is null
              and not exists (select from unnest($2::text[], $3::text[]) as s(entity, state)
                              where s.entity = u.entity and s.state = u.to_status)
            """;

    /**
     * Everything belongs to one order, and bringing entries together by the order's id first is faster than
     * by text alone. Collation C: the texts only have to be brought together, not to be in a language's order.
     */
    private static final String CHAINS_ARE_WHOLE = """
            with steps as (
                select id, order_id, entity, entity_id, from_status,
                       lag(to_status) over (
                           partition by order_id, entity collate "C", entity_id collate "C" order by id) as before
                from audit
            )
            select order_id,
                   entity || ' ' || entity_id || ' was ' || coalesce(before, 'not there') || ', and the next entry is from '
                       || coalesce(from_status, 'its beginning') || ' (audit entry ' || id || ')' as detail
            from steps
            where from_status is distinct from before
            """;

    private static final String TRAIL_ENDS_WHERE_THINGS_STAND =
            """
            with standing as (
                select 'ORDER' as entity, replace(id::text, '-', '') as entity_id, id as order_id, status from orders
                union all
                select 'ATTEMPT', replace(id::text, '-', ''), order_id, status from attempts
                union all
                select 'REFUND', replace(id::text, '-', ''), order_id, status from refunds
                union all
                select 'SYNC', %s, order_id, status from outbox
                union all
                select 'HOLD', replace(order_id::text, '-', '') || '/' || sku || '/' || round, order_id, status
                from hold_states
            ),
            told as (
                select distinct on (order_id, entity collate "C", entity_id collate "C") entity, entity_id, order_id,
                       to_status
                from audit
                order by order_id, entity collate "C", entity_id collate "C", id desc
            )
            select coalesce(s.order_id, t.order_id) as order_id,
                   coalesce(s.entity || ' ' || s.entity_id, t.entity || ' ' || t.entity_id) || case
                       when t.entity is null then ' is ' || s.status || ' and has no audit entry'
                       when s.entity is null then ' is in the audit trail as ' || t.to_status || ' and nowhere else'
                       when s.order_id <> t.order_id then ' has its audit entries under another order'
                       else ' is ' || s.status || ' and its last audit entry says ' || t.to_status end as detail
            from standing s
            full join told t on t.entity = s.entity and t.entity_id = s.entity_id
            where t.entity is null or s.entity is null or s.status <> t.to_status or s.order_id <> t.order_id
            """.formatted("replace(outbox.order_id::text, '-', '') || " + OutboxStore.trailIdOf("outbox"));

    private static final String SOMEBODY_DID_SOMETHING_FOR_A_REASON = """
            select order_id,
                   coalesce(entity, '?') || ' ' || coalesce(entity_id, '?') || ' became ' || coalesce(to_status, '?')
                       || ' without ' || case when btrim(actor) = '' then 'an actor'
                                              when btrim(reason) = '' then 'a reason'
                                              else 'saying what' end
                       || ' (audit entry ' || id || ')' as detail
            from audit
            where btrim(actor) = '' or btrim(reason) = '' or entity is null or entity_id is null or to_status is null
            """;

    /**
     * Two effects are no change of state and so have no audit entry: the PSP's id became known (which only news that a
     * payment is pending brings alone), and a person was asked (which leaves a review).
     */
    private static final String WHAT_A_CALLBACK_CHANGED_IS_ON_RECORD = """
            with subjects as (
                select replace(id::text, '-', '') as reference, id as attempt_id, order_id, psp_payment_id from attempts
                union all
                select replace(id::text, '-', ''), null, id, null from orders
            )
            select s.order_id,
                   'callback ' || c.id || ' (' || coalesce(c.kind, '?') || ', ' || c.outcome || ') about '
                       || coalesce(c.reference, 'nothing')
                       || case when s.order_id is null then ' names nothing that is here'
                               else ' has no audit entry' end as detail
            from callbacks c
            left join subjects s on s.reference = c.reference
            where c.outcome in ('APPLIED', 'MISMATCH')
              and not exists (select from audit u where u.callback_id = c.id and u.order_id = s.order_id)
              and not (c.outcome = 'APPLIED' and c.kind = 'PAYMENT_PENDING' and s.psp_payment_id is not null)
              and not (c.outcome = 'MISMATCH'
                       and exists (select from reviews v where v.attempt_id = s.attempt_id))
            """;

    private static final String WHAT_NAMES_A_CALLBACK_HAS_IT = """
            with subjects as (
                select replace(id::text, '-', '') as reference, order_id from attempts
                union all
                select replace(id::text, '-', ''), id from orders
            )
            select u.order_id,
                   u.entity || ' ' || u.entity_id || ' became ' || u.to_status || ' by callback ' || u.callback_id
                       || ', which is not on record for this order (audit entry ' || u.id || ')' as detail
            from audit u
            where u.callback_id is not null
              and not exists (select from callbacks c
                              join subjects s on s.reference = c.reference
                              where c.id = u.callback_id and s.order_id = u.order_id)
            """;

    private static final String UNMATCHED_IS_KEPT = """
            select null::uuid as order_id,
                   'callback ' || c.id || ' (' || coalesce(c.kind, '?') || ') about ' || coalesce(c.reference, 'nothing')
                       || ' matched nothing and is not kept for later' as detail
            from callbacks c
            where c.outcome = 'UNMATCHED'
              and not exists (select from unmatched m where m.callback_id = c.id and m.part = c.part)
            """;

    private static final String ONLY_THE_PSP_ENDS_AN_ATTEMPT = """
            select order_id,
                   'attempt ' || entity_id || ' became ' || to_status || ' by ' || coalesce(fact, 'no fact')
                       || ' (audit entry ' || id || ')' as detail
            from audit
            where entity = 'ATTEMPT'
              and to_status in ('FAILED', 'EXPIRED')
              and split_part(coalesce(fact, ''), ' ', 1) not in ('PAYMENT_FAILED', 'PAYMENT_CLOSED')
            """;

    private static final String ONE_LIVE_ATTEMPT = """
            select order_id, count(*) || ' of its attempts can still be paid' as detail
            from attempts
            where status in ('CREATED', 'PROCESSING', 'PENDING', 'UNKNOWN')
            group by order_id
            having count(*) > 1
            """;

    /** Entries of one order are numbered in the order of its changes, for each change takes the order's row first. */
    private static final String NO_SECOND_CHARGE_IN_DOUBT = """
            with steps as (
                select id, order_id, entity_id, from_status, to_status,
                       lead(id) over (partition by order_id, entity_id collate "C" order by id) as until
                from audit
                where entity = 'ATTEMPT'
            )
            select later.order_id,
                   'attempt ' || later.entity_id || ' was created while attempt ' || earlier.entity_id || ' was '
                       || earlier.to_status || ' (audit entry ' || later.id || ')' as detail
            from steps later
            join steps earlier
              on earlier.order_id = later.order_id
             and earlier.entity_id <> later.entity_id
             and earlier.id < later.id
             and (earlier.until is null or earlier.until > later.id)
            where later.from_status is null
              and earlier.to_status in ('CREATED', 'PROCESSING', 'PENDING', 'UNKNOWN', 'MANUAL_REVIEW')
            """;

    private TrailProofs() {}

    static List<Proof> all() {
        return List.of(
                new Proof("I6", "every change is an edge of the state graph", EDGES_ARE_LEGAL, edges()),
                new Proof("I6", "every beginning is one of the state graph", STARTS_ARE_LEGAL, starts()),
                new Proof("I6", "every trail is whole", CHAINS_ARE_WHOLE),
                new Proof("I6", "every trail ends where things stand", TRAIL_ENDS_WHERE_THINGS_STAND),
                new Proof(
                        "I6", "every change has an actor, a subject and a reason", SOMEBODY_DID_SOMETHING_FOR_A_REASON),
                new Proof("I7", "what a callback changed is on record", WHAT_A_CALLBACK_CHANGED_IS_ON_RECORD),
                new Proof("I7", "a change by a callback has its callback", WHAT_NAMES_A_CALLBACK_HAS_IT),
                new Proof("I7", "what matched nothing is kept", UNMATCHED_IS_KEPT),
                new Proof(
                        "I8",
                        "only the PSP's word ends an attempt, or its silence where it cannot be asked",
                        ONLY_THE_PSP_ENDS_AN_ATTEMPT),
                new Proof("I8", "one live attempt an order", ONE_LIVE_ATTEMPT),
                new Proof("I8", "no attempt while another is in doubt", NO_SECOND_CHARGE_IN_DOUBT));
    }

    private static List<Object> edges() {
        List<String> entities = new ArrayList<>();
        List<String> before = new ArrayList<>();
        List<String> after = new ArrayList<>();
        for (StateMachine<?> machine : StateGraph.all()) {
            machine.forEachEdge((from, to, when) -> {
                entities.add(machine.entity());
                before.add(from.name());
                after.add(to.name());
            });
        }
        return List.of(texts(entities), texts(before), texts(after));
    }

    private static List<Object> starts() {
        List<String> entities = new ArrayList<>();
        List<String> states = new ArrayList<>();
        for (StateMachine<?> machine : StateGraph.all()) {
            for (Enum<?> state : machine.initialStates()) {
                entities.add(machine.entity());
                states.add(state.name());
            }
        }
        return List.of(texts(entities), texts(states));
    }

    private static Object texts(List<String> values) {
        return values.toArray(String[]::new);
    }
}
