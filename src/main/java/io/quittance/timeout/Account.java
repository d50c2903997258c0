package io.quittance.timeout;

import java.util.function.LongSupplier;

/**
 * What is asked at one account. A few orders wait here for their turn; the rest wait in the database, each put off to about
 * the time at which its turn comes, so that one account's burst neither fills the process nor stands before the orders of
 * others. All calls on one thread.
 */
final class Account {

    private static final long NANOS_A_MILLI = 1_000_000;

    private final Pace pace;
    private final LongSupplier nanoTime;
    private int orders;
    private long lineEnds;

    Account(Pace pace, LongSupplier nanoTime) {
        this.pace = pace;
        this.nanoTime = nanoTime;
        this.lineEnds = nanoTime.getAsLong();
    }

    Pace pace() {
        return pace;
    }

    /**
     * Takes an order in, unless there are enough.
     *
     * @param ordersMax so many may be in hand at once
     * @param waitMaxMs and none of them may wait longer than this for its turn, in milliseconds
     */
    boolean takeIn(int ordersMax, long waitMaxMs) {
        boolean soonEnough = orders * pace.spacingNanos() <= waitMaxMs * NANOS_A_MILLI;
        if (orders >= ordersMax || !soonEnough) {
            return false;
        }
        orders++;
        return true;
    }

    /** An order that was taken in has been looked after. */
    void letGo() {
        orders--;
    }

    /** In how many milliseconds an order that was not taken in should come again: behind those who were told before. */
    long putOffMs() {
        long now = nanoTime.getAsLong();
        long whenTheseAreDone = now + orders * pace.spacingNanos();
        lineEnds = (lineEnds - whenTheseAreDone > 0 ? lineEnds : whenTheseAreDone) + pace.spacingNanos();
        return (lineEnds - now + NANOS_A_MILLI - 1) / NANOS_A_MILLI;
    }
}
