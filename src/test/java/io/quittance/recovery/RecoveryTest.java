package io.quittance.recovery;

import static io.quittance.testing.Bench.await;
import static io.quittance.testing.Bench.success;
import static org.assertj.core.api.Assertions.assertThat;

import io.quittance.domain.Outcome;
import io.quittance.domain.PaymentFact;
import io.quittance.engine.EngineOptions;
import io.quittance.message.Addresses;
import io.quittance.store.UnmatchedStore;
import io.quittance.testing.Bench;
import io.quittance.testing.BenchProcess;
import io.vertx.core.Promise;
import java.sql.SQLException;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Notifications that were faster than our own commit. */
class RecoveryTest {

    private final UUID early = UUID.randomUUID();
    private Bench bench;
    private BenchProcess process;

    @BeforeEach
    void open() throws SQLException {
        bench = Bench.open();
        EngineOptions usual = BenchProcess.engineOptions();
        // one batch at a time, so that what comes first is also finished first
        process = bench.process()
                .withEngine(new EngineOptions(
                        usual.batchMax(), 1, usual.queueMax(), 24, 25, 25, usual.audienceOfMerchant()));
    }

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void a_notification_before_its_attempt_is_kept_and_pays_when_the_attempt_appears() {
        recover();
        UUID order = bench.order("A1");

        assertThat(say(success(early, "ev-1"), "ev-1")).isEqualTo(Outcome.UNMATCHED);
        assertThat(bench.count("select count(*) from unmatched where attempt_id = ?", early))
                .isEqualTo(1);
        bench.attempt(order, early);
        process.bus().tell(Addresses.MATCH_DUE, order);

        bench.until("the notification is matched", () -> unmatched() == 0);
        assertThat(bench.orderStatus(order)).isEqualTo("PAID");
        assertThat(bench.attemptStatus(early)).isEqualTo("SUCCEEDED");
        assertThat(bench.text("select psp_payment_id from attempts")).startsWith("pay-");
        bench.proveInvariants();
    }

    @Test
    void a_notification_that_found_nothing_tells_the_recovery_at_once() {
        Promise<UUID> told = Promise.promise();
        await(process.bus().hear(Addresses.MATCH_DUE, told::tryComplete).completion());

        say(success(early, "ev-1"), "ev-1");

        assertThat(await(told.future())).isEqualTo(early);
    }

    @Test
    void what_never_finds_its_attempt_goes_before_a_person_once() {
        say(success(early, "ev-1"), "ev-1");
        bench.run("update unmatched set review_at = now() - interval '1 second'");

        recover();

        bench.until("a person is asked", () -> bench.count("select count(*) from reviews") == 1);
        assertThat(bench.text("select reason from reviews")).isEqualTo("UNMATCHED");
        assertThat(bench.text("select detail from reviews"))
                .contains(early.toString().replace("-", ""));
        UUID order = bench.order("A1");
        bench.attempt(order, early);
        process.bus().tell(Addresses.MATCH_DUE, order);
        bench.until("it is matched even so", () -> unmatched() == 0);
        assertThat(bench.orderStatus(order)).isEqualTo("PAID");
        assertThat(bench.count("select count(*) from reviews")).isEqualTo(1);
    }

    @Test
    void a_notification_that_cannot_be_written_holds_up_no_other() {
        UUID second = UUID.randomUUID();
        say(success(early, "ev-1"), "ev-1");
        say(success(second, "ev-2"), "ev-2");
        bench.attempt(bench.order("A1"), early);
        UUID order = bench.order("A2");
        bench.attempt(order, second);
        bench.run("alter table attempts add constraint refused check (id <> '" + early + "' or status <> 'SUCCEEDED')");

        recover();

        bench.until("the second one is matched", () -> unmatched() == 1);
        assertThat(bench.orderStatus(order)).isEqualTo("PAID");
        assertThat(bench.attemptStatus(early)).isEqualTo("PROCESSING");
    }

    private void recover() {
        process.deploy(new RecoveryVerticle(process.bus(), new UnmatchedStore(process.pool()), 10, 60_000));
    }

    private long unmatched() {
        return bench.count("select count(*) from unmatched where matched_at is null");
    }

    private Outcome say(PaymentFact fact, String eventId) {
        return await(process.bus().submit(fact, Bench.delivery(eventId), "test"))
                .outcome();
    }
}
