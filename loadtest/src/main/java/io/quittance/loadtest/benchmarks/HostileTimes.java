package io.quittance.loadtest.benchmarks;

import io.quittance.loadtest.Limit;
import io.quittance.psp.BodyFormat;
import io.quittance.psp.PspAdapter;
import io.quittance.psp.RawNotification;
import io.quittance.psp.Verification.Verified;
import io.quittance.psp.WarmUp;
import io.vertx.core.buffer.Buffer;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;

/** How long the reading of 1 MiB takes that was made to take long. */
final class HostileTimes {

    private static final int BODY_BYTES = 1 << 20;
    private static final double MILLISECONDS_MAX = 50;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private static final int WARM_UP_RUNS = 5;

    /** They sign fields, so that the body is read to verify it; what was read goes on to translation, and not twice. */
    private static final Set<String> READ_TO_VERIFY = Set.of("adyen", "alipay");

    private HostileTimes() {}

    static void print(boolean brief) {
        WarmUp.read(Senders.names().stream()
                .map(Senders::of)
                .map(SignedNotification::adapter)
                .toList());
        System.out.printf("%n%-18s %10s %10s %10s%n", "hostile, 1 MiB", "median ms", "worst ms", "first ms");
        for (String psp : Senders.names()) {
            SignedNotification good = Senders.of(psp);
            double worst = 0;
            for (Map.Entry<String, Buffer> body :
                    bodies(good.adapter().notificationFormat()).entrySet()) {
                RawNotification raw = new RawNotification(
                        good.raw().headers(), body.getValue(), good.raw().receivedAt());
                Times times = measured(good.adapter(), raw, brief ? 20 : 200);
                worst = Math.max(worst, Math.max(times.first(), times.worst()));
                System.out.printf(
                        "%-18s %10.2f %10.2f %10.2f  %s%n",
                        psp, times.median(), times.worst(), times.first(), body.getKey());
            }
            System.out.println(psp + ": " + Limit.verdict(worst, MILLISECONDS_MAX, "ms"));
        }
    }

    /**
     * In milliseconds of the thread's own time, which others on the machine do not lengthen. A body that no key fits is
     * translated too, as if one had.
     *
     * @param worst of all runs but the first few
     * @param first what a gateway takes that has just started, whose parsers are warm by what it gave them itself and not
     *     by such a body
     */
    private record Times(double median, double worst, double first) {}

    private static Times measured(PspAdapter adapter, RawNotification raw, int runs) {
        double first = 0;
        double[] times = new double[runs];
        for (int i = -WARM_UP_RUNS; i < runs; i++) {
            double verify = milliseconds(() -> adapter.verify(raw));
            double translate = milliseconds(() -> adapter.translate(new Verified(raw, "benchmark")));
            double time = READ_TO_VERIFY.contains(adapter.psp()) ? Math.max(verify, translate) : verify + translate;
            first = i == -WARM_UP_RUNS ? time : first;
            times[Math.max(i, 0)] = time;
        }
        Arrays.sort(times);
        return new Times(times[runs / 2], times[runs - 1], first);
    }

    private static double milliseconds(Runnable reading) {
        long start = THREADS.getCurrentThreadCpuTime();
        reading.run();
        return (THREADS.getCurrentThreadCpuTime() - start) / 1e6;
    }

    private static Map<String, Buffer> bodies(BodyFormat format) {
        Map<String, Buffer> all = new LinkedHashMap<>();
        if (format == BodyFormat.JSON) {
            all.put("empty objects", filled("{\"a\":[", i -> "{},", "{}]}"));
            all.put("nesting", filled("{\"a\":", i -> "[", ""));
            all.put("many names", filled("{", i -> "\"" + i + "\":1,", "\"a\":1}"));
            all.put("escaped names", filled("{", i -> "\"\\u0061\":1,", "\"a\":1}"));
            all.put("a text of escapes", filled("{\"id\":\"", i -> "\\u4e2d", "\"}"));
            all.put("a ciphertext", filled("{\"resource\":{\"ciphertext\":\"", i -> "\\/", "\"}}"));
            all.put("a number", filled("{\"amount\":", i -> "9", "}"));
            return all;
        }
        String head = "charset=gbk&sign_type=RSA2&sign=AAAA&";
        all.put("many fields", filled(head, i -> "a=1&", "b=1"));
        all.put("large fields", filled(head, i -> i + "=" + "%E4".repeat(1_400) + "&", "b=1"));
        all.put("a field of escapes", filled(head + "subject=", i -> "%E4%B8", ""));
        all.put("hidden fields", filled(head + "subject=", i -> "%26signs%3D", ""));
        return all;
    }

    private static Buffer filled(String head, IntFunction<String> piece, String tail) {
        StringBuilder body = new StringBuilder(head);
        for (int i = 0; ; i++) {
            String next = piece.apply(i);
            if (body.length() + next.length() + tail.length() > BODY_BYTES) {
                return Buffer.buffer(body.append(tail).toString());
            }
            body.append(next);
        }
    }
}
