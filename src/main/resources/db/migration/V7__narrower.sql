-- What cost each notification time and was of no use.
--
-- An outbox row is only written for an order that the same statement has just changed, so that the server need not look
-- for it again; the program "check" proves that each row is of an order that was concluded so.
alter table outbox drop constraint outbox_order_id_fkey;

-- Most rows have no record at their target yet. While this is built, nothing is carried to targets: some seconds for a
-- million rows.
drop index outbox_third_party;
create unique index outbox_third_party on outbox (target, third_party_id) where third_party_id is not null;

-- Repetitions are known by their key in Redis and by the state of their attempt; people look for a reference.
drop index callbacks_by_event;
