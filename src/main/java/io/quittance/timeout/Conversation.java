package io.quittance.timeout;

import io.quittance.domain.AttemptStatus;
import io.quittance.domain.Evidence;
import io.quittance.domain.FactKind;
import io.quittance.domain.FactSource;
import io.quittance.domain.Ids;
import io.quittance.domain.OrderStatus;
import io.quittance.domain.Outcome;
import io.quittance.domain.PaymentFact;
import io.quittance.message.Bus;
import io.quittance.psp.PaymentReport;
import io.quittance.psp.PspAdapter;
import io.quittance.psp.PspAdapter.NewPayment;
import io.quittance.psp.PspAdapter.PaymentRef;
import io.quittance.psp.Psps;
import io.quittance.store.TimerStore.Due;
import io.quittance.store.TimerStore.Live;
import io.vertx.core.Future;
import java.time.Clock;

/**
 * What is said about an order that is due. A live attempt is asked about first; one that nobody may pay any more is
 * closed at the PSP; only what is certainly closed there ends here. No answer means "unknown", never "expired". A PSP
 * that cannot be asked is waited for instead.
 */
final class Conversation {

    private final Bus bus;
    private final Psps psps;
    private final TimeoutOptions options;
    private final Clock clock;

    Conversation(Bus bus, Psps psps, TimeoutOptions options, Clock clock) {
        this.bus = bus;
        this.psps = psps;
        this.options = options;
        this.clock = clock;
    }

    /** When the order must be looked at again. */
    enum Next {
        DONE,
        WAIT_FOR_EXPIRY,
        LOOK_AGAIN,
        /** A person has it; look whether that is still so. */
        LOOK_AGAIN_RARELY
    }

    Future<Next> hold(Due due) {
        Live live = due.live();
        boolean pending = due.status() == OrderStatus.PENDING;
        if (live == null) {
            if (!pending) {
                return Future.succeededFuture(Next.DONE);
            }
            return due.over() ? timeOver(due) : Future.succeededFuture(Next.WAIT_FOR_EXPIRY);
        }
        boolean unwanted = due.over() || !pending;
        if (!unwanted && live.status() == AttemptStatus.PENDING) {
            return Future.succeededFuture(Next.WAIT_FOR_EXPIRY);
        }
        PspAdapter adapter = psps.find(live.psp(), live.account()).orElse(null);
        if (adapter == null) {
            return due.aged() ? ageLimit(due, live) : noAnswer(live, "this account is not configured");
        }
        return adapter.capabilities().query() ? ask(due, live, adapter, unwanted) : outwait(due, live);
    }

    /**
     * An account that cannot be asked tells of a payment by itself or not at all: when the order's time and the grace
     * are over the attempt ends, and money that comes later goes by the late-payment policy.
     */
    private Future<Next> outwait(Due due, Live live) {
        if (!due.over()) {
            return Future.succeededFuture(Next.WAIT_FOR_EXPIRY);
        }
        if (!due.graceOver()) {
            return Future.succeededFuture(Next.LOOK_AGAIN);
        }
        PaymentFact ended = PaymentFact.payment(
                FactKind.PAYMENT_CLOSED,
                Ids.hex(live.attemptId()),
                Evidence.ours(FactSource.TIMER, clock.instant()),
                null,
                "nothing was heard of it until the end of the grace, and its PSP cannot be asked");
        return bus.submit(ended).compose(verdict -> afterEnd(due));
    }

    private Future<Next> timeOver(Due due) {
        Evidence evidence = Evidence.ours(FactSource.TIMER, clock.instant());
        return bus.submit(PaymentFact.bare(FactKind.ORDER_TIME_OVER, Ids.hex(due.orderId()), evidence, null))
                .map(verdict -> verdict.outcome() == Outcome.WAITING ? Next.LOOK_AGAIN_RARELY : Next.DONE);
    }

    private Future<Next> ask(Due due, Live live, PspAdapter adapter, boolean unwanted) {
        PaymentRef payment = reference(due, live);
        return adapter.query(payment).compose(report -> switch (report.status()) {
            case SUCCEEDED, FAILED, CLOSED -> tell(due, live, report, FactSource.QUERY);
            case PENDING ->
                unwanted
                        ? close(due, live, adapter, payment)
                        : submit(live, report, FactSource.QUERY).map(Next.WAIT_FOR_EXPIRY);
            case NOT_FOUND ->
                unwanted ? closeUnknown(due, live, adapter, payment) : noAnswer(live, "the PSP does not know it yet");
            case NO_ANSWER -> due.aged() ? ageLimit(due, live) : noAnswer(live, report.detail());
        });
    }

    private Future<Next> close(Due due, Live live, PspAdapter adapter, PaymentRef payment) {
        if (!adapter.capabilities().close()) {
            return due.aged() ? ageLimit(due, live) : Future.succeededFuture(Next.LOOK_AGAIN);
        }
        return adapter.close(payment).compose(report -> switch (report.status()) {
            case SUCCEEDED, FAILED, CLOSED -> tell(due, live, report, FactSource.CALL);
            case NOT_FOUND -> notFound(due, live, adapter);
            case PENDING -> due.aged() ? ageLimit(due, live) : Future.succeededFuture(Next.LOOK_AGAIN);
            case NO_ANSWER -> due.aged() ? ageLimit(due, live) : noAnswer(live, report.detail());
        });
    }

    /** What cannot be closed may still prove by being unknown that it can no longer be paid. */
    private Future<Next> closeUnknown(Due due, Live live, PspAdapter adapter, PaymentRef payment) {
        return adapter.capabilities().close() ? close(due, live, adapter, payment) : notFound(due, live, adapter);
    }

    /** Some PSPs take no payment after its end that they do not know by then: such a one is as good as closed. */
    private Future<Next> notFound(Due due, Live live, PspAdapter adapter) {
        if (adapter.capabilities().notFoundProvesNotExecuted() && due.graceOver()) {
            PaymentReport proven = PaymentReport.of(
                    PaymentReport.Status.CLOSED, null, "unknown to the PSP after its end: it can no longer be paid");
            return tell(due, live, proven, FactSource.QUERY);
        }
        return due.aged() ? ageLimit(due, live) : Future.succeededFuture(Next.LOOK_AGAIN);
    }

    private Future<Next> tell(Due due, Live live, PaymentReport report, FactSource source) {
        return submit(live, report, source).compose(outcome -> afterEnd(due));
    }

    private Future<Next> afterEnd(Due due) {
        boolean stillPending = due.status() == OrderStatus.PENDING && due.over();
        return stillPending ? timeOver(due) : Future.succeededFuture(Next.LOOK_AGAIN);
    }

    private Future<Outcome> submit(Live live, PaymentReport report, FactSource source) {
        Evidence evidence = new Evidence(source, live.psp(), live.account(), null, clock.instant());
        PaymentFact fact = report.toFact(Ids.hex(live.attemptId()), evidence).orElseThrow();
        return bus.submit(fact).map(verdict -> verdict.outcome());
    }

    private Future<Next> noAnswer(Live live, String detail) {
        return submit(live, PaymentReport.noAnswer(detail), FactSource.QUERY).map(Next.LOOK_AGAIN);
    }

    private Future<Next> ageLimit(Due due, Live live) {
        Evidence evidence = Evidence.ours(FactSource.TIMER, clock.instant());
        String attempt = Ids.hex(live.attemptId());
        return submit(live, PaymentReport.noAnswer("past the age limit"), FactSource.QUERY)
                .compose(unknown -> bus.submit(
                        PaymentFact.bare(FactKind.PAYMENT_AGE_LIMIT, attempt, evidence, "order " + due.orderNo())))
                .map(Next.LOOK_AGAIN_RARELY);
    }

    private PaymentRef reference(Due due, Live live) {
        String attempt = Ids.hex(live.attemptId());
        NewPayment original = options.urls()
                .payment(live.psp(), live.account(), attempt, due.orderNo(), due.amount(), due.expiresAt());
        return new PaymentRef(attempt, live.pspPaymentId(), original);
    }
}
