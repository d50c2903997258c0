-- The schema repeats the invariants: what must never be true cannot be stored.
--
-- Every change of an order, its attempts, its refunds or its reviews raises orders.version. A decision is written only
-- if the version is still the one that it was made on, so whoever loses a race reads again and decides again.
--
-- Hot tables leave room in their pages, so that updates stay in place (HOT).

create table products (
    merchant_id text   not null,
    sku         text   not null,
    strategy    text   not null check (strategy in ('STOCK', 'UNIQUE', 'ON_PAYMENT')),
    supplied    bigint not null check (supplied >= 0),
    -- what can still be promised; supplied = available + active holds + sold, which the program "check" proves
    available   bigint not null check (available >= 0),
    created_at  timestamptz not null default now(),
    primary key (merchant_id, sku),
    check (available <= supplied),
    check (strategy <> 'UNIQUE' or supplied <= 1)
) with (fillfactor = 50);

create table orders (
    id                   uuid   primary key,
    merchant_id          text   not null,
    order_no             text   not null,
    status               text   not null check (status in
        ('PENDING', 'PAID', 'FAILED', 'EXPIRED', 'CANCELLED', 'PARTIALLY_REFUNDED', 'REFUNDED')),
    version              int    not null default 0,
    amount_minor         bigint not null check (amount_minor > 0),
    currency             text   not null check (currency ~ '^[A-Z]{3}$'),
    late_policy          text   not null check (late_policy in ('REVIVE', 'REFUND', 'REVIEW')),
    -- whether an item's stock is only taken when the order is paid
    takes_on_payment     boolean not null,
    effective_attempt_id uuid,
    content_hash         text   not null,
    created_at           timestamptz not null default now(),
    expires_at           timestamptz not null,
    concluded_at         timestamptz,
    unique (merchant_id, order_no),
    check ((effective_attempt_id is not null) = (status in ('PAID', 'PARTIALLY_REFUNDED', 'REFUNDED'))),
    check ((concluded_at is null) = (status = 'PENDING')),
    check (expires_at > created_at)
) with (fillfactor = 50);

create table order_items (
    order_id uuid   not null references orders,
    sku      text   not null,
    quantity bigint not null check (quantity > 0),
    primary key (order_id, sku)
);

create table attempts (
    id              uuid   primary key,
    order_id        uuid   not null references orders,
    status          text   not null check (status in
        ('CREATED', 'PROCESSING', 'PENDING', 'SUCCEEDED', 'FAILED', 'EXPIRED', 'UNKNOWN', 'MANUAL_REVIEW')),
    psp             text   not null,
    account         text   not null,
    psp_payment_id  text,
    received_minor  bigint check (received_minor > 0),
    received_currency text,
    created_at      timestamptz not null default now(),
    check ((status = 'SUCCEEDED') = (received_minor is not null)),
    check ((received_minor is null) = (received_currency is null))
) with (fillfactor = 50);
create index attempts_by_order on attempts (order_id);
-- the last defence against two attempts that could both be paid
create unique index attempts_one_live on attempts (order_id)
    where status in ('CREATED', 'PROCESSING', 'PENDING', 'UNKNOWN');

-- What an order holds. A hold names its order, so an old order can never free a newer one's hold. An order that is
-- revived after its hold was given back takes stock again as another round.
create table holds (
    order_id    uuid   not null references orders,
    merchant_id text   not null,
    sku         text   not null,
    round       smallint not null,
    quantity    bigint not null check (quantity > 0),
    status      text   not null check (status in ('ACTIVE', 'CONSUMED', 'RELEASED', 'EXPIRED')),
    primary key (order_id, sku, round),
    foreign key (merchant_id, sku) references products
) with (fillfactor = 50);
create index holds_by_product on holds (merchant_id, sku);

create table refunds (
    id            uuid   primary key,
    order_id      uuid   not null references orders,
    attempt_id    uuid   not null references attempts,
    status        text   not null check (status in
        ('REQUESTED', 'PROCESSING', 'UNKNOWN', 'SUCCEEDED', 'FAILED', 'MANUAL_REVIEW')),
    amount_minor  bigint not null check (amount_minor > 0),
    currency      text   not null check (currency ~ '^[A-Z]{3}$'),
    reason        text   not null check (reason in
        ('LATE_PAYMENT', 'DOUBLE_PAYMENT', 'OUT_OF_STOCK', 'FULFILMENT_FAILED', 'MADE_AT_PSP')),
    psp_refund_id text,
    tries         int    not null default 0,
    -- when a worker may take it, which is also when a worker's lease on it ends
    due_at        timestamptz not null default now(),
    created_at    timestamptz not null default now()
) with (fillfactor = 50);
create index refunds_by_order on refunds (order_id);
create index refunds_due on refunds (due_at) where status in ('REQUESTED', 'PROCESSING', 'UNKNOWN');

-- What no machine can decide.
create table reviews (
    id         bigint generated always as identity primary key,
    order_id   uuid references orders,
    attempt_id uuid references attempts,
    reason     text not null,
    detail     text not null,
    opened_at  timestamptz not null default now(),
    closed_at  timestamptz,
    check ((order_id is null) = (attempt_id is null) or reason = 'SYNC_EXHAUSTED')
);
create unique index reviews_open_once on reviews (attempt_id, reason) where closed_at is null;
create index reviews_by_order on reviews (order_id);

-- One row an order: the conclusion that is to be carried to the target.
create table outbox (
    order_id       uuid   primary key references orders,
    conclusion     text   not null check (conclusion in ('PAID')),
    target         text   not null,
    status         text   not null check (status in
        ('PENDING', 'PROCESSING', 'COMPLETED', 'FAILED', 'REJECTED', 'REVIEW')),
    third_party_id text,
    tries          int    not null default 0,
    -- an earlier try may have reached the target although no answer came
    uncertain      boolean not null default false,
    -- when a dispatcher may take it, which is also when a dispatcher's lease on it ends
    due_at         timestamptz not null default now(),
    lease          uuid,
    last_error     text,
    created_at     timestamptz not null default now(),
    check ((status = 'COMPLETED') = (third_party_id is not null)),
    check ((status = 'PROCESSING') = (lease is not null))
) with (fillfactor = 50);
create index outbox_due on outbox (due_at) where status in ('PENDING', 'PROCESSING', 'FAILED');
create unique index outbox_third_party on outbox (target, third_party_id);

-- The next moment at which somebody must look at an order: its expiry, or something live at a PSP. A row of an order
-- that needs nobody any more is removed when it comes due, not on the way of a notification.
create table timers (
    order_id uuid primary key references orders,
    due_at   timestamptz not null,
    tries    int not null default 0
) with (fillfactor = 50);
create index timers_due on timers (due_at);

create table idempotency_keys (
    merchant_id   text  not null,
    key           text  not null,
    request_hash  text  not null,
    answer_status int,
    answer_body   text,
    started_at    timestamptz not null default now(),
    primary key (merchant_id, key)
);
