package io.quittance.message;

import io.quittance.domain.PaymentFact;
import io.quittance.message.Submission.Verdict;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import java.time.Clock;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The event bus, typed: requests with their answers, and events. Bodies are records, handed over without copying. */
public final class Bus {

    /** How long an answer may take, in milliseconds; above every limit of what happens behind it. */
    private static final long ANSWER_LIMIT_MS = 60_000;

    private static final int UNAVAILABLE = 503;
    private static final int BROKEN = 500;
    private static final DeliveryOptions OPTIONS = new DeliveryOptions()
            .setCodecName(LocalCodec.NAME)
            .setLocalOnly(true)
            .setSendTimeout(ANSWER_LIMIT_MS);

    private static final Logger LOG = LoggerFactory.getLogger(Bus.class);

    private final Vertx vertx;
    private final int engineShards;
    private final RareLog rareLog;

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

    /** Sends a request. Fails with {@link Unavailable} if it may be tried again, else with {@link Broken}. */
    @SuppressWarnings("unchecked") // the address is the request's own, and serve() ties it to the answer's type
    public <R> Future<R> ask(Request<R> request) {
        return vertx.eventBus()
                .request(request.address(), request, OPTIONS)
                .map(reply -> (R) reply.body())
                .recover(failure -> Future.failedFuture(understand(failure)));
    }

    /** Tells everybody who listens. */
    public void tell(String address, UUID orderId) {
        vertx.eventBus().publish(address, new Addresses.Nudge(orderId), OPTIONS);
    }

    /**
     * Answers the requests of an address. A failed future of {@link Unavailable} reaches the asker as such. The asker
     * hears the message of a failure only, so that its cause is written to the log here, once in a while.
     */
    public <Q extends Request<R>, R> MessageConsumer<Q> serve(String address, Function<Q, Future<R>> answer) {
        return vertx.eventBus().localConsumer(address, message -> answer(address, message, answer));
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

    private <Q, R> void answer(String address, Message<Q> message, Function<Q, Future<R>> answer) {
        Future.succeededFuture(message.body()).compose(answer).onComplete(done -> {
            if (done.succeeded()) {
                message.reply(done.result(), OPTIONS);
            } else {
                Throwable failure = done.cause();
                boolean mayBeTriedAgain = failure instanceof Unavailable;
                log(address, failure, mayBeTriedAgain);
                message.fail(mayBeTriedAgain ? UNAVAILABLE : BROKEN, String.valueOf(failure.getMessage()));
            }
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

    private static Throwable understand(Throwable failure) {
        if (!(failure instanceof ReplyException reply)) {
            return failure;
        }
        boolean retry = reply.failureType() != ReplyFailure.RECIPIENT_FAILURE || reply.failureCode() == UNAVAILABLE;
        String message = String.valueOf(reply.getMessage());
        return retry ? new Unavailable(message) : new Broken(message);
    }
}
