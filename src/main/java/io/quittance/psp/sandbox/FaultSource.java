package io.quittance.psp.sandbox;

import java.util.concurrent.atomic.AtomicLong;

/** Draws one plan after the other. The faults may be changed from any thread; the draw then starts over with their seed. */
final class FaultSource {

    private volatile Draw draw;

    private record Draw(Faults faults, AtomicLong next) {}

    FaultSource(Faults faults) {
        this.draw = new Draw(faults, new AtomicLong());
    }

    void change(Faults faults) {
        draw = new Draw(faults, new AtomicLong());
    }

    FaultPlan next() {
        Draw current = draw;
        return FaultPlan.of(current.faults, current.next.getAndIncrement());
    }
}
