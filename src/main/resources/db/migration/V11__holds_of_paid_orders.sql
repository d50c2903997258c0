-- A hold of an order that is paid is consumed: the order says so, and it is not written a second time. What an order holds from
-- its beginning stands with the order, so that a payment reads and writes nothing of the holds themselves.
--
-- Holds that were given back say so as before. Those of orders that are placed from now on stay ACTIVE when the order is paid;
-- what they are then is shown by hold_states. A gateway of the version before that goes on meanwhile asks nothing of the holds
-- of a paid order.

-- Each as product and round with a slash between them; null where the holds must be asked.
alter table orders add column held text[];

create view hold_states as
select h.order_id, h.merchant_id, h.sku, h.round, h.quantity,
       case when h.status = 'ACTIVE' and o.status in ('PAID', 'PARTIALLY_REFUNDED', 'REFUNDED') then 'CONSUMED'
            else h.status end as status
from holds h
join orders o on o.id = h.order_id;
