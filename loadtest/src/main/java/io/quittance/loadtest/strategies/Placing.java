package io.quittance.loadtest.strategies;

import io.quittance.loadtest.strategies.Workload.Callback;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Places orders, and makes what will be said of them; the same each time that it begins with the same seed. */
final class Placing {

    private final Servers servers;
    private final AtomicLong seeds;
    private final byte[] key = new byte[32];

    Placing(Servers servers, long seed) {
        this.servers = servers;
        this.seeds = new AtomicLong(seed);
    }

    /** Of the webhook signature. */
    byte[] key() {
        return key;
    }

    /** While the servers go on with whatever they do. */
    List<Callback> beside(String database, double notifications) {
        int orders = (int) (notifications / Workload.SHOTS_AN_ORDER);
        return servers.withKeys(database, pool -> next().prepare(pool, orders, System.currentTimeMillis()));
    }

    /** For a run that begins then, on a tidy database and with a tidy heap. */
    List<Callback> anew(String database, int orders) {
        List<Callback> callbacks = servers.withKeys(database, pool -> next().prepareAnew(pool, orders));
        // What earlier runs left behind is a third of the heap, and would be collected in the middle of this one.
        System.gc();
        return callbacks;
    }

    private Workload next() {
        return new Workload(seeds.incrementAndGet(), key);
    }
}
