package io.quittance.loadtest.gatling;

import io.quittance.loadtest.sender.Sender;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * One run: what its simulation needs, and what it leaves for the verdict.
 *
 * @param prefix of the numbers of its orders, and of nobody else's
 * @param prepared orders with attempts that wait; empty for a script that places its own
 */
record Run(Parameters parameters, Site site, String prefix, List<Placed> prepared, Tally tally, AtomicInteger numbers) {

    /** Gatling makes a simulation by its class's name and hands nothing over, so that it has to find its run here. */
    private static final AtomicReference<Run> CURRENT = new AtomicReference<>();

    Run(Parameters parameters, Site site, String prefix, List<Placed> prepared, Tally tally) {
        this(parameters, site, prefix, prepared, tally, new AtomicInteger());
    }

    static Run current() {
        Run run = CURRENT.get();
        if (run == null) {
            throw new IllegalStateException("start the scripts with loadtest/gatling NAME");
        }
        return run;
    }

    void makeCurrent() {
        CURRENT.set(this);
    }

    /** The next of the run's own numbers. */
    int nextNumber() {
        return numbers.getAndIncrement();
    }

    /** The PSPs take turns. */
    Sender sender(int number) {
        return site.senders().get(number % site.senders().size());
    }
}
