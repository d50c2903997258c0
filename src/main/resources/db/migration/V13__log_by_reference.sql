-- The log of notifications is searched by reference by people alone, and each notification paid for an entry in a tree of
-- references in no order: a twentieth of all that it costs the server. What stands together in the log is summed up instead
-- (BRIN with Bloom filters) when the log is vacuumed; a search reads the summaries, and then the few places that may have it.
--
-- Nothing is logged while it is built: some seconds for a million notifications.
drop index callbacks_by_reference;
create index callbacks_by_reference on callbacks using brin (reference text_bloom_ops) with (pages_per_range = 32);
