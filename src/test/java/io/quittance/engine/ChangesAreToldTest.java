package io.quittance.engine;

import static io.quittance.testing.Bench.await;
import static io.quittance.testing.Bench.news;
import static io.quittance.testing.Bench.success;
import static org.assertj.core.api.Assertions.assertThat;

import io.quittance.domain.FactKind;
import io.quittance.domain.Outcome;
import io.quittance.domain.PaymentFact;
import io.quittance.testing.Bench;
import io.quittance.testing.BenchProcess;
import io.vertx.core.Context;
import java.sql.SQLException;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who watches an order hears of what the engine commits, after it is committed. */
class ChangesAreToldTest {

    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    private Bench bench;
    private BenchProcess process;
    private Context context;

    @BeforeEach
    void open() throws SQLException {
        bench = Bench.open();
        process = bench.process().withEngine();
        context = process.vertx().getOrCreateContext();
    }

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void a_change_is_told_when_it_can_be_read_and_a_repetition_is_not_told() throws Exception {
        UUID first = bench.order("A1");
        UUID second = bench.order("A2");
        UUID attempt = bench.attempt(first);
        watch(first);
        watch(second);

        tell(news(FactKind.PAYMENT_PENDING, attempt, "ev-1"), "ev-1", Outcome.APPLIED);
        assertThat(next()).isEqualTo(first + " PENDING");
        tell(news(FactKind.PAYMENT_PENDING, attempt, "ev-1"), "ev-1", Outcome.DUPLICATE);
        tell(success(attempt, "ev-2"), "ev-2", Outcome.APPLIED);
        assertThat(next()).isEqualTo(first + " PAID");
        tell(success(attempt, "ev-2"), "ev-2", Outcome.DUPLICATE);
        tell(success(bench.attempt(second), "ev-3"), "ev-3", Outcome.APPLIED);

        assertThat(next()).as("nothing was told of the repetitions").isEqualTo(second + " PAID");
        assertThat(heard).isEmpty();
    }

    private void tell(PaymentFact fact, String eventId, Outcome wanted) {
        assertThat(await(process.bus().submit(fact, Bench.delivery(eventId), "test"))
                        .outcome())
                .isEqualTo(wanted);
    }

    /** Notes the order's state as it can be read by the one who hears of it. */
    private void watch(UUID order) throws InterruptedException {
        BlockingQueue<Boolean> watched = new LinkedBlockingQueue<>();
        context.runOnContext(now -> {
            process.bus().watch(order, this::note);
            watched.add(true);
        });
        watched.poll(20, TimeUnit.SECONDS);
    }

    private void note(UUID order) {
        process.pool()
                .query("select status from orders where id = '" + order + "'")
                .execute()
                .onSuccess(
                        rows -> heard.add(order + " " + rows.iterator().next().getString(0)));
    }

    private String next() throws InterruptedException {
        return heard.poll(20, TimeUnit.SECONDS);
    }
}
