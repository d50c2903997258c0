package io.quittance.psp.sandbox;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A PSP for development, demonstrations and tests. It speaks the formats of Stripe, Alipay, WeChat Pay, Adyen and
 * Standard Webhooks, checks the requests it receives as they do, sends notifications as badly as its {@link Faults} say,
 * and gives settlement files of what moved.
 *
 * <p>The paths of the PSPs begin with {@code /stripe}, {@code /alipay}, {@code /wechatpay}, {@code /adyen} and
 * {@code /standardwebhooks}; WeChat Pay's signed path is the path as requested, prefix included. What it knows about
 * payments is lost when the process ends; its keys can be kept ({@link SandboxKeys}).
 *
 * <p>All methods may be called from any thread.
 */
public final class SandboxPsp {

    private final Vertx vertx;
    private final SandboxOptions options;
    private final Tally tally = new Tally();
    private final SentLog sent = new SentLog();
    private final Ledger ledger = new Ledger(tally);
    private final FaultSource faults;
    private volatile String notifyBase;
    private volatile @Nullable Deployed deployed;

    private record Deployed(String id, SandboxServer server) {}

    private SandboxPsp(Vertx vertx, SandboxOptions options) {
        this.vertx = vertx;
        this.options = options;
        this.faults = new FaultSource(options.faults());
        this.notifyBase = options.notifyBase();
    }

    public static SandboxPsp create(Vertx vertx, SandboxOptions options) {
        return new SandboxPsp(vertx, options);
    }

    /**
     * Listens on 127.0.0.1.
     *
     * @param port 0 for any free one
     * @return the port; fails if it is taken, or the sandbox was started before
     */
    public Future<Integer> start(int port) {
        if (deployed != null) {
            return Future.failedFuture(new IllegalStateException("the sandbox was started before"));
        }
        Desk.Shared shared = new Desk.Shared(ledger, tally, sent, faults, () -> notifyBase);
        SandboxServer server = new SandboxServer(options, shared, port);
        return vertx.deployVerticle(server).map(id -> {
            deployed = new Deployed(id, server);
            return server.port();
        });
    }

    /** Ends everything; notifications that have not been sent are lost. Closing twice does no harm. */
    public Future<Void> close() {
        Deployed current = deployed;
        if (current == null) {
            return Future.succeededFuture();
        }
        deployed = null;
        return vertx.undeploy(current.id);
    }

    /**
     * Changes where notifications go from now on whose address is not said in each creation: for a gateway whose port is
     * only known after the sandbox's.
     *
     * @param base for example {@code http://127.0.0.1:8080/v1/notify}
     */
    public void notifyBase(String base) {
        notifyBase = base;
    }

    /**
     * The gateway's settings for its account at one of the PSPs, in the keys of the configuration file; secrets included.
     *
     * @param psp {@code stripe}, {@code alipay}, {@code wechatpay}, {@code adyen} or {@code standardwebhooks}
     * @throws IllegalArgumentException for any other
     * @throws IllegalStateException if the sandbox is not running
     */
    public JsonObject accountSettings(String psp) {
        SandboxServer server = running();
        PspSide side = server.desk().sides().get(psp);
        if (side == null) {
            throw new IllegalArgumentException("the sandbox does not play " + psp);
        }
        return side.settings(server.base());
    }

    /**
     * The payer opens the address of an Alipay page payment, which makes the trade exist, or an Adyen payment link. Opening
     * it again is fine.
     *
     * @return fails if Alipay's merchant did not sign it, or the payment is paid, closed or out of time
     */
    public Future<Void> open(String address) {
        URI uri;
        try {
            uri = URI.create(address);
        } catch (IllegalArgumentException e) {
            return Future.failedFuture(e);
        }
        Optional<String> link = AdyenSide.linkId(uri.getPath());
        String query = uri.getRawQuery() == null ? "" : uri.getRawQuery();
        return onThread(desk -> link.ifPresentOrElse(
                id -> desk.adyen().open(id, Instant.now()), () -> desk.alipay().open(query, Instant.now())));
    }

    /**
     * The payer pays. Paying what is paid does nothing.
     *
     * @return completes when the payment is recorded, before notifications arrive; fails if there is no such payment (an
     *     Alipay trade must be opened first), or it is closed or out of time
     */
    public Future<Void> pay(String attemptId) {
        return onThread(desk -> desk.cashier().pay(attemptId, false, Instant.now()));
    }

    /** The money moves although the payment is closed or out of time: the race in which the close came too late. */
    public Future<Void> payLateEvenIfClosed(String attemptId) {
        return onThread(desk -> desk.cashier().pay(attemptId, true, Instant.now()));
    }

    /** A try of the payer fails. The payment stays open; only Stripe, Adyen and Standard Webhooks tell of it. */
    public Future<Void> decline(String attemptId) {
        return onThread(desk -> desk.cashier().decline(attemptId, Instant.now()));
    }

    /**
     * Completes when no notification is queued, waiting for a retry or in flight. One that is held back for another to
     * overtake it is let go if nothing else is left. Completes at once if the sandbox is not running.
     */
    public Future<Void> settled() {
        Deployed current = deployed;
        if (current == null) {
            return Future.succeededFuture();
        }
        Promise<Void> settled = Promise.promise();
        current.server
                .onThread(desk -> desk.delivery().settled().onComplete(settled))
                .onFailure(settled::tryFail);
        return settled.future();
    }

    /** Changes how notifications travel from now on. Those on their way keep their plan. */
    public void faults(Faults changed) {
        faults.change(changed);
    }

    public SandboxCounts counts() {
        return tally.snapshot();
    }

    /** The notifications that were posted and answered, or given up waiting, the latest {@value SentLog#SENT_MAX} of them. */
    public List<SentNotification> sent() {
        return sent.all();
    }

    /** A payment; empty for an Alipay trade that nobody has opened. */
    public Optional<SandboxPayment> payment(String attemptId) {
        return ledger.byAttempt(attemptId).map(Trade::shown);
    }

    private Future<Void> onThread(Consumer<Desk> step) {
        Deployed current = deployed;
        return current == null
                ? Future.failedFuture(new IllegalStateException("the sandbox is not running"))
                : current.server.onThread(step);
    }

    private SandboxServer running() {
        Deployed current = deployed;
        if (current == null) {
            throw new IllegalStateException("the sandbox is not running");
        }
        return current.server;
    }
}
