package io.quittance.loadtest.benchmarks;

import io.quittance.loadtest.Limit;
import io.quittance.loadtest.Options;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * Measures what reading a notification costs and what the engine does with it, says whether it is within the limits, and
 * writes the figures down.
 * {@code --short} takes about two minutes, and its figures go to {@code target} instead of {@code results}.
 */
public final class Benchmarks {

    private static final double HMAC_MICROSECONDS_MAX = 15;
    private static final double RSA_RATIO_MAX = 1.3;
    private static final String ALLOCATION = "gc.alloc.rate.norm";

    private Benchmarks() {}

    public static void main(String[] arguments) throws RunnerException, IOException {
        Options options = Options.of("benchmarks", arguments);
        boolean brief = options.brief();
        Path results = options.results();
        Map<String, RunResult> adapters =
                byPsp(run(PspBenchmark.class, Senders.names(), brief, results.resolve("psp.json")));
        Map<String, RunResult> bare =
                byPsp(run(RsaBenchmark.class, Senders.rsaNames(), brief, results.resolve("rsa.json")));
        Collection<RunResult> engine = run(EngineBenchmark.class, List.of(), brief, results.resolve("engine.json"));
        for (String name : List.of("psp.json", "rsa.json", "engine.json")) {
            forgetWhere(results.resolve(name), Options.home());
        }
        print(adapters, bare);
        print(engine);
        HostileTimes.print(brief);
        System.out.println("Written to " + results);
    }

    /** @param psps what the benchmark is run for in turn; once if there are none */
    private static Collection<RunResult> run(Class<?> benchmark, List<String> psps, boolean brief, Path result)
            throws RunnerException {
        ChainedOptionsBuilder options = new OptionsBuilder().include(benchmark.getName());
        if (!psps.isEmpty()) {
            options.param("psp", psps.toArray(String[]::new));
        }
        return new Runner(options.forks(brief ? 1 : 2)
                        .warmupIterations(9)
                        .warmupTime(TimeValue.seconds(brief ? 1 : 2))
                        .measurementIterations(brief ? 3 : 10)
                        .measurementTime(TimeValue.seconds(brief ? 1 : 2))
                        .addProfiler(GCProfiler.class)
                        .resultFormat(ResultFormatType.JSON)
                        .result(result.toString())
                        .build())
                .run();
    }

    /** JMH writes down the paths of this machine, which say nothing about the figures. */
    private static void forgetWhere(Path result, Path home) throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String text = Files.readString(result);
        Files.writeString(result, text.replace(java, "java").replace(home.toString(), "loadtest"));
    }

    private static Map<String, RunResult> byPsp(Collection<RunResult> results) {
        Map<String, RunResult> byPsp = new TreeMap<>();
        results.forEach(result -> byPsp.put(result.getParams().getParam("psp"), result));
        return byPsp;
    }

    private static void print(Map<String, RunResult> adapters, Map<String, RunResult> bare) {
        System.out.printf(
                "%n%-18s %16s %10s %16s %6s  %s%n", "verify + translate", "us", "bytes", "bare RSA us", "ratio", "");
        adapters.forEach((psp, result) -> {
            Result<?> time = result.getPrimaryResult();
            double bytes = result.getSecondaryResults().get(ALLOCATION).getScore();
            RunResult signature = bare.get(psp);
            if (signature == null) {
                String verdict = Limit.verdict(time.getScore(), HMAC_MICROSECONDS_MAX, "us");
                System.out.printf("%-18s %16s %10.0f %16s %6s  %s%n", psp, microseconds(time), bytes, "", "", verdict);
                return;
            }
            Result<?> bareTime = signature.getPrimaryResult();
            double ratio = time.getScore() / bareTime.getScore();
            String verdict = Limit.verdict(ratio, RSA_RATIO_MAX, "times");
            System.out.printf(
                    "%-18s %16s %10.0f %16s %6.2f  %s%n",
                    psp, microseconds(time), bytes, microseconds(bareTime), ratio, verdict);
        });
    }

    private static void print(Collection<RunResult> engine) {
        System.out.printf("%n%-18s %16s %10s%n", "engine", "us", "bytes");
        engine.forEach(result -> System.out.printf(
                "%-18s %16s %10.0f%n",
                result.getPrimaryResult().getLabel(),
                "%.2f ± %.2f"
                        .formatted(
                                result.getPrimaryResult().getScore(),
                                result.getPrimaryResult().getScoreError()),
                result.getSecondaryResults().get(ALLOCATION).getScore()));
    }

    private static String microseconds(Result<?> time) {
        return "%.1f ± %.1f".formatted(time.getScore(), time.getScoreError());
    }
}
