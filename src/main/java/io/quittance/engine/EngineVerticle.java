package io.quittance.engine;

import io.quittance.message.Addresses;
import io.quittance.message.Bus;
import io.quittance.message.Bus.Served;
import io.quittance.message.Submission;
import io.quittance.message.Submission.Verdict;
import io.quittance.message.Unavailable;
import io.quittance.redis.NotificationDedup;
import io.quittance.store.DecisionStore;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.sqlclient.Pool;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One shard of the transition engine. Whatever waits is taken up in batches as soon as a batch is free; facts about the
 * same attempt follow one another, so that each one sees what the one before it did.
 */
public final class EngineVerticle extends VerticleBase {

    /** How far into the queue a batch looks for facts whose attempt is free. */
    private static final int LOOK_AHEAD_BATCHES = 8;

    private final int shard;
    private final Bus bus;
    private final EngineOptions options;
    private final Pool pool;
    private final DecisionStore decisions;
    private final NotificationDedup dedup;

    private final Deque<Work> queue = new ArrayDeque<>();
    private final Set<String> busy = new HashSet<>();
    private int batchesInFlight;
    /** Of them, those that what comes meanwhile waits for. */
    private int waitedFor;
    /** Of these, those that a full batch waits for too. */
    private int waitedForByAll;

    private int waiting;
    private boolean stopping;
    private @Nullable Served served;
    private @Nullable Promise<Void> drained;

    /** @param shard which part of the attempts this instance handles, from 0 */
    public EngineVerticle(
            int shard, Bus bus, EngineOptions options, Pool pool, DecisionStore decisions, NotificationDedup dedup) {
        this.shard = shard;
        this.bus = bus;
        this.options = options;
        this.pool = pool;
        this.decisions = decisions;
        this.dedup = dedup;
    }

    @Override
    public Future<?> start() {
        served = bus.serve(Addresses.engine(shard), this::accept);
        return served.ready();
    }

    /** Takes nothing new, and ends when what was taken is answered. */
    @Override
    public Future<?> stop() {
        stopping = true;
        Future<Void> closed = served == null ? Future.succeededFuture() : served.close();
        Promise<Void> end = Promise.promise();
        drained = end;
        checkDrained();
        return closed.compose(gone -> end.future());
    }

    private Future<Verdict> accept(Submission submission) {
        if (stopping || queue.size() + waiting >= options.queueMax()) {
            return Future.failedFuture(new Unavailable("too many notifications are waiting"));
        }
        Work work = new Work(submission);
        queue.add(work);
        pump();
        return work.answer().future();
    }

    /**
     * Begins what should begin now. Whatever comes while nothing is on its way goes at once, alone if need be; whatever
     * comes beside a batch that is on its way waits for its end and then goes together, since a batch costs the database
     * about as much as ten of its facts do. What fills a batch has nothing to gain from that: it is read while the one
     * before it is being written. Nobody waits for a batch that takes long, since it may be waiting for somebody.
     */
    private void pump() {
        while (batchesInFlight < options.batchesInFlightMax() && mayBegin()) {
            List<Work> batch = nextBatch();
            if (batch.isEmpty()) {
                return;
            }
            begin(batch);
        }
    }

    private boolean mayBegin() {
        return waitedFor == 0 || (waitedForByAll == 0 && queue.size() >= options.batchMax());
    }

    private void begin(List<Work> batch) {
        Flight flight = new Flight();
        new Batch(batch, options, pool, decisions, dedup)
                .run(flight::isBeingWritten)
                .onComplete(done -> {
                    flight.end();
                    finished(batch, done.succeeded() ? done.result() : List.of());
                });
    }

    /** A batch on its way, and who waits for it. */
    private final class Flight {
        private final long patience;
        private boolean isWaitedFor = true;
        private boolean isWaitedForByAll = true;

        Flight() {
            batchesInFlight++;
            waitedFor++;
            waitedForByAll++;
            patience = vertx.setTimer(options.patienceMs(), over -> {
                nobodyWaits();
                pump();
            });
        }

        void isBeingWritten() {
            fullBatchesGoOn();
            pump();
        }

        void end() {
            batchesInFlight--;
            vertx.cancelTimer(patience);
            nobodyWaits();
        }

        private void nobodyWaits() {
            fullBatchesGoOn();
            if (isWaitedFor) {
                isWaitedFor = false;
                waitedFor--;
            }
        }

        private void fullBatchesGoOn() {
            if (isWaitedForByAll) {
                isWaitedForByAll = false;
                waitedForByAll--;
            }
        }
    }

    private List<Work> nextBatch() {
        List<Work> batch = new ArrayList<>();
        int looked = 0;
        Iterator<Work> waitingWork = queue.iterator();
        while (waitingWork.hasNext()
                && batch.size() < options.batchMax()
                && looked++ < options.batchMax() * LOOK_AHEAD_BATCHES) {
            Work work = waitingWork.next();
            if (busy.add(work.serialKey())) {
                waitingWork.remove();
                batch.add(work);
            }
        }
        return batch;
    }

    private void finished(List<Work> batch, List<Batch.Again> again) {
        batch.forEach(work -> busy.remove(work.serialKey()));
        for (Batch.Again left : again) {
            if (left.afterMs() == 0) {
                queue.addFirst(left.work());
            } else {
                waiting++;
                vertx.setTimer(left.afterMs(), timer -> lookAgain(left.work()));
            }
        }
        batch.forEach(work -> Announcements.of(work, bus));
        Announcements.ofChanges(batch, bus);
        pump();
        checkDrained();
    }

    private void lookAgain(Work work) {
        waiting--;
        queue.addFirst(work);
        pump();
    }

    private void checkDrained() {
        if (drained != null && queue.isEmpty() && waiting == 0 && batchesInFlight == 0) {
            drained.tryComplete();
        }
    }
}
