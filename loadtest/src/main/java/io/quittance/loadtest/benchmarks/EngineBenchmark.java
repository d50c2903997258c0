package io.quittance.loadtest.benchmarks;

import io.quittance.domain.Decider;
import io.quittance.domain.Decision;
import io.quittance.domain.Outcome;
import io.quittance.domain.PaymentFact;
import io.quittance.domain.Snapshot;
import io.quittance.store.DecisionStore;
import io.quittance.store.DecisionStore.Statement;
import io.quittance.store.Ruling;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** What the engine itself does for one notification, without the servers that it talks to. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class EngineBenchmark {

    private static final int BATCH = 64;
    private static final long REVIEW_AFTER_MS = 3_600_000;

    private final DecisionStore decisions = new DecisionStore(REVIEW_AFTER_MS, (psp, account) -> false);
    private final List<Ruling> one = List.of(Paid.of(0).ruling());
    private final List<Ruling> batch =
            IntStream.range(0, BATCH).mapToObj(Paid::of).map(Paid::ruling).toList();
    private final Snapshot before = Paid.of(0).before();
    private final PaymentFact fact = Paid.of(0).fact();

    @Setup
    public void applies() {
        if (decide().outcome() != Outcome.APPLIED || assembleOne().isEmpty()) {
            throw new IllegalStateException("nothing would be written");
        }
    }

    @Benchmark
    public Decision decide() {
        return Decider.decide(before, fact);
    }

    @Benchmark
    public Optional<Statement> assembleOne() {
        return decisions.assemble(one);
    }

    /** The time is that of one of the batch. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public Optional<Statement> assembleOneOfBatch() {
        return decisions.assemble(batch);
    }
}
