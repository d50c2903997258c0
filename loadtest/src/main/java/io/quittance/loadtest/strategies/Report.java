package io.quittance.loadtest.strategies;

import io.quittance.loadtest.Machine;
import io.quittance.loadtest.strategies.Strategies.Row;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/** The comparison as a table, as JSON and as a chart. */
final class Report {

    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final double MICROS_A_MS = 1e3;

    private final List<Row> rows;
    private final int connections;
    private final int eventLoops;
    private final boolean brief;
    private final String postgres;

    Report(List<Row> rows, int connections, int eventLoops, boolean brief, String postgres) {
        this.rows = rows;
        this.connections = connections;
        this.eventLoops = eventLoops;
        this.brief = brief;
        this.postgres = postgres;
    }

    void print(PrintStream out) {
        out.printf(
                "%n| %-12s | %11s | %8s | %8s | %8s | %12s | %7s |%n",
                "scheme", "callbacks/s", "mean ms", "p50 ms", "p99 ms", "wrong states", "errors");
        out.println("|--------------|-------------|----------|----------|----------|--------------|---------|");
        for (Row row : rows) {
            Histogram micros = row.result.micros();
            out.printf(
                    "| %-12s | %11.0f | %8.1f | %8.1f | %8.1f | %12d | %7d |%n",
                    row.scheme.label(),
                    row.result.perSecond(),
                    micros.getMean() / MICROS_A_MS,
                    micros.getValueAtPercentile(50) / MICROS_A_MS,
                    micros.getValueAtPercentile(99) / MICROS_A_MS,
                    row.wrongStates(),
                    row.result.errors());
        }
        rows.stream()
                .filter(row -> row.halfRate.answered() > 0)
                .forEach(row -> out.printf(
                        "%nat half of its maximum (%.0f/s offered, latency from the intended moment): p50 %.1f ms, p99 %.1f ms,"
                                + " %d errors%n",
                        row.offered,
                        row.halfRate.micros().getValueAtPercentile(50) / MICROS_A_MS,
                        row.halfRate.micros().getValueAtPercentile(99) / MICROS_A_MS,
                        row.halfRate.errors()));
    }

    /** What the comparison is for. */
    void compare(PrintStream out) {
        out.printf("%nquittance does %.1f times what the lock scheme does%n", ratioToLock());
    }

    private double ratioToLock() {
        return row(Scheme.QUITTANCE).result.perSecond()
                / row(Scheme.LOCK).result.perSecond();
    }

    private Row row(Scheme scheme) {
        return rows.stream().filter(row -> row.scheme == scheme).findFirst().orElseThrow();
    }

    /** Writes {@code strategies-<time>.json} and a chart of the same name. */
    void write(Path results, boolean kept) throws IOException {
        Files.createDirectories(results);
        String name = "strategies-" + STAMP.format(Instant.now());
        Files.writeString(results.resolve(name + ".json"), json(kept).encodePrettily() + "\n");
        Files.writeString(results.resolve(name + ".svg"), Chart.of(rows));
        System.out.printf("written: %s/%s.json and .svg%n", results.getFileName(), name);
    }

    private JsonObject json(boolean kept) {
        JsonArray schemes = new JsonArray();
        rows.forEach(row -> schemes.add(json(row)));
        Row engine = row(Scheme.QUITTANCE);
        Histogram half = engine.halfRate.micros();
        return new JsonObject()
                .put("short", brief)
                .put("machine", Machine.describe(postgres))
                .put("connections", connections)
                .put("event_loops", eventLoops)
                .put("schemes", schemes)
                .put("quittance_times_lock", rounded(ratioToLock()))
                .put(
                        "quittance_at_half_rate",
                        new JsonObject()
                                .put("offered_per_s", Math.round(engine.offered))
                                .put("p50_ms", rounded(half.getValueAtPercentile(50) / MICROS_A_MS))
                                .put("p99_ms", rounded(half.getValueAtPercentile(99) / MICROS_A_MS))
                                .put("errors", engine.halfRate.errors()))
                .put("nothing_acknowledged_is_lost", kept);
    }

    private static JsonObject json(Row row) {
        Histogram micros = row.result.micros();
        return new JsonObject()
                .put("name", row.scheme.label())
                .put("description", row.scheme.description())
                .put("callbacks_per_s", Math.round(row.result.perSecond()))
                .put("mean_ms", rounded(micros.getMean() / MICROS_A_MS))
                .put("p50_ms", rounded(micros.getValueAtPercentile(50) / MICROS_A_MS))
                .put("p99_ms", rounded(micros.getValueAtPercentile(99) / MICROS_A_MS))
                .put("wrong_states", row.wrongStates())
                .put("errors", row.result.errors());
    }

    private static double rounded(double value) {
        return Math.round(value * 100) / 100.0;
    }
}
