package io.quittance.store;

import static io.quittance.testing.OutboxBench.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quittance.domain.Money;
import io.quittance.domain.SyncStatus;
import io.quittance.store.OutboxStore.Claim;
import io.quittance.store.OutboxStore.Claimed;
import io.quittance.testing.OutboxBench;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.Pool;
import java.sql.SQLException;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OutboxStoreTest {

    private static final long LEASE_MS = 60_000;
    private static final UUID MINE = UUID.randomUUID();
    private static final UUID THEIRS = UUID.randomUUID();

    private final Vertx vertx = Vertx.vertx();
    private OutboxBench bench;
    private OutboxStore outbox;

    @BeforeEach
    void open() throws SQLException {
        bench = new OutboxBench();
        Pool pool = Database.pool(vertx, bench.uri(), Database.PoolLimits.of("dispatch", 2));
        outbox = new OutboxStore(pool);
    }

    @AfterEach
    void close() throws SQLException {
        bench.close();
        await(vertx.close());
    }

    @Test
    void a_claim_brings_everything_that_a_delivery_needs() throws SQLException {
        UUID order = bench.paid("A-1", "erp");

        Claimed claimed = only(await(outbox.claim(10, LEASE_MS, MINE)));

        assertThat(claimed.orderId()).isEqualTo(order);
        assertThat(claimed.lease()).isEqualTo(MINE);
        assertThat(claimed.target()).isEqualTo("erp");
        assertThat(claimed.tries()).isEqualTo(1);
        assertThat(claimed.uncertain()).isFalse();
        assertThat(claimed.leaseLost()).isFalse();
        assertThat(claimed.merchantId()).isEqualTo(OutboxBench.MERCHANT);
        assertThat(claimed.orderNo()).isEqualTo("A-1");
        assertThat(claimed.amount()).isEqualTo(new Money(1999, "CNY"));
        assertThat(claimed.attempt().id()).hasSize(32);
        assertThat(claimed.attempt().psp()).isEqualTo("stripe");
        assertThat(claimed.attempt().account()).isEqualTo("main");
        assertThat(claimed.attempt().pspPaymentId()).isEqualTo("pi_A-1");
        assertThat(bench.trail(order)).containsExactly("PENDING -> PROCESSING");
        assertThat(await(outbox.claim(10, LEASE_MS, THEIRS)).touched()).isZero();
    }

    @Test
    void the_oldest_are_taken_first_and_no_more_than_the_limit() throws SQLException {
        UUID young = bench.paid("young", "erp");
        UUID old = bench.paid("old", "erp");
        UUID future = bench.paid("future", "erp");
        bench.run("update outbox set due_at = now() - interval '1 minute' where order_id = ?", old);
        bench.run("update outbox set due_at = now() - interval '1 second' where order_id = ?", young);
        bench.run("update outbox set due_at = now() + interval '1 hour' where order_id = ?", future);

        assertThat(only(await(outbox.claim(1, LEASE_MS, MINE))).orderId()).isEqualTo(old);
        assertThat(only(await(outbox.claim(5, LEASE_MS, MINE))).orderId()).isEqualTo(young);
        assertThat(await(outbox.claim(5, LEASE_MS, MINE)).touched()).isZero();
    }

    @Test
    void a_lost_lease_is_taken_over_and_leaves_doubt() throws SQLException {
        UUID order = bench.paid("A-1", "erp");
        await(outbox.claim(1, LEASE_MS, THEIRS));
        bench.makeDue(order);

        Claimed claimed = only(await(outbox.claim(1, LEASE_MS, MINE)));

        assertThat(claimed.leaseLost()).isTrue();
        assertThat(claimed.uncertain()).isTrue();
        assertThat(claimed.tries()).isEqualTo(2);
        assertThat(bench.trail(order)).containsExactly("PENDING -> PROCESSING", "PROCESSING -> PROCESSING");
    }

    @Test
    void whoever_lost_the_lease_changes_nothing() throws SQLException {
        UUID order = bench.paid("A-1", "erp");
        await(outbox.claim(1, LEASE_MS, THEIRS));
        bench.makeDue(order);
        await(outbox.claim(1, LEASE_MS, MINE));
        OutboxBench.OutboxRow before = bench.row(order);

        assertThat(await(outbox.complete(order, THEIRS, "erp-1"))).isFalse();
        assertThat(await(outbox.failed(order, THEIRS, "late", 1, true))).isFalse();
        assertThat(await(outbox.postponed(order, THEIRS, "late", 1))).isFalse();
        assertThat(await(outbox.rejected(order, THEIRS, "late"))).isFalse();
        assertThat(await(outbox.review(order, THEIRS, "late"))).isFalse();

        assertThat(bench.row(order)).isEqualTo(before);
        assertThat(bench.trail(order)).hasSize(2);
        assertThat(bench.count("select count(*) from reviews")).isZero();
        assertThat(await(outbox.complete(order, MINE, "erp-2"))).isTrue();
        assertThat(await(outbox.complete(order, MINE, "erp-2"))).isFalse();
        assertThat(bench.row(order).thirdPartyId()).isEqualTo("erp-2");
    }

    @Test
    void doubt_stays_over_later_tries_that_never_left() throws SQLException {
        UUID order = bench.paid("A-1", "erp");
        await(outbox.claim(1, LEASE_MS, MINE));
        assertThat(await(outbox.failed(order, MINE, "no answer", 0, true))).isTrue();
        assertThat(only(await(outbox.claim(1, LEASE_MS, MINE))).uncertain()).isTrue();
        assertThat(await(outbox.failed(order, MINE, "no connection", 0, false))).isTrue();

        Claimed third = only(await(outbox.claim(1, LEASE_MS, MINE)));

        assertThat(third.uncertain()).isTrue();
        assertThat(third.leaseLost()).isFalse();
        assertThat(third.tries()).isEqualTo(3);
        assertThat(bench.row(order).lastError()).isEqualTo("no connection");
    }

    @Test
    void what_was_postponed_was_not_a_try() throws SQLException {
        UUID order = bench.paid("A-1", "erp");
        await(outbox.claim(1, LEASE_MS, MINE));

        assertThat(await(outbox.postponed(order, MINE, "not tried", 0))).isTrue();

        assertThat(bench.row(order).status()).isEqualTo(SyncStatus.FAILED);
        assertThat(bench.row(order).tries()).isZero();
        assertThat(bench.row(order).uncertain()).isFalse();
        assertThat(bench.trail(order)).containsExactly("PENDING -> PROCESSING", "PROCESSING -> FAILED");
    }

    @Test
    void rows_of_a_target_at_rest_are_put_off_and_do_not_stand_before_others() throws SQLException {
        UUID away = bench.paid("A-1", "away");
        UUID here = bench.paid("A-2", "here");
        bench.run("update outbox set due_at = now() - interval '1 minute' where order_id = ?", away);

        Claim first = await(outbox.claim(1, LEASE_MS, MINE, Set.of("away"), 3_600_000));
        Claim second = await(outbox.claim(1, LEASE_MS, MINE, Set.of("away"), 3_600_000));

        assertThat(first.rows()).isEmpty();
        assertThat(first.rested()).isEqualTo(1);
        assertThat(only(second).orderId()).isEqualTo(here);
        assertThat(bench.row(away).status()).isEqualTo(SyncStatus.PENDING);
        assertThat(bench.row(away).tries()).isZero();
        assertThat(bench.trail(away)).isEmpty();
    }

    @Test
    void a_review_is_opened_once_and_raises_the_version_of_its_order() throws SQLException {
        UUID order = bench.paid("A-1", "erp");
        bench.run("""
                insert into reviews (order_id, attempt_id, reason, detail)
                select id, effective_attempt_id, 'SYNC_EXHAUSTED', 'an open one' from orders
                """);
        await(outbox.claim(1, LEASE_MS, MINE));

        assertThat(await(outbox.review(order, MINE, "x".repeat(1_000)))).isTrue();

        assertThat(bench.row(order).status()).isEqualTo(SyncStatus.REVIEW);
        assertThat(bench.row(order).lastError()).hasSize(OutboxStore.ERROR_CHARS_MAX);
        assertThat(bench.count("select count(*) from reviews")).isEqualTo(1);
        assertThat(bench.count("select version from orders")).isEqualTo(1);
        assertThat(bench.trail(order)).containsExactly("PENDING -> PROCESSING", "PROCESSING -> REVIEW");
        assertThat(await(outbox.nextDue())).isNull();
    }

    @Test
    void one_id_of_a_target_stands_for_one_order() throws SQLException {
        UUID one = bench.paid("A-1", "erp");
        UUID other = bench.paid("A-2", "erp");
        await(outbox.claim(2, LEASE_MS, MINE));
        await(outbox.complete(one, MINE, "erp-1"));

        assertThatThrownBy(() -> await(outbox.complete(other, MINE, "erp-1"))).isInstanceOf(OutboxStore.IdTaken.class);

        assertThat(bench.row(other).status()).isEqualTo(SyncStatus.PROCESSING);
    }

    @Test
    void the_next_due_row_is_told_in_database_time() throws SQLException {
        assertThat(await(outbox.nextDue())).isNull();
        UUID order = bench.paid("A-1", "erp");
        assertThat(await(outbox.nextDue())).isZero();
        bench.run("update outbox set due_at = now() + interval '1 hour' where order_id = ?", order);

        assertThat(await(outbox.nextDue())).isBetween(3_500_000L, 3_600_000L);
    }

    @Test
    void rejected_rows_are_done() throws SQLException {
        UUID order = bench.paid("A-1", "erp");
        await(outbox.claim(1, LEASE_MS, MINE));

        assertThat(await(outbox.rejected(order, MINE, "refused"))).isTrue();

        assertThat(bench.row(order).status()).isEqualTo(SyncStatus.REJECTED);
        assertThat(bench.trail(order)).containsExactly("PENDING -> PROCESSING", "PROCESSING -> REJECTED");
        assertThat(await(outbox.nextDue())).isNull();
    }

    @Test
    void what_is_due_is_found_by_the_index_of_what_is_not_done() throws SQLException {
        bench.run("""
                insert into orders (id, merchant_id, order_no, status, amount_minor, currency, late_policy,
                                    takes_on_payment, effective_attempt_id, content_hash, expires_at, concluded_at)
                select gen_random_uuid(), 'acme', 'B-' || n, 'PAID', 1, 'CNY', 'REFUND', false, gen_random_uuid(), 'x',
                       now() + interval '1 hour', now()
                  from generate_series(1, 5000) n
                """);
        bench.run("""
                insert into outbox (order_id, conclusion, target, status, third_party_id)
                select id, 'PAID', 'erp', 'COMPLETED', order_no from orders
                """);
        bench.paid("A-1", "erp");
        bench.run("analyze outbox");

        assertThat(bench.plan(OutboxStore.CLAIM, 5)).contains("outbox_due").doesNotContain("Seq Scan on outbox");
        assertThat(bench.plan(OutboxStore.NEXT_DUE, 0)).contains("outbox_due").doesNotContain("Seq Scan on outbox");
    }

    private static Claimed only(Claim claim) {
        assertThat(claim.rows()).hasSize(1);
        return claim.rows().get(0);
    }
}
