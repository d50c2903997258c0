-- A target may want to hear of more than paid orders, so that an order has up to three rows: how it was closed, that it
-- was paid after all, and that all of the money went back. Each of them is there at most once.
--
-- While the key is built, nothing is carried to targets: some seconds for a million rows.
alter table outbox drop constraint outbox_pkey;
alter table outbox add primary key (order_id, conclusion);
alter table outbox drop constraint outbox_conclusion_check;
alter table outbox add constraint outbox_conclusion_check check (conclusion in
    ('PAID', 'FAILED', 'EXPIRED', 'CANCELLED', 'REFUNDED'));
alter table outbox drop constraint outbox_status_check;
alter table outbox add constraint outbox_status_check check (status in
    ('PENDING', 'PROCESSING', 'COMPLETED', 'FAILED', 'REJECTED', 'REVIEW', 'WITHDRAWN'));
-- Only for a paid order does the target have a record of its own to name.
alter table outbox drop constraint outbox_check;
alter table outbox add constraint outbox_third_party_check check
    ((status = 'COMPLETED' and conclusion = 'PAID') = (third_party_id is not null));

-- Its target may have been told that it is closed: it is never paid any more, and late money goes back.
alter table orders add column closed_for_good boolean not null default false;
alter table orders add constraint orders_closed_for_good_check check
    (not closed_for_good or status in ('FAILED', 'EXPIRED', 'CANCELLED'));
