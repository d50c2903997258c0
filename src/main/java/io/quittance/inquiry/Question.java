package io.quittance.inquiry;

import io.quittance.domain.Evidence;
import io.quittance.domain.FactSource;
import io.quittance.domain.Ids;
import io.quittance.domain.PaymentFact;
import io.quittance.message.Bus;
import io.quittance.message.Inquiry.Answer.Known;
import io.quittance.message.Inquiry.Subject;
import io.quittance.psp.PaymentReport;
import io.quittance.psp.PspAdapter;
import io.quittance.psp.PspAdapter.NewPayment;
import io.quittance.psp.PspAdapter.PaymentRef;
import io.quittance.redis.Leases;
import io.quittance.store.InquiryStore;
import io.quittance.store.InquiryStore.Attempt;
import io.quittance.store.InquiryStore.Found;
import io.vertx.core.Future;
import java.time.Clock;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One question to a PSP about one payment, under the order's lease. */
final class Question {

    private static final Logger LOG = LoggerFactory.getLogger(Question.class);

    private final Bus bus;
    private final InquiryStore store;
    private final Leases leases;
    private final InquiryOptions options;
    private final Clock clock;

    Question(Bus bus, InquiryStore store, Leases leases, InquiryOptions options, Clock clock) {
        this.bus = bus;
        this.store = store;
        this.leases = leases;
        this.options = options;
        this.clock = clock;
    }

    /** How the payment stands after the question; never fails. */
    Future<Known> ask(Found found, Attempt attempt, PspAdapter adapter) {
        Known stored = known(found, false);
        String owner = Ids.hex(UUID.randomUUID());
        String pause = "asked:" + Ids.hex(found.orderId());
        return leases.acquire(pause, owner, options.leaseMs() + options.pauseMinMs())
                .compose(free ->
                        free ? askInTurn(found, attempt, adapter, owner, pause) : Future.succeededFuture(stored))
                .recover(failure -> {
                    LOG.warn("order {} could not be asked about now: {}", found.orderNo(), failure.toString());
                    return Future.succeededFuture(stored);
                });
    }

    /**
     * The lease is the timeout tracker's too. It is given back at once, and only inquiries keep the pause: otherwise a
     * payer who comes back again and again could keep the tracker from the order for good.
     */
    private Future<Known> askInTurn(Found found, Attempt attempt, PspAdapter adapter, String owner, String pause) {
        String lease = "order:" + Ids.hex(found.orderId());
        return leases.acquire(lease, owner, options.leaseMs()).compose(granted -> {
            if (!granted) {
                return leases.release(pause, owner).map(known(found, false));
            }
            return askNow(found, attempt, adapter)
                    .eventually(() -> leases.renew(pause, owner, options.pauseMinMs()))
                    .eventually(() -> leases.release(lease, owner));
        });
    }

    /** Begun inside a chain, so that whatever an adapter throws is a failure after which the leases are given back. */
    private Future<Known> askNow(Found found, Attempt attempt, PspAdapter adapter) {
        return Future.succeededFuture(reference(found, attempt))
                .compose(adapter::query)
                .compose(report -> tell(report, attempt))
                .compose(told ->
                        store.find(new Subject.OfAttempt(attempt.psp(), attempt.account(), Ids.hex(attempt.id()))))
                .map(after -> known(after.orElse(found), true));
    }

    /**
     * Only what the PSP said is told. That it did not answer, or does not know the payment yet, is no news: a payment
     * that waits for its payer does not become uncertain because he is impatient.
     */
    private Future<?> tell(PaymentReport report, Attempt attempt) {
        if (report.status() == PaymentReport.Status.NO_ANSWER) {
            return Future.succeededFuture();
        }
        Evidence evidence = new Evidence(FactSource.QUERY, attempt.psp(), attempt.account(), null, clock.instant());
        Optional<PaymentFact> fact = report.toFact(Ids.hex(attempt.id()), evidence);
        return fact.isPresent() ? bus.submit(fact.get()) : Future.succeededFuture();
    }

    private PaymentRef reference(Found found, Attempt attempt) {
        String id = Ids.hex(attempt.id());
        NewPayment original = options.urls()
                .payment(attempt.psp(), attempt.account(), id, found.orderNo(), found.amount(), found.expiresAt());
        return new PaymentRef(id, attempt.pspPaymentId(), original);
    }

    static Known known(Found found, boolean asked) {
        Attempt attempt = found.attempt();
        return new Known(
                found.merchantId(), found.orderNo(), found.status(), attempt == null ? null : attempt.status(), asked);
    }
}
