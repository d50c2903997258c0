package io.quittance.loadtest.strategies;

import io.quittance.loadtest.Machine;
import io.quittance.loadtest.Options;
import io.quittance.loadtest.load.LoadGenerator;
import io.quittance.loadtest.load.LoadGenerator.Result;
import io.quittance.loadtest.load.Observer;
import io.quittance.loadtest.strategies.Workload.Callback;
import io.quittance.store.Invariants;
import io.quittance.store.Invariants.Violation;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A burst of three times what the gateway can do, and ten minutes of half of it. It ends with status 1 if anything is lost,
 * if the burst is answered with anything but a success or 503 with Retry-After, or if the heap grows.
 */
public final class Endurance implements AutoCloseable {

    private static final String DATABASE = "endurance";

    /** More than the gateway lets in at once. */
    private static final int BURST_CONNECTIONS = 4_096;

    private static final int EVENT_LOOPS = 2;
    private static final long SEED = 20_261_201;
    private static final double BURST_TIMES = 3;
    private static final double FIRST_GUESS = 8_000;
    private static final double P99_OF_REST_MS = 50;
    private static final double HEAP_GROWTH_MAX = 0.1;
    private static final double MEBI = 1 << 20;

    /** What is in use after a collection differs by as much from one minute to the next. */
    private static final double HEAP_NOISE_BYTES = 3 * MEBI;

    private final Servers servers;
    private final Placing placing;
    private final boolean brief;
    private long acknowledged;
    private boolean kept = true;

    private Endurance(boolean brief) {
        this.brief = brief;
        this.servers = new Servers(brief);
        this.placing = new Placing(servers, SEED);
    }

    /** Takes {@code --short} for a soak of one minute; its figures are not written down. */
    public static void main(String[] arguments) throws IOException {
        Options options = Options.of("endurance", arguments);
        boolean kept;
        try (Endurance bench = new Endurance(options.brief())) {
            kept = bench.run(options.results());
        }
        System.exit(kept ? 0 : 1);
    }

    private boolean run(Path results) throws IOException {
        servers.create(DATABASE);
        JsonObject found = new JsonObject()
                .put("machine", Machine.describe(servers.version()))
                .put("connections", Workload.CONNECTIONS);
        try (GatewayProcess gateway =
                GatewayProcess.start(servers.uri(DATABASE), servers.redisUri(), placing.key(), EVENT_LOOPS)) {
            double warmUp = brief ? 10 : 40;
            closedLoop(gateway, warmUp, FIRST_GUESS);
            double most = closedLoop(gateway, 8, FIRST_GUESS).perSecond();
            System.out.printf("without a limit it does %.0f/s%n", most);
            found.put("maximum_per_s", Math.round(most));
            found.put("burst", burst(gateway, most));
            found.put("soak", soak(gateway, most / 2));
        }
        found.put("lost", lost());
        Files.writeString(results.resolve("endurance.json"), found.encodePrettily() + "\n");
        System.out.println(kept ? "kept" : "BROKEN");
        return kept;
    }

    private Result closedLoop(GatewayProcess gateway, double seconds, double guess) {
        List<Callback> shots = placing.beside(DATABASE, guess * seconds * 1.5);
        return counted(Servers.await(
                generator(gateway, Workload.CONNECTIONS, new ArrayList<>()).closedLoop(shots, seconds)));
    }

    private JsonObject burst(GatewayProcess gateway, double most) {
        double seconds = 5;
        double offered = most * BURST_TIMES;
        List<Callback> refused = Collections.synchronizedList(new ArrayList<>());
        List<Callback> shots = placing.beside(DATABASE, offered * seconds);
        List<Callback> after = placing.beside(DATABASE, most / 2 * 10);
        Result burst = counted(
                Servers.await(generator(gateway, BURST_CONNECTIONS, refused).openLoop(shots, offered)));
        expect(
                burst.errors() == burst.postponed(),
                "the burst had answers other than a success or 503 with Retry-After");
        expect(burst.postponed() > 0, "nothing of the burst was too much");
        int recovered = 0;
        double p99 = Double.MAX_VALUE;
        for (int second = 1; second <= 10 && p99 > P99_OF_REST_MS; second++) {
            List<Callback> one = after.subList((second - 1) * after.size() / 10, second * after.size() / 10);
            Result rest = counted(Servers.await(
                    generator(gateway, Workload.CONNECTIONS, refused).openLoop(one, most / 2)));
            p99 = rest.micros().getValueAtPercentile(99) / 1e3;
            recovered = second;
        }
        expect(p99 <= P99_OF_REST_MS, "ten seconds after the burst it has not recovered");
        long again = refused.size();
        List<Callback> refusedAgain = new ArrayList<>();
        counted(Servers.await(
                generator(gateway, Workload.CONNECTIONS, refusedAgain).closedLoop(List.copyOf(refused), 600)));
        expect(refusedAgain.isEmpty(), "what was sent again was refused again");
        System.out.printf(
                "burst of %.0f/s for %.0f s: %d answered (%.0f/s), %d told to come again later, %d other errors; p99 %.0f ms"
                        + " of all answers; within %d s p99 was %.1f ms again at half of the maximum; %d were sent again%n",
                offered,
                seconds,
                burst.answered(),
                burst.perSecond(),
                burst.postponed(),
                burst.errors() - burst.postponed(),
                burst.micros().getValueAtPercentile(99) / 1e3,
                recovered,
                p99,
                again);
        return new JsonObject()
                .put("offered_per_s", Math.round(offered))
                .put("seconds", seconds)
                .put("answered", burst.answered())
                .put("answered_per_s", Math.round(burst.perSecond()))
                .put("told_to_come_again", burst.postponed())
                .put("other_errors", burst.errors() - burst.postponed())
                .put("p99_ms", burst.micros().getValueAtPercentile(99) / 1e3)
                .put("recovered_within_s", recovered)
                .put("sent_again", again);
    }

    private JsonObject soak(GatewayProcess gateway, double perSecond) {
        double seconds = brief ? 20 : 60;
        int minutes = brief ? 3 : 10;
        JsonArray each = new JsonArray();
        Result all = Result.nothing();
        long first = 0;
        long last = 0;
        List<Callback> shots = placing.beside(DATABASE, perSecond * seconds);
        for (int minute = 1; minute <= minutes; minute++) {
            List<Callback> now = shots;
            boolean more = minute < minutes;
            CompletableFuture<List<Callback>> next = CompletableFuture.supplyAsync(
                    () -> more ? placing.beside(DATABASE, perSecond * seconds) : List.<Callback>of());
            Result one = counted(Servers.await(
                    generator(gateway, Workload.CONNECTIONS, new ArrayList<>()).openLoop(now, perSecond)));
            shots = next.join();
            all = all.plus(one);
            last = gateway.heapBytes();
            first = minute == 1 ? last : first;
            double p99 = one.micros().getValueAtPercentile(99) / 1e3;
            System.out.printf(
                    "soak %2d: %.0f/s, p50 %.1f ms, p99 %.1f ms, %d errors; heap %.1f MiB, resident %.0f MiB%n",
                    minute,
                    one.perSecond(),
                    one.micros().getValueAtPercentile(50) / 1e3,
                    p99,
                    one.errors(),
                    last / MEBI,
                    gateway.residentBytes() / MEBI);
            each.add(new JsonObject()
                    .put("p99_ms", p99)
                    .put("errors", one.errors())
                    .put("heap_mib", Math.round(last / MEBI * 10) / 10.0)
                    .put("resident_mib", Math.round(gateway.residentBytes() / MEBI)));
        }
        expect(all.errors() == 0, "the soak had errors");
        expect(last <= first * (1 + HEAP_GROWTH_MAX) + HEAP_NOISE_BYTES, "the heap has grown by more than a tenth");
        return new JsonObject()
                .put("offered_per_s", Math.round(perSecond))
                .put("seconds_each", seconds)
                .put("p50_ms", all.micros().getValueAtPercentile(50) / 1e3)
                .put("p99_ms", all.micros().getValueAtPercentile(99) / 1e3)
                .put("each", each);
    }

    private LoadGenerator<Callback> generator(GatewayProcess gateway, int connections, List<Callback> refused) {
        Observer<Callback> observer = new Observer<>() {
            @Override
            public void refused(Callback callback, Latency latency) {
                refused.add(callback);
            }
        };
        return new LoadGenerator<>(servers.vertx(), List.of(gateway.port()), connections, observer);
    }

    private Result counted(Result result) {
        acknowledged += result.answered();
        return result;
    }

    private void expect(boolean held, String otherwise) {
        if (!held) {
            kept = false;
            System.out.println("BROKEN: " + otherwise);
        }
    }

    private long lost() {
        long logged = servers.count(DATABASE, "select count(*) from callbacks");
        List<Violation> violations = servers.with(DATABASE, pool -> new Invariants(pool).check());
        long wrong = violations.stream().mapToLong(Violation::times).sum();
        System.out.printf(
                "acknowledged %d notifications, and has %d in its log; violations: %d%n", acknowledged, logged, wrong);
        expect(logged >= acknowledged && wrong == 0, "something was lost, or is wrong");
        return Math.max(0, acknowledged - logged);
    }

    @Override
    public void close() {
        servers.close();
    }
}
