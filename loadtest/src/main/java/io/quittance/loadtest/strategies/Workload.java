package io.quittance.loadtest.strategies;

import io.quittance.domain.Ids;
import io.quittance.loadtest.load.Shot;
import io.quittance.loadtest.sender.News;
import io.quittance.loadtest.sender.News.Kind;
import io.quittance.loadtest.sender.StandardWebhooksSender;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;

/**
 * Orders that are being paid, and what their PSP says of them: for each a success; 30 of 100 notifications are repetitions,
 * at once or a little later; one in ten orders hears "pending" after the success; and for one in twenty the order's time ends
 * at the moment of its success. The same seed makes the same workload for every scheme.
 */
final class Workload {

    /** More made no scheme faster; with fewer, the engine has smaller batches. */
    static final int CONNECTIONS = 1_024;

    static final String PSP = "standardwebhooks";
    static final String ACCOUNT = "acme";
    static final String MERCHANT = "acme";

    /** Notifications an order: a success, its repetitions and "pending" after it. */
    static final double SHOTS_AN_ORDER = 1.1 * 10 / 7;

    private static final int PRODUCTS = 64;
    private static final int CHUNK = 5_000;
    private static final int PENDING_AFTER_PERCENT = 10;
    private static final int RACES_PERCENT = 5;
    /** Repetitions are 30 of 100 notifications, and so 3 for 7 others. */
    private static final double REPETITIONS_FOR_EACH = 3.0 / 7.0;

    /** How far behind its first delivery a repetition comes at most, in requests. */
    private static final int DISTANCE_MAX = 400;

    private static final String PRODUCTS_SQL = """
            insert into products (merchant_id, sku, strategy, supplied, available)
            select 'acme', 'p' || n, 'STOCK', 1000000000, 1000000000 from generate_series(0, $1::int - 1) n
            on conflict do nothing
            """;

    private static final String ORDERS_SQL = """
            with given as (
                select * from unnest($1::uuid[], $2::uuid[], $3::text[]) as g(order_id, attempt_id, sku)
            ),
            orders_in as (
                insert into orders (id, merchant_id, order_no, status, amount_minor, currency, late_policy,
                                    takes_on_payment, content_hash, expires_at, held, plain)
                select order_id, 'acme', replace(order_id::text, '-', ''), 'PENDING', 1999, 'CNY', 'REFUND', false, 'x',
                       now() + interval '1 hour', array[sku || '/1'], true
                from given
            ),
            items_in as (
                insert into order_items (order_id, sku, quantity) select order_id, sku, 1 from given
            ),
            holds_in as (
                insert into holds (order_id, merchant_id, sku, round, quantity, status)
                select order_id, 'acme', sku, 1, 1, 'ACTIVE' from given
            ),
            attempts_in as (
                insert into attempts (id, order_id, status, psp, account)
                select attempt_id, order_id, 'PENDING', 'standardwebhooks', 'acme' from given
            ),
            timers_in as (
                insert into timers (order_id, due_at) select order_id, now() + interval '1 hour' from given
            ),
            stock as (
                update products p set available = p.available - g.held
                from (select sku, count(*) as held from given group by sku) g
                where p.merchant_id = 'acme' and p.sku = g.sku
            )
            insert into audit_entries (order_id, actor, reason, steps)
            select order_id, 'merchant acme', 'placed', jsonb_build_array(
                       jsonb_build_array('ORDER', '', null, 'PENDING'),
                       jsonb_build_array('HOLD', '/' || sku || '/1', null, 'ACTIVE'),
                       jsonb_build_array('ATTEMPT', replace(attempt_id::text, '-', ''), null, 'CREATED'))
            from given
            """;

    private static final String ATTEMPTS_OPENED_SQL = """
            insert into audit_entries (order_id, actor, reason, steps)
            select a.order_id, 'standardwebhooks/acme', 'the PSP knows the payment and waits',
                   jsonb_build_array(jsonb_build_array('ATTEMPT', replace(a.id::text, '-', ''), 'CREATED', 'PENDING'))
            from attempts a where a.id = any($1::uuid[])
            """;

    private static final String PATH = "/v1/notify/" + PSP + "/" + ACCOUNT;
    private static final long AMOUNT_MINOR = 1_999;
    private static final String FILLER = "x".repeat(300);

    private final SplittableRandom random;
    private final StandardWebhooksSender sender;

    /** @param key of the webhook signature */
    Workload(long seed, byte[] key) {
        this.random = new SplittableRandom(seed);
        this.sender = new StandardWebhooksSender(key);
    }

    /**
     * One notification.
     *
     * @param race the order whose time ends with it; null for most
     */
    record Callback(Buffer request, Race race) implements Shot {}

    /** An order whose time ends while the money is on its way. */
    record Race(UUID order, UUID attempt) {}

    /** Places so many orders with an attempt that waits for its payer, and returns what will be said of them, in order. */
    Future<List<Callback>> prepare(Pool pool, int orders, long now) {
        List<UUID[]> pairs = new ArrayList<>(orders);
        for (int i = 0; i < orders; i++) {
            pairs.add(new UUID[] {id(now), id(now)});
        }
        Future<Void> placed =
                pool.preparedQuery(PRODUCTS_SQL).execute(Tuple.of(PRODUCTS)).mapEmpty();
        for (int from = 0; from < orders; from += CHUNK) {
            List<UUID[]> chunk = pairs.subList(from, Math.min(from + CHUNK, orders));
            placed = placed.compose(done -> place(pool, chunk));
        }
        return placed.map(done -> callbacks(pairs, Instant.ofEpochMilli(now)));
    }

    /**
     * The same for a run that begins now, with fresh statistics. What the run before left is tidied up first, so that it is
     * not done in the middle of this one. The checkpoint comes before the orders, too: most are paid within minutes after
     * they were placed, and checkpoints are a quarter of an hour apart.
     */
    Future<List<Callback>> prepareAnew(Pool pool, int orders) {
        return pool.query("vacuum attempts, orders, holds, outbox, timers, products")
                .execute()
                .compose(tidied -> pool.query("checkpoint").execute())
                .compose(done -> prepare(pool, orders, System.currentTimeMillis()))
                .compose(made -> pool.query("analyze attempts, orders, holds, outbox")
                        .execute()
                        .map(made));
    }

    /** Which product an order is for. */
    static String sku(UUID order) {
        return "p" + Math.floorMod(order.hashCode(), PRODUCTS);
    }

    private UUID id(long now) {
        return Ids.version7(now, random.nextLong(), random.nextLong());
    }

    private static Future<Void> place(Pool pool, List<UUID[]> chunk) {
        UUID[] orders = chunk.stream().map(pair -> pair[0]).toArray(UUID[]::new);
        UUID[] attempts = chunk.stream().map(pair -> pair[1]).toArray(UUID[]::new);
        String[] skus = chunk.stream().map(pair -> sku(pair[0])).toArray(String[]::new);
        return pool.withTransaction(connection -> connection
                .preparedQuery(ORDERS_SQL)
                .execute(Tuple.of(orders, attempts, skus))
                .compose(placed -> connection.preparedQuery(ATTEMPTS_OPENED_SQL).execute(Tuple.of((Object) attempts)))
                .mapEmpty());
    }

    private List<Callback> callbacks(List<UUID[]> pairs, Instant now) {
        List<Placed> placed = new ArrayList<>(pairs.size() * 2);
        for (int i = 0; i < pairs.size(); i++) {
            UUID order = pairs.get(i)[0];
            UUID attempt = pairs.get(i)[1];
            boolean races = random.nextInt(100) < RACES_PERCENT;
            Buffer success = request(Kind.SUCCEEDED, attempt, now);
            double at = i;
            placed.add(new Placed(at, new Callback(success, races ? new Race(order, attempt) : null)));
            double repetitions = REPETITIONS_FOR_EACH * (1 + PENDING_AFTER_PERCENT / 100.0);
            while (repetitions > 0 && random.nextDouble() < repetitions) {
                // some arrive beside the first one, others after it was answered
                double behind = random.nextBoolean() ? 0.5 : random.nextInt(1, DISTANCE_MAX);
                placed.add(new Placed(at + behind, new Callback(success, null)));
                repetitions -= 1;
            }
            if (random.nextInt(100) < PENDING_AFTER_PERCENT) {
                Buffer pending = request(Kind.PENDING, attempt, now);
                placed.add(new Placed(at + random.nextInt(1, DISTANCE_MAX), new Callback(pending, null)));
            }
        }
        placed.sort((one, other) -> Double.compare(one.at, other.at));
        return placed.stream().map(Placed::callback).toList();
    }

    private record Placed(double at, Callback callback) {}

    private Buffer request(Kind kind, UUID attempt, Instant now) {
        String id = Ids.hex(attempt);
        News news = new News(kind, id, "pay_" + id, AMOUNT_MINOR, "CNY", now, FILLER);
        return sender.sign(news, now).request(PATH);
    }
}
