package io.quittance.dispatch;

import static io.quittance.testing.OutboxBench.await;

import io.quittance.dev.SandboxTarget;
import io.quittance.domain.Outcome;
import io.quittance.domain.PaymentFact;
import io.quittance.domain.SyncStatus;
import io.quittance.message.Addresses;
import io.quittance.message.Bus;
import io.quittance.message.Submission;
import io.quittance.message.Submission.Verdict;
import io.quittance.message.Unavailable;
import io.quittance.store.Database;
import io.quittance.store.OutboxStore;
import io.quittance.testing.OutboxBench;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.sqlclient.Pool;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Dispatchers between a real outbox and targets of the test's making; the engine is played by the test. */
final class DispatchBench implements AutoCloseable {

    static final String SECRET = "whsec_c2l4dHktZm91ciBieXRlcyBhdCBtb3N0LCAyNCBhdCBsZWFzdA==";

    /** A failed row is not due again during a test, unless the test says so. */
    private static final Duration FAR = Duration.ofDays(1000);

    static final DispatchOptions OPTIONS = DispatchOptions.defaults()
            .withTries(5, FAR, FAR)
            .withBreaker(1_000, DispatchOptions.BREAKER_WINDOW_MAX, FAR);

    final Vertx vertx = Vertx.vertx();
    final Bus bus = new Bus(vertx, 1, Clock.systemUTC());
    final OutboxBench outbox = new OutboxBench();
    final List<PaymentFact> facts = new CopyOnWriteArrayList<>();
    volatile Outcome verdict = Outcome.APPLIED;
    volatile boolean engineAway;
    private int pools;

    DispatchBench() throws SQLException {
        bus.<Submission, Verdict>serve(Addresses.engine(0), submission -> {
            if (engineAway) {
                return Future.failedFuture(new Unavailable("as the test says"));
            }
            facts.add(submission.fact());
            return Future.succeededFuture(new Verdict(verdict, "as the test says"));
        });
    }

    SandboxTarget erp(SandboxTarget.Repeats repeats) {
        SandboxTarget erp = SandboxTarget.create(vertx, SECRET, repeats, Clock.systemUTC());
        await(erp.start(0));
        return erp;
    }

    /** The address of a server that does what the test says. */
    String server(Consumer<HttpServerRequest> behaviour) {
        HttpServer server =
                await(vertx.createHttpServer().requestHandler(behaviour::accept).listen(0, "127.0.0.1"));
        return "http://127.0.0.1:" + server.actualPort() + "/orders";
    }

    static Target asking(SandboxTarget erp) {
        return Target.of("erp", erp.url(), SECRET, erp.lookupUrl(), false);
    }

    static Target notAsking(SandboxTarget erp) {
        return Target.of("erp", erp.url(), SECRET, null, false);
    }

    static Target at(String url, @Nullable String lookupUrl) {
        return Target.of("erp", url, SECRET, lookupUrl, false);
    }

    OutboxStore store() {
        Pool pool = Database.pool(vertx, outbox.uri(), Database.PoolLimits.of("dispatch-" + ++pools, 2));
        return new OutboxStore(pool);
    }

    /** Starts a dispatcher; returns its deployment. */
    String dispatcher(DispatchOptions options, Target... targets) {
        return await(vertx.deployVerticle(new DispatchVerticle(
                store(), bus, List.of(targets), options, Clock.systemUTC(), new Random(20_260_131))));
    }

    UUID paid(String orderNo) throws SQLException {
        return outbox.paid(orderNo, "erp");
    }

    /** Makes a row due and says so. */
    void again(UUID order) throws SQLException {
        outbox.makeDue(order);
        bus.tell(Addresses.CONCLUDED, order);
    }

    void awaitRow(UUID order, SyncStatus status, int tries) throws SQLException {
        outbox.awaitRow(order, status, tries);
    }

    @Override
    public void close() throws SQLException {
        for (String deployment : vertx.deploymentIDs()) {
            await(vertx.undeploy(deployment));
        }
        await(vertx.close());
        outbox.close();
    }
}
