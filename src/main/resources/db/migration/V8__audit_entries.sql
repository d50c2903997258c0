-- One entry a decision, with all the steps that follow from it: who, why and from which fact are the same for them.
create table audit_entries (
    id          bigint generated always as identity,
    at          timestamptz not null default clock_timestamp(),
    order_id    uuid not null,
    actor       text not null,
    fact        text,
    callback_id uuid,
    reason      text not null,
    -- each as [entity, its id, state before or null, state after]
    steps       jsonb not null
) partition by range (at);
create table audit_entries_default partition of audit_entries default;
create index audit_entries_by_order on audit_entries (order_id);

-- Gateways that go on meanwhile wait until this is done, so that what they write is either taken over or comes after.
lock table audit in exclusive mode;

insert into audit_entries (at, order_id, actor, fact, callback_id, reason, steps)
select at, order_id, actor, fact, callback_id, reason,
       jsonb_build_array(jsonb_build_array(entity, entity_id, from_status, to_status))
from audit
order by id;

drop table audit;

-- One row a change of state, numbered in the order in which they were made.
create view audit as
select e.id * 1000 + s.place - 1 as id, e.at, e.order_id, s.step ->> 0 as entity, s.step ->> 1 as entity_id,
       s.step ->> 2 as from_status, s.step ->> 3 as to_status, e.actor, e.fact, e.callback_id, e.reason
from audit_entries e
cross join lateral jsonb_array_elements(e.steps) with ordinality as s(step, place);

-- Gateways of the version before go on for a while when one of this version has migrated. What they say of single steps is
-- kept as an entry each.
create function audit_step() returns trigger language plpgsql as $$
begin
    insert into audit_entries (order_id, actor, fact, callback_id, reason, steps)
    values (new.order_id, new.actor, new.fact, new.callback_id, new.reason,
            jsonb_build_array(jsonb_build_array(new.entity, new.entity_id, new.from_status, new.to_status)));
    return new;
end $$;

create trigger audit_of_the_version_before instead of insert on audit for each row execute function audit_step();
