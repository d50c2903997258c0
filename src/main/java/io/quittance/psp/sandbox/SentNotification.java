package io.quittance.psp.sandbox;

/**
 * One notification that was posted.
 *
 * @param eventId the same over duplicates, retries and tampered copies of one event
 * @param kind the PSP's name for what happened: the {@code type} of Stripe and Standard Webhooks, WeChat Pay's {@code event_type}, Alipay's
 *     {@code trade_status}
 * @param genuine false for forged and tampered ones
 * @param status the HTTP status of the answer; 0 if none came in time
 */
public record SentNotification(
        String eventId, String psp, String attemptId, String kind, boolean genuine, int status) {}
