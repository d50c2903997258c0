package io.quittance.psp.sandbox;

import io.quittance.psp.sandbox.SandboxPayment.State;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A payment with everything that the PSP's answers and notifications show of it. Immutable. */
record Trade(Terms terms, State state, @Nullable Instant paidAt, List<Refund> refunds) {

    /**
     * What was agreed at creation.
     *
     * @param notifyUrl where notifications about it go, if the merchant wants any
     * @param expiresAt after this nobody can pay it
     * @param texts what the merchant sent along and the PSP shows again
     */
    record Terms(
            String psp,
            String attemptId,
            String pspPaymentId,
            long amountMinor,
            String currency,
            @Nullable String notifyUrl,
            Instant createdAt,
            @Nullable Instant expiresAt,
            Map<String, String> texts) {

        /** Whether another creation asks for the same thing; the PSP's id and the time are not part of what is asked. */
        boolean sameAs(Terms other) {
            return psp.equals(other.psp)
                    && amountMinor == other.amountMinor
                    && currency.equals(other.currency)
                    && texts.equals(other.texts);
        }
    }

    static Trade opened(Terms terms) {
        return new Trade(terms, State.OPEN, null, List.of());
    }

    Trade paid(Instant at) {
        return new Trade(terms, State.PAID, at, refunds);
    }

    Trade closed() {
        return new Trade(terms, State.CLOSED, paidAt, refunds);
    }

    Trade with(Refund refund) {
        return new Trade(
                terms,
                state,
                paidAt,
                Stream.concat(refunds.stream(), Stream.of(refund)).toList());
    }

    /** The same trade with another amount: only forgeries say such a thing. */
    Trade withAmount(long amountMinor) {
        Terms other = new Terms(
                terms.psp,
                terms.attemptId,
                terms.pspPaymentId,
                amountMinor,
                terms.currency,
                terms.notifyUrl,
                terms.createdAt,
                terms.expiresAt,
                terms.texts);
        return new Trade(other, state, paidAt, refunds);
    }

    boolean isPaid() {
        return state == State.PAID;
    }

    boolean isExpired(Instant now) {
        return state == State.OPEN && terms.expiresAt != null && !now.isBefore(terms.expiresAt);
    }

    /** When it was paid; only for a paid one. */
    Instant whenPaid() {
        if (paidAt == null) {
            throw new IllegalStateException("not paid: " + terms.attemptId);
        }
        return paidAt;
    }

    long refundedMinor() {
        return refunds.stream().mapToLong(Refund::amountMinor).sum();
    }

    long refundableMinor() {
        return terms.amountMinor - refundedMinor();
    }

    Optional<Refund> refund(String refundNo) {
        return refunds.stream()
                .filter(refund -> refund.refundNo().equals(refundNo))
                .findFirst();
    }

    SandboxPayment shown() {
        return new SandboxPayment(
                terms.psp,
                terms.attemptId,
                terms.pspPaymentId,
                state,
                terms.amountMinor,
                terms.currency,
                refundedMinor());
    }
}
