package io.quittance.config;

import java.time.Duration;

/** The limits of each kind of work. All have defaults that suit one machine; durations are ISO 8601 in the file. */
public final class Limits {

    private static final Duration MILLI = Duration.ofMillis(1);
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration DAY = Duration.ofDays(1);

    private Limits() {}

    /**
     * What merchants may ask for.
     *
     * @param itemsMax items an order; 50, because each is a row to lock
     * @param attemptsMax attempts an order; 20, which no honest payer needs
     * @param expiresIn how long an order waits for its payment if the merchant does not say; 30 minutes
     * @param expiresInMin the shortest that a merchant may say; 1 minute, because a payer needs as much
     * @param expiresInMax the longest that a merchant may say; 7 days
     */
    public record Checkout(
            int itemsMax, int attemptsMax, Duration expiresIn, Duration expiresInMin, Duration expiresInMax) {

        static Checkout read(Section section) {
            Checkout read = new Checkout(
                    section.integer("items_max", 50, 1, 1_000),
                    section.integer("attempts_max", 20, 1, 1_000),
                    section.duration("expires_in", Duration.ofMinutes(30), SECOND, DAY.multipliedBy(90)),
                    section.duration("expires_in_min", MINUTE, SECOND, DAY.multipliedBy(90)),
                    section.duration("expires_in_max", DAY.multipliedBy(7), SECOND, DAY.multipliedBy(90)));
            if (read.expiresIn().compareTo(read.expiresInMax()) > 0) {
                section.mistake("expires_in", "must not be longer than expires_in_max");
            }
            if (read.expiresIn().compareTo(read.expiresInMin()) < 0) {
                section.mistake("expires_in", "must not be shorter than expires_in_min");
            }
            section.finish();
            return read;
        }
    }

    /**
     * The transition engine.
     *
     * @param shards engine instances, each with its part of the orders; 2, one a core of a small machine
     * @param batchMax facts a batch; 128, and above 500 Postgres chooses a bad plan
     * @param batchesInFlight batches of one shard that are with Postgres at once; 2, so that one which takes long, as when
     *     it waits for a row, does not hold up the others
     * @param queueMax facts waiting in one shard; the next one is answered with "unavailable"; 4096
     * @param unmatchedReviewAfter how long a notification may name an unknown attempt before a person is asked; 1 hour
     */
    public record Engine(int shards, int batchMax, int batchesInFlight, int queueMax, Duration unmatchedReviewAfter) {

        static Engine read(Section section) {
            Engine read = new Engine(
                    section.integer("shards", 2, 1, 64),
                    section.integer("batch_max", 128, 1, 500),
                    section.integer("batches_in_flight", 2, 1, 16),
                    section.integer("queue_max", 4_096, 1, 1_000_000),
                    section.duration("unmatched_review_after", HOUR, SECOND, DAY.multipliedBy(30)));
            section.finish();
            return read;
        }
    }

    /**
     * Asking a PSP about orders that are due: expired, or without a known outcome.
     *
     * @param poll how often the due ones are fetched; 1 s
     * @param batchMax orders in hand at once; 100
     * @param callsInFlight calls to one account at once; 32, and never more than leaves others their part of batchMax
     * @param callsPerSecond calls to one account a second, evenly spaced, by this process; 50, far below the limits that
     *     PSPs set, because a thousand orders may expire in one second and notifications must not wait for them
     * @param lease how long one worker has an order to itself; 30 s, longer than a call to a PSP
     * @param retryFirst the pause after the first fruitless question, doubled each time; 10 s
     * @param retryMax the longest pause; 10 minutes
     * @param grace how long after its expiry an order is closed whose PSP cannot be asked; 15 minutes
     * @param ageMax how long an outcome may stay unknown before a person is asked; 3 days
     * @param sessionAfterMax how much later than the order's own end a PSP's session may end and be waited for; 1 hour,
     *     because the order's stock is held for as long
     */
    public record Timeout(
            Duration poll,
            int batchMax,
            int callsInFlight,
            int callsPerSecond,
            Duration lease,
            Duration retryFirst,
            Duration retryMax,
            Duration grace,
            Duration ageMax,
            Duration sessionAfterMax) {

        static Timeout read(Section section) {
            Timeout read = new Timeout(
                    readPoll(section, SECOND),
                    section.integer("batch_max", 100, 1, 500),
                    section.integer("calls_in_flight", 32, 1, 1_000),
                    section.integer("calls_per_second", 50, 1, 1_000),
                    readLease(section),
                    readRetryFirst(section, Duration.ofSeconds(10)),
                    readRetryMax(section),
                    section.duration("grace", Duration.ofMinutes(15), Duration.ZERO, DAY.multipliedBy(7)),
                    readAgeMax(section, DAY.multipliedBy(3)),
                    section.duration("session_after_max", HOUR, Duration.ZERO, DAY.multipliedBy(30)));
            section.finish();
            return read;
        }
    }

    /**
     * Carrying conclusions to targets.
     *
     * @param poll how often the due ones are fetched when no event has announced one; 0.5 s
     * @param batchMax conclusions fetched at once; 64
     * @param callsInFlight calls to one target at once; 32
     * @param callTimeout how long a target may take to answer; 10 s
     * @param lease how long one dispatcher has a conclusion to itself; 30 s, longer than a call
     * @param retryFirst the pause after the first failure, doubled each time; 1 s
     * @param retryMax the longest pause; 10 minutes
     * @param triesMax after so many failures a person is asked; 50, about six hours
     */
    public record Dispatch(
            Duration poll,
            int batchMax,
            int callsInFlight,
            Duration callTimeout,
            Duration lease,
            Duration retryFirst,
            Duration retryMax,
            int triesMax) {

        /** How long a connection to a target may take to be had. */
        public static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);

        /** A try asks the target and posts to it, and notes what came of it. */
        private Duration leaseMin() {
            return CONNECT_TIMEOUT.plus(callTimeout).multipliedBy(2).plus(CONNECT_TIMEOUT);
        }

        static Dispatch read(Section section) {
            Dispatch read = new Dispatch(
                    readPoll(section, Duration.ofMillis(500)),
                    section.integer("batch_max", 64, 1, 500),
                    section.integer("calls_in_flight", 32, 1, 1_000),
                    section.duration("call_timeout", Duration.ofSeconds(10), MILLI.multipliedBy(100), MINUTE),
                    readLease(section),
                    readRetryFirst(section, SECOND),
                    readRetryMax(section),
                    section.integer("tries_max", 50, 1, 10_000));
            if (read.lease().compareTo(read.leaseMin()) < 0) {
                section.mistake(
                        "lease",
                        "must be at least " + read.leaseMin() + " with this call_timeout, because a try asks and sends;"
                                + " else two dispatchers send the same at once");
            }
            section.finish();
            return read;
        }
    }

    /**
     * Sending money back.
     *
     * @param poll how often the due refunds are fetched; 1 s
     * @param callsInFlight refunds fetched at once, and calls to PSPs at once; 16
     * @param lease how long one worker has a refund to itself; 30 s, longer than a call to a PSP
     * @param retryFirst the pause after the first failure, doubled each time; 5 s
     * @param retryMax the longest pause; 10 minutes
     * @param ageMax how long a refund may stay open before a person is asked; 3 days
     */
    public record Refund(
            Duration poll, int callsInFlight, Duration lease, Duration retryFirst, Duration retryMax, Duration ageMax) {

        static Refund read(Section section) {
            Refund read = new Refund(
                    readPoll(section, SECOND),
                    section.integer("calls_in_flight", 16, 1, 1_000),
                    readLease(section),
                    readRetryFirst(section, Duration.ofSeconds(5)),
                    readRetryMax(section),
                    readAgeMax(section, DAY.multipliedBy(3)));
            section.finish();
            return read;
        }
    }

    /**
     * Picking up what a stopped process left.
     *
     * @param poll how often it is looked for; 5 s
     * @param batchMax rows picked up at once; 100
     * @param callLease how long a call to a PSP may be under way before its outcome counts as unknown; 1 minute
     */
    public record Recovery(Duration poll, int batchMax, Duration callLease) {

        static Recovery read(Section section) {
            Recovery read = new Recovery(
                    readPoll(section, Duration.ofSeconds(5)),
                    section.integer("batch_max", 100, 1, 500),
                    section.duration("call_lease", MINUTE, SECOND, HOUR));
            section.finish();
            return read;
        }
    }

    /**
     * Asking a PSP at once, because a payer came back or a merchant wants to know.
     *
     * @param callsInFlight calls to PSPs at once; beyond it what is stored is answered; 32
     * @param lease how long one question has an order to itself; 30 s, longer than a call to a PSP
     * @param pauseMin how long after a question about an order no other one is asked about it; 2 s
     * @param returnWait how long a payer's browser waits for the answer before it is sent to the result page; 3 s,
     *     because the page looks again by itself
     */
    public record Inquiry(int callsInFlight, Duration lease, Duration pauseMin, Duration returnWait) {

        static Inquiry read(Section section) {
            Inquiry read = new Inquiry(
                    section.integer("calls_in_flight", 32, 1, 1_000),
                    readLease(section),
                    section.duration("pause_min", SECOND.multipliedBy(2), MILLI.multipliedBy(10), MINUTE),
                    section.duration("return_wait", SECOND.multipliedBy(3), MILLI.multipliedBy(10), MINUTE));
            section.finish();
            return read;
        }
    }

    private static Duration readPoll(Section section, Duration whenMissing) {
        return section.duration("poll", whenMissing, MILLI.multipliedBy(10), MINUTE);
    }

    private static Duration readLease(Section section) {
        return section.duration("lease", Duration.ofSeconds(30), SECOND, HOUR);
    }

    private static Duration readRetryFirst(Section section, Duration whenMissing) {
        return section.duration("retry_first", whenMissing, MILLI.multipliedBy(10), HOUR);
    }

    private static Duration readRetryMax(Section section) {
        return section.duration("retry_max", Duration.ofMinutes(10), MILLI.multipliedBy(10), DAY);
    }

    private static Duration readAgeMax(Section section, Duration whenMissing) {
        return section.duration("age_max", whenMissing, SECOND, DAY.multipliedBy(90));
    }
}
