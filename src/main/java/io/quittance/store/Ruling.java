package io.quittance.store;

import io.quittance.domain.Decision;
import io.quittance.domain.PaymentFact;
import io.quittance.message.Delivery;
import org.jspecify.annotations.Nullable;

/**
 * A decision to be written, with what it was made from.
 *
 * @param read the order that it was made on; absent if there is none
 */
public record Ruling(
        Decision decision,
        @Nullable PaymentFact fact,
        @Nullable Delivery delivery,
        String eventType,
        SnapshotStore.@Nullable Versioned read) {}
