package io.quittance.loadtest.load;

/** Hears of each request, on the generator's event loop. Whatever it does there is taken from the generator. */
public interface Observer<S extends Shot> {

    /** As it is sent. */
    default void sent(S shot) {}

    /** @param latency of its answer, which was a success */
    default void acknowledged(S shot, Latency latency) {}

    /** @param latency of its answer, which was something else */
    default void refused(S shot, Latency latency) {}

    /**
     * How long an answer took.
     *
     * @param meantNanos when its request was meant to be sent, on the clock of System.nanoTime
     * @param nanos from then to the answer
     */
    record Latency(long meantNanos, long nanos) {}
}
