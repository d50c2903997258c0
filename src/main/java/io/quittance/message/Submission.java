package io.quittance.message;

import io.quittance.domain.Outcome;
import io.quittance.domain.PaymentFact;
import org.jspecify.annotations.Nullable;

/**
 * A fact for the engine. It is answered only after whatever it changed, and its log entry, is committed.
 *
 * @param fact what was learned; absent if the notification is real and not about anything kept here
 * @param delivery the notification that brought it; absent for facts that come in another way
 * @param eventType the sender's name for what happened, for the log
 * @param shards how many engine instances there are
 */
public record Submission(
        @Nullable PaymentFact fact, @Nullable Delivery delivery, String eventType, int shards)
        implements Request<Submission.Verdict> {

    public Submission {
        if (fact == null && delivery == null) {
            throw new IllegalArgumentException("a submission has a fact, a delivery, or both");
        }
    }

    @Override
    public String address() {
        String key = fact != null ? fact.reference() : String.valueOf(delivery != null ? delivery.eventId() : null);
        return Addresses.engine(Addresses.shardOf(key, shards));
    }

    /** What became of it. */
    public record Verdict(Outcome outcome, String reason) {}
}
