package io.quittance.http;

import java.util.concurrent.atomic.AtomicInteger;

/** Places for live streams. Shared by all HTTP instances of the process. */
public final class LiveSlots {

    private final int max;
    private final AtomicInteger taken = new AtomicInteger();

    /** @param max streams at once; with 0 there are none, and pages look again instead */
    public LiveSlots(int max) {
        this.max = max;
    }

    /** How many streams are open. */
    public int taken() {
        return taken.get();
    }

    /** Takes a place; false, and nothing is taken, if there are max already. */
    boolean take() {
        if (taken.incrementAndGet() <= max) {
            return true;
        }
        taken.decrementAndGet();
        return false;
    }

    void free() {
        taken.decrementAndGet();
    }
}
