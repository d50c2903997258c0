package io.quittance.inquiry;

import io.quittance.psp.CallbackUrls;

/**
 * Limits of questions that cannot wait for the timeout tracker.
 *
 * @param urls where PSPs reach this gateway
 * @param callsInFlightMax calls to PSPs at once; beyond it, what is stored is answered
 * @param leaseMs how long one question has an order to itself, in milliseconds; longer than the calls to a PSP
 * @param pauseMinMs how long after a question about an order no other one is asked about it, in milliseconds
 */
public record InquiryOptions(CallbackUrls urls, int callsInFlightMax, long leaseMs, long pauseMinMs) {}
