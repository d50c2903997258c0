package io.quittance.http;

import io.quittance.domain.Ids;
import io.quittance.domain.PaymentFact;
import io.quittance.http.NotifyCounters.Reason;
import io.quittance.message.Broken;
import io.quittance.message.Bus;
import io.quittance.message.Delivery;
import io.quittance.message.RareLog;
import io.quittance.message.Submission.Verdict;
import io.quittance.message.Unavailable;
import io.quittance.psp.Acknowledgement;
import io.quittance.psp.PspAdapter;
import io.quittance.psp.PspAnswer;
import io.quittance.psp.Psps;
import io.quittance.psp.RawNotification;
import io.quittance.psp.Translation;
import io.quittance.psp.Verification;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The door for notifications. A success is only ever answered after the engine said that everything is committed; what
 * is not believed goes no further than here.
 */
final class NotifyHandler implements Handler<RoutingContext> {

    /** When a PSP that has a choice should send it again, in seconds: a store's restart is over by then. */
    static final long RETRY_AFTER_SECONDS = 5;

    private static final Logger LOG = LoggerFactory.getLogger(NotifyHandler.class);

    private final Psps psps;
    private final Bus bus;
    private final NotifyCounters counters;
    private final Clock clock;
    private final RareLog rareLog;
    private final BoundedBody body;
    private final int inFlightMax;

    NotifyHandler(Psps psps, Bus bus, NotifyCounters counters, RareLog rareLog, Clock clock, HttpOptions options) {
        this.psps = psps;
        this.bus = bus;
        this.counters = counters;
        this.clock = clock;
        this.rareLog = rareLog;
        this.body = new BoundedBody(options.notifyBodyLimitBytes(), clock);
        this.inFlightMax = options.notificationsInFlightMax();
    }

    /** POST: takes a notification. */
    @Override
    public void handle(RoutingContext context) {
        Instant receivedAt = clock.instant();
        PspAdapter adapter = adapter(context).orElse(null);
        if (adapter == null) {
            counters.count(NotifyCounters.NO_PSP, Reason.UNKNOWN_ACCOUNT);
            noSuchAccount().closing().send(context);
            return;
        }
        Answer refusal = NotifyHead.refusal(context.request().headers(), adapter, counters);
        if (refusal != null) {
            refusal.closing().send(context);
            return;
        }
        if (!counters.enter(inFlightMax)) {
            later(adapter, Reason.OVERLOADED).send(context);
            return;
        }
        take(adapter, context.request(), receivedAt)
                .recover(failure -> Future.succeededFuture(explain(adapter, failure)))
                .onComplete(done -> {
                    counters.leave();
                    done.result().send(context);
                });
    }

    /** GET and HEAD: PSPs' consoles probe the address so. Nothing changes. */
    void probe(RoutingContext context) {
        if (adapter(context).isEmpty()) {
            noSuchAccount().send(context);
            return;
        }
        context.response().setStatusCode(200).end();
    }

    private Future<Answer> take(PspAdapter adapter, HttpServerRequest request, Instant receivedAt) {
        return body.read(request)
                .compose(bytes -> receive(adapter, new RawNotification(request.headers(), bytes, receivedAt)));
    }

    private Future<Answer> receive(PspAdapter adapter, RawNotification raw) {
        Verification verification = adapter.verify(raw);
        if (verification instanceof Verification.Refused refused) {
            return Future.succeededFuture(refuse(adapter, refused));
        }
        Verification.Verified verified = (Verification.Verified) verification;
        Translation translation = adapter.translate(verified);
        if (translation instanceof Translation.Malformed malformed) {
            tell(adapter, Reason.UNREADABLE, malformed.detail());
            return Future.succeededFuture(acknowledge(adapter, Acknowledgement.UNREADABLE, Reason.UNREADABLE));
        }
        return submit(adapter, verified, translation)
                .map(durable -> acknowledge(adapter, Acknowledgement.ACCEPTED, Reason.ACCEPTED));
    }

    /** Succeeds once everything that the notification says is committed. */
    private Future<?> submit(PspAdapter adapter, Verification.Verified verified, Translation translation) {
        Instant receivedAt = verified.raw().receivedAt();
        ThreadLocalRandom random = ThreadLocalRandom.current();
        UUID id = Ids.version7(receivedAt.toEpochMilli(), random.nextLong(), random.nextLong());
        if (translation instanceof Translation.NotOurs other) {
            return bus.submit(null, delivery(id, adapter, verified, other.eventId(), 0), other.eventType());
        }
        Translation.Facts news = (Translation.Facts) translation;
        if (news.facts().isEmpty()) {
            throw new IllegalStateException("the adapter found neither facts nor that there are none");
        }
        List<Future<Verdict>> verdicts = new ArrayList<>(news.facts().size());
        for (PaymentFact fact : news.facts()) {
            Delivery part = delivery(id, adapter, verified, news.eventId(), verdicts.size());
            verdicts.add(bus.submit(fact, part, fact.kind().name()));
        }
        return Future.join(verdicts);
    }

    private static Delivery delivery(
            UUID id, PspAdapter adapter, Verification.Verified verified, @Nullable String eventId, int part) {
        RawNotification raw = verified.raw();
        return new Delivery(
                id, adapter.psp(), adapter.account(), eventId, part, raw.receivedAt(), verified.keyLabel(), raw.body());
    }

    private Answer refuse(PspAdapter adapter, Verification.Refused refused) {
        Reason reason = reason(refused.reason());
        tell(adapter, reason, refused.detail());
        return acknowledge(adapter, Acknowledgement.REFUSED, reason);
    }

    /** Everything is counted; only some of it is written out, because whoever likes can send it. */
    private void tell(PspAdapter adapter, Reason reason, String detail) {
        String place = adapter.psp() + "/" + adapter.account();
        rareLog.admit(place + " " + reason)
                .ifPresent(leftOut -> LOG.warn(
                        "refused a notification for {}: {}, {}{}", place, reason, detail, RareLog.others(leftOut)));
    }

    private Answer explain(PspAdapter adapter, Throwable failure) {
        if (failure instanceof BoundedBody.Unread unread) {
            counters.count(adapter.psp(), reason(unread.problem()));
            return unread.answer();
        }
        if (failure instanceof Unavailable) {
            return later(adapter, Reason.POSTPONED);
        }
        if (!(failure instanceof Broken)) {
            LOG.error("a notification for {}/{} could not be handled", adapter.psp(), adapter.account(), failure);
        }
        return later(adapter, Reason.BROKEN);
    }

    private Answer acknowledge(PspAdapter adapter, Acknowledgement acknowledgement, Reason reason) {
        Answer answer = Answer.of(adapter.acknowledge(acknowledgement));
        counters.count(adapter.psp(), reason);
        return answer;
    }

    private Answer later(PspAdapter adapter, Reason reason) {
        counters.count(adapter.psp(), reason);
        return Answer.of(retryLater(adapter)).retryAfter(RETRY_AFTER_SECONDS);
    }

    /** Whatever is broken, the PSP must be told to come again. */
    private static PspAnswer retryLater(PspAdapter adapter) {
        try {
            return adapter.acknowledge(Acknowledgement.RETRY_LATER);
        } catch (RuntimeException broken) {
            LOG.error("{}/{} cannot say that it wants a repetition", adapter.psp(), adapter.account(), broken);
            return PspAnswer.empty(503);
        }
    }

    private Optional<PspAdapter> adapter(RoutingContext context) {
        return psps.find(context.pathParam("psp"), context.pathParam("account"));
    }

    private static Answer noSuchAccount() {
        return Problem.NOT_FOUND.answer("No PSP account of this name is configured.");
    }

    private static Reason reason(Problem unread) {
        return switch (unread) {
            case TOO_LARGE -> Reason.BODY_TOO_LARGE;
            case TOO_SLOW -> Reason.BODY_TOO_SLOW;
            default -> Reason.ABANDONED;
        };
    }

    private static Reason reason(Verification.Reason reason) {
        return switch (reason) {
            case MALFORMED_SIGNATURE -> Reason.MALFORMED_SIGNATURE;
            case BAD_SIGNATURE -> Reason.BAD_SIGNATURE;
            case UNKNOWN_KEY -> Reason.UNKNOWN_KEY;
            case STALE -> Reason.STALE;
            case SIGNATURE_PROBE -> Reason.SIGNATURE_PROBE;
        };
    }
}
