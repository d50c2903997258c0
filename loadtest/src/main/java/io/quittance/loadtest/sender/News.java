package io.quittance.loadtest.sender;

import java.time.Instant;

/**
 * What a PSP has to tell of one payment. Whoever tells it twice tells the same event.
 *
 * @param attempt the attempt's id, 32 hex characters
 * @param payment the PSP's id of the payment
 * @param at when it happened
 * @param filler what makes the notification longer and says nothing
 */
public record News(
        Kind kind, String attempt, String payment, long amountMinor, String currency, Instant at, String filler) {

    /** What happened. */
    public enum Kind {
        SUCCEEDED,
        /** Not decided yet: no news for an order that is paid. */
        PENDING
    }

    public News(Kind kind, String attempt, String payment, long amountMinor, String currency, Instant at) {
        this(kind, attempt, payment, amountMinor, currency, at, "");
    }

    boolean succeeded() {
        return kind == Kind.SUCCEEDED;
    }

    /** The event's id: the same whenever it is told. */
    String eventId(String prefix) {
        return prefix + (succeeded() ? "" : "p") + attempt;
    }

    /** The same with another filler. */
    public News filledWith(String other) {
        return new News(kind, attempt, payment, amountMinor, currency, at, other);
    }
}
