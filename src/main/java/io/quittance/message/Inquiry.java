package io.quittance.message;

import io.quittance.domain.AttemptStatus;
import io.quittance.domain.OrderStatus;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Somebody wants to know how a payment stands, now. Its PSP is asked if that can tell anything new.
 *
 * @param subject which payment
 * @param patience how long the asker waits for the PSP's answer; after that he gets what is stored, and the question goes
 *     on without him
 */
public record Inquiry(Subject subject, Duration patience) implements Request<Inquiry.Answer> {

    @Override
    public String address() {
        return Addresses.INQUIRY;
    }

    /** How a payment is named. */
    public sealed interface Subject {
        /**
         * One attempt, at the account that it belongs to.
         *
         * @param attemptId 32 lower-case hex characters
         */
        record OfAttempt(String psp, String account, String attemptId) implements Subject {}

        /** One payment at an account, by the PSP's id. */
        record OfPayment(String psp, String account, String pspPaymentId) implements Subject {}

        /** An order's live attempt, or its last one. */
        record OfOrder(String merchantId, String orderNo) implements Subject {}
    }

    /** The answer to an {@link Inquiry}. */
    public sealed interface Answer {
        /** Nothing of this name is here. */
        record NoSuchPayment() implements Answer {}

        /**
         * How it stands.
         *
         * @param attempt of the attempt that was meant; absent if the order has none
         * @param asked whether the PSP was asked for this answer; otherwise it is what was stored
         */
        record Known(
                String merchantId,
                String orderNo,
                OrderStatus order,
                @Nullable AttemptStatus attempt,
                boolean asked) implements Answer {}
    }
}
