-- The trail of an order is read by people alone, and each decision paid for an entry in a tree of orders in no order: as the
-- log by reference was before, and dearer. What stands together in the trail is summed up instead (BRIN with Bloom
-- filters), and a search reads the summaries and then the few places that may have the order.
--
-- No decision is written while it is built: some seconds for a million entries.
drop index audit_entries_by_order;
create index audit_entries_by_order on audit_entries using brin (order_id uuid_bloom_ops) with (pages_per_range = 32);

-- Both logs are summed up when they are vacuumed, and what was written since is read as a whole by a search. The server
-- would let that grow to a fifth of a log; vacuuming one reads no more than what is new.
alter table callbacks_default set (autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 200000);
alter table audit_entries_default
    set (autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 200000);
