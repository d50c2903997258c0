package io.quittance.loadtest.gatling;

import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/** What came of one kind of request. */
final class Figures {

    private static final long LATENCY_MS_MAX = 120_000;
    private static final int LATENCY_DIGITS = 3;
    private static final double NANOS_A_SECOND = 1e9;

    private final Histogram ms = new Histogram(LATENCY_MS_MAX, LATENCY_DIGITS);
    private final Map<String, Long> errors = new TreeMap<>();
    private long later;
    private long firstNanos;
    private long lastNanos;

    /** @param sentNanos on the clock of System.nanoTime */
    synchronized void succeeded(long sentNanos, long millis) {
        long answered = System.nanoTime();
        if (ms.getTotalCount() == 0 || sentNanos - firstNanos < 0) {
            firstNanos = sentNanos;
        }
        if (ms.getTotalCount() == 0 || answered - lastNanos > 0) {
            lastNanos = answered;
        }
        ms.recordValue(Math.min(millis, LATENCY_MS_MAX));
    }

    /** Told to come again, which is no error. */
    synchronized void later() {
        later++;
    }

    synchronized void failed(String how) {
        errors.merge(how, 1L, Long::sum);
    }

    synchronized long successes() {
        return ms.getTotalCount();
    }

    synchronized long told() {
        return later;
    }

    synchronized long errors() {
        return errors.values().stream().mapToLong(Long::longValue).sum();
    }

    synchronized Map<String, Long> errorsByKind() {
        return Map.copyOf(errors);
    }

    synchronized long percentileMs(double percentile) {
        return ms.getValueAtPercentile(percentile);
    }

    /** From the first request to the last answer, of those that succeeded. */
    synchronized double seconds() {
        return (lastNanos - firstNanos) / NANOS_A_SECOND;
    }
}
