-- Since when the merchant wants the order called off. It says so for good; whether the order then ends CANCELLED or PAID
-- depends on what its PSP says of a payment that is under way.
alter table orders add column called_off_at timestamptz;

alter table refunds drop constraint refunds_reason_check;
alter table refunds add constraint refunds_reason_check check (reason in
    ('LATE_PAYMENT', 'DOUBLE_PAYMENT', 'OUT_OF_STOCK', 'FULFILMENT_FAILED', 'MERCHANT_REQUEST', 'MADE_AT_PSP'));
