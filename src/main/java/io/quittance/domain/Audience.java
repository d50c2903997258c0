package io.quittance.domain;

import java.util.EnumSet;
import java.util.Set;

/**
 * The system that acts on an order's conclusions, and what it wants to hear.
 *
 * @param target its name in the configuration; empty if the order's merchant has none
 * @param wants PAID, and any of FAILED, EXPIRED, CANCELLED and REFUNDED
 * @param takesCorrections whether it can be told that an order was closed, and later that it was paid after all
 * @param finalAfterMs how long a conclusion waits that later money could still change, if it cannot be corrected, in
 *     milliseconds; it is final then, because we keep it so
 */
public record Audience(String target, Set<OrderStatus> wants, boolean takesCorrections, long finalAfterMs) {

    private static final Set<OrderStatus> CONCLUSIONS = EnumSet.of(
            OrderStatus.PAID, OrderStatus.FAILED, OrderStatus.EXPIRED, OrderStatus.CANCELLED, OrderStatus.REFUNDED);

    public Audience {
        wants = Set.copyOf(wants);
        if (!wants.contains(OrderStatus.PAID) || !CONCLUSIONS.containsAll(wants)) {
            throw new IllegalArgumentException("a target hears PAID, and no other conclusions than " + CONCLUSIONS);
        }
        if (finalAfterMs < 0) {
            throw new IllegalArgumentException("a conclusion cannot be final before it is made");
        }
    }

    /** One that only wants to hear of paid orders, as most do. */
    public static Audience ofPaid(String target) {
        return new Audience(target, Set.of(OrderStatus.PAID), false, 0);
    }
}
