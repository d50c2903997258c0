package io.quittance.domain;

import java.util.List;

/**
 * What a fact means for an order.
 *
 * @param reason why, in one sentence for the audit trail
 * @param changes to be written together or not at all; empty unless something changes
 */
public record Decision(Outcome outcome, String reason, List<Change> changes) {

    public Decision {
        changes = List.copyOf(changes);
    }

    static Decision nothing(Outcome outcome, String reason) {
        return new Decision(outcome, reason, List.of());
    }

    public boolean changesAnything() {
        return !changes.isEmpty();
    }
}
