-- An audit entry says which order it is about, and its steps said so again in the id of the order, of its holds and of its
-- conclusions: a fifth of the entry. It is left out of them from now on, and shown as before: an id that is empty is the order's,
-- and one that begins with a slash goes behind it. What gateways of the version before still write has whole ids.
create or replace view audit as
select e.id * 1000 + s.place - 1 as id, e.at, e.order_id, s.step ->> 0 as entity,
       case when s.step ->> 1 = '' or s.step ->> 1 like '/%' then replace(e.order_id::text, '-', '') || (s.step ->> 1)
            else s.step ->> 1 end as entity_id,
       s.step ->> 2 as from_status, s.step ->> 3 as to_status, e.actor, e.fact, e.callback_id, e.reason
from audit_entries e
cross join lateral json_array_elements(e.steps) with ordinality as s(step, place);
