package io.quittance.psp.sandbox;

/**
 * What the sandbox has done since it was created; a snapshot.
 *
 * @param created payments
 * @param paid payments that were paid, late ones included
 * @param declined failed tries of the payer
 * @param closed payments closed on the merchant's request
 * @param refunded refunds, not payments
 * @param sent genuine notifications posted, duplicates and retries included
 * @param acknowledged genuine notifications posted and answered with the PSP's own success answer
 * @param duplicates extra copies posted, counted in {@code sent} too
 * @param reordered notifications that a later one was made to overtake
 * @param late notifications that were delayed
 * @param dropped notifications that were never sent
 * @param forged notifications posted with a wrong signature
 * @param tampered copies posted with a changed byte
 * @param refusedForgeries forged or tampered ones answered with 4xx
 * @param acceptedForgeries forged or tampered ones answered with success: must stay 0
 * @param retried genuine notifications posted again because the answer was no success, counted in {@code sent} too
 * @param abandoned notifications without a success answer after the last retry
 * @param overflowed notifications never sent because the queue was full
 */
public record SandboxCounts(
        long created,
        long paid,
        long declined,
        long closed,
        long refunded,
        long sent,
        long acknowledged,
        long duplicates,
        long reordered,
        long late,
        long dropped,
        long forged,
        long tampered,
        long refusedForgeries,
        long acceptedForgeries,
        long retried,
        long abandoned,
        long overflowed) {}
