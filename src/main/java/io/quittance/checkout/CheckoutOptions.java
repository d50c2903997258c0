package io.quittance.checkout;

/**
 * Limits of the checkout.
 *
 * @param publicUrl where PSPs reach this gateway, without a slash at the end
 * @param callLimitMs when somebody must look after an attempt whose call to the PSP was never heard of again, in ms;
 *     longer than any call may take
 * @param keyAbandonedAfterMs after how long an unanswered Idempotency-Key counts as abandoned, in milliseconds
 */
public record CheckoutOptions(String publicUrl, long callLimitMs, long keyAbandonedAfterMs) {}
