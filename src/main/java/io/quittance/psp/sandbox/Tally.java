package io.quittance.psp.sandbox;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Counts on the sandbox's own thread, read from any. */
final class Tally {

    enum Counted {
        CREATED,
        PAID,
        DECLINED,
        CLOSED,
        REFUNDED,
        SENT,
        ACKNOWLEDGED,
        DUPLICATE,
        REORDERED,
        LATE,
        DROPPED,
        FORGED,
        TAMPERED,
        REFUSED_FORGERY,
        ACCEPTED_FORGERY,
        RETRIED,
        ABANDONED,
        OVERFLOWED
    }

    private final Map<Counted, LongAdder> counts = new EnumMap<>(Counted.class);

    Tally() {
        for (Counted counted : Counted.values()) {
            counts.put(counted, new LongAdder());
        }
    }

    void count(Counted counted) {
        adder(counted).increment();
    }

    SandboxCounts snapshot() {
        return new SandboxCounts(
                sum(Counted.CREATED),
                sum(Counted.PAID),
                sum(Counted.DECLINED),
                sum(Counted.CLOSED),
                sum(Counted.REFUNDED),
                sum(Counted.SENT),
                sum(Counted.ACKNOWLEDGED),
                sum(Counted.DUPLICATE),
                sum(Counted.REORDERED),
                sum(Counted.LATE),
                sum(Counted.DROPPED),
                sum(Counted.FORGED),
                sum(Counted.TAMPERED),
                sum(Counted.REFUSED_FORGERY),
                sum(Counted.ACCEPTED_FORGERY),
                sum(Counted.RETRIED),
                sum(Counted.ABANDONED),
                sum(Counted.OVERFLOWED));
    }

    private long sum(Counted counted) {
        return adder(counted).sum();
    }

    private LongAdder adder(Counted counted) {
        LongAdder adder = counts.get(counted);
        if (adder == null) {
            throw new IllegalStateException("not counted: " + counted);
        }
        return adder;
    }
}
