package io.quittance.timeout;

import io.quittance.message.Backoff;
import io.quittance.psp.CallbackUrls;
import java.time.Duration;

/**
 * Limits of the timeout tracker.
 *
 * @param urls where PSPs reach this gateway
 * @param ordersMax orders in hand at once
 * @param ordersAnAccountMax of them, those that one account is asked about
 * @param callsPerSecond calls to one account a second, by this process
 * @param pauseMaxMs how often it looks without being told, in milliseconds
 * @param leaseMs how long one worker has an order to itself, in milliseconds; longer than the calls to a PSP
 * @param graceMs how long after its end a payment is waited for that the PSP does not know, or that cannot be asked
 *     about, in milliseconds
 * @param ageLimitMs how long after its end an undecided payment is asked about before a person is, in milliseconds
 * @param sessionAfterMax how much later than the order's own end a PSP's session may end
 * @param backoff pauses between questions
 */
public record TimeoutOptions(
        CallbackUrls urls,
        int ordersMax,
        int ordersAnAccountMax,
        int callsPerSecond,
        long pauseMaxMs,
        long leaseMs,
        long graceMs,
        long ageLimitMs,
        Duration sessionAfterMax,
        Backoff backoff) {}
