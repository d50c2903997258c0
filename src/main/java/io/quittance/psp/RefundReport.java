package io.quittance.psp;

import io.quittance.domain.Evidence;
import io.quittance.domain.FactKind;
import io.quittance.domain.PaymentFact;
import io.quittance.domain.PaymentFact.RefundNews;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a PSP said about a refund when it was asked for it or about it.
 *
 * @param pspRefundId the PSP's id, if it said one
 * @param detail a short reason in the PSP's words, without personal data
 */
public record RefundReport(Status status, @Nullable String pspRefundId, String detail) {

    /** What is known now. */
    public enum Status {
        SUCCEEDED,
        PENDING,
        /** The PSP refused it for good, or it failed. */
        FAILED,
        NOT_FOUND,
        NO_ANSWER
    }

    public static RefundReport noAnswer(String detail) {
        return new RefundReport(Status.NO_ANSWER, null, detail);
    }

    /**
     * The report as a fact for the engine; empty for {@link Status#NOT_FOUND}: then the refund is asked for again, under
     * the same key.
     *
     * @param attemptId 32 hex characters
     * @param refundId 32 hex characters
     */
    public Optional<PaymentFact> toFact(String attemptId, String refundId, Evidence evidence) {
        FactKind kind =
                switch (status) {
                    case SUCCEEDED -> FactKind.REFUND_SUCCEEDED;
                    case PENDING -> FactKind.REFUND_PENDING;
                    case FAILED -> FactKind.REFUND_FAILED;
                    case NO_ANSWER -> FactKind.REFUND_NO_ANSWER;
                    case NOT_FOUND -> null;
                };
        RefundNews news = new RefundNews(refundId, pspRefundId, null, null);
        return Optional.ofNullable(kind).map(known -> PaymentFact.refund(known, attemptId, evidence, news, detail));
    }
}
