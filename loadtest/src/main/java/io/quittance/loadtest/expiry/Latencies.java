package io.quittance.loadtest.expiry;

import io.quittance.loadtest.load.Observer;
import io.quittance.loadtest.load.Shot;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What notifications took, with the times at which they were meant to be sent. */
final class Latencies implements Observer<Shot> {

    private static final double NANOS_A_MILLI = 1e6;

    private final List<Latency> all = new ArrayList<>();
    private int refused;

    @Override
    public void acknowledged(Shot shot, Latency latency) {
        all.add(latency);
    }

    @Override
    public void refused(Shot shot, Latency latency) {
        all.add(latency);
        refused++;
    }

    int refused() {
        return refused;
    }

    /** When the first one was meant to be sent, on the clock of System.nanoTime. */
    long startedAt() {
        return meant().reduce((one, other) -> one - other < 0 ? one : other).orElseThrow();
    }

    /** Just after the last one was meant to be sent. */
    long endedAt() {
        return meant().reduce((one, other) -> one - other > 0 ? one : other).orElseThrow() + 1;
    }

    private Stream<Long> meant() {
        return all.stream().map(Latency::meantNanos);
    }

    /** Milliseconds within which this share of the notifications was answered that were meant to be sent in this time. */
    double milliseconds(double share, long from, long to) {
        List<Long> within = all.stream()
                .filter(one -> one.meantNanos() - from >= 0 && one.meantNanos() - to < 0)
                .map(Latency::nanos)
                .sorted()
                .toList();
        if (within.isEmpty()) {
            throw new IllegalStateException("no notification was due in this time");
        }
        return within.get((int) Math.ceil(share * within.size()) - 1) / NANOS_A_MILLI;
    }
}
