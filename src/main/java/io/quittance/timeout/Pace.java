package io.quittance.timeout;

import io.quittance.message.Unavailable;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongSupplier;

/**
 * Lets calls go one after another, never closer together than a fixed distance. So no window of a second ever has more of
 * them than the rate, and what waited while nothing could run does not make up for it in a burst. All calls on one thread.
 */
final class Pace {

    private static final long NANOS_A_SECOND = 1_000_000_000;
    private static final long NANOS_A_MILLI = 1_000_000;

    private final long spacingNanos;
    private final LongSupplier nanoTime;
    private final Later later;
    private final Deque<Promise<Void>> line = new ArrayDeque<>();
    private long free;
    private boolean waiting;
    private boolean closed;

    /** Runs something on the same thread, after so many milliseconds. */
    interface Later {
        void run(long afterMs, Runnable step);
    }

    /**
     * Has let nothing go yet.
     *
     * @param nanoTime a clock that never goes back, in nanoseconds from any origin
     */
    Pace(int callsPerSecond, LongSupplier nanoTime, Later later) {
        this.spacingNanos = (NANOS_A_SECOND + callsPerSecond - 1) / callsPerSecond;
        this.nanoTime = nanoTime;
        this.later = later;
        this.free = nanoTime.getAsLong();
    }

    long spacingNanos() {
        return spacingNanos;
    }

    /** Completes when it is its turn, after all who came before; fails with {@link Unavailable} when this is closed. */
    Future<Void> turn() {
        Promise<Void> turn = Promise.promise();
        line.addLast(turn);
        return served(turn);
    }

    /** The same before all who wait: the second half of something that began. */
    Future<Void> nextTurn() {
        Promise<Void> turn = Promise.promise();
        line.addFirst(turn);
        return served(turn);
    }

    private Future<Void> served(Promise<Void> turn) {
        serve();
        return turn.future();
    }

    private void serve() {
        while (!waiting && !line.isEmpty()) {
            long now = nanoTime.getAsLong();
            long leftNanos = free - now;
            if (closed) {
                line.removeFirst().fail(new Unavailable("no call is begun any more"));
            } else if (leftNanos > 0) {
                waiting = true;
                later.run((leftNanos + NANOS_A_MILLI - 1) / NANOS_A_MILLI, this::wake);
            } else {
                free = now + spacingNanos;
                line.removeFirst().complete();
            }
        }
    }

    private void wake() {
        waiting = false;
        serve();
    }

    /** Nobody's turn comes any more. */
    void close() {
        closed = true;
        wake();
    }
}
