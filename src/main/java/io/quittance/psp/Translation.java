package io.quittance.psp;

import io.quittance.domain.PaymentFact;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a verified notification means. */
public sealed interface Translation {

    /**
     * It says something about payments.
     *
     * @param eventId the PSP's id of this event, the same over its repetitions
     * @param facts at least one; the answer is success only if all of them are durable
     */
    record Facts(String eventId, List<PaymentFact> facts) implements Translation {}

    /**
     * It is real and not about anything that we keep: it is logged and acknowledged.
     *
     * @param eventId the PSP's id of this event, if it has one
     * @param eventType the PSP's name for what happened
     */
    record NotOurs(@Nullable String eventId, String eventType) implements Translation {}

    /**
     * It is signed and yet not what the format says.
     *
     * @param detail the field and the problem, without the payer's data
     */
    record Malformed(String detail) implements Translation {}
}
