package io.quittance.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.quittance.store.Invariants.Violation;
import io.quittance.testing.Services;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Transaction;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A database in which all is well is found so, and each way to break a promise is found and named. Damage is done in a
 * transaction that is rolled back, with the constraints taken away that would refuse it.
 */
class InvariantsTest {

    /** The vocabulary of the damage: an order by its number, an attempt by its place, hex, and tables without guards. */
    private static final String VOCABULARY = """
            create function o(text) returns uuid language sql as 'select id from orders where order_no = $1';
            create function a(text, int default 1) returns uuid language sql as
                'select id from attempts where order_id = o($1) order by id offset $2 - 1 limit 1';
            create function hex(uuid) returns text language sql as $$ select replace($1::text, '-', '') $$;
            create function unguard(variadic text[]) returns void language plpgsql as $$
                declare guard record;
                begin
                    for guard in select conrelid::regclass as owner, conname from pg_constraint
                                 where conrelid = any($1::regclass[]) and contype in ('c', 'u', 'f', 'p')
                    loop
                        execute format('alter table %s drop constraint if exists %I cascade', guard.owner, guard.conname);
                    end loop;
                    drop trigger if exists attempts_one_live on attempts;
                    drop index outbox_third_party;
                end $$;
            -- the trail as a table, so that single steps of it can be damaged
            alter view audit rename to audit_as_it_was;
            create sequence steps start 1000000000;
            create table audit (like audit_as_it_was);
            alter table audit alter column id set default nextval('steps'), alter column at set default now();
            insert into audit select * from audit_as_it_was;
            -- a step of the trail, so that only the promise in question is broken
            create function log(entity text, id text, about uuid, before text, after text, fact text default null)
                returns void language sql as $$
                insert into audit (order_id, entity, entity_id, from_status, to_status, actor, fact, reason)
                values ($3, $1, $2, $4, $5, 'somebody', $6, 'damage') $$;
            """;

    private static Shop shop;

    /**
     * One way to break a promise.
     *
     * @param order the number that must be named
     * @param says a part of what must be said
     * @param broken the promises that break with this, the one in question first
     */
    private record Damage(String name, String sql, String order, String says, List<String> broken) {

        Damage(String name, String sql, String order, String says, String... broken) {
            this(name, sql, order, says, List.of(broken));
        }

        @Override
        public String toString() {
            return broken.get(0) + ": " + name;
        }
    }

    @BeforeAll
    static void openTheShop() {
        shop = new Shop(Services.freshDatabase());
        Histories.writeTo(shop);
        Shop.await(shop.pool.query(VOCABULARY).execute());
    }

    @AfterAll
    static void closeTheShop() {
        shop.close();
    }

    @Test
    void a_healthy_database_has_no_violations() {
        assertThat(Shop.await(new Invariants(shop.pool).check())).isEmpty();
    }

    static Stream<Damage> damages() {
        return Stream.of(money(), conclusions(), stock(), trail(), callbacks(), attempts())
                .flatMap(List::stream);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("damages")
    void damage_is_found_and_named(Damage damage) {
        List<Violation> found = after(damage.sql());

        assertThat(found).as("%s", damage).anySatisfy(violation -> {
            assertThat(violation.invariant()).isEqualTo(damage.broken().get(0));
            assertThat(violation.orderNo()).isEqualTo(damage.order());
            assertThat(violation.detail()).contains(damage.says());
        });
        assertThat(found)
                .as("which promises are broken")
                .extracting(Violation::invariant)
                .hasSameElementsAs(damage.broken());
    }

    @Test
    void damage_of_every_promise_is_tried() {
        assertThat(damages().map(damage -> damage.broken().get(0)).distinct().sorted())
                .containsExactly("I1", "I2", "I3", "I4", "I5", "I6", "I7", "I8");
    }

    private static List<Damage> money() {
        return List.of(
                new Damage(
                        "a succeeded attempt whose refund is gone",
                        "delete from audit where entity = 'REFUND' and order_id = o('LATE');"
                                + "delete from refunds where order_id = o('LATE')",
                        "LATE",
                        "orphaned",
                        "I1",
                        "I3",
                        "I7"),
                new Damage(
                        "a succeeded attempt whose refund failed, with no review open",
                        "update reviews set closed_at = now() where order_id = o('REFUND-FAILED')",
                        "REFUND-FAILED",
                        "orphaned: the order is EXPIRED",
                        "I1",
                        "I3"),
                new Damage(
                        "a reported success that did not fit, with no review open",
                        "update reviews set closed_at = now() where order_id = o('MISFIT')",
                        "MISFIT",
                        "orphaned: the order is PENDING",
                        "I1"),
                new Damage(
                        "a reported success that was applied, and the attempt is not even succeeded",
                        "update callbacks set outcome = 'APPLIED', kind = 'PAYMENT_SUCCEEDED' where reference = hex(a('EXPIRED'))",
                        "EXPIRED",
                        "orphaned: the order is EXPIRED",
                        "I1"),
                saidToBePlain("SECOND", "a further attempt"),
                saidToBePlain("LATE", "a refund"),
                saidToBePlain("MISFIT", "a review"),
                new Damage(
                        "a paid order without a paying attempt",
                        "select unguard('orders'); update orders set effective_attempt_id = null where order_no = 'PARTLY'",
                        "PARTLY",
                        "by attempt none",
                        "I2",
                        "I3"),
                new Damage(
                        "a paid order whose paying attempt is another order's",
                        "update orders set effective_attempt_id = a('LATE') where order_no = 'PARTLY'",
                        "PARTLY",
                        "not one of its own",
                        "I2",
                        "I3"),
                new Damage(
                        "a paid order whose paying attempt did not succeed",
                        "update attempts set status = 'UNKNOWN', received_minor = null, received_currency = null"
                                + " where id = a('PARTLY')",
                        "PARTLY",
                        "which is UNKNOWN",
                        "I2",
                        "I6"),
                new Damage(
                        "a paid order that received less",
                        "update attempts set received_minor = 1998 where id = a('PAID')",
                        "PAID",
                        "received 1998 CNY",
                        "I2"),
                new Damage(
                        "a paid order that received another currency",
                        "update attempts set received_currency = 'USD' where id = a('PAID')",
                        "PAID",
                        "received 1999 USD",
                        "I2"),
                new Damage(
                        "a success that no success fact made",
                        "update audit set fact = 'PAYMENT_SUCCEEDED_OR_NOT QUERY' where entity_id = hex(a('PAID'))"
                                + " and to_status = 'SUCCEEDED'",
                        "PAID",
                        "no PAYMENT_SUCCEEDED is on record",
                        "I2"),
                new Damage(
                        "a success without a fact",
                        "update audit set fact = null where entity_id = hex(a('PAID')) and to_status = 'SUCCEEDED'",
                        "PAID",
                        "no PAYMENT_SUCCEEDED is on record",
                        "I2"),
                new Damage(
                        "a second payment of which only a part goes back",
                        "update refunds set amount_minor = 1998 where attempt_id = a('DOUBLE')",
                        "DOUBLE",
                        "of 1999 minor units only 1998 go back",
                        "I3"),
                new Damage(
                        "a second payment that goes back in another currency",
                        "update refunds set currency = 'USD' where attempt_id = a('DOUBLE')",
                        "DOUBLE",
                        "only 0 go back",
                        "I3"),
                new Damage(
                        "one payment for two orders",
                        "update orders set effective_attempt_id = a('PAID') where order_no = 'SECOND'",
                        "PAID",
                        "pays 2 orders",
                        "I3",
                        "I1",
                        "I2"));
    }

    private static Damage saidToBePlain(String order, String has) {
        return new Damage(
                "an order that is said to be plain, and has " + has,
                "update orders set plain = true where order_no = '" + order + "'",
                order,
                "it is plain, and has " + has,
                "I1");
    }

    private static List<Damage> conclusions() {
        return List.of(
                new Damage(
                        "a paid order that nobody will hear of",
                        "delete from outbox where order_id = o('PAID'); delete from audit where entity = 'SYNC' and order_id = o('PAID')",
                        "PAID",
                        "nothing carries that",
                        "I4"),
                new Damage(
                        "a refunded order that nobody heard of",
                        "delete from outbox where order_id = o('REJECTED'); delete from audit where entity = 'SYNC' and order_id = o('REJECTED')",
                        "REJECTED",
                        "nothing carries that",
                        "I4"),
                new Damage(
                        "a conclusion twice in the outbox",
                        "select unguard('outbox');"
                                + "insert into outbox select * from outbox where order_id = o('REVIVED')",
                        "REVIVED",
                        "in the outbox 2 times",
                        "I4"),
                new Damage(
                        "a conclusion of an order that was never paid",
                        "insert into outbox (order_id, conclusion, target, status) values (o('EXPIRED'), 'PAID', 'erp', 'PENDING');"
                                + "select log('SYNC', hex(o('EXPIRED')), o('EXPIRED'), null, 'PENDING')",
                        "EXPIRED",
                        "never PAID",
                        "I4"),
                new Damage(
                        "a conclusion of an order that is not there",
                        "insert into outbox (order_id, conclusion, target, status) values (gen_random_uuid(), 'PAID', 'erp', 'PENDING');"
                                + "select log('SYNC', hex(order_id), order_id, null, 'PENDING') from outbox x"
                                + " where not exists (select from orders where id = x.order_id)",
                        "-",
                        "never PAID",
                        "I4"),
                new Damage(
                        "an order that was closed for good and is paid",
                        "select unguard('orders'); update orders set closed_for_good = true where order_no = 'PAID'",
                        "PAID",
                        "closed for good, and is PAID",
                        "I4"),
                new Damage(
                        "a paid order whose conclusion was withdrawn",
                        "select unguard('outbox');"
                                + "update outbox set status = 'WITHDRAWN', third_party_id = null where order_id = o('PAID');"
                                + "select log('SYNC', hex(o('PAID')), o('PAID'), 'COMPLETED', 'WITHDRAWN')",
                        "PAID",
                        "its target was never told, and nobody looks at it",
                        "I4",
                        "I6"),
                new Damage(
                        "a completed delivery without an id from there",
                        "select unguard('outbox'); update outbox set third_party_id = null where order_id = o('PAID')",
                        "PAID",
                        "COMPLETED at erp without an id",
                        "I4"),
                new Damage(
                        "one record there for two orders",
                        "select unguard('outbox'); update outbox set third_party_id = 'erp-1' where order_id = o('SECOND')",
                        "SECOND",
                        "record erp-1 at erp stands for 2 orders",
                        "I4"));
    }

    private static List<Damage> stock() {
        return List.of(
                new Damage(
                        "stock that came from nowhere",
                        "update products set available = available + 1 where sku = 'tee'",
                        "-",
                        "product tee of merchant acme: supplied 100, but available",
                        "I5"),
                new Damage(
                        "stock that was sold below nothing",
                        "select unguard('products'); update products set available = -1, supplied = -1 where sku = 'rare'",
                        "-",
                        "available -1",
                        "I5"),
                new Damage(
                        "a unique product with two owners",
                        "select unguard('products'); update products set supplied = 2 where sku = 'lamp';"
                                + "insert into holds values (o('OPEN'), 'acme', 'lamp', 1, 1, 'ACTIVE');"
                                + "select log('HOLD', hex(o('OPEN')) || '/lamp/1', o('OPEN'), null, 'ACTIVE')",
                        "OPEN",
                        "unique product lamp (ACTIVE), of which there are 2 holds",
                        "I5"),
                new Damage(
                        "a hold of an order that is over",
                        "update holds set status = 'ACTIVE' where order_id = o('EXPIRED');"
                                + "delete from audit where order_id = o('EXPIRED') and entity = 'HOLD' and to_status = 'EXPIRED';"
                                + "update products set available = available - 1 where sku = 'tee'",
                        "EXPIRED",
                        "it is EXPIRED and still holds 1 of tee",
                        "I5"),
                new Damage(
                        "an order that says that it holds what it does not hold",
                        "update orders set held = array['tee/1', 'lamp/1'] where id = o('OPEN')",
                        "OPEN",
                        "it says that it holds {tee/1,lamp/1}, and holds {tee/1}",
                        "I5"),
                new Damage(
                        "an order that does not say what it holds",
                        "update orders set held = '{}' where id = o('OPEN')",
                        "OPEN",
                        "it says that it holds {}, and holds {tee/1}",
                        "I5"),
                new Damage(
                        "a paid order that nothing was sold to",
                        "delete from holds where order_id = o('ON-PAYMENT');"
                                + "delete from audit where order_id = o('ON-PAYMENT') and entity = 'HOLD';"
                                + "update products set available = available + 1 where sku = 'song'",
                        "ON-PAYMENT",
                        "for 1 of song, and 0 are sold to it",
                        "I5"),
                new Damage(
                        "a paid order that less was sold to",
                        "update order_items set quantity = 2 where order_id = o('REVIVED')",
                        "REVIVED",
                        "for 2 of tee, and 1 are sold to it",
                        "I5"));
    }

    private static List<Damage> trail() {
        return List.of(
                new Damage(
                        "a change that is no edge",
                        "update orders set status = 'FAILED' where order_no = 'EXPIRED';"
                                + "select log('ORDER', hex(o('EXPIRED')), o('EXPIRED'), 'EXPIRED', 'FAILED')",
                        "EXPIRED",
                        "from EXPIRED to FAILED, which is no edge",
                        "I6"),
                new Damage(
                        "an edge of another machine",
                        "update outbox set status = 'REJECTED' where order_id = o('REVIVED');"
                                + "select log('SYNC', hex(o('REVIVED')), o('REVIVED'), 'PENDING', 'REJECTED')",
                        "REVIVED",
                        "from PENDING to REJECTED, which is no edge",
                        "I6"),
                new Damage(
                        "a beginning that is none",
                        "update audit set to_status = 'CANCELLED' where entity_id = hex(o('UNTRIED'));"
                                + "update orders set status = 'CANCELLED', concluded_at = now() where order_no = 'UNTRIED';"
                                + "update holds set status = 'RELEASED' where order_id = o('UNTRIED');"
                                + "update products set available = available + 1 where sku = 'vase';"
                                + "select log('HOLD', hex(o('UNTRIED')) || '/vase/1', o('UNTRIED'), 'ACTIVE', 'RELEASED')",
                        "UNTRIED",
                        "began as CANCELLED, which is no beginning",
                        "I6"),
                new Damage(
                        "a trail with a gap",
                        "delete from audit where order_id = o('PAID') and entity = 'SYNC' and to_status = 'FAILED'",
                        "PAID",
                        "was PROCESSING, and the next entry is from FAILED",
                        "I6"),
                new Damage(
                        "a trail that does not begin",
                        "delete from audit where order_id = o('PAID') and entity = 'ATTEMPT' and from_status is null",
                        "PAID",
                        "was not there, and the next entry is from CREATED",
                        "I6"),
                new Damage(
                        "a trail that begins twice",
                        "select log('ORDER', hex(o('OPEN')), o('OPEN'), null, 'PENDING')",
                        "OPEN",
                        "was PENDING, and the next entry is from its beginning",
                        "I6"),
                standing("ORDER", "update orders set status = 'FAILED' where order_no = 'EXPIRED'", "EXPIRED"),
                standing("ATTEMPT", "update attempts set status = 'PENDING' where id = a('OPEN')", "OPEN"),
                standing("REFUND", "update refunds set status = 'PROCESSING' where order_id = o('LATE')", "LATE"),
                standing("SYNC", "update outbox set status = 'FAILED' where order_id = o('REVIVED')", "REVIVED"),
                standing("HOLD", "update holds set status = 'RELEASED' where order_id = o('EXPIRED')", "EXPIRED"),
                unrecorded("ORDER", "UNTRIED"),
                unrecorded("ATTEMPT", "OPEN"),
                unrecorded("REFUND", "LATE", "I7"),
                unrecorded("SYNC", "REVIVED"),
                unrecorded("HOLD", "UNTRIED"),
                new Damage(
                        "a trail of something that is gone",
                        "select log('REFUND', hex(o('OPEN')), o('OPEN'), null, 'REQUESTED')",
                        "OPEN",
                        "and nowhere else",
                        "I6"),
                new Damage(
                        "a trail under another order",
                        "update audit set order_id = o('OPEN') where entity_id = hex(o('UNTRIED'))",
                        "UNTRIED",
                        "under another order",
                        "I6"),
                new Damage(
                        "a change by nobody",
                        "update audit set actor = ' ' where entity_id = hex(o('OPEN'))",
                        "OPEN",
                        "without an actor",
                        "I6"),
                new Damage(
                        "a change of nothing",
                        "insert into audit (order_id, from_status, to_status, actor, reason)"
                                + " values (o('OPEN'), 'PENDING', 'PAID', 'somebody', 'damage')",
                        "OPEN",
                        "? ? became PAID without saying what",
                        "I6"),
                new Damage(
                        "a change for no reason",
                        "update audit set reason = '' where entity_id = hex(o('OPEN'))",
                        "OPEN",
                        "without a reason",
                        "I6"));
    }

    private static Damage standing(String entity, String sql, String order) {
        return new Damage(
                entity + " is not in the state that its trail ends in", sql, order, "its last audit entry says", "I6");
    }

    private static Damage unrecorded(String entity, String order, String... also) {
        return new Damage(
                entity + " without any trail",
                "delete from audit where order_id = o('" + order + "') and entity = '" + entity + "'",
                order,
                "has no audit entry",
                Stream.concat(Stream.of("I6"), Arrays.stream(also)).toArray(String[]::new));
    }

    private static List<Damage> callbacks() {
        return List.of(
                new Damage(
                        "a callback that was applied and left no trace",
                        "update audit set callback_id = null where order_id = o('PAID')",
                        "PAID",
                        "(PAYMENT_SUCCEEDED, APPLIED) about",
                        "I7"),
                new Damage(
                        "a callback that did not fit and left no trace",
                        "update audit set callback_id = null where order_id = o('MISFIT');"
                                + "delete from reviews where order_id = o('MISFIT')",
                        "MISFIT",
                        "(PAYMENT_SUCCEEDED, MISMATCH) about",
                        "I7",
                        "I1"),
                new Damage(
                        "a callback that was applied to nothing",
                        "update callbacks set outcome = 'APPLIED' where reference = 'not one of ours'",
                        "-",
                        "names nothing that is here",
                        "I7"),
                new Damage(
                        "a change by a callback that is not on record",
                        "delete from callbacks where reference = hex(a('PAID'))",
                        "PAID",
                        "which is not on record for this order",
                        "I7"),
                new Damage(
                        "a change by a callback about another order",
                        "update audit set callback_id = (select callback_id from audit where callback_id is not null"
                                + " and order_id = o('SECOND') limit 1) where order_id = o('REVIVED') and entity = 'SYNC'",
                        "REVIVED",
                        "which is not on record for this order",
                        "I7"),
                new Damage(
                        "a callback that matched nothing and was not kept",
                        "delete from unmatched where reference = 'not one of ours'",
                        "-",
                        "about not one of ours matched nothing and is not kept",
                        "I7"),
                new Damage(
                        "one of two parts of a callback that was not kept",
                        "update unmatched set part = 1 where reference = 'not one of ours'",
                        "-",
                        "about not one of ours matched nothing and is not kept",
                        "I7"));
    }

    private static List<Damage> attempts() {
        String fact =
                "update audit set fact = '%s' where order_id = o('%s') and entity = 'ATTEMPT' and to_status = '%s'";
        return List.of(
                new Damage(
                        "an attempt that silence has failed",
                        fact.formatted("PAYMENT_NO_ANSWER QUERY", "FAILED", "FAILED"),
                        "FAILED",
                        "became FAILED by PAYMENT_NO_ANSWER QUERY",
                        "I8"),
                new Damage(
                        "an attempt that the clock has expired",
                        fact.formatted("ORDER_TIME_OVER TIMER", "EXPIRED", "EXPIRED"),
                        "EXPIRED",
                        "became EXPIRED by ORDER_TIME_OVER TIMER",
                        "I8"),
                new Damage(
                        "an attempt that ended without a fact",
                        "update audit set fact = null where order_id = o('FAILED') and entity = 'ATTEMPT'",
                        "FAILED",
                        "became FAILED by no fact",
                        "I8"),
                new Damage(
                        "a second attempt beside a live one",
                        "select unguard('attempts');" + secondAttempt("OPEN"),
                        "OPEN",
                        "2 of its attempts can still be paid",
                        "I8"),
                new Damage(
                        "a second attempt while the first was unknown",
                        "select unguard('attempts');" + secondAttempt("OPEN"),
                        "OPEN",
                        "was created while attempt",
                        "I8"),
                new Damage(
                        "a second attempt while the first was before a person",
                        secondAttempt("SILENT"),
                        "SILENT",
                        "was MANUAL_REVIEW",
                        "I8"),
                new Damage(
                        "a second attempt before the first had ended",
                        "update audit set id = (select max(id) + 1 from audit) where order_id = o('SECOND')"
                                + " and entity_id = hex(a('SECOND')) and to_status = 'FAILED'",
                        "SECOND",
                        "was PENDING",
                        "I8"));
    }

    private static String secondAttempt(String order) {
        return "insert into attempts (id, order_id, status, psp, account)"
                + " values (gen_random_uuid(), o('%1$s'), 'CREATED', 'psp', 'acme');".formatted(order)
                + "select log('ATTEMPT', hex(id), order_id, null, 'CREATED') from attempts"
                + " where order_id = o('%1$s') and status = 'CREATED'".formatted(order);
    }

    @Test
    void a_long_list_is_cut_and_the_rest_is_counted() {
        int more = 7;
        List<Violation> found = after("""
                insert into audit (order_id, entity, entity_id, from_status, to_status, actor, reason)
                select o('OPEN'), 'ORDER', hex(o('OPEN')), 'PENDING', 'PENDING', 'somebody', 'damage'
                from generate_series(1, %d)
                """.formatted(Invariants.LISTED_MAX + more));

        assertThat(found).hasSize(Invariants.LISTED_MAX + 1);
        assertThat(found.get(found.size() - 1))
                .isEqualTo(
                        new Violation("I6", "-", "7 more against: every change is an edge of the state graph", more));
        assertThat(Invariants.report(found)).endsWith("violations: 107\n");
    }

    @Test
    void a_report_has_one_line_a_violation_and_their_number_at_the_end() {
        List<Violation> violations = List.of(
                new Violation("I1", "A-17", "the money is orphaned"),
                new Violation("I5", "-", "product tee\nof merchant acme"));

        assertThat(Invariants.report(violations)).isEqualTo("""
                I1 order A-17: the money is orphaned
                I5: product tee of merchant acme
                violations: 2
                """);
        assertThat(Invariants.report(List.of())).isEqualTo("violations: 0\n");
    }

    /** A table that can only be read in a transaction of the right kind. */
    @Test
    void a_check_sees_one_snapshot_and_cannot_write() {
        try (Shop strict = new Shop(Services.freshDatabase())) {
            Shop.await(strict.pool.query("""
                    create function strict() returns boolean language plpgsql as $$
                    begin
                        if current_setting('transaction_isolation') <> 'repeatable read'
                           or current_setting('transaction_read_only') <> 'on' then
                            raise 'not in one snapshot';
                        end if;
                        return true;
                    end $$;
                    insert into products values ('acme', 'tee', 'STOCK', 1, 0);
                    alter table products rename to real_products;
                    create view products as select * from real_products where strict();
                    """).execute());

            assertThat(Shop.await(new Invariants(strict.pool).check()))
                    .extracting(Violation::invariant)
                    .containsExactly("I5");
        }
    }

    private static List<Violation> after(String damage) {
        SqlConnection connection = Shop.await(shop.pool.getConnection());
        try {
            Transaction transaction = Shop.await(connection.begin());
            Future<List<Violation>> found = connection
                    .query("set local client_min_messages = warning;" + damage)
                    .execute()
                    .compose(done -> Invariants.prove(connection));
            return Shop.await(found.eventually(transaction::rollback));
        } finally {
            Shop.await(connection.close());
        }
    }
}
