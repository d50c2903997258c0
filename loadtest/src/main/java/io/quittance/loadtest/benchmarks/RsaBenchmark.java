package io.quittance.loadtest.benchmarks;

import io.quittance.loadtest.benchmarks.SignedNotification.RsaSigned;
import java.security.GeneralSecurityException;
import java.security.Signature;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** What Java's own check of the same signature costs, with everything prepared that can be. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class RsaBenchmark {

    /** {@link Benchmarks} sets each in turn. */
    @Param("alipay")
    private String psp;

    private Signature verifier;
    private RsaSigned signed;

    @Setup
    public void prepare() throws GeneralSecurityException {
        signed = Senders.of(psp).signed().orElseThrow();
        verifier = Signature.getInstance("SHA256withRSA");
        verifier.initVerify(signed.key());
        if (!bareVerify()) {
            throw new IllegalStateException("the signature is wrong");
        }
    }

    @Benchmark
    public boolean bareVerify() throws GeneralSecurityException {
        verifier.update(signed.message());
        return verifier.verify(signed.signature());
    }
}
