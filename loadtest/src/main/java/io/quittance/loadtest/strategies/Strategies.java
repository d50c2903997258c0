package io.quittance.loadtest.strategies;

import io.quittance.loadtest.Options;
import io.quittance.loadtest.WarmMemory;
import io.quittance.loadtest.load.LoadGenerator;
import io.quittance.loadtest.load.LoadGenerator.Result;
import io.quittance.loadtest.load.Observer;
import io.quittance.loadtest.strategies.Workload.Callback;
import io.quittance.store.Invariants;
import io.quittance.store.Invariants.Violation;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Compares five ways to protect orders against their own notifications: the same workload, generator, door and schema, in
 * rounds that take turns so that a machine that drifts hurts all alike. Postgres and Redis are the embedded ones, with
 * fsync and synchronous_commit on. It ends with status 1 if the gateway's engine left a wrong state or lost a notification
 * that it had acknowledged.
 */
public final class Strategies implements AutoCloseable {

    private static final int EVENT_LOOPS = 2;

    /** More than there are connections: what is refused as too much is measured elsewhere. */
    private static final int IN_FLIGHT_MAX = 100_000;

    private static final long SEED = 20_261_129;

    /** Row by row; the first guess of what a scheme does in a second, so that enough orders are there. */
    private static final double FIRST_GUESS = 1_500;

    private static final double FIRST_GUESS_ENGINE = 5_000;

    /**
     * So long under full load until the code of a scheme is compiled, on two cores that it shares with all the others. A
     * shorter one measures the compiler, and the more code a scheme has the more so.
     */
    private static final double WARM_UP_SECONDS = 40;

    /** Before latencies count at half of the maximum: the scheme has new connections, on which everything is planned anew. */
    private static final double LEAD_SECONDS = 3;

    /** Several times what the fastest scheme's round takes from the system. In the short form there is no time for it. */
    private static final int WARM_MEBIBYTES = 1_024;

    private final boolean brief;
    private final List<Scheme> schemes;
    private final Servers servers;
    private final Placing placing;
    private final Map<Scheme, Row> rows = new EnumMap<>(Scheme.class);

    /** Each stays up from its warm-up on, as a service does; while others have their turn, it has nothing to do. */
    private final Map<Scheme, Contender> contenders = new EnumMap<>(Scheme.class);

    private Strategies(boolean brief, List<Scheme> schemes) {
        this.brief = brief;
        this.schemes = schemes;
        this.servers = new Servers(brief);
        this.placing = new Placing(servers, SEED);
    }

    /**
     * Takes {@code --short} for less than three minutes, and {@code --only NAME ...} to look at some schemes while they are
     * changed: then nothing is written down.
     */
    public static void main(String[] arguments) throws IOException {
        List<String> given = List.of(arguments);
        int only = given.indexOf("--only");
        List<Scheme> schemes = only < 0 ? List.of(Scheme.values()) : named(given.subList(only + 1, given.size()));
        boolean brief = given.contains("--short");
        int expected = (brief ? 1 : 0) + (only < 0 ? 0 : 1 + schemes.size());
        if (schemes.isEmpty() || given.size() != expected) {
            System.err.println("usage: strategies [--short] [--only none|pessimistic|optimistic|lock|quittance ...]");
            System.exit(2);
        }
        boolean kept;
        try (Strategies bench = new Strategies(brief, schemes)) {
            kept = bench.run(Options.of(brief).results());
        }
        System.exit(kept ? 0 : 1);
    }

    private static List<Scheme> named(List<String> labels) {
        return Arrays.stream(Scheme.values())
                .filter(scheme -> labels.contains(scheme.label()))
                .toList();
    }

    /** What is known of one scheme. */
    static final class Row {
        final Scheme scheme;
        Result result = Result.nothing();
        Result halfRate = Result.nothing();
        double offered;
        double guess;
        long acknowledged;
        List<Violation> violations = List.of();

        Row(Scheme scheme) {
            this.scheme = scheme;
            this.guess = scheme == Scheme.QUITTANCE ? FIRST_GUESS_ENGINE : FIRST_GUESS;
        }

        long wrongStates() {
            return violations.stream().mapToLong(Violation::times).sum();
        }
    }

    private boolean run(Path results) throws IOException {
        for (Scheme scheme : schemes) {
            rows.put(scheme, new Row(scheme));
            servers.create(database(scheme));
            contenders.put(
                    scheme,
                    Contender.start(
                            scheme,
                            servers.uri(database(scheme)),
                            servers.redisUri(),
                            placing.key(),
                            EVENT_LOOPS,
                            IN_FLIGHT_MAX));
        }
        double seconds = brief ? 3 : 10;
        int rounds = brief ? 2 : 5;
        System.out.printf("warming up ...%n");
        for (Scheme scheme : schemes) {
            measure(rows.get(scheme), brief ? 6 : WARM_UP_SECONDS, false);
        }
        List<Scheme> turn = new ArrayList<>(schemes);
        for (int round = 1; round <= rounds; round++) {
            for (Scheme scheme : turn) {
                Result one = measure(rows.get(scheme), seconds, true);
                System.out.printf(
                        "round %d of %d  %-12s %8.0f/s   p50 %6.1f ms   p99 %6.1f ms%n",
                        round,
                        rounds,
                        scheme.label(),
                        one.perSecond(),
                        one.micros().getValueAtPercentile(50) / 1e3,
                        one.micros().getValueAtPercentile(99) / 1e3);
            }
            Collections.rotate(turn, 1);
        }
        if (schemes.contains(Scheme.QUITTANCE)) {
            atHalfRate(rows.get(Scheme.QUITTANCE), brief ? 4 : 30);
        }
        for (Row row : rows.values()) {
            row.violations = servers.with(database(row.scheme), pool -> new Invariants(pool).check());
        }
        boolean kept = !schemes.contains(Scheme.QUITTANCE) || nothingIsLost(rows.get(Scheme.QUITTANCE));
        Report report =
                new Report(List.copyOf(rows.values()), Workload.CONNECTIONS, EVENT_LOOPS, brief, servers.version());
        report.print(System.out);
        if (schemes.containsAll(List.of(Scheme.LOCK, Scheme.QUITTANCE))) {
            report.compare(System.out);
        }
        if (schemes.size() == Scheme.values().length) {
            report.write(results, kept);
        }
        return kept;
    }

    private Result measure(Row row, double seconds, boolean counts) {
        int orders = (int) (row.guess * seconds / Workload.SHOTS_AN_ORDER * 1.3) + 2_000;
        Result result =
                withContender(row.scheme, orders, (generator, callbacks) -> generator.closedLoop(callbacks, seconds));
        row.guess = Math.max(result.perSecond(), FIRST_GUESS / 3);
        row.acknowledged += result.answered();
        if (counts) {
            row.result = row.result.plus(result);
        }
        return result;
    }

    private void atHalfRate(Row row, double seconds) {
        row.offered = row.result.perSecond() / 2;
        int orders = (int) (row.offered * (LEAD_SECONDS + seconds) / Workload.SHOTS_AN_ORDER);
        row.halfRate = withContender(
                row.scheme, orders, (generator, callbacks) -> generator.openLoop(callbacks, row.offered, LEAD_SECONDS));
        row.acknowledged += row.halfRate.answered();
    }

    private interface Load {
        Future<Result> run(LoadGenerator<Callback> generator, List<Callback> callbacks);
    }

    private Result withContender(Scheme scheme, int orders, Load load) {
        List<Callback> callbacks = placing.anew(database(scheme), orders);
        Contender contender = contenders.get(scheme);
        List<Future<Void>> races = Collections.synchronizedList(new ArrayList<>());
        LoadGenerator<Callback> generator =
                new LoadGenerator<>(servers.vertx(), List.of(contender.port()), Workload.CONNECTIONS, new Observer<>() {
                    @Override
                    public void sent(Callback callback) {
                        if (callback.race() != null) {
                            races.add(contender.endTime(callback.race()));
                        }
                    }
                });
        if (!brief) {
            WarmMemory.use(WARM_MEBIBYTES);
        }
        Result result = Servers.await(load.run(generator, callbacks));
        // Where nothing protects, some of them fail; what that leaves behind is counted as a wrong state.
        Servers.await(Future.join(List.copyOf(races)).otherwiseEmpty());
        tidyUp(scheme);
        return result;
    }

    /** What a scheme left behind is not tidied up by the server in the middle of another one's turn. */
    private void tidyUp(Scheme scheme) {
        servers.with(database(scheme), pool -> pool.query("vacuum (analyze)").execute());
    }

    /** Each acknowledged notification is in the log; refused ones were not acknowledged. */
    private boolean nothingIsLost(Row engine) {
        long logged = servers.count(database(engine.scheme), "select count(*) from callbacks");
        boolean kept = logged >= engine.acknowledged && engine.wrongStates() == 0;
        System.out.printf(
                "%nquittance acknowledged %d notifications and has %d in its log; wrong states: %d%n",
                engine.acknowledged, logged, engine.wrongStates());
        return kept;
    }

    private static String database(Scheme scheme) {
        return "bench_" + scheme.label();
    }

    @Override
    public void close() {
        try {
            contenders.values().forEach(Contender::close);
        } finally {
            servers.close();
        }
    }
}
