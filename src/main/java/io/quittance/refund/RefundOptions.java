package io.quittance.refund;

import io.quittance.message.Backoff;

/**
 * Limits of the refund worker.
 *
 * @param publicUrl where PSPs reach this gateway, without a slash at the end
 * @param batchMax refunds taken up at once
 * @param pauseMaxMs how often it looks without being told, in milliseconds
 * @param leaseMs how long one worker has a refund to itself, in milliseconds; longer than a call to a PSP
 * @param ageLimitMs how long a refund may stay open before a person is asked, in milliseconds
 * @param backoff pauses between tries
 */
public record RefundOptions(
        String publicUrl, int batchMax, long pauseMaxMs, long leaseMs, long ageLimitMs, Backoff backoff) {}
