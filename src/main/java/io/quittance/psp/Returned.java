package io.quittance.psp;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Which payment a browser came back from. Nothing is believed of what became of it: that is asked. */
public sealed interface Returned {

    /**
     * It names a payment; at least one of the ids is there.
     *
     * @param attemptId 32 hex characters
     * @param pspPaymentId the PSP's id
     * @param signed whether the PSP signed it
     */
    record Payment(@Nullable String attemptId, @Nullable String pspPaymentId, boolean signed) implements Returned {

        private static final Pattern ATTEMPT_ID = Pattern.compile("[0-9a-f]{32}");
        private static final int PSP_PAYMENT_ID_CHARS_MAX = 64;

        /** @throws IllegalArgumentException if there is no id, or one that cannot be an id */
        public Payment {
            boolean attempt = attemptId == null || ATTEMPT_ID.matcher(attemptId).matches();
            boolean payment = pspPaymentId == null
                    || (!pspPaymentId.isEmpty() && pspPaymentId.length() <= PSP_PAYMENT_ID_CHARS_MAX);
            if (!attempt || !payment || (attemptId == null && pspPaymentId == null)) {
                throw new IllegalArgumentException("no payment has such ids");
            }
        }
    }

    /**
     * It names none, or its signature is wrong.
     *
     * @param detail the field and the problem, without the field's value
     */
    record Unreadable(String detail) implements Returned {}

    /**
     * The payment with these ids, each of which may be missing.
     *
     * @param attemptIdName the field that the first id came from, for the message
     */
    static Returned payment(
            String attemptIdName, @Nullable String attemptId, @Nullable String pspPaymentId, boolean signed) {
        try {
            return new Payment(attemptId, pspPaymentId, signed);
        } catch (IllegalArgumentException e) {
            return new Unreadable(attemptIdName + " does not name a payment");
        }
    }
}
