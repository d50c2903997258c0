package io.quittance.timeout;

import io.quittance.message.Backoff;
import io.quittance.psp.CallbackUrls;

/**
 * Limits of the timeout tracker.
 *
 * @param urls where PSPs reach this gateway
 * @param batchMax orders taken up at once; each may cost calls to a PSP
 * @param pauseMaxMs how often it looks without being told, in milliseconds
 * @param leaseMs how long one worker has an order to itself, in milliseconds; longer than the calls to a PSP
 * @param graceMs how long after its end a payment is waited for that the PSP does not know, or that cannot be asked
 *     about, in milliseconds
 * @param ageLimitMs how long after its end an undecided payment is asked about before a person is, in milliseconds
 * @param backoff pauses between questions
 */
public record TimeoutOptions(
        CallbackUrls urls,
        int batchMax,
        long pauseMaxMs,
        long leaseMs,
        long graceMs,
        long ageLimitMs,
        Backoff backoff) {}
