package io.quittance.inquiry;

import io.quittance.domain.AttemptStatus;
import io.quittance.domain.OrderStatus;
import io.quittance.message.Addresses;
import io.quittance.message.Bus;
import io.quittance.message.Bus.Served;
import io.quittance.message.Inquiry;
import io.quittance.message.Inquiry.Answer;
import io.quittance.message.Inquiry.Answer.Known;
import io.quittance.psp.PspAdapter;
import io.quittance.psp.Psps;
import io.quittance.redis.Leases;
import io.quittance.store.Away;
import io.quittance.store.InquiryStore;
import io.quittance.store.InquiryStore.Attempt;
import io.quittance.store.InquiryStore.Found;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Answers at once how a payment stands. What is concluded is answered from the store. About anything else the PSP is
 * asked, by one asker at a time: within the process all share one question, and between processes, and with the timeout
 * tracker, a lease on the order decides. Who may not ask is answered with what is stored.
 */
public final class InquiryVerticle extends VerticleBase {

    private final Bus bus;
    private final InquiryStore store;
    private final Psps psps;
    private final Question question;
    private final InquiryOptions options;

    /** By order: questions under way, and those that ended so recently that no other one is asked. */
    private final Map<UUID, Future<Known>> questions = new HashMap<>();

    private int inFlight;
    private @Nullable Served served;

    /** Deployed once for each process. */
    public InquiryVerticle(Bus bus, InquiryStore store, Psps psps, Leases leases, InquiryOptions options, Clock clock) {
        this.bus = bus;
        this.store = store;
        this.psps = psps;
        this.question = new Question(bus, store, leases, options, clock);
        this.options = options;
    }

    @Override
    public Future<?> start() {
        served = bus.serve(Addresses.INQUIRY, this::answer);
        return served.ready();
    }

    /** Takes no further inquiry, and ends when the questions under way are answered. */
    @Override
    public Future<?> stop() {
        Future<?> closed = served == null ? Future.succeededFuture() : served.close();
        return closed.compose(gone -> Future.join(List.copyOf(questions.values())));
    }

    private Future<Answer> answer(Inquiry inquiry) {
        return store.find(inquiry.subject())
                .recover(failure -> Future.failedFuture(Away.orTryAgain(failure, "the store does not answer now")))
                .compose(found -> found.isPresent()
                        ? about(found.get(), inquiry.patience())
                        : Future.succeededFuture(new Answer.NoSuchPayment()));
    }

    private Future<Answer> about(Found found, Duration patience) {
        Known stored = Question.known(found, false);
        Attempt attempt = found.attempt();
        if (attempt == null || !isOpen(found.status(), attempt.status())) {
            return Future.succeededFuture(stored);
        }
        Future<Known> shared = questions.get(found.orderId());
        if (shared == null) {
            PspAdapter adapter = psps.find(attempt.psp(), attempt.account()).orElse(null);
            boolean mayAsk = adapter != null && adapter.capabilities().query() && inFlight < options.callsInFlightMax();
            shared = adapter != null && mayAsk ? begin(found, attempt, adapter) : Future.succeededFuture(stored);
        } else if (shared.isComplete()) {
            shared = Future.succeededFuture(stored);
        }
        return shared.timeout(Math.max(1, patience.toMillis()), TimeUnit.MILLISECONDS)
                .otherwise(stored)
                .map(known -> known);
    }

    /** Whether the PSP could tell something new: it is asked about nothing that is decided, or before a person. */
    private static boolean isOpen(OrderStatus order, AttemptStatus attempt) {
        return order == OrderStatus.PENDING && attempt.isLive();
    }

    private Future<Known> begin(Found found, Attempt attempt, PspAdapter adapter) {
        UUID orderId = found.orderId();
        inFlight++;
        Future<Known> begun = question.ask(found, attempt, adapter);
        questions.put(orderId, begun);
        begun.onComplete(done -> context.runOnContext(now -> ended(orderId, begun)));
        return begun;
    }

    /** Without Redis nobody else remembers the pause between two questions. */
    private void ended(UUID orderId, Future<Known> question) {
        inFlight--;
        boolean asked = question.succeeded() && question.result().asked();
        if (asked) {
            vertx.setTimer(Math.max(1, options.pauseMinMs()), over -> questions.remove(orderId));
        } else {
            questions.remove(orderId);
        }
    }
}
