package io.quittance.domain;

/** In what a reported success differs from the attempt that it names. Such a success never pays an order. */
public enum Mismatch {
    /** More or less money than the order asks. */
    AMOUNT,
    /** Another currency. */
    CURRENCY,
    /** Another merchant, application, seller or account than the one configured. */
    ACCOUNT,
    /** A test payment at a live account, or the reverse. */
    MODE,
    /** The PSP's payment id is not the one that belongs to the attempt. */
    PAYMENT_ID,
    /** The PSP reports a success without saying how much. */
    NO_AMOUNT
}
