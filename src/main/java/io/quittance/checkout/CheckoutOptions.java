package io.quittance.checkout;

import io.quittance.psp.CallbackUrls;
import io.quittance.store.CheckoutStore.AttemptLimits;
import java.time.Duration;

/**
 * Limits of the checkout.
 *
 * @param urls where PSPs reach this gateway
 * @param attempts how many attempts an order may have, and when somebody must look after one whose call to the PSP was
 *     never heard of again: longer than any call may take
 * @param sessionAfterMax how much later than the order's own end a PSP's session may end
 * @param keyAbandonedAfterMs after how long an unanswered Idempotency-Key counts as abandoned, in milliseconds
 */
public record CheckoutOptions(
        CallbackUrls urls, AttemptLimits attempts, Duration sessionAfterMax, long keyAbandonedAfterMs) {}
