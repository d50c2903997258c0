package io.quittance.message;

import io.quittance.domain.PaymentFact;
import io.quittance.message.Submission.Verdict;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.eventbus.MessageProducer;
import java.time.Clock;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The event bus, typed: requests with their answers, and events. Bodies are records, handed over without copying. */
public final class Bus {

    /** How often it is looked for requests that were not answered in time, in milliseconds. */
    private static final long LOOK_MS = 5_000;

    /** How many looks an answer may take: a minute, which is above every limit of what happens behind it. */
    static final int LOOKS_MAX = 12;

    private static final DeliveryOptions OPTIONS =
            new DeliveryOptions().setCodecName(LocalCodec.NAME).setLocalOnly(true);

    private static final Logger LOG = LoggerFactory.getLogger(Bus.class);

    private final Vertx vertx;
    private final int engineShards;
    private final RareLog rareLog;

    private final ConcurrentHashMap<String, MessageProducer<Object>> senders = new ConcurrentHashMap<>();

    /** What was asked and is not answered, by its number. */
    private final ConcurrentHashMap<Long, Asked<?, ?>> open = new ConcurrentHashMap<>();

    private final AtomicLong numbers = new AtomicLong();

    /** How often it was looked. The age of a request is counted in looks: a clock can be set. */
    private volatile int looks;

    /** How many watch each order. Nearly every order is watched by nobody, and then nothing is sent. */
    private final ConcurrentHashMap<UUID, Integer> watched = new ConcurrentHashMap<>();

    /**
     * A bus on an instance of Vert.x that has no other.
     *
     * @param engineShards how many engine instances share the attempts between them
     */
    public Bus(Vertx vertx, int engineShards, Clock clock) {
        this.vertx = vertx;
        this.rareLog = new RareLog(clock);
        this.engineShards = engineShards;
        vertx.eventBus().registerCodec(new LocalCodec());
        vertx.setPeriodic(LOOK_MS, timer -> giveUpWhatIsLate());
    }

    public int engineShards() {
        return engineShards;
    }

    /** Submits a fact that no notification brought. */
    public Future<Verdict> submit(PaymentFact fact) {
        return ask(new Submission(fact, null, fact.kind().name(), engineShards));
    }

    /** Submits what a notification brought. */
    public Future<Verdict> submit(@Nullable PaymentFact fact, Delivery delivery, String eventType) {
        return ask(new Submission(fact, delivery, eventType, engineShards));
    }

    /**
     * Sends a request. The answer comes on the context of the asker. Fails with {@link Unavailable} if it may be tried
     * again, else with {@link Broken}.
     *
     * <p>The message brings the future of its answer with it: a reply address and a timer for each request would cost as
     * much as all else that the bus does.
     */
    public <R> Future<R> ask(Request<R> request) {
        Asked<Request<R>, R> asked = new Asked<>(request, vertx.getOrCreateContext(), looks);
        Long number = numbers.incrementAndGet();
        open.put(number, asked);
        asked.answer.future().onComplete(done -> open.remove(number));
        senders.computeIfAbsent(request.address(), address -> vertx.eventBus().sender(address, OPTIONS))
                .write(asked)
                .onFailure(nobody -> asked.giveUp("nobody answers at " + request.address()));
        return asked.answer.future();
    }

    /** By one thread at a time, the timer's. */
    void giveUpWhatIsLate() {
        int look = looks + 1;
        looks = look;
        for (Asked<?, ?> asked : open.values()) {
            if (look - asked.askedAt > LOOKS_MAX) {
                asked.late();
            }
        }
    }

    /** A consumer that ends drops what it was sent and has not begun with, and says nothing. */
    private void giveUpWhatIsNotBegun(String address) {
        for (Asked<?, ?> asked : open.values()) {
            if (asked.request.address().equals(address)) {
                asked.giveUp("nobody answers at " + address + " any more");
            }
        }
    }

    /** A request on its way. It is either begun by who serves it or given up, and what was given up is never begun. */
    private static final class Asked<Q extends Request<R>, R> {
        private final Q request;
        private final Context asker;
        private final int askedAt;
        private final AtomicBoolean begun = new AtomicBoolean();
        private final Promise<R> answer = Promise.promise();

        Asked(Q request, Context asker, int askedAt) {
            this.request = request;
            this.asker = asker;
            this.askedAt = askedAt;
        }

        /** Whether it is the caller's to answer. */
        boolean begin() {
            return begun.compareAndSet(false, true);
        }

        void giveUp(String problem) {
            if (begin()) {
                fail(new Unavailable(problem));
            }
        }

        /** Whoever has begun with it may go on; an answer that comes after this one is dropped. */
        void late() {
            begin();
            fail(new Unavailable("no answer within " + LOOKS_MAX * LOOK_MS + " ms from " + request.address()));
        }

        void answer(R result) {
            asker.runOnContext(there -> answer.tryComplete(result));
        }

        void fail(Throwable failure) {
            asker.runOnContext(there -> answer.tryFail(failure));
        }
    }

    /** Tells everybody who listens. */
    public void tell(String address, UUID orderId) {
        vertx.eventBus().publish(address, new Addresses.Nudge(orderId), OPTIONS);
    }

    /**
     * Answers the requests of an address. A failed future of {@link Unavailable} reaches the asker as such. The asker
     * hears the message of a failure only, so that its cause is written to the log here, once in a while.
     */
    public <Q extends Request<R>, R> Served serve(String address, Function<Q, Future<R>> answer) {
        MessageConsumer<Asked<Q, R>> consumer = vertx.eventBus().localConsumer(address);
        consumer.handler(message -> answer(message.body(), answer));
        return new Served() {
            @Override
            public Future<Void> ready() {
                return consumer.completion();
            }

            @Override
            public Future<Void> close() {
                return consumer.unregister().onComplete(gone -> giveUpWhatIsNotBegun(address));
            }
        };
    }

    /** Somebody's answering of an address. */
    public interface Served {

        /** Succeeds when it has begun. */
        Future<Void> ready();

        /** Takes no further request. What was begun is still answered; what was not may be tried again. */
        Future<Void> close();
    }

    /** Hears the events of an address. */
    public MessageConsumer<Addresses.Nudge> hear(String address, Consumer<UUID> listener) {
        return vertx.eventBus()
                .localConsumer(
                        address, message -> listener.accept(message.body().orderId()));
    }

    /** Tells those who watch an order that a commit changed it; costs one look into a map where nobody does. */
    public void changed(UUID orderId) {
        if (watched.containsKey(orderId)) {
            tell(Addresses.changed(orderId), orderId);
        }
    }

    /**
     * Hears of an order's changes that this process commits; those of other processes are not told. To be closed once.
     *
     * @param listener called on the context of the caller
     */
    public Watch watch(UUID orderId, Consumer<UUID> listener) {
        watched.merge(orderId, 1, Integer::sum);
        MessageConsumer<Addresses.Nudge> consumer = hear(Addresses.changed(orderId), listener);
        return () -> {
            watched.computeIfPresent(orderId, (id, watchers) -> watchers == 1 ? null : watchers - 1);
            consumer.unregister();
        };
    }

    /** Somebody's watching of an order. */
    public interface Watch {
        void close();
    }

    private <Q extends Request<R>, R> void answer(Asked<Q, R> asked, Function<Q, Future<R>> answer) {
        if (!asked.begin()) {
            return;
        }
        Future.succeededFuture(asked.request).compose(answer).onComplete(done -> {
            if (done.succeeded()) {
                asked.answer(done.result());
                return;
            }
            Throwable failure = done.cause();
            boolean mayBeTriedAgain = failure instanceof Unavailable;
            log(asked.request.address(), failure, mayBeTriedAgain);
            String message = String.valueOf(failure.getMessage());
            asked.fail(mayBeTriedAgain ? new Unavailable(message) : new Broken(message));
        });
    }

    private void log(String address, Throwable failure, boolean mayBeTriedAgain) {
        Throwable cause = failure.getCause();
        if (!mayBeTriedAgain) {
            rareLog.admit(address + " " + failure.getClass())
                    .ifPresent(leftOut -> LOG.error(
                            "{}: a request could not be handled{}", address, RareLog.others(leftOut), failure));
        } else if (cause != null) {
            rareLog.admit(address)
                    .ifPresent(leftOut -> LOG.warn(
                            "{}: {}: {}{}", address, failure.getMessage(), cause.toString(), RareLog.others(leftOut)));
        }
    }
}
