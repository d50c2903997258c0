package io.quittance.store;

import io.quittance.domain.Audience;
import io.quittance.domain.Decider;
import io.quittance.domain.Decision;
import io.quittance.domain.Evidence;
import io.quittance.domain.FactKind;
import io.quittance.domain.FactSource;
import io.quittance.domain.Ids;
import io.quittance.domain.LatePolicy;
import io.quittance.domain.Money;
import io.quittance.domain.Outcome;
import io.quittance.domain.PaymentFact;
import io.quittance.domain.PaymentFact.RefundNews;
import io.quittance.domain.Snapshot.StockAnswer;
import io.quittance.message.Delivery;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A merchant with one PSP account: orders and attempts are placed by plain statements, and what is learned about them
 * goes through the Decider and the stores as in the gateway.
 */
final class Shop implements AutoCloseable {

    static final Money PRICE = new Money(1999, "CNY");

    private static final Instant NOW = Instant.parse("2026-01-31T12:00:00Z");

    private static final String ADD_PRODUCT = """
            insert into products (merchant_id, sku, strategy, supplied, available) values ('acme', $1, $2, $3, $3)
            """;

    private static final String ADD_ORDER = """
            with placed as (
                insert into orders (id, merchant_id, order_no, status, amount_minor, currency, late_policy,
                                    takes_on_payment, content_hash, expires_at, held, plain)
                select $1, 'acme', $2, 'PENDING', 1999, 'CNY', $3, p.strategy = 'ON_PAYMENT', 'hash',
                       now() + interval '30 minutes',
                       case when p.strategy = 'ON_PAYMENT' then '{}' else array[p.sku || '/1'] end, true
                from products p where p.merchant_id = 'acme' and p.sku = $4
                returning id
            ),
            logged as (
                insert into audit_entries (order_id, actor, reason, steps)
                select id, 'acme', 'placed',
                       jsonb_build_array(jsonb_build_array('ORDER', replace(id::text, '-', ''), null, 'PENDING'))
                from placed
            )
            insert into order_items (order_id, sku, quantity) select id, $4, 1 from placed
            """;

    private static final String HOLD = """
            with taken as (
                update products set available = available - 1
                where merchant_id = 'acme' and sku = $2 and strategy <> 'ON_PAYMENT'
                returning sku
            ),
            held as (
                insert into holds (order_id, merchant_id, sku, round, quantity, status)
                select $1::uuid, 'acme', sku, 1, 1, 'ACTIVE' from taken
                returning order_id, sku
            )
            insert into audit_entries (order_id, actor, reason, steps)
            select order_id, 'acme', 'placed', jsonb_build_array(jsonb_build_array(
                       'HOLD', replace(order_id::text, '-', '') || '/' || sku || '/1', null, 'ACTIVE'))
            from held
            """;

    private static final String ADD_ATTEMPT = """
            with added as (
                insert into attempts (id, order_id, status, psp, account) values ($1, $2, 'CREATED', 'psp', 'acme')
                returning id, order_id
            )
            insert into audit_entries (order_id, actor, reason, steps)
            select order_id, 'acme', 'the payer chose a method',
                   jsonb_build_array(jsonb_build_array('ATTEMPT', replace(id::text, '-', ''), null, 'CREATED'))
            from added
            """;

    private static final String CANCEL = """
            with called_off as (
                update orders set status = 'CANCELLED', concluded_at = now(), version = version + 1 where id = $1
                returning id
            ),
            given_back as (
                update holds h set status = 'RELEASED' from called_off c where h.order_id = c.id
                returning h.order_id, h.sku, h.quantity
            ),
            stock as (
                update products p set available = available + g.quantity
                from given_back g where p.merchant_id = 'acme' and p.sku = g.sku
            )
            insert into audit_entries (order_id, actor, reason, steps)
            select c.id, 'acme', 'called off',
                   jsonb_build_array(jsonb_build_array('ORDER', replace(c.id::text, '-', ''), 'PENDING', 'CANCELLED'))
                       || jsonb_agg(jsonb_build_array('HOLD', replace(c.id::text, '-', '') || '/' || g.sku || '/1',
                                                      'ACTIVE', 'RELEASED'))
            from called_off c join given_back g on g.order_id = c.id
            group by c.id
            """;

    private static final String SYNC = """
            with moved as (
                update outbox x
                set status = $3, third_party_id = $4, lease = case when $3 = 'PROCESSING' then gen_random_uuid() end
                where x.order_id = $1 and x.status = $2
                returning x.order_id
            )
            insert into audit_entries (order_id, actor, reason, steps)
            select order_id, 'dispatch', 'sent',
                   jsonb_build_array(jsonb_build_array('SYNC', replace(order_id::text, '-', ''), $2, $3))
            from moved
            """;

    final Vertx vertx = Vertx.vertx();
    final Pool pool;
    private final DecisionStore decisions;
    private int ids;

    Shop(String database) {
        this(database, (psp, account) -> true);
    }

    Shop(String database, ReturnNaming returns) {
        decisions = new DecisionStore(60_000, returns);
        pool = Database.pool(vertx, database, Database.PoolLimits.of("shop", 4));
    }

    void product(String sku, String strategy, int supplied) {
        await(pool.preparedQuery(ADD_PRODUCT).execute(Tuple.of(sku, strategy, (long) supplied)));
    }

    UUID order(String orderNo, LatePolicy policy, String sku) {
        UUID id = nextId();
        await(pool.withTransaction(c -> c.preparedQuery(ADD_ORDER)
                .execute(Tuple.of(id, orderNo, policy.name(), sku))
                .compose(placed -> c.preparedQuery(HOLD).execute(Tuple.of(id, sku)))));
        return id;
    }

    /** An attempt that the PSP knows. */
    UUID attempt(UUID order) {
        UUID id = nextId();
        await(pool.preparedQuery(ADD_ATTEMPT).execute(Tuple.of(id, order)));
        asked(id, FactKind.PAYMENT_PENDING);
        return id;
    }

    void cancel(UUID order) {
        await(pool.preparedQuery(CANCEL).execute(Tuple.of(order)));
    }

    /** Moves the order's conclusion through these states, the last of which has this id at the target. */
    void sync(UUID order, @Nullable String thirdPartyId, String... states) {
        for (int i = 1; i < states.length; i++) {
            String known = i == states.length - 1 ? thirdPartyId : null;
            await(pool.preparedQuery(SYNC).execute(Tuple.of(order, states[i - 1], states[i], known)));
        }
    }

    /** A signed notification that the attempt was paid. */
    Outcome paid(UUID attempt) {
        return paid(attempt, "pay-" + Ids.hex(attempt), PRICE);
    }

    Outcome paid(UUID attempt, String paymentId, Money amount) {
        return learn(PaymentFact.succeeded(Ids.hex(attempt), evidence(FactSource.NOTIFICATION), paymentId, amount));
    }

    /** A signed notification about a payment, with the PSP's id of it. */
    Outcome told(UUID attempt, FactKind kind) {
        String paymentId = "pay-" + Ids.hex(attempt);
        return learn(PaymentFact.payment(kind, Ids.hex(attempt), evidence(FactSource.NOTIFICATION), paymentId, null));
    }

    /** An answer to a question of ours. */
    Outcome asked(UUID attempt, FactKind kind) {
        return learn(PaymentFact.payment(kind, Ids.hex(attempt), evidence(FactSource.QUERY), null, null));
    }

    Outcome timeOver(UUID order) {
        return learn(PaymentFact.bare(FactKind.ORDER_TIME_OVER, Ids.hex(order), evidence(FactSource.TIMER), null));
    }

    Outcome rejected(UUID order) {
        return learn(PaymentFact.bare(FactKind.FULFILMENT_REJECTED, Ids.hex(order), evidence(FactSource.TARGET), null));
    }

    /** News about a refund of ours, or about one made at the PSP if there is no such one. */
    Outcome refund(UUID attempt, FactKind kind, String reference, Money amount) {
        RefundNews news = new RefundNews(reference, "re-" + reference, amount, null);
        return learn(PaymentFact.refund(kind, Ids.hex(attempt), evidence(FactSource.NOTIFICATION), news, null));
    }

    /** The id of the only refund of an attempt. */
    String refundOf(UUID attempt) {
        return Ids.hex(await(pool.preparedQuery("select id from refunds where attempt_id = $1")
                        .execute(Tuple.of(attempt)))
                .iterator()
                .next()
                .getUUID(0));
    }

    Outcome learn(PaymentFact fact) {
        Delivery delivery = fact.evidence().source() == FactSource.NOTIFICATION ? delivery(fact) : null;
        return await(pool.withTransaction(connection -> rule(connection, fact, delivery)));
    }

    Future<Outcome> rule(SqlConnection connection, PaymentFact fact, @Nullable Delivery delivery) {
        Set<UUID> subject = Ids.parseHex(fact.reference()).map(Set::of).orElse(Set.of());
        boolean order = fact.kind().subject() == FactKind.Subject.ORDER;
        Set<UUID> none = Set.of();
        return SnapshotStore.read(
                        connection, order ? none : subject, order ? subject : none, merchant -> Audience.ofPaid("erp"))
                .compose(read -> {
                    SnapshotStore.Versioned found =
                            read.values().stream().findFirst().orElse(null);
                    if (found == null) {
                        Decision nothing = new Decision(Outcome.UNMATCHED, "no such attempt", List.of());
                        return write(connection, new Ruling(nothing, fact, delivery, "test", null));
                    }
                    return decide(connection, found, fact, delivery)
                            .compose(
                                    decision -> write(connection, new Ruling(decision, fact, delivery, "test", found)));
                });
    }

    private static Future<Decision> decide(
            SqlConnection connection, SnapshotStore.Versioned found, PaymentFact fact, @Nullable Delivery delivery) {
        Decision decision = Decider.decide(found.snapshot(), fact);
        if (decision.outcome() != Outcome.NEEDS_STOCK) {
            return Future.succeededFuture(decision);
        }
        return StockStore.take(connection, found.orderId(), fact, delivery)
                .map(taken -> taken ? StockAnswer.TAKEN : StockAnswer.NONE_LEFT)
                .map(answer -> Decider.decide(found.snapshot().withStock(answer), fact));
    }

    private Future<Outcome> write(SqlConnection connection, Ruling ruling) {
        return decisions.write(connection, List.of(ruling)).map(moved -> ruling.decision()
                .outcome());
    }

    Delivery delivery(PaymentFact fact) {
        String event = Objects.requireNonNull(fact.evidence().eventId());
        return new Delivery(nextId(), "psp", "acme", event, 0, NOW, "key-1", Buffer.buffer("{}"));
    }

    Evidence evidence(FactSource source) {
        return switch (source) {
            case NOTIFICATION -> new Evidence(source, "psp", "acme", "event-" + ids, NOW);
            case QUERY, CALL -> new Evidence(source, "psp", "acme", null, NOW);
            case TIMER, TARGET, MERCHANT -> Evidence.ours(source, NOW);
        };
    }

    UUID nextId() {
        ids++;
        return Ids.version7(NOW.toEpochMilli() + ids, ids, ids);
    }

    static <T> T await(Future<T> future) {
        try {
            return future.toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
        } catch (ExecutionException failure) {
            throw new IllegalStateException(failure.getCause());
        } catch (TimeoutException | InterruptedException failure) {
            throw new IllegalStateException(failure);
        }
    }

    @Override
    public void close() {
        await(pool.close());
        await(vertx.close());
    }
}
