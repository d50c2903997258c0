package io.quittance.refund;

import io.quittance.domain.Evidence;
import io.quittance.domain.FactKind;
import io.quittance.domain.FactSource;
import io.quittance.domain.Ids;
import io.quittance.domain.Outcome;
import io.quittance.domain.PaymentFact;
import io.quittance.domain.PaymentFact.RefundNews;
import io.quittance.domain.RefundStatus;
import io.quittance.message.Addresses;
import io.quittance.message.Alarm;
import io.quittance.message.Bus;
import io.quittance.psp.PspAdapter;
import io.quittance.psp.PspAdapter.NewPayment;
import io.quittance.psp.PspAdapter.PaymentRef;
import io.quittance.psp.PspAdapter.RefundOrder;
import io.quittance.psp.Psps;
import io.quittance.psp.RefundReport;
import io.quittance.store.RefundStore;
import io.quittance.store.RefundStore.Due;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Clock;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries refunds to their PSP. That a refund is being asked for is written before the call; whatever may have been
 * asked for already is asked about first; every call for one refund has the same key.
 */
public final class RefundVerticle extends VerticleBase {

    private static final Logger LOG = LoggerFactory.getLogger(RefundVerticle.class);

    private final Bus bus;
    private final RefundStore store;
    private final Psps psps;
    private final RefundOptions options;
    private final Clock clock;
    private @Nullable Alarm alarm;

    public RefundVerticle(Bus bus, RefundStore store, Psps psps, RefundOptions options, Clock clock) {
        this.bus = bus;
        this.store = store;
        this.psps = psps;
        this.options = options;
        this.clock = clock;
    }

    @Override
    public Future<?> start() {
        Alarm created = new Alarm(vertx, "refund", options.pauseMaxMs(), this::round, store::nextDue);
        alarm = created;
        created.nudge();
        return bus.hear(Addresses.REFUND_DUE, order -> created.nudge()).completion();
    }

    @Override
    public Future<?> stop() {
        return alarm == null ? Future.succeededFuture() : alarm.stop();
    }

    private Future<Boolean> round() {
        return store.claim(options.batchMax(), options.leaseMs(), options.ageLimitMs())
                .compose(due -> Future.join(due.stream().map(this::carry).toList())
                        .map(done -> due.size() == options.batchMax()));
    }

    private Future<Void> carry(Due due) {
        return settle(due)
                .compose(done -> store.postpone(due.id(), options.backoff().pauseMs(due.tries())))
                .recover(failure -> {
                    LOG.warn("a refund of order {} will be tried again: {}", due.orderNo(), failure.toString());
                    return Future.succeededFuture();
                });
    }

    private Future<Outcome> settle(Due due) {
        Optional<PspAdapter> adapter = psps.find(due.psp(), due.account())
                .filter(found -> found.capabilities().refund());
        if (due.aged() || adapter.isEmpty()) {
            String why =
                    adapter.isEmpty() ? "the account is not there, or cannot send money back" : "open for too long";
            return submit(due, FactKind.REFUND_AGE_LIMIT, timer(), "a refund needs a person: " + why);
        }
        if (due.status() != RefundStatus.REQUESTED) {
            return askFirst(due, adapter.get());
        }
        return submit(due, FactKind.REFUND_STARTED, timer(), null)
                .compose(outcome -> outcome == Outcome.APPLIED
                        ? adapter.get().refund(order(due)).compose(report -> tell(due, report, FactSource.CALL))
                        : Future.succeededFuture(outcome));
    }

    private Future<Outcome> askFirst(Due due, PspAdapter adapter) {
        return adapter.queryRefund(order(due))
                .compose(report -> report.status() == RefundReport.Status.NOT_FOUND
                        ? adapter.refund(order(due)).compose(made -> tell(due, made, FactSource.CALL))
                        : tell(due, report, FactSource.QUERY));
    }

    private Future<Outcome> tell(Due due, RefundReport report, FactSource source) {
        Evidence evidence = new Evidence(source, due.psp(), due.account(), null, clock.instant());
        return report.toFact(Ids.hex(due.attemptId()), Ids.hex(due.id()), evidence)
                .map(fact -> bus.submit(fact).map(verdict -> verdict.outcome()))
                .orElseGet(() -> submit(due, FactKind.REFUND_NO_ANSWER, evidence, report.detail()));
    }

    private Evidence timer() {
        return Evidence.ours(FactSource.TIMER, clock.instant());
    }

    private Future<Outcome> submit(Due due, FactKind kind, Evidence evidence, @Nullable String detail) {
        RefundNews news = new RefundNews(Ids.hex(due.id()), null, null, null);
        return bus.submit(PaymentFact.refund(kind, Ids.hex(due.attemptId()), evidence, news, detail))
                .map(verdict -> verdict.outcome());
    }

    private RefundOrder order(Due due) {
        String attempt = Ids.hex(due.attemptId());
        NewPayment original =
                options.urls().payment(due.psp(), due.account(), attempt, due.orderNo(), due.paid(), due.expiresAt());
        PaymentRef payment = new PaymentRef(attempt, due.pspPaymentId(), original);
        String reason = due.reason().name().toLowerCase(Locale.ROOT).replace('_', ' ');
        return new RefundOrder(Ids.hex(due.id()), payment, due.paid(), due.amount(), reason);
    }
}
