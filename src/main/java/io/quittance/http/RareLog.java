package io.quittance.http;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps lines of one kind apart in time, so that whoever sends forgeries by the thousand does not fill the log with them.
 * Kinds must be few: they are kept for ever.
 */
final class RareLog {

    /** One line of a kind in so long; what is left out in between is told with the next one, and counted anyway. */
    static final Duration PAUSE = Duration.ofSeconds(10);

    private final Clock clock;
    private final Map<Object, Kind> kinds = new ConcurrentHashMap<>();

    RareLog(Clock clock) {
        this.clock = clock;
    }

    /** How many lines of this kind were left out since the last one; empty if this one is to be left out too. */
    OptionalLong admit(Object kind) {
        return kinds.computeIfAbsent(kind, first -> new Kind()).admit(clock.instant());
    }

    private static final class Kind {

        private Instant next = Instant.MIN;
        private long leftOut;

        synchronized OptionalLong admit(Instant now) {
            if (now.isBefore(next)) {
                leftOut++;
                return OptionalLong.empty();
            }
            next = now.plus(PAUSE);
            OptionalLong told = OptionalLong.of(leftOut);
            leftOut = 0;
            return told;
        }
    }
}
