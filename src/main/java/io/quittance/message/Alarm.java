package io.quittance.message;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one round of a worker at a time: at once when nudged, else when its store says that something is due, and at the
 * latest after a pause that makes up for lost nudges. All calls on one event loop.
 */
public final class Alarm {

    private static final Logger LOG = LoggerFactory.getLogger(Alarm.class);

    private final Vertx vertx;
    private final String name;
    private final long pauseMaxMs;
    private final Supplier<Future<Boolean>> round;
    private final Supplier<Future<OptionalLong>> nextDue;
    private long timer = -1;
    private boolean running;
    private boolean nudged;
    private boolean stopped;
    private @Nullable Promise<Void> quiet;

    /**
     * Sets nothing off yet; see {@link #nudge}.
     *
     * @param pauseMaxMs the longest pause between two rounds, in milliseconds
     * @param round does what is due; true if there may be more of it
     * @param nextDue milliseconds until something is due, if anything is
     */
    public Alarm(
            Vertx vertx,
            String name,
            long pauseMaxMs,
            Supplier<Future<Boolean>> round,
            Supplier<Future<OptionalLong>> nextDue) {
        this.vertx = vertx;
        this.name = name;
        this.pauseMaxMs = pauseMaxMs;
        this.round = round;
        this.nextDue = nextDue;
    }

    /** A round begins now, or right after the one that is running. */
    public void nudge() {
        if (stopped) {
            return;
        }
        if (running) {
            nudged = true;
            return;
        }
        vertx.cancelTimer(timer);
        running = true;
        nudged = false;
        round.get().onComplete(done -> {
            if (done.failed()) {
                LOG.warn(
                        "{}: a round failed and will be repeated: {}",
                        name,
                        done.cause().toString());
                ended(OptionalLong.of(pauseMaxMs));
            } else if (nudged || done.result()) {
                ended(OptionalLong.of(0));
            } else {
                nextDue.get().onComplete(due -> ended(due.succeeded() ? due.result() : OptionalLong.empty()));
            }
        });
    }

    private void ended(OptionalLong dueInMs) {
        running = false;
        if (stopped) {
            Promise<Void> waiting = quiet;
            if (waiting != null) {
                waiting.tryComplete();
            }
            return;
        }
        long pauseMs = nudged ? 0 : Math.min(pauseMaxMs, dueInMs.orElse(pauseMaxMs));
        if (pauseMs <= 0) {
            vertx.runOnContext(now -> nudge());
        } else {
            timer = vertx.setTimer(pauseMs, now -> nudge());
        }
    }

    /** No further round begins; completes when the one that is running has ended. */
    public Future<Void> stop() {
        stopped = true;
        vertx.cancelTimer(timer);
        if (!running) {
            return Future.succeededFuture();
        }
        Promise<Void> end = Promise.promise();
        quiet = end;
        return end.future();
    }
}
