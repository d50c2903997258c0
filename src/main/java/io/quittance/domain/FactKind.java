package io.quittance.domain;

/** What a {@link PaymentFact} says. */
public enum FactKind {
    /** The money moved. */
    PAYMENT_SUCCEEDED(Subject.ATTEMPT),
    /** This payment cannot succeed any more. */
    PAYMENT_FAILED(Subject.ATTEMPT),
    /**
     * The payment was closed unpaid, or provably never was made, and cannot be paid any more; from the timer: its PSP
     * cannot be asked and told nothing in time.
     */
    PAYMENT_CLOSED(Subject.ATTEMPT),
    /** The PSP knows the payment and it is not decided. */
    PAYMENT_PENDING(Subject.ATTEMPT),
    /** A card or method was declined; the payer may try another one on the same payment. */
    PAYMENT_DECLINED(Subject.ATTEMPT),
    /** The PSP was asked and did not answer in a way that tells anything. */
    PAYMENT_NO_ANSWER(Subject.ATTEMPT),
    /** The attempt has been undecided for longer than the age limit. */
    PAYMENT_AGE_LIMIT(Subject.ATTEMPT),
    /** The order's time is over, by the database clock. */
    ORDER_TIME_OVER(Subject.ORDER),
    /** The time is over in which late money could revive the closed order: its target is about to be told. */
    ORDER_CLOSED_FOR_GOOD(Subject.ORDER),
    /** The merchant wants the order called off. */
    ORDER_CALLED_OFF(Subject.ORDER),
    /** The merchant wants money of a paid order sent back. */
    REFUND_WANTED(Subject.ORDER),
    /** The target refused for good to fulfil the order. */
    FULFILMENT_REJECTED(Subject.ORDER),
    /** The PSP is about to be asked for a refund. */
    REFUND_STARTED(Subject.ATTEMPT),
    /** The money of a refund went back. */
    REFUND_SUCCEEDED(Subject.ATTEMPT),
    /** A refund was refused, or its money came back. */
    REFUND_FAILED(Subject.ATTEMPT),
    /** The PSP has the refund and is not done. */
    REFUND_PENDING(Subject.ATTEMPT),
    /** The PSP was asked for or about a refund and did not answer in a way that tells anything. */
    REFUND_NO_ANSWER(Subject.ATTEMPT),
    /** The refund has been undecided for longer than the age limit, or the PSP cannot refund at all. */
    REFUND_AGE_LIMIT(Subject.ATTEMPT);

    /** What the reference of a fact names. */
    public enum Subject {
        ORDER,
        ATTEMPT
    }

    private final Subject subject;

    FactKind(Subject subject) {
        this.subject = subject;
    }

    public Subject subject() {
        return subject;
    }

    public boolean isAboutRefund() {
        return this == REFUND_WANTED
                || this == REFUND_STARTED
                || this == REFUND_SUCCEEDED
                || this == REFUND_FAILED
                || this == REFUND_PENDING
                || this == REFUND_NO_ANSWER
                || this == REFUND_AGE_LIMIT;
    }
}
