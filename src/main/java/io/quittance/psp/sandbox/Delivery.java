package io.quittance.psp.sandbox;

import io.quittance.psp.sandbox.Tally.Counted;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries notifications to the gateway as badly as the faults say: at least once, in any order, until they are
 * acknowledged or the retries are used up. Lives on the sandbox's thread.
 */
final class Delivery {

    /** Notifications waiting for anything at all; further ones are dropped and counted. */
    static final int QUEUE_MAX = 100_000;

    /** Requests at once, and so connections. */
    static final int IN_FLIGHT_MAX = 64;

    /** A notification is not held back longer than this for another one to overtake it. */
    static final Duration HELD_BACK_MAX = Duration.ofSeconds(2);

    /** Doubling stops here. */
    static final Duration RETRY_WAIT_MAX = Duration.ofHours(1);

    private static final Logger LOG = LoggerFactory.getLogger(Delivery.class);

    private final Vertx vertx;
    private final Courier courier;
    private final FaultSource faults;
    private final Map<String, PspSide> sides;
    private final SandboxOptions options;
    private final Tally tally;
    private final SentLog sent;

    private final Queue<Parcel> ready = new ArrayDeque<>();
    private final List<Promise<Void>> settlers = new ArrayList<>();
    private @Nullable Parcel held;
    private long heldTimer;
    private int inFlight;
    private int waiting;
    private boolean closed;

    Delivery(
            Vertx vertx,
            FaultSource faults,
            Map<String, PspSide> sides,
            SandboxOptions options,
            Tally tally,
            SentLog sent) {
        this.vertx = vertx;
        this.courier = new Courier(vertx, options.answerLimit());
        this.faults = faults;
        this.sides = sides;
        this.options = options;
        this.tally = tally;
        this.sent = sent;
    }

    /**
     * Takes a notification over.
     *
     * @param forger makes the forgery that goes along with it, told whether to forge the amount; used if the faults say
     */
    void submit(Notice notice, BiFunction<Notice, Boolean, Optional<Notice>> forger) {
        FaultPlan plan = faults.next();
        if (closed) {
            return;
        }
        if (ready.size() + waiting + inFlight >= QUEUE_MAX) {
            tally.count(Counted.OVERFLOWED);
            LOG.warn("sandbox: notification {} of {} is lost, the queue is full", notice.eventId(), notice.psp());
            return;
        }
        if (plan.forged()) {
            forger.apply(notice, plan.forgedAmount()).ifPresent(forgery -> ready.add(Parcel.forged(forgery)));
        }
        if (plan.tampered()) {
            ready.add(Parcel.tampered(notice));
        }
        if (plan.dropped() && side(notice.psp()).canBeAsked()) {
            tally.count(Counted.DROPPED);
        } else {
            order(Parcel.genuine(notice, plan));
        }
        pump();
    }

    /** Completes when nothing is queued, waiting or in flight. */
    Future<Void> settled() {
        Promise<Void> settler = Promise.promise();
        settlers.add(settler);
        settleIfIdle();
        return settler.future();
    }

    /** Forgets whatever has not been sent. */
    void close() {
        closed = true;
        ready.clear();
        waiting = 0;
        held = null;
        completeSettlers();
    }

    /** One is held back at most; the next one takes it along and is followed by it. */
    private void order(Parcel parcel) {
        if (parcel.plan.heldBack() && held == null) {
            held = parcel;
            heldTimer = vertx.setTimer(HELD_BACK_MAX.toMillis(), id -> releaseHeld());
            return;
        }
        if (held != null) {
            vertx.cancelTimer(heldTimer);
            parcel.follower = held;
            held = null;
            tally.count(Counted.REORDERED);
        }
        depart(parcel);
    }

    private void releaseHeld() {
        Parcel parcel = held;
        if (parcel == null) {
            return;
        }
        vertx.cancelTimer(heldTimer);
        held = null;
        depart(parcel);
        pump();
    }

    private void depart(Parcel parcel) {
        if (parcel.plan.delayMillis() == 0) {
            enqueue(parcel);
            return;
        }
        tally.count(Counted.LATE);
        later(parcel.plan.delayMillis(), () -> enqueue(parcel));
    }

    private void enqueue(Parcel parcel) {
        ready.add(parcel);
        if (parcel.plan.atOnce()) {
            for (int copy = 1; copy < parcel.plan.copies(); copy++) {
                ready.add(parcel.copy());
            }
        }
    }

    private void later(long millis, Runnable step) {
        waiting++;
        vertx.setTimer(millis, id -> {
            if (closed) {
                return;
            }
            waiting--;
            step.run();
            pump();
        });
    }

    private void pump() {
        while (!closed && inFlight < IN_FLIGHT_MAX && !ready.isEmpty()) {
            send(ready.remove());
        }
        settleIfIdle();
    }

    private void send(Parcel parcel) {
        inFlight++;
        parcel.countDeparture(tally);
        PspSide side = side(parcel.notice.psp());
        Notice.Signed signed = side.sign(parcel.notice, Instant.now());
        if (parcel.nature == Parcel.Nature.TAMPERED) {
            signed = signed.changedAfter(side.tamperMark());
        }
        courier.post(parcel.notice.url(), signed).onComplete(answer -> {
            inFlight--;
            arrived(parcel, answer.succeeded() ? answer.result() : Courier.Answer.NONE);
            pump();
        });
    }

    private void arrived(Parcel parcel, Courier.Answer answer) {
        boolean acknowledged = side(parcel.notice.psp()).isAcknowledged(answer.status(), answer.body());
        sent.add(parcel.shown(answer.status()));
        parcel.countArrival(tally, acknowledged, answer.status());
        if (closed) {
            return;
        }
        if (parcel.nature == Parcel.Nature.GENUINE && !acknowledged) {
            retry(parcel);
        }
        parcel.nextCopy().ifPresent(ready::add);
        Parcel follower = parcel.takeFollower();
        if (follower != null) {
            depart(follower);
        }
    }

    private void retry(Parcel parcel) {
        if (parcel.retries == options.retriesMax()) {
            tally.count(Counted.ABANDONED);
            LOG.info("sandbox: notification {} of {} is given up", parcel.notice.eventId(), parcel.notice.psp());
            return;
        }
        long wait = parcel.nextRetryWaitMillis(options.retryFirst());
        parcel.retries++;
        later(wait, () -> ready.add(parcel));
    }

    private void settleIfIdle() {
        if (settlers.isEmpty() || !ready.isEmpty() || waiting > 0 || inFlight > 0) {
            return;
        }
        if (held != null) {
            releaseHeld();
            return;
        }
        completeSettlers();
    }

    private void completeSettlers() {
        List<Promise<Void>> done = List.copyOf(settlers);
        settlers.clear();
        done.forEach(Promise::complete);
    }

    private PspSide side(String psp) {
        PspSide side = sides.get(psp);
        if (side == null) {
            throw new IllegalStateException("no side for " + psp);
        }
        return side;
    }
}
