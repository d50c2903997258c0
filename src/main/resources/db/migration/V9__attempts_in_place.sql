-- An attempt changes in place (HOT) only if no index reads what changes. Its state stood in one index and the PSP's id of the
-- payment in another, so that each notification wrote three index entries anew: a tenth of all that it costs.

-- The last defence against two attempts that could both be paid. An attempt can be paid from its beginning on, or never, so
-- that it is enough to look when one is added: whoever adds one has the order's row, and sees what others added before.
drop index attempts_one_live;

create function attempts_one_live() returns trigger language plpgsql as $$
begin
    perform from orders where id = new.order_id for no key update;
    if exists (select from attempts where order_id = new.order_id
               and status in ('CREATED', 'PROCESSING', 'PENDING', 'UNKNOWN')) then
        raise unique_violation using
            constraint = 'attempts_one_live', table = 'attempts',
            message = format('order %s has an attempt that can still be paid', new.order_id),
            hint = 'It must end before another one is opened.';
    end if;
    return new;
end $$;

create trigger attempts_one_live before insert on attempts for each row
    when (new.status in ('CREATED', 'PROCESSING', 'PENDING', 'UNKNOWN')) execute function attempts_one_live();

-- The PSP's id of the payment, where a payer's browser may bring back nothing else: known as a rule before the payer can pay,
-- and written once. Payers come back within minutes, so that attempts of earlier days need none.
--
-- While a gateway of the version before goes on, a payer who began with it may read that the payment is not recognised; the
-- order is paid all the same.
drop index attempts_by_psp_payment;
alter table attempts add column return_payment_id text;
update attempts set return_payment_id = psp_payment_id
where psp_payment_id is not null and created_at > now() - interval '1 day';
create index attempts_by_return on attempts (psp, account, return_payment_id) where return_payment_id is not null;
