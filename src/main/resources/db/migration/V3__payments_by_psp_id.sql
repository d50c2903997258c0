-- A payer's browser may bring back nothing but the PSP's id of the payment.
--
-- What it costs: an attempt is updated when the PSP has taken it and when it is decided. Neither update stays in place
-- (HOT) as it is, because attempts_one_live depends on the status; each now adds one more index entry. Only where the id
-- becomes known later and nothing else changes, which is rare, an update that was HOT is none any more. Attempts without
-- an id have no entry. The engine finds attempts by their own ids and reads nothing of this.
--
-- While it is built, attempts are not written: some seconds for a million of them.
create index attempts_by_psp_payment on attempts (psp, account, psp_payment_id) where psp_payment_id is not null;
