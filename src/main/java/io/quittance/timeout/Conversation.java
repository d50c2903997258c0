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
import io.quittance.store.TimerStore;
import io.quittance.store.TimerStore.Due;
import io.quittance.store.TimerStore.Live;
import io.vertx.core.Future;
import java.time.Clock;
import java.util.Objects;
import java.util.Optional;

/**
 * What is said about an order that is due. A live attempt is asked about first; one that nobody may pay any more is
 * closed at the PSP; only what is certainly closed there ends here. No answer means "unknown", never "expired". A PSP
 * that cannot be asked is waited for instead.
 */
final class Conversation {

    private final Bus bus;
    private final Psps psps;
    private final TimerStore timers;
    private final Accounts accounts;
    private final TimeoutOptions options;
    private final Clock clock;

    Conversation(Bus bus, Psps psps, TimerStore timers, Accounts accounts, TimeoutOptions options, Clock clock) {
        this.bus = bus;
        this.psps = psps;
        this.timers = timers;
        this.accounts = accounts;
        this.options = options;
        this.clock = clock;
    }

    /** When the order must be looked at again. */
    enum Next {
        DONE,
        /** At the end of the attempt that may still be paid, else of the order. */
        WAIT_FOR_END,
        LOOK_AGAIN,
        /** A person has it; look whether that is still so. */
        LOOK_AGAIN_RARELY
    }

    /** The account that must be asked before anything can be said about an order; empty if none must, or none can. */
    Optional<PspAdapter> toAsk(Due due) {
        Live live = due.live();
        return live == null || waitsForPayer(due, live)
                ? Optional.empty()
                : psps.find(live.psp(), live.account())
                        .filter(adapter -> adapter.capabilities().query());
    }

    /** Nobody may pay it any more. */
    private static boolean isUnwanted(Due due, Live live) {
        return live.over() || due.status() != OrderStatus.PENDING;
    }

    private static boolean waitsForPayer(Due due, Live live) {
        return !isUnwanted(due, live) && live.status() == AttemptStatus.PENDING;
    }

    /** What can be said without a question. */
    Future<Next> withoutAsking(Due due) {
        Live live = due.live();
        if (live == null) {
            if (due.status() != OrderStatus.PENDING) {
                return Future.succeededFuture(Next.DONE);
            }
            return due.over() ? timeOver(due) : Future.succeededFuture(Next.WAIT_FOR_END);
        }
        if (waitsForPayer(due, live)) {
            return Future.succeededFuture(Next.WAIT_FOR_END);
        }
        if (psps.find(live.psp(), live.account()).isPresent()) {
            return outwait(due, live);
        }
        return due.aged() ? ageLimit(due, live) : noAnswer(live, "this account is not configured");
    }

    /**
     * An account that cannot be asked tells of a payment by itself or not at all: when the order's time and the grace
     * are over the attempt ends, and money that comes later goes by the late-payment policy.
     */
    private Future<Next> outwait(Due due, Live live) {
        if (!live.over()) {
            return Future.succeededFuture(Next.WAIT_FOR_END);
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

    /** Asks, when it is the account's turn. */
    Future<Next> ask(Due due, PspAdapter adapter) {
        Live live = Objects.requireNonNull(due.live());
        boolean unwanted = isUnwanted(due, live);
        PaymentRef payment = reference(due, live);
        return accounts.turn(adapter)
                .compose(now -> adapter.query(payment))
                .compose(report -> switch (report.status()) {
                    case SUCCEEDED, FAILED, CLOSED -> tell(due, live, report, FactSource.QUERY);
                    case PENDING -> unwanted ? close(due, live, adapter, payment) : waitForPayer(due, live, report);
                    case NOT_FOUND ->
                        unwanted
                                ? closeUnknown(due, live, adapter, payment)
                                : noAnswer(live, "the PSP does not know it yet");
                    case NO_ANSWER -> due.aged() ? ageLimit(due, live) : noAnswer(live, report.detail());
                });
    }

    /** The answer to its creation was never heard, so this may be the first word on when its session ends. */
    private Future<Next> waitForPayer(Due due, Live live, PaymentReport report) {
        Future<Void> noted = report.sessionEnd(due.expiresAt(), options.sessionAfterMax())
                .map(end -> timers.noteSessionEnd(live.attemptId(), end))
                .orElseGet(Future::succeededFuture);
        return noted.compose(kept -> submit(live, report, FactSource.QUERY)).map(Next.WAIT_FOR_END);
    }

    private Future<Next> close(Due due, Live live, PspAdapter adapter, PaymentRef payment) {
        if (!adapter.capabilities().close()) {
            return due.aged() ? ageLimit(due, live) : Future.succeededFuture(Next.LOOK_AGAIN);
        }
        return accounts.nextTurn(adapter)
                .compose(now -> adapter.close(payment))
                .compose(report -> switch (report.status()) {
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
        if (due.status() != OrderStatus.PENDING) {
            return Future.succeededFuture(Next.LOOK_AGAIN);
        }
        return due.over() ? timeOver(due) : Future.succeededFuture(Next.WAIT_FOR_END);
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
