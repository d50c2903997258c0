package io.quittance.loadtest.benchmarks;

import io.quittance.psp.PspAdapter;
import io.quittance.psp.RawNotification;
import io.quittance.psp.Translation;
import io.quittance.psp.Verification.Verified;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** What one notification costs from its raw bytes to the facts that it tells. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class PspBenchmark {

    /** {@link Benchmarks} sets each in turn. */
    @Param("stripe")
    private String psp;

    private PspAdapter adapter;
    private RawNotification raw;

    @Setup
    public void prepare() {
        SignedNotification notification = Senders.of(psp);
        adapter = notification.adapter();
        raw = notification.raw();
        if (!(verifyAndTranslate() instanceof Translation.Facts)) {
            throw new IllegalStateException(psp + " does not understand its own notification");
        }
    }

    @Benchmark
    public Translation verifyAndTranslate() {
        return adapter.translate((Verified) adapter.verify(raw));
    }
}
