package io.quittance.engine;

import io.quittance.domain.Audience;
import java.util.function.Function;

/**
 * Limits of one engine instance.
 *
 * @param batchMax facts a batch
 * @param batchesInFlightMax batches that are with the stores at once
 * @param queueMax facts that may wait; the next one is refused with "try again later"
 * @param roundsMax how often a fact may lose the race for its order before its sender is asked to try again
 * @param patienceMs after how long facts do not wait any more for a batch that is on its way, milliseconds
 * @param waitForOtherMs pause before looking again at a notification that another process has in hand, milliseconds
 * @param audienceOfMerchant who is told a merchant's conclusions
 */
public record EngineOptions(
        int batchMax,
        int batchesInFlightMax,
        int queueMax,
        int roundsMax,
        long patienceMs,
        long waitForOtherMs,
        Function<String, Audience> audienceOfMerchant) {

    /** Two full batches take about as long under full load. */
    public static final long PATIENCE_MS = 25;

    public static EngineOptions defaults(Function<String, Audience> audienceOfMerchant) {
        return new EngineOptions(128, 2, 8_192, 24, PATIENCE_MS, 25, audienceOfMerchant);
    }
}
