package io.quittance.message;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps lines of one kind apart in time, so that forgeries by the thousand, or a store that is away, do not fill the log.
 * Kinds must be few: they are kept for ever.
 */
public final class RareLog {

    /** One line of a kind in so long; what is left out in between is told with the next one, and counted anyway. */
    static final Duration PAUSE = Duration.ofSeconds(10);

    private final Clock clock;
    private final Map<Object, Kind> kinds = new ConcurrentHashMap<>();

    public RareLog(Clock clock) {
        this.clock = clock;
    }

    /** How many lines of this kind were left out since the last one; empty if this one is to be left out too. */
    public OptionalLong admit(Object kind) {
        return kinds.computeIfAbsent(kind, first -> new Kind()).admit(clock.instant());
    }

    /** The end of a line that tells how many like it were left out; empty if none was. */
    public static String others(long leftOut) {
        return leftOut == 0 ? "" : " (and " + leftOut + " like it since the last such line)";
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
