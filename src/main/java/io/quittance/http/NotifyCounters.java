package io.quittance.http;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;

/** How notifications were answered, by PSP and reason, and how many are in flight. Shared by all HTTP instances. */
public final class NotifyCounters {

    /** The PSP name under which requests for accounts that do not exist are counted. */
    public static final String NO_PSP = "-";

    /** What a notification was answered for. The first five are a signature's, see Verification.Reason. */
    public enum Reason {
        MALFORMED_SIGNATURE,
        BAD_SIGNATURE,
        UNKNOWN_KEY,
        STALE,
        SIGNATURE_PROBE,
        /** Durable, and acknowledged so. */
        ACCEPTED,
        /** Signed, and not what the format says. */
        UNREADABLE,
        /** No such PSP or account. */
        UNKNOWN_ACCOUNT,
        BODY_TOO_LARGE,
        BODY_TOO_SLOW,
        CONTENT_ENCODING,
        CONTENT_TYPE,
        /** The connection broke before the body was complete. */
        ABANDONED,
        /** Too many in flight. */
        OVERLOADED,
        /** The stores are away: to be sent again. */
        POSTPONED,
        /** A bug of ours: to be sent again. */
        BROKEN
    }

    /** What is counted apart. */
    public record Key(String psp, Reason reason) {}

    private final ConcurrentHashMap<Key, LongAdder> counts = new ConcurrentHashMap<>();
    private final AtomicInteger inFlight = new AtomicInteger();

    void count(String psp, Reason reason) {
        counts.computeIfAbsent(new Key(psp, reason), key -> new LongAdder()).increment();
    }

    /** How often since the start. */
    public long count(Key key) {
        LongAdder count = counts.get(key);
        return count == null ? 0 : count.sum();
    }

    /** All counts that are not zero, as of about now. */
    public Map<Key, Long> all() {
        return counts.entrySet().stream()
                .collect(Collectors.toUnmodifiableMap(
                        Map.Entry::getKey, entry -> entry.getValue().sum()));
    }

    /** How many notifications are being read or wait for their commit. */
    public int inFlight() {
        return inFlight.get();
    }

    /** Takes a place; false, and nothing is taken, if there are max already. */
    boolean enter(int max) {
        if (inFlight.incrementAndGet() <= max) {
            return true;
        }
        inFlight.decrementAndGet();
        return false;
    }

    void leave() {
        inFlight.decrementAndGet();
    }
}
