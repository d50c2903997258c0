package io.quittance.domain;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Where a fact comes from.
 *
 * @param psp the PSP's name in the configuration, for example {@code stripe}; {@code -} if no PSP said it
 * @param account the account's name in the configuration; {@code -} if no PSP said it
 * @param eventId the PSP's id of the event, if it was a notification
 * @param observedAt when we learned it
 */
public record Evidence(
        FactSource source,
        String psp,
        String account,
        @Nullable String eventId,
        Instant observedAt) {

    /** Evidence that does not come from a PSP. */
    public static Evidence ours(FactSource source, Instant observedAt) {
        return new Evidence(source, "-", "-", null, observedAt);
    }
}
