package io.quittance.psp.sandbox;

import java.time.Duration;

/**
 * How badly notifications travel. Each probability is between 0 and 1 and is drawn for each notification on its own; what
 * is drawn for the n-th notification depends on nothing but the seed and n.
 *
 * @param duplicate sent two or three times, half of the time at once on separate connections
 * @param reorder held back until the next notification has been answered
 * @param delay sent after a random wait of at most {@code delayMax}
 * @param drop never sent; only where asking can make up for it
 * @param forge accompanied by a notification signed with a wrong key, for another amount or an unpaid payment
 * @param tamper accompanied by a copy in which one byte was changed after signing
 */
public record Faults(
        double duplicate,
        double reorder,
        double delay,
        double drop,
        double forge,
        double tamper,
        Duration delayMax,
        long seed) {

    public Faults {
        requireProbability("duplicate", duplicate);
        requireProbability("reorder", reorder);
        requireProbability("delay", delay);
        requireProbability("drop", drop);
        requireProbability("forge", forge);
        requireProbability("tamper", tamper);
        if (delayMax.isNegative()) {
            throw new IllegalArgumentException("delayMax must not be negative, was " + delayMax);
        }
    }

    /** Everything arrives once, at once and in order. */
    public static Faults none() {
        return new Faults(0, 0, 0, 0, 0, 0, Duration.ZERO, 0);
    }

    private static void requireProbability(String name, double value) {
        if (!(value >= 0 && value <= 1)) {
            throw new IllegalArgumentException(name + " must be between 0 and 1, was " + value);
        }
    }
}
