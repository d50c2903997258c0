package io.quittance.engine;

import io.quittance.domain.Change;
import io.quittance.domain.Outcome;
import io.quittance.message.Addresses;
import io.quittance.message.Bus;
import io.quittance.store.Ruling;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/** Tells the workers what was committed and concerns them. Only a hint: each of them also looks for itself. */
final class Announcements {

    private Announcements() {}

    static void of(Work work, Bus bus) {
        work.committed().ifPresent(ruling -> announce(ruling, bus));
        work.committed()
                .filter(ruling -> ruling.decision().outcome() == Outcome.UNMATCHED && ruling.delivery() != null)
                .flatMap(ruling -> work.subject())
                .ifPresent(subject -> bus.tell(Addresses.MATCH_DUE, subject));
    }

    /** Tells those who watch orders; each order once, however many facts of the batch changed it. */
    static void ofChanges(List<Work> batch, Bus bus) {
        batch.stream()
                .flatMap(work -> work.committed().stream())
                .filter(ruling -> ruling.read() != null && ruling.decision().changesAnything())
                .map(ruling -> Objects.requireNonNull(ruling.read()).orderId())
                .distinct()
                .forEach(bus::changed);
    }

    private static void announce(Ruling ruling, Bus bus) {
        if (ruling.read() == null) {
            return;
        }
        UUID order = ruling.read().orderId();
        for (Change change : ruling.decision().changes()) {
            if (change instanceof Change.ConclusionQueued) {
                bus.tell(Addresses.CONCLUDED, order);
            } else if (change instanceof Change.RefundRequested) {
                bus.tell(Addresses.REFUND_DUE, order);
            } else if (change instanceof Change.AttentionNeeded) {
                bus.tell(Addresses.TIMER_SET, order);
            }
        }
    }
}
