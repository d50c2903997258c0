package io.quittance.dispatch;

import java.time.Duration;

/**
 * How much of a lease is left, measured from before the claim was sent, so that it ends here before it ends in the
 * database.
 */
record LeaseTerm(long startNanos, Duration length) {

    static LeaseTerm startingNow(Duration length) {
        return new LeaseTerm(System.nanoTime(), length);
    }

    /** Whether something that takes so long ends while the lease holds. */
    boolean covers(Duration work) {
        return length.toNanos() - (System.nanoTime() - startNanos) >= work.toNanos();
    }
}
