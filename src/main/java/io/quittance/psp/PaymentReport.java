package io.quittance.psp;

import io.quittance.domain.Evidence;
import io.quittance.domain.FactKind;
import io.quittance.domain.Mismatch;
import io.quittance.domain.Money;
import io.quittance.domain.PaymentFact;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a PSP said about a payment when it was asked.
 *
 * @param pspPaymentId the PSP's id, if it said one
 * @param amount what was paid, for a success
 * @param mismatch if the answer speaks of another account or mode than the one configured
 * @param pay what the payer's device needs, after a creation
 * @param sessionEnds when the PSP stops taking this payment, if it said so
 * @param detail a short reason in the PSP's words, without personal data
 */
public record PaymentReport(
        Status status,
        @Nullable String pspPaymentId,
        @Nullable Money amount,
        @Nullable Mismatch mismatch,
        JsonObject pay,
        @Nullable Instant sessionEnds,
        String detail) {

    /** What is known now. */
    public enum Status {
        SUCCEEDED,
        /** Known to the PSP and not decided. */
        PENDING,
        /** It cannot succeed any more; or the PSP refused to create it. */
        FAILED,
        CLOSED,
        /** The PSP does not know it (yet). */
        NOT_FOUND,
        /** Time-out, broken connection, open breaker, error of the PSP, an answer that is not verified or not understood. */
        NO_ANSWER
    }

    public static PaymentReport of(Status status, @Nullable String pspPaymentId, String detail) {
        return new PaymentReport(status, pspPaymentId, null, null, new JsonObject(), null, detail);
    }

    public static PaymentReport noAnswer(String detail) {
        return of(Status.NO_ANSWER, null, detail);
    }

    public static PaymentReport succeeded(@Nullable String pspPaymentId, Money amount) {
        return new PaymentReport(Status.SUCCEEDED, pspPaymentId, amount, null, new JsonObject(), null, "paid");
    }

    /** A payment that waits for the payer. */
    public static PaymentReport created(@Nullable String pspPaymentId, JsonObject pay, @Nullable Instant sessionEnds) {
        return new PaymentReport(Status.PENDING, pspPaymentId, null, null, pay, sessionEnds, "created");
    }

    public PaymentReport withMismatch(Mismatch found) {
        return new PaymentReport(status, pspPaymentId, amount, found, pay, sessionEnds, detail);
    }

    /**
     * When the PSP stops taking this payment, if it said so. Its word counts, but nothing is waited for without end: a time
     * beyond the limit is taken as the limit, and one before all time as its beginning.
     *
     * @param orderEnds when the order's own time is over
     * @param afterMax how much later than that the PSP's session may end
     */
    public Optional<Instant> sessionEnd(Instant orderEnds, Duration afterMax) {
        if (sessionEnds == null) {
            return Optional.empty();
        }
        Instant latest = orderEnds.plus(afterMax);
        if (sessionEnds.isAfter(latest)) {
            return Optional.of(latest);
        }
        return Optional.of(sessionEnds.isBefore(Instant.EPOCH) ? Instant.EPOCH : sessionEnds);
    }

    /**
     * The report as a fact for the engine; empty for {@link Status#NOT_FOUND}, which by itself proves nothing.
     *
     * @param attemptId 32 hex characters
     * @param evidence who was asked, and when
     */
    public Optional<PaymentFact> toFact(String attemptId, Evidence evidence) {
        return switch (status) {
            case SUCCEEDED -> {
                PaymentFact fact = PaymentFact.succeeded(attemptId, evidence, pspPaymentId, amount);
                yield Optional.of(mismatch == null ? fact : fact.withMismatch(mismatch));
            }
            case PENDING -> fact(FactKind.PAYMENT_PENDING, attemptId, evidence);
            case FAILED -> fact(FactKind.PAYMENT_FAILED, attemptId, evidence);
            case CLOSED -> fact(FactKind.PAYMENT_CLOSED, attemptId, evidence);
            case NO_ANSWER -> fact(FactKind.PAYMENT_NO_ANSWER, attemptId, evidence);
            case NOT_FOUND -> Optional.empty();
        };
    }

    private Optional<PaymentFact> fact(FactKind kind, String attemptId, Evidence evidence) {
        return Optional.of(PaymentFact.payment(kind, attemptId, evidence, pspPaymentId, detail));
    }
}
