package io.quittance.psp.sandbox;

import java.time.Instant;
import java.util.Map;

/**
 * Money that went back.
 *
 * @param refundNo the merchant's number of the refund: its idempotency key
 * @param texts what the merchant sent along and the PSP shows again
 */
record Refund(String refundNo, String pspRefundId, long amountMinor, Instant at, Map<String, String> texts) {}
