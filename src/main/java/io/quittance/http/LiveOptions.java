package io.quittance.http;

import java.time.Duration;

/**
 * The settings of live streams.
 *
 * @param slots how many there may be
 * @param lookEvery how often a watched order is looked at although no change was told: another process may have changed it
 * @param heartbeatEvery how often a stream shows that it lives; below every idle limit on the way
 * @param lifeMax a stream ends after so long, and its reader comes again
 */
public record LiveOptions(LiveSlots slots, Duration lookEvery, Duration heartbeatEvery, Duration lifeMax) {

    /** The usual paces, with so many streams at once. */
    public static LiveOptions of(int streamsMax) {
        return new LiveOptions(
                new LiveSlots(streamsMax), Duration.ofSeconds(5), Duration.ofSeconds(20), Duration.ofMinutes(10));
    }
}
