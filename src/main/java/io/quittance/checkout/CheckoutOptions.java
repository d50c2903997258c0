package io.quittance.checkout;

import io.quittance.psp.CallbackUrls;

/**
 * Limits of the checkout.
 *
 * @param urls where PSPs reach this gateway
 * @param callLimitMs when somebody must look after an attempt whose call to the PSP was never heard of again, in ms;
 *     longer than any call may take
 * @param keyAbandonedAfterMs after how long an unanswered Idempotency-Key counts as abandoned, in milliseconds
 */
public record CheckoutOptions(CallbackUrls urls, long callLimitMs, long keyAbandonedAfterMs) {}
