-- A payer's browser may bring back nothing but the PSP's id of the payment.
--
-- What it costs: attempts are updated when they are opened at the PSP and when they are decided, and neither update
-- stays in place (HOT) as it is, since attempts_one_live depends on the status. So each of the two adds one more index
-- entry; no update that was HOT before stops being so. An attempt whose id is not known yet has no entry. The engine
-- reads attempts by their own ids and never by this.
create index attempts_by_psp_payment on attempts (psp, account, psp_payment_id) where psp_payment_id is not null;
