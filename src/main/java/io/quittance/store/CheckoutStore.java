package io.quittance.store;

import io.quittance.domain.AttemptStatus;
import io.quittance.domain.Money;
import io.quittance.domain.OrderStatus;
import io.quittance.message.Checkout.Item;
import io.quittance.message.Checkout.KeyAnswer;
import io.quittance.message.Checkout.OrderAnswer;
import io.quittance.message.Checkout.PlaceOrder;
import io.quittance.message.Checkout.ProductAnswer;
import io.quittance.message.Checkout.PutProduct;
import io.quittance.message.Checkout.Strategy;
import io.vertx.core.Future;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowIterator;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Writes what merchants ask for: products, orders with their holds, attempts. */
public final class CheckoutStore {

    /** Supplied may fall only as far as nothing that is promised or sold is taken away. */
    static final String PUT_PRODUCT = """
            insert into products as p (merchant_id, sku, strategy, supplied, available)
            values ($1, $2, $3, $4, $4)
            on conflict (merchant_id, sku) do update
            set supplied = excluded.supplied, available = p.available + excluded.supplied - p.supplied
            where p.strategy = excluded.strategy and p.available + excluded.supplied - p.supplied >= 0
            returning supplied, available
            """;

    static final String FIND_ORDER = "select id, content_hash from orders where merchant_id = $1 and order_no = $2";

    static final String LOCK_PRODUCTS = """
            select sku, strategy, available from products
            where merchant_id = $1 and sku = any($2) order by merchant_id, sku for update
            """;

    static final String TAKE_STOCK = """
            update products p set available = p.available - i.quantity
            from unnest($2::text[], $3::bigint[]) as i(sku, quantity)
            where p.merchant_id = $1 and p.sku = i.sku
            """;

    static final String PLACE = """
            with
            placed as (
                insert into orders (id, merchant_id, order_no, status, amount_minor, currency, late_policy,
                                    takes_on_payment, content_hash, expires_at, held, plain)
                values ($1, $2, $3, 'PENDING', $4, $5, $6, $7, $8, now() + $9::bigint * interval '1 millisecond',
                        array(select sku || '/1' from unnest($12::text[]) as i(sku) order by sku), true)
                returning id, expires_at
            ),
            items as (
                insert into order_items (order_id, sku, quantity)
                select $1, sku, quantity from unnest($10::text[], $11::bigint[]) as i(sku, quantity)
            ),
            held as (
                insert into holds (order_id, merchant_id, sku, round, quantity, status)
                select $1, $2, sku, 1, quantity, 'ACTIVE' from unnest($12::text[], $13::bigint[]) as i(sku, quantity)
                returning order_id, sku, round
            ),
            timed as (
                insert into timers (order_id, due_at) select id, expires_at from placed
            ),
            audited as (
                insert into audit_entries (order_id, actor, reason, steps)
                select $1, 'merchant ' || $2, 'placed, with what it holds',
                       %s || coalesce(jsonb_agg(%s) filter (where h.sku is not null), '[]')
                from placed left join held h on true
                group by placed.id
            )
            select id from placed
            """.formatted(
                    AuditSteps.only("'ORDER'", "'" + AuditSteps.ORDER_ID + "'", "null", "'PENDING'"),
                    AuditSteps.step("'HOLD'", AuditSteps.holdIdOf("h"), "null", "'ACTIVE'"));

    /**
     * The order must be payable and nothing may be live or in doubt; the timer watches over the call to the PSP.
     *
     * <p>Who has waited for the order's row sees the order as it is now, and its attempts as they were before. So the
     * version must be the one from before, too: each change of an attempt raises it.
     */
    static final String OPEN_ATTEMPT = """
            with
            payable as (
                update orders o set version = version + 1
                where o.id = $1 and o.version = (select version from orders where id = $1)
                  and o.status = 'PENDING' and o.expires_at > now() and o.called_off_at is null
                  and not exists (select from attempts a where a.order_id = o.id
                                  and a.status in ('CREATED', 'PROCESSING', 'PENDING', 'UNKNOWN', 'MANUAL_REVIEW'))
                  and (select count(*) from attempts a where a.order_id = o.id) < $6::int
                returning o.id, o.merchant_id
            ),
            opened as (
                insert into attempts (id, order_id, status, psp, account)
                select $2, id, 'PROCESSING', $3, $4 from payable
                returning id, order_id
            ),
            timed as (
                update timers t set due_at = least(t.due_at, now() + $5::bigint * interval '1 millisecond'), tries = 0
                from opened where t.order_id = opened.order_id
            ),
            audited as (
                insert into audit_entries (order_id, actor, reason, steps)
                select p.id, 'merchant ' || p.merchant_id, 'opened, and the PSP is called', jsonb_build_array(%s, %s)
                from payable p join opened on opened.order_id = p.id
            )
            select count(*) from opened
            """.formatted(
                    AuditSteps.step("'ATTEMPT'", "replace(opened.id::text, '-', '')", "null", "'CREATED'"),
                    AuditSteps.step("'ATTEMPT'", "replace(opened.id::text, '-', '')", "'CREATED'", "'PROCESSING'"));

    static final String ORDER_FOR_ATTEMPT = """
            select o.id, o.status, o.amount_minor, o.currency, o.expires_at,
                   o.expires_at <= now() or o.called_off_at is not null as over,
                   (select count(*) from attempts where order_id = o.id) as attempts,
                   a.id as attempt_id, a.status as attempt_status
            from orders o
            left join attempts a on a.order_id = o.id
                and a.status in ('CREATED', 'PROCESSING', 'PENDING', 'UNKNOWN', 'MANUAL_REVIEW')
            where o.merchant_id = $1 and o.order_no = $2
            order by a.id desc limit 1
            """;

    /** A request that was never answered gives its key free after a while: its process is gone. */
    static final String BEGIN_KEY = """
            insert into idempotency_keys as k (merchant_id, key, request_hash) values ($1, $2, $3)
            on conflict (merchant_id, key) do update set started_at = now()
            where k.request_hash = excluded.request_hash and k.answer_status is null
              and k.started_at < now() - $4::bigint * interval '1 millisecond'
            returning true
            """;

    static final String FIND_KEY =
            "select request_hash, answer_status, answer_body from idempotency_keys where merchant_id = $1 and key = $2";

    static final String END_KEY =
            "update idempotency_keys set answer_status = $3, answer_body = $4 where merchant_id = $1 and key = $2";

    static final String FREE_KEY =
            "delete from idempotency_keys where merchant_id = $1 and key = $2 and answer_status is null";

    /** SQLSTATE of a violated unique constraint. */
    private static final String UNIQUE_VIOLATION = "23505";

    private final Pool pool;

    public CheckoutStore(Pool pool) {
        this.pool = pool;
    }

    public Future<ProductAnswer> put(PutProduct product) {
        return pool.preparedQuery(PUT_PRODUCT)
                .execute(Tuple.of(
                        product.merchantId(), product.sku(), product.strategy().name(), product.supplied()))
                .map(rows -> rows.size() == 0
                        ? new ProductAnswer.Refused(
                                "its strategy cannot change, and supplied cannot fall below what is promised or sold")
                        : kept(product, rows.iterator().next()));
    }

    private static ProductAnswer kept(PutProduct product, Row row) {
        return new ProductAnswer.Kept(product.sku(), product.strategy(), row.getLong(0), row.getLong(1));
    }

    /** The id of a merchant's order. */
    public Future<Optional<UUID>> find(String merchantId, String orderNo) {
        return pool.preparedQuery(FIND_ORDER)
                .execute(Tuple.of(merchantId, orderNo))
                .map(rows -> rows.size() == 0
                        ? Optional.empty()
                        : Optional.of(rows.iterator().next().getUUID("id")));
    }

    /**
     * Places an order and takes its holds, in one short transaction.
     *
     * @param id the order's new id
     * @param contentHash the same for the same content, in hex
     */
    public Future<OrderAnswer> place(PlaceOrder order, UUID id, String contentHash) {
        return pool.withTransaction(connection -> existing(connection, order, contentHash)
                        .compose(found -> found.isPresent()
                                ? Future.succeededFuture(found.get())
                                : placeNew(connection, order, id, contentHash)))
                .recover(failure -> isTaken(failure)
                        ? pool.withConnection(connection -> existing(connection, order, contentHash))
                                .map(found -> found.orElseGet(OrderAnswer.OtherContent::new))
                        : Future.failedFuture(failure));
    }

    private static Future<Optional<OrderAnswer>> existing(
            SqlConnection connection, PlaceOrder order, String contentHash) {
        return connection
                .preparedQuery(FIND_ORDER)
                .execute(Tuple.of(order.merchantId(), order.orderNo()))
                .map(rows -> {
                    RowIterator<Row> row = rows.iterator();
                    if (!row.hasNext()) {
                        return Optional.empty();
                    }
                    Row found = row.next();
                    return Optional.of(
                            found.getString("content_hash").equals(contentHash)
                                    ? new OrderAnswer.Placed(found.getUUID("id"), false)
                                    : new OrderAnswer.OtherContent());
                });
    }

    private static Future<OrderAnswer> placeNew(
            SqlConnection connection, PlaceOrder order, UUID id, String contentHash) {
        String[] skus = order.items().stream().map(Item::sku).toArray(String[]::new);
        return connection
                .preparedQuery(LOCK_PRODUCTS)
                .execute(Tuple.of(order.merchantId()).addArrayOfString(skus))
                .compose(rows -> {
                    Map<String, Row> products = new HashMap<>();
                    rows.forEach(row -> products.put(row.getString("sku"), row));
                    Optional<OrderAnswer> refusal = refusal(order.items(), products);
                    // what is gone may have gone to this very order, by the same request a moment before
                    return refusal.isPresent()
                            ? existing(connection, order, contentHash).map(found -> found.orElseGet(refusal::get))
                            : takeAndInsert(connection, order, id, contentHash, products);
                });
    }

    private static Optional<OrderAnswer> refusal(List<Item> items, Map<String, Row> products) {
        for (Item item : items) {
            Row product = products.get(item.sku());
            if (product == null) {
                return Optional.of(new OrderAnswer.UnknownProduct(item.sku()));
            }
            if (isHeld(product) && product.getLong("available") < item.quantity()) {
                return Optional.of(new OrderAnswer.OutOfStock(item.sku()));
            }
        }
        return Optional.empty();
    }

    private static boolean isHeld(Row product) {
        return Strategy.valueOf(product.getString("strategy")) != Strategy.ON_PAYMENT;
    }

    private static Future<OrderAnswer> takeAndInsert(
            SqlConnection connection, PlaceOrder order, UUID id, String contentHash, Map<String, Row> products) {
        List<Item> held = order.items().stream()
                .filter(item -> isHeld(Objects.requireNonNull(products.get(item.sku()))))
                .toList();
        boolean takesOnPayment = held.size() < order.items().size();
        Future<?> taken = held.isEmpty()
                ? Future.succeededFuture()
                : connection
                        .preparedQuery(TAKE_STOCK)
                        .execute(Tuple.of(order.merchantId(), skus(held), quantities(held)));
        Tuple values = Tuple.tuple()
                .addUUID(id)
                .addString(order.merchantId())
                .addString(order.orderNo())
                .addLong(order.amount().minor())
                .addString(order.amount().currency())
                .addString(order.latePolicy().name())
                .addBoolean(takesOnPayment)
                .addString(contentHash)
                .addLong(order.expiresIn().toMillis())
                .addArrayOfString(skus(order.items()))
                .addArrayOfLong(quantities(order.items()))
                .addArrayOfString(skus(held))
                .addArrayOfLong(quantities(held));
        return taken.compose(done -> connection.preparedQuery(PLACE).execute(values))
                .map(rows -> new OrderAnswer.Placed(id, true));
    }

    private static String[] skus(List<Item> items) {
        return items.stream().map(Item::sku).toArray(String[]::new);
    }

    private static Long[] quantities(List<Item> items) {
        return items.stream().map(Item::quantity).toArray(Long[]::new);
    }

    private static boolean isTaken(Throwable failure) {
        return failure instanceof PgException refused && UNIQUE_VIOLATION.equals(refused.getSqlState());
    }

    /**
     * An order as one sees it who wants to open an attempt.
     *
     * @param over whether its time is over, by the database clock, or its merchant called it off
     * @param attempts how many it has had
     * @param blockingId the attempt that stands in the way, if there is one
     */
    public record Payable(
            UUID orderId,
            OrderStatus status,
            Money amount,
            Instant expiresAt,
            boolean over,
            long attempts,
            @Nullable UUID blockingId,
            @Nullable AttemptStatus blockingStatus) {}

    /**
     * What bounds an attempt.
     *
     * @param callLimitMs when somebody must look if nothing was heard of the call to the PSP, milliseconds from now
     * @param attemptsMax attempts an order may have, this one included
     */
    public record AttemptLimits(long callLimitMs, int attemptsMax) {}

    public Future<Optional<Payable>> forAttempt(String merchantId, String orderNo) {
        return pool.preparedQuery(ORDER_FOR_ATTEMPT)
                .execute(Tuple.of(merchantId, orderNo))
                .map(rows -> rows.size() == 0
                        ? Optional.empty()
                        : Optional.of(payable(rows.iterator().next())));
    }

    private static Payable payable(Row row) {
        String blocking = row.getString("attempt_status");
        return new Payable(
                row.getUUID("id"),
                OrderStatus.valueOf(row.getString("status")),
                new Money(row.getLong("amount_minor"), row.getString("currency")),
                row.getOffsetDateTime("expires_at").toInstant(),
                row.getBoolean("over"),
                row.getLong("attempts"),
                row.getUUID("attempt_id"),
                blocking == null ? null : AttemptStatus.valueOf(blocking));
    }

    /**
     * Opens an attempt, if the order is still payable, nothing stands in the way, and nothing changes it meanwhile.
     *
     * @param limits what bounds it
     * @return whether it was opened; if not, look at {@link #forAttempt} again
     */
    public Future<Boolean> openAttempt(UUID orderId, UUID attemptId, String psp, String account, AttemptLimits limits) {
        Tuple values = Tuple.of(orderId, attemptId, psp, account)
                .addLong(limits.callLimitMs())
                .addInteger(limits.attemptsMax());
        return pool.preparedQuery(OPEN_ATTEMPT)
                .execute(values)
                .map(rows -> rows.iterator().next().getLong(0) == 1)
                .recover(failure -> isTaken(failure) ? Future.succeededFuture(false) : Future.failedFuture(failure));
    }

    /**
     * Takes an Idempotency-Key.
     *
     * @param abandonedAfterMs after how long an unanswered request counts as abandoned, in milliseconds
     */
    public Future<KeyAnswer> beginKey(String merchantId, String key, String requestHash, long abandonedAfterMs) {
        return pool.preparedQuery(BEGIN_KEY)
                .execute(Tuple.of(merchantId, key, requestHash, abandonedAfterMs))
                .compose(rows -> rows.size() == 1
                        ? Future.succeededFuture(new KeyAnswer.Fresh())
                        : pool.preparedQuery(FIND_KEY)
                                .execute(Tuple.of(merchantId, key))
                                .map(found -> usedKey(requestHash, found.iterator())));
    }

    private static KeyAnswer usedKey(String requestHash, RowIterator<Row> found) {
        if (!found.hasNext()) {
            return new KeyAnswer.InProgress();
        }
        Row row = found.next();
        if (!row.getString("request_hash").equals(requestHash)) {
            return new KeyAnswer.OtherRequest();
        }
        Integer status = row.getInteger("answer_status");
        return status == null ? new KeyAnswer.InProgress() : new KeyAnswer.Replay(status, row.getString("answer_body"));
    }

    public Future<Boolean> endKey(String merchantId, String key, @Nullable Integer status, @Nullable String body) {
        return status == null
                ? pool.preparedQuery(FREE_KEY)
                        .execute(Tuple.of(merchantId, key))
                        .map(true)
                : pool.preparedQuery(END_KEY)
                        .execute(Tuple.of(merchantId, key, status, body))
                        .map(true);
    }
}
