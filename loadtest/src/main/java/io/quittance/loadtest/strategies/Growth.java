package io.quittance.loadtest.strategies;

import io.quittance.loadtest.Machine;
import io.quittance.loadtest.Options;
import io.quittance.loadtest.load.LoadGenerator;
import io.quittance.loadtest.load.LoadGenerator.Result;
import io.quittance.loadtest.load.Observer;
import io.quittance.loadtest.strategies.Workload.Callback;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * What becomes of the engine's throughput as the tables grow, with fewer event loops, and with a second process on the same
 * Postgres. Within each question the cases take turns in rounds. It ends with status 1 if more than a fifth of the throughput
 * is lost from the smallest to the largest tables.
 */
public final class Growth implements AutoCloseable {

    private static final int EVENT_LOOPS = 2;
    private static final long SEED = 20_261_130;
    private static final double FALL_MAX = 0.2;
    private static final double WARM_UP_SECONDS = 40;
    private static final double FIRST_GUESS = 8_000;
    private final Servers servers;
    private final Placing placing;
    private final boolean brief;

    private Growth(boolean brief) {
        this.brief = brief;
        this.servers = new Servers(brief);
        this.placing = new Placing(servers, SEED);
    }

    /** Takes {@code --short} for up to 100 thousand attempts instead of 10 million; its figures are not written down. */
    public static void main(String[] arguments) throws IOException {
        Options options = Options.of("growth", arguments);
        boolean kept;
        try (Growth bench = new Growth(options.brief())) {
            kept = bench.run(options.results());
        }
        System.exit(kept ? 0 : 1);
    }

    /** One of the cases that are compared. */
    private static final class Case {
        private final String name;
        private final String database;
        private final Function<List<Callback>, Result> load;
        private Result result = Result.nothing();
        private double guess = FIRST_GUESS;

        Case(String name, String database, Function<List<Callback>, Result> load) {
            this.name = name;
            this.database = database;
            this.load = load;
        }

        JsonObject toJson() {
            return new JsonObject()
                    .put("case", name)
                    .put("callbacks_per_s", Math.round(result.perSecond()))
                    .put("p50_ms", result.micros().getValueAtPercentile(50) / 1e3)
                    .put("p99_ms", result.micros().getValueAtPercentile(99) / 1e3)
                    .put("errors", result.errors());
        }
    }

    private boolean run(Path results) throws IOException {
        double seconds = brief ? 4 : 8;
        List<Case> sizes = new ArrayList<>();
        for (long size : brief ? List.of(10_000L, 30_000L, 100_000L) : List.of(10_000L, 1_000_000L, 10_000_000L)) {
            String database = "growth_" + size;
            servers.create(database);
            long began = System.nanoTime();
            servers.with(database, pool -> History.fill(pool, size));
            System.out.printf("%,d attempts are there after %.0f s%n", size, (System.nanoTime() - began) / 1e9);
            sizes.add(new Case("%,d attempts".formatted(size), database, inside(database, EVENT_LOOPS, seconds)));
        }
        String middle = sizes.get(1).database;
        measure(new Case("warm-up", middle, inside(middle, EVENT_LOOPS, brief ? 8 : WARM_UP_SECONDS)), WARM_UP_SECONDS);
        inTurns(sizes, seconds);
        List<Case> loops = List.of(
                new Case("1 event loop", middle, inside(middle, 1, seconds)),
                new Case("2 event loops", middle, inside(middle, 2, seconds)));
        inTurns(loops, seconds);
        List<Case> processes = processes(middle, seconds);
        double fall = 1 - sizes.get(2).result.perSecond() / sizes.get(0).result.perSecond();
        JsonObject found = new JsonObject()
                .put("machine", Machine.describe(servers.version()))
                .put("connections", Workload.CONNECTIONS)
                .put("sizes", json(sizes))
                .put("falls_by", Math.round(fall * 1_000) / 1e3)
                .put("falls_by_at_most", FALL_MAX)
                .put("event_loops", json(loops))
                .put("processes", json(processes));
        Files.writeString(results.resolve("growth.json"), found.encodePrettily() + "\n");
        boolean holds = fall <= FALL_MAX;
        System.out.printf(
                Locale.ROOT,
                "from the smallest to the largest tables it falls by %.0f %%: %s %.0f %%%n",
                fall * 100,
                holds ? "within" : "OVER",
                FALL_MAX * 100);
        return holds;
    }

    private List<Case> processes(String database, double seconds) {
        try (GatewayProcess alone = gateway(database);
                GatewayProcess one = gateway(database);
                GatewayProcess other = gateway(database)) {
            List<Case> cases = List.of(
                    new Case("1 process", database, shots -> send(List.of(alone.port()), shots, seconds)),
                    new Case(
                            "2 processes", database, shots -> send(List.of(one.port(), other.port()), shots, seconds)));
            double warmUp = brief ? 8 : WARM_UP_SECONDS;
            measure(new Case("", database, shots -> send(List.of(alone.port()), shots, warmUp)), warmUp);
            measure(new Case("", database, shots -> send(List.of(one.port(), other.port()), shots, warmUp)), warmUp);
            inTurns(cases, seconds);
            return cases;
        }
    }

    private GatewayProcess gateway(String database) {
        return GatewayProcess.start(servers.uri(database), servers.redisUri(), placing.key(), EVENT_LOOPS);
    }

    private Function<List<Callback>, Result> inside(String database, int eventLoops, double seconds) {
        return shots -> {
            try (Contender contender = Contender.start(
                    Scheme.QUITTANCE,
                    servers.uri(database),
                    servers.redisUri(),
                    placing.key(),
                    eventLoops,
                    Contender.USUAL_IN_FLIGHT_MAX)) {
                return send(List.of(contender.port()), shots, seconds);
            }
        };
    }

    private Result send(List<Integer> ports, List<Callback> shots, double seconds) {
        LoadGenerator<Callback> generator =
                new LoadGenerator<>(servers.vertx(), ports, Workload.CONNECTIONS, new Observer<>() {});
        return Servers.await(generator.closedLoop(shots, seconds));
    }

    private void inTurns(List<Case> cases, double seconds) {
        List<Case> turn = new ArrayList<>(cases);
        for (int round = 0; round < (brief ? 2 : 4); round++) {
            turn.forEach(one -> one.result = one.result.plus(measure(one, seconds)));
            Collections.rotate(turn, 1);
        }
        cases.forEach(one -> System.out.printf(
                "%-22s %8.0f/s   p50 %6.1f ms   p99 %6.1f ms   %d errors%n",
                one.name,
                one.result.perSecond(),
                one.result.micros().getValueAtPercentile(50) / 1e3,
                one.result.micros().getValueAtPercentile(99) / 1e3,
                one.result.errors()));
    }

    private Result measure(Case one, double seconds) {
        int orders = (int) (one.guess * seconds / Workload.SHOTS_AN_ORDER * 1.3) + 2_000;
        List<Callback> shots = placing.anew(one.database, orders);
        Result result = one.load.apply(shots);
        one.guess = Math.max(result.perSecond(), FIRST_GUESS / 8);
        return result;
    }

    private static JsonArray json(List<Case> cases) {
        JsonArray all = new JsonArray();
        cases.forEach(one -> all.add(one.toJson()));
        return all;
    }

    @Override
    public void close() {
        servers.close();
    }
}
