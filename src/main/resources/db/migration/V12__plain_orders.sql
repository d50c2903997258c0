-- Most orders have one attempt, no refund and no review, and say so: a notification then reads nothing but the order and the
-- attempt that it names. Orders of before say nothing of it, and are read as before.
--
-- Whoever adds what makes an order more than that need not know of it, such as a gateway of the version before that goes on
-- for a while: the order is told by the row that is added. It comes after the statement, which may have changed the order itself.
alter table orders add column plain boolean not null default false;

-- What the functions of triggers do is planned once a connection, which may be while the tables are empty: on a new database, whoever
-- opened attempts read all of them each time, until the server had counted them. So they go by index from the beginning on.
alter function attempts_one_live() set enable_seqscan = off;

create function order_is_not_plain() returns trigger language plpgsql set enable_seqscan = off as $$
begin
    update orders set plain = false where id = new.order_id and plain;
    return null;
end $$;

create trigger refund_of_an_order after insert on refunds for each row execute function order_is_not_plain();

create trigger review_of_an_order after insert on reviews for each row
    when (new.order_id is not null) execute function order_is_not_plain();

create function further_attempt() returns trigger language plpgsql set enable_seqscan = off as $$
begin
    update orders set plain = false
    where id = new.order_id and plain and exists (select from attempts where order_id = new.order_id and id <> new.id);
    return null;
end $$;

create trigger further_attempt_of_an_order after insert on attempts for each row execute function further_attempt();
