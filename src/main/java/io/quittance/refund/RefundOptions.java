package io.quittance.refund;

import io.quittance.message.Backoff;
import io.quittance.psp.CallbackUrls;

/**
 * Limits of the refund worker.
 *
 * @param urls where PSPs reach this gateway
 * @param batchMax refunds taken up at once
 * @param pauseMaxMs how often it looks without being told, in milliseconds
 * @param leaseMs how long one worker has a refund to itself, in milliseconds; longer than a call to a PSP
 * @param ageLimitMs how long a refund may stay open before a person is asked, in milliseconds
 * @param backoff pauses between tries
 */
public record RefundOptions(
        CallbackUrls urls, int batchMax, long pauseMaxMs, long leaseMs, long ageLimitMs, Backoff backoff) {}
