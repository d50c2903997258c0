package io.quittance.message;

import java.util.concurrent.ThreadLocalRandom;

/**
 * Pauses between tries: doubled each time up to a limit, then spread at random over their upper half, so that what
 * failed together does not come back together.
 *
 * @param firstMs the pause after the first try, in milliseconds
 * @param maxMs the longest pause, in milliseconds
 */
public record Backoff(long firstMs, long maxMs) {

    private static final int DOUBLINGS_MAX = 30;

    /** The pause after so many tries. */
    public long pauseMs(int tries) {
        int doublings = Math.min(Math.max(tries - 1, 0), DOUBLINGS_MAX);
        long full = Math.max(2, Math.min(maxMs, firstMs << doublings));
        return full / 2 + ThreadLocalRandom.current().nextLong(full / 2);
    }
}
