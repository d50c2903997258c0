package io.quittance.loadtest.expiry;

import io.quittance.loadtest.Limit;
import io.quittance.loadtest.Machine;
import io.quittance.loadtest.Options;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Measures what notifications feel of a thousand orders that expire in the same second: their latency at a fixed rate, in
 * one run, first without and then with the storm. {@code --short} has a smaller storm, and its figures go to {@code target}.
 */
public final class Expiry {

    private static final double RATIO_MAX = 1.5;
    private static final int PER_SECOND = 100;
    private static final int WARM_UP_SECONDS = 30;

    /** Expire during the warm-up. */
    private static final int WARM_UP_ORDERS = 500;

    private static final int STORM_BEGINS_MS = 2_000;
    private static final int LOOK_EVERY_MS = 100;

    /** The storm's own calls, a query and a close an order, and room to spare. */
    private static final double STORM_SECONDS_FACTOR = 1.15;

    private Expiry() {}

    public static void main(String[] arguments) throws Exception {
        Options options = Options.of("expiry", arguments);
        double loadBefore = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        try (ExpiryStage stage = new ExpiryStage()) {
            JsonObject report =
                    measure(stage, options.brief() ? 200 : 1_000).put("machine", machine(stage, loadBefore));
            Files.writeString(options.results().resolve("expiry.json"), report.encodePrettily() + "\n");
            System.out.println(report.encodePrettily());
            System.out.println("99 of 100 notifications, with the storm to without it: "
                    + Limit.verdict(report.getDouble("p99_ratio"), RATIO_MAX, "times"));
        }
        System.exit(0);
    }

    private static JsonObject measure(ExpiryStage stage, int orders) throws InterruptedException, IOException {
        int stormSeconds = (int) Math.ceil(2.0 * orders / stage.callsPerSecond() * STORM_SECONDS_FACTOR);
        int measuredSeconds = stormSeconds + STORM_BEGINS_MS / 1_000;
        List<String> attempts = stage.attemptsToBeTold(PER_SECOND * (WARM_UP_SECONDS + 2 * measuredSeconds));
        stage.attemptsToBeAsked("first", WARM_UP_ORDERS);
        int warm = PER_SECOND * WARM_UP_SECONDS;
        int end = warm + PER_SECOND * measuredSeconds;
        // A gateway that runs has seen orders expire: without this, its first storm would mostly be compiled.
        stage.endAllIn(STORM_BEGINS_MS);
        stage.tell(attempts.subList(0, warm), PER_SECOND);
        whenOver(stage, System.nanoTime());
        stage.attemptsToBeAsked("measured", orders);
        Latencies without = stage.tell(attempts.subList(warm, end), PER_SECOND);

        stage.psp().watch();
        stage.endAllIn(STORM_BEGINS_MS);
        long begins = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(STORM_BEGINS_MS);
        CompletableFuture<Long> over = CompletableFuture.supplyAsync(() -> whenOver(stage, begins));
        Latencies with = stage.tell(attempts.subList(end, attempts.size()), PER_SECOND);
        long ended = over.join();

        long measuredUntil = Math.min(ended - with.endedAt(), 0) + with.endedAt();
        JsonObject quiet = figures(without, without.startedAt(), without.endedAt());
        JsonObject stormy = figures(with, begins, measuredUntil);
        return new JsonObject()
                .put("notifications_per_second", PER_SECOND)
                .put("without", quiet)
                .put("with", stormy)
                .put("p99_ratio", stormy.getDouble("p99_ms") / quiet.getDouble("p99_ms"))
                .put("p99_ratio_max", RATIO_MAX)
                .put(
                        "storm",
                        new JsonObject()
                                .put("orders_expired_in_the_same_second", orders)
                                .put("not_expired_at_the_end", stage.notExpired())
                                .put("seconds", (ended - begins) / 1e9))
                .put(
                        "psp",
                        new JsonObject()
                                .put("answers_after_ms", ExpiryStage.PSP_ANSWER_MS)
                                .put("calls", stage.psp().calls())
                                .put("calls_in_the_busiest_second", stage.psp().busiestSecond())
                                .put("calls_per_second_configured", stage.callsPerSecond()));
    }

    /** When the last order of the storm has expired; looks at it from outside, a few times a second. */
    private static long whenOver(ExpiryStage stage, long begins) {
        try {
            TimeUnit.NANOSECONDS.sleep(begins - System.nanoTime());
            while (stage.notExpired() > 0) {
                TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MS);
            }
            return System.nanoTime();
        } catch (InterruptedException stopped) {
            throw new IllegalStateException("stopped while the storm goes on", stopped);
        }
    }

    private static JsonObject figures(Latencies run, long from, long to) {
        return new JsonObject()
                .put("seconds", (to - from) / 1e9)
                .put("p50_ms", run.milliseconds(0.50, from, to))
                .put("p99_ms", run.milliseconds(0.99, from, to))
                .put("max_ms", run.milliseconds(1, from, to))
                .put("refused", run.refused());
    }

    private static JsonObject machine(ExpiryStage stage, double loadBefore) {
        return Machine.describe(stage.postgresVersion())
                .put("load_average_before", loadBefore)
                .put("shared_by", "load generator, gateway, Postgres, Redis, PSP and target");
    }
}
