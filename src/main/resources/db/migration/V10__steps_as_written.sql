-- The steps of an audit entry are kept as they are written (json): they are written with each decision and read by people, and
-- to take them apart for jsonb was a fortieth of what a notification costs the server.
--
-- All entries are written anew, and nothing is decided meanwhile: about ten seconds for a million of them.
drop view audit;
alter table audit_entries alter column steps type json using steps::json;

create view audit as
select e.id * 1000 + s.place - 1 as id, e.at, e.order_id, s.step ->> 0 as entity, s.step ->> 1 as entity_id,
       s.step ->> 2 as from_status, s.step ->> 3 as to_status, e.actor, e.fact, e.callback_id, e.reason
from audit_entries e
cross join lateral json_array_elements(e.steps) with ordinality as s(step, place);

create trigger audit_of_the_version_before instead of insert on audit for each row execute function audit_step();
