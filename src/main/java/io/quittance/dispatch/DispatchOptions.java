package io.quittance.dispatch;

import java.time.Duration;

/**
 * The limits of the way to the targets.
 *
 * @param claimMax at most so many rows are claimed by one statement
 * @param inFlightMax at most so many orders are on their way at once, and so many connections are open to one target
 * @param lease how long a claim holds; long enough for a question, a delivery and the note of what came of it
 * @param connectLimit how long a connection may take to be had
 * @param answerLimit how long a target may take from the request to the last byte of its answer
 * @param triesMax after so many tries a person must look
 * @param backoffBase the longest wait before the second try; it doubles with each further one
 * @param backoffMax the longest wait before any try
 * @param sleepMax the longest time without a look at the outbox, should a nudge be lost
 * @param breakerFailuresMax after so many failed calls in {@code breakerWindow} a target is left alone
 * @param breakerWindow how long a failed call counts; 10 minutes at most
 * @param breakerReset how long a target is left alone before one call tries it again
 */
public record DispatchOptions(
        int claimMax,
        int inFlightMax,
        Duration lease,
        Duration connectLimit,
        Duration answerLimit,
        int triesMax,
        Duration backoffBase,
        Duration backoffMax,
        Duration sleepMax,
        int breakerFailuresMax,
        Duration breakerWindow,
        Duration breakerReset) {

    /** A try asks the target at most once and posts at most once. */
    static final int CALLS_PER_TRY_MAX = 2;

    /** What a lease has to spare beside its calls: the claim's way back, and the note of the result. */
    public static final Duration WRITE_MARGIN = Duration.ofSeconds(2);

    /** The breaker sets aside a place for each millisecond of it, all at once and on the event loop. */
    static final Duration BREAKER_WINDOW_MAX = Duration.ofMinutes(10);

    /** A target's answer is an id; longer answers are not read. */
    static final int ANSWER_BYTES_MAX = 64 * 1024;

    public DispatchOptions {
        requireCount("claimMax", claimMax);
        requireCount("inFlightMax", inFlightMax);
        requireCount("triesMax", triesMax);
        requireCount("breakerFailuresMax", breakerFailuresMax);
        requirePositive("connectLimit", connectLimit);
        requirePositive("answerLimit", answerLimit);
        requirePositive("backoffBase", backoffBase);
        requirePositive("sleepMax", sleepMax);
        requirePositive("breakerWindow", breakerWindow);
        requirePositive("breakerReset", breakerReset);
        if (breakerWindow.compareTo(BREAKER_WINDOW_MAX) > 0) {
            throw new IllegalArgumentException(
                    "breakerWindow must be at most " + BREAKER_WINDOW_MAX + ", was " + breakerWindow);
        }
        if (backoffMax.compareTo(backoffBase) < 0) {
            throw new IllegalArgumentException("backoffMax must be at least backoffBase");
        }
        Duration needed =
                connectLimit.plus(answerLimit).multipliedBy(CALLS_PER_TRY_MAX).plus(WRITE_MARGIN);
        if (lease.compareTo(needed) < 0) {
            throw new IllegalArgumentException("the lease must be at least " + needed + ", was " + lease
                    + ": a try asks and posts, each within connectLimit + answerLimit");
        }
    }

    /**
     * 64 orders on their way; an ERP gets 10 seconds; a lease of 40 seconds covers two calls of 13; 15 tries are about an
     * hour on average, not counting times in which the breaker is open; 5 seconds between looks cost next to nothing.
     */
    public static DispatchOptions defaults() {
        return new DispatchOptions(
                64,
                64,
                Duration.ofSeconds(40),
                Duration.ofSeconds(3),
                Duration.ofSeconds(10),
                15,
                Duration.ofSeconds(1),
                Duration.ofMinutes(15),
                Duration.ofSeconds(5),
                5,
                Duration.ofSeconds(60),
                Duration.ofSeconds(5));
    }

    public DispatchOptions withInFlightMax(int count) {
        return new DispatchOptions(
                claimMax,
                count,
                lease,
                connectLimit,
                answerLimit,
                triesMax,
                backoffBase,
                backoffMax,
                sleepMax,
                breakerFailuresMax,
                breakerWindow,
                breakerReset);
    }

    /** The same with another time for answers; the lease grows if it must. */
    public DispatchOptions withAnswerLimit(Duration limit) {
        Duration needed =
                connectLimit.plus(limit).multipliedBy(CALLS_PER_TRY_MAX).plus(WRITE_MARGIN);
        return new DispatchOptions(
                claimMax,
                inFlightMax,
                lease.compareTo(needed) < 0 ? needed : lease,
                connectLimit,
                limit,
                triesMax,
                backoffBase,
                backoffMax,
                sleepMax,
                breakerFailuresMax,
                breakerWindow,
                breakerReset);
    }

    public DispatchOptions withTries(int max, Duration base, Duration longest) {
        return new DispatchOptions(
                claimMax,
                inFlightMax,
                lease,
                connectLimit,
                answerLimit,
                max,
                base,
                longest,
                sleepMax,
                breakerFailuresMax,
                breakerWindow,
                breakerReset);
    }

    public DispatchOptions withBreaker(int failuresMax, Duration window, Duration reset) {
        return new DispatchOptions(
                claimMax,
                inFlightMax,
                lease,
                connectLimit,
                answerLimit,
                triesMax,
                backoffBase,
                backoffMax,
                sleepMax,
                failuresMax,
                window,
                reset);
    }

    private static void requireCount(String name, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + " must be at least 1, was " + value);
        }
    }

    private static void requirePositive(String name, Duration value) {
        if (value.toMillis() < 1) {
            throw new IllegalArgumentException(name + " must be at least a millisecond, was " + value);
        }
    }
}
