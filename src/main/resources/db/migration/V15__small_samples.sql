-- What the server knows of its tables comes from samples that it takes by itself whenever a tenth of a table is new: 30,000
-- pages each, in no order. Of tables that do not fit into memory they come from the disk, and commits stood behind them for
-- seconds. Every statement of the gateway finds its rows by a key or a small index and is planned alike by a tenth of the
-- sample: 3,000 pages.
--
-- A later migration that adds a column or a table says the same of it (MigrationsTest knows).
do $$
declare
    c record;
begin
    for c in
        select t.oid::regclass as tab, a.attname as col
        from pg_class t join pg_attribute a on a.attrelid = t.oid
        where t.relnamespace = current_schema()::regnamespace and t.relkind in ('r', 'p') and t.relname <> 'flyway_schema_history'
          and a.attnum > 0 and not a.attisdropped
        order by 1, a.attnum
    loop
        execute format('alter table %s alter column %I set statistics 10', c.tab, c.col);
    end loop;
end
$$;
