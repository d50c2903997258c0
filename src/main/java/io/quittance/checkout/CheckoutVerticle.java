package io.quittance.checkout;

import io.quittance.domain.AttemptStatus;
import io.quittance.domain.Evidence;
import io.quittance.domain.FactSource;
import io.quittance.domain.Ids;
import io.quittance.domain.OrderStatus;
import io.quittance.domain.PaymentFact;
import io.quittance.message.Addresses;
import io.quittance.message.Bus;
import io.quittance.message.Bus.Served;
import io.quittance.message.Checkout.AttemptAnswer;
import io.quittance.message.Checkout.BeginKey;
import io.quittance.message.Checkout.CallOff;
import io.quittance.message.Checkout.EndKey;
import io.quittance.message.Checkout.Item;
import io.quittance.message.Checkout.OpenAttempt;
import io.quittance.message.Checkout.PlaceOrder;
import io.quittance.message.Checkout.PutProduct;
import io.quittance.message.Checkout.WantRefund;
import io.quittance.message.Request;
import io.quittance.message.Submission.Verdict;
import io.quittance.message.Unavailable;
import io.quittance.psp.PaymentReport;
import io.quittance.psp.PspAdapter;
import io.quittance.psp.PspAdapter.NewPayment;
import io.quittance.psp.Psps;
import io.quittance.store.Away;
import io.quittance.store.CheckoutStore;
import io.quittance.store.CheckoutStore.AttemptLimits;
import io.quittance.store.CheckoutStore.Payable;
import io.quittance.store.TimerStore;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Places orders with their holds in one short transaction, and opens attempts: first durably here, then at the PSP, with
 * no transaction open during the call.
 */
public final class CheckoutVerticle extends VerticleBase {

    private static final Logger LOG = LoggerFactory.getLogger(CheckoutVerticle.class);

    /** As many changes of one order may come between before its merchant is told to try again. */
    private static final int OPENING_ROUNDS_MAX = 4;

    private final Bus bus;
    private final Psps psps;
    private final CheckoutStore store;
    private final Wishes wishes;
    private final TimerStore timers;
    private final CheckoutOptions options;
    private final Clock clock;
    private @Nullable Served served;

    public CheckoutVerticle(
            Bus bus, Psps psps, CheckoutStore store, TimerStore timers, CheckoutOptions options, Clock clock) {
        this.bus = bus;
        this.psps = psps;
        this.store = store;
        this.wishes = new Wishes(bus, store, clock);
        this.timers = timers;
        this.options = options;
        this.clock = clock;
    }

    @Override
    public Future<?> start() {
        served = bus.serve(Addresses.CHECKOUT, this::answer);
        return served.ready();
    }

    @Override
    public Future<?> stop() {
        return served == null ? Future.succeededFuture() : served.close();
    }

    private Future<Object> answer(Request<Object> request) {
        return dispatch(request)
                .recover(failure -> Future.failedFuture(Away.orTryAgain(failure, "the store does not take it now")));
    }

    private Future<Object> dispatch(Object request) {
        if (request instanceof PutProduct product) {
            return store.put(product).map(answer -> answer);
        }
        if (request instanceof PlaceOrder order) {
            return store.place(order, newId(), contentHash(order)).map(answer -> answer);
        }
        if (request instanceof OpenAttempt attempt) {
            return open(attempt).map(answer -> answer);
        }
        if (request instanceof CallOff wish) {
            return wishes.callOff(wish).map(answer -> answer);
        }
        if (request instanceof WantRefund wish) {
            return wishes.refund(wish).map(answer -> answer);
        }
        if (request instanceof BeginKey key) {
            return store.beginKey(key.merchantId(), key.key(), key.requestHash(), options.keyAbandonedAfterMs())
                    .map(answer -> answer);
        }
        if (request instanceof EndKey key) {
            return store.endKey(key.merchantId(), key.key(), key.status(), key.body())
                    .map(answer -> answer);
        }
        return Future.failedFuture(new IllegalArgumentException("not for the checkout: " + request.getClass()));
    }

    private Future<AttemptAnswer> open(OpenAttempt request) {
        Optional<PspAdapter> adapter = psps.find(request.psp(), request.account());
        if (adapter.isEmpty()) {
            return Future.failedFuture(new IllegalArgumentException("no such account"));
        }
        return open(request, adapter.get(), OPENING_ROUNDS_MAX);
    }

    /** Looks at the order and opens; whoever lost a race against another change of the order looks again. */
    private Future<AttemptAnswer> open(OpenAttempt request, PspAdapter adapter, int rounds) {
        return store.forAttempt(request.merchantId(), request.orderNo()).compose(found -> {
            if (found.isEmpty()) {
                return Future.succeededFuture(new AttemptAnswer.NoSuchOrder());
            }
            Payable order = found.get();
            Optional<AttemptAnswer> refusal = refusal(order, options.attempts());
            if (refusal.isPresent()) {
                return Future.succeededFuture(refusal.get());
            }
            if (rounds == 0) {
                return Future.failedFuture(new Unavailable("the order is changing; try again"));
            }
            UUID id = newId();
            return store.openAttempt(order.orderId(), id, request.psp(), request.account(), options.attempts())
                    .compose(opened -> opened ? call(order, request, adapter, id) : open(request, adapter, rounds - 1));
        });
    }

    private static Optional<AttemptAnswer> refusal(Payable order, AttemptLimits limits) {
        if (order.blockingId() != null && order.blockingStatus() != null) {
            return Optional.of(new AttemptAnswer.AlreadyLive(Ids.hex(order.blockingId()), order.blockingStatus()));
        }
        if (order.status() != OrderStatus.PENDING || order.over()) {
            return Optional.of(new AttemptAnswer.NotPayable(order.status()));
        }
        return order.attempts() < limits.attemptsMax()
                ? Optional.empty()
                : Optional.of(new AttemptAnswer.TooMany(limits.attemptsMax()));
    }

    private Future<AttemptAnswer> call(Payable order, OpenAttempt request, PspAdapter adapter, UUID id) {
        String attemptId = Ids.hex(id);
        bus.tell(Addresses.MATCH_DUE, order.orderId());
        bus.changed(order.orderId());
        NewPayment payment = options.urls()
                .payment(
                        request.psp(),
                        request.account(),
                        attemptId,
                        request.orderNo(),
                        order.amount(),
                        order.expiresAt());
        return adapter.create(payment).compose(report -> noteSessionEnd(report, order, id)
                .compose(noted -> record(report, attemptId, adapter))
                .compose(verdict -> report.status() == PaymentReport.Status.NO_ANSWER
                                || report.status() == PaymentReport.Status.NOT_FOUND
                        ? Future.succeededFuture()
                        : timers.callEnded(order.orderId(), id))
                .map(done -> opened(report, attemptId)));
    }

    /** Without it the order's own end counts, so that it stands in nobody's way if it cannot be written. */
    private Future<Void> noteSessionEnd(PaymentReport report, Payable order, UUID attemptId) {
        return report.sessionEnd(order.expiresAt(), options.sessionAfterMax())
                .map(end -> timers.noteSessionEnd(attemptId, end))
                .orElseGet(Future::succeededFuture)
                .recover(failure -> {
                    LOG.warn("the end of a PSP's session could not be kept: {}", failure.toString());
                    return Future.succeededFuture();
                });
    }

    private Future<Verdict> record(PaymentReport report, String attemptId, PspAdapter adapter) {
        Evidence evidence = new Evidence(FactSource.CALL, adapter.psp(), adapter.account(), null, clock.instant());
        PaymentFact fact = report.toFact(attemptId, evidence)
                .orElseGet(() -> PaymentReport.noAnswer("not found after it was created")
                        .toFact(attemptId, evidence)
                        .orElseThrow());
        return bus.submit(fact);
    }

    private static AttemptAnswer opened(PaymentReport report, String attemptId) {
        AttemptStatus status =
                switch (report.status()) {
                    case PENDING -> AttemptStatus.PENDING;
                    case SUCCEEDED -> AttemptStatus.SUCCEEDED;
                    case FAILED -> AttemptStatus.FAILED;
                    case CLOSED -> AttemptStatus.EXPIRED;
                    case NOT_FOUND, NO_ANSWER -> AttemptStatus.UNKNOWN;
                };
        return new AttemptAnswer.Opened(attemptId, status, report.pspPaymentId(), report.pay(), report.sessionEnds());
    }

    private UUID newId() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        return Ids.version7(clock.millis(), random.nextLong(), random.nextLong());
    }

    /** What makes two orders of one number the same order. */
    static String contentHash(PlaceOrder order) {
        StringBuilder text = new StringBuilder()
                .append(order.amount().minor())
                .append(' ')
                .append(order.amount().currency())
                .append(' ')
                .append(order.expiresIn())
                .append(' ')
                .append(order.latePolicy());
        order.items().stream()
                .sorted(Comparator.comparing(Item::sku))
                .forEach(
                        item -> text.append('\n').append(item.sku()).append(' ').append(item.quantity()));
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256").digest(text.toString().getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JDK has SHA-256", impossible);
        }
    }
}
