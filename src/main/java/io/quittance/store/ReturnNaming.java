package io.quittance.store;

/** Which accounts' payers may come back with nothing but the PSP's id of the payment, so that it is kept to be found by. */
@FunctionalInterface
public interface ReturnNaming {

    boolean isByPaymentId(String psp, String account);
}
