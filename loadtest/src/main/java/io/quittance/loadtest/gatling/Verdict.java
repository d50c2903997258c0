package io.quittance.loadtest.gatling;

import io.quittance.loadtest.gatling.Proof.Checked;
import io.quittance.loadtest.gatling.Proof.Missing;
import io.quittance.loadtest.gatling.Tally.Acknowledged;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What is said of a run: first how fast it was, then whether everything that was promised was kept. */
final class Verdict {

    private static final int LISTED_MAX = 20;

    private final PrintStream out;
    private final Run run;
    private final List<String> broken = new ArrayList<>();

    Verdict(PrintStream out, Run run) {
        this.out = out;
        this.run = run;
    }

    /** Prints both phases; true if all is well. */
    boolean pronounce(Proof proof) {
        throughput();
        prove(proof);
        if (broken.isEmpty()) {
            out.println("verdict: kept");
        } else {
            out.println("verdict: BROKEN");
            broken.forEach(why -> out.println("  " + why));
        }
        return broken.isEmpty();
    }

    private void throughput() {
        out.println();
        out.println("phase 1, throughput");
        Map<String, Figures> all = run.tally().all();
        Figures notifications = all.remove(Tally.NOTIFICATIONS);
        if (notifications == null || notifications.successes() == 0) {
            broken.add("no notification was acknowledged");
        }
        if (notifications != null) {
            line(Tally.NOTIFICATIONS, "acknowledged", notifications);
        }
        all.forEach((kind, figures) -> line(kind, "answered", figures));
        long errors = run.tally().errors();
        if (errors > 0) {
            broken.add(errors + " requests or journeys failed, by kind above");
        }
    }

    private void line(String kind, String what, Figures figures) {
        if (figures.successes() > 0) {
            out.printf(
                    "  %-30s %7d %s, %.1f/s; p50 %d ms, p99 %d ms%n",
                    kind,
                    figures.successes(),
                    what,
                    figures.successes() / Math.max(figures.seconds(), 1e-3),
                    figures.percentileMs(50),
                    figures.percentileMs(99));
        }
        if (!kind.equals("journeys")) {
            out.printf("  %-30s %7d told to come later (503), %d errors%n", "", figures.told(), figures.errors());
        }
        figures.errorsByKind().forEach((error, times) -> out.printf("  %-30s %7d %s%n", "", times, error));
    }

    private void prove(Proof proof) {
        out.println("phase 2, proof");
        Map<String, Long> orders = proof.orders(run.prefix());
        out.println("  orders of the run              " + shown(orders));
        if (run.parameters().script() == Script.EXPIRY) {
            out.println("  paid after they had expired    " + proof.revived(run.prefix()));
        }
        logged(proof);
        Checked checked = proof.check();
        List<String> lines = checked.lines();
        lines.stream().limit(LISTED_MAX).forEach(line -> out.println("  check: " + line));
        if (lines.size() > LISTED_MAX) {
            out.println("  check: ... " + lines.get(lines.size() - 1));
        }
        if (!checked.kept()) {
            broken.add("check found violations");
        }
    }

    private void logged(Proof proof) {
        List<Acknowledged> all = run.tally().acknowledged();
        long acknowledged = all.stream().mapToLong(Acknowledged::times).sum();
        List<Missing> missing = proof.missing(all);
        long lost = missing.stream().mapToLong(Missing::lost).sum();
        out.printf(
                "  acknowledged notifications     %d, and %d of them in the log, of %d events%n",
                acknowledged, acknowledged - lost, all.size());
        missing.stream()
                .limit(LISTED_MAX)
                .forEach(one -> out.printf(
                        "  LOST: %s event %s was acknowledged %d times and is %d times in the log%n",
                        one.psp(), one.eventId(), one.acknowledged(), one.logged()));
        if (lost > 0) {
            broken.add(lost + " acknowledged notifications are not in the log");
        }
    }

    private static String shown(Map<String, Long> counts) {
        return counts.entrySet().stream()
                .map(count -> count.getKey() + " " + count.getValue())
                .collect(Collectors.joining(", "));
    }
}
