package io.quittance.loadtest.strategies;

import io.quittance.loadtest.strategies.Strategies.Row;
import java.util.List;
import java.util.Locale;

/** Callbacks a second as bars, with wrong states beside them; readable on light and dark pages. */
final class Chart {

    private static final int WIDTH = 760;
    private static final int LEFT = 110;
    private static final int BAR_MAX = 420;
    private static final int BAR_HEIGHT = 26;
    private static final int STEP = 44;
    private static final int TOP = 64;

    private Chart() {}

    static String of(List<Row> rows) {
        double most =
                rows.stream().mapToDouble(row -> row.result.perSecond()).max().orElse(1);
        StringBuilder svg = new StringBuilder();
        int height = TOP + STEP * rows.size() + 16;
        svg.append(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\""
                        + " aria-label=\"Callbacks a second by scheme\">%n",
                WIDTH,
                height,
                WIDTH,
                height));
        svg.append("""
                <style>
                text{font:14px system-ui,sans-serif;fill:#111827}.title{font-size:17px;font-weight:600}
                .soft{fill:#4b5563}.bad{fill:#b91c1c}rect{fill:#93a3b8}.ours{fill:#1d4ed8}.page{fill:#ffffff}
                @media (prefers-color-scheme:dark){text{fill:#f9fafb}.soft{fill:#d1d5db}.bad{fill:#fca5a5}
                rect{fill:#64748b}.ours{fill:#60a5fa}.page{fill:#111827}}
                </style>
                <rect class="page" width="100%" height="100%"/>
                <text class="title" x="16" y="28">Callbacks a second, and states that are wrong at the end</text>
                <text class="soft" x="16" y="48">30 of 100 are repetitions; one order in twenty ends as it is paid; fsync on</text>
                """);
        for (int i = 0; i < rows.size(); i++) {
            bar(svg, rows.get(i), TOP + i * STEP, most);
        }
        return svg.append("</svg>\n").toString();
    }

    private static void bar(StringBuilder svg, Row row, int y, double most) {
        double rate = row.result.perSecond();
        int width = (int) Math.max(2, rate / most * BAR_MAX);
        String kind = row.scheme == Scheme.QUITTANCE ? " class=\"ours\"" : "";
        svg.append(String.format(
                Locale.ROOT,
                "<text x=\"16\" y=\"%d\">%s</text><rect%s x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"3\"/>"
                        + "<text x=\"%d\" y=\"%d\">%,.0f/s</text><text class=\"%s\" x=\"%d\" y=\"%d\">%s</text>%n",
                y + 19,
                row.scheme.label(),
                kind,
                LEFT,
                y,
                width,
                BAR_HEIGHT,
                LEFT + width + 8,
                y + 19,
                rate,
                row.wrongStates() == 0 ? "soft" : "bad",
                LEFT + BAR_MAX + 100,
                y + 19,
                row.wrongStates() == 0 ? "none wrong" : row.wrongStates() + " wrong"));
    }
}
