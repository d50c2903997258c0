package io.quittance.http;

import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Places for live streams. Shared by all HTTP instances of the process. */
public final class LiveSlots {

    /** Streams of one order: a link in many hands must not take the places of all others. */
    static final int STREAMS_AN_ORDER_MAX = 20;

    private final int max;
    private final ConcurrentHashMap<UUID, Integer> ofOrders = new ConcurrentHashMap<>();
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

    /** Takes one of an order's places; false, and nothing is taken, if it has none left. */
    boolean join(UUID order) {
        if (ofOrders.merge(order, 1, Integer::sum) <= STREAMS_AN_ORDER_MAX) {
            return true;
        }
        leave(order);
        return false;
    }

    void leave(UUID order) {
        ofOrders.computeIfPresent(order, (id, streams) -> streams == 1 ? null : streams - 1);
    }
}
