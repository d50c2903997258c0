-- Append-only logs, range-partitioned by time. A row that falls in no month goes to the default partition, so that
-- nothing is ever refused for the lack of a partition.

-- Every notification whose signature was right: applied, duplicate, stale, refused for its content, not ours.
create table callbacks (
    id           uuid  not null,
    received_at  timestamptz not null,
    stored_at    timestamptz not null default now(),
    psp          text  not null,
    account      text  not null,
    event_id     text,
    -- which of the facts of one notification this is
    part         smallint not null,
    reference    text,
    kind         text,
    outcome      text  not null,
    reason       text  not null,
    key_label    text  not null,
    -- the evidence; left out for a repetition whose first copy is on record
    body         bytea
) partition by range (received_at);
create table callbacks_default partition of callbacks default;
create index callbacks_by_reference on callbacks (reference);
create index callbacks_by_event on callbacks (event_id);

-- One row a change of state: who or what, when, why, from which fact.
create table audit (
    id          bigint generated always as identity,
    at          timestamptz not null default clock_timestamp(),
    order_id    uuid not null,
    entity      text not null,
    entity_id   text not null,
    from_status text,
    to_status   text not null,
    actor       text not null,
    fact        text,
    callback_id uuid,
    reason      text not null
) partition by range (at);
create table audit_default partition of audit default;
create index audit_by_order on audit (order_id, id);

-- Notifications that named an attempt which was not there yet.
create table unmatched (
    callback_id uuid not null,
    part        smallint not null,
    reference   text not null,
    -- the reference, if it has the form of an attempt's id
    attempt_id  uuid,
    fact        jsonb not null,
    received_at timestamptz not null,
    review_at   timestamptz not null,
    matched_at  timestamptz,
    reviewed_at timestamptz,
    primary key (callback_id, part)
);
create index unmatched_by_attempt on unmatched (attempt_id) where matched_at is null;
create index unmatched_for_review on unmatched (review_at) where matched_at is null and reviewed_at is null;
