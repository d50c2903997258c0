package io.quittance.loadtest;

import com.sun.management.OperatingSystemMXBean;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The machine that figures were taken on, without anything that names it. */
public final class Machine {

    private static final Path CPUS = Path.of("/proc/cpuinfo");

    /**
     * From how many bytes on the system writes to the disk what was written to files; 0 if it goes by a share of the memory
     * and by age, and then writes half a minute's work at once, which commits wait for.
     */
    private static final Path WRITE_BACK_FROM = Path.of("/proc/sys/vm/dirty_background_bytes");

    /** What paces a connection, also on loopback: "bbr" does so by timers of its own. */
    private static final Path CONGESTION_CONTROL = Path.of("/proc/sys/net/ipv4/tcp_congestion_control");

    private static final int SETTING_BYTES_MAX = 64;

    private Machine() {}

    /** @param postgres the version of the server that was measured */
    public static JsonObject describe(String postgres) {
        OperatingSystemMXBean system = system();
        return new JsonObject()
                .put("cores", Runtime.getRuntime().availableProcessors())
                .put("cpu", cpu())
                .put("memory_gib", memoryGib())
                .put("load_average", Math.round(system.getSystemLoadAverage() * 100) / 100.0)
                .put("system", System.getProperty("os.name") + " " + System.getProperty("os.arch"))
                .put("dirty_background_bytes", setting(WRITE_BACK_FROM))
                .put("tcp_congestion_control", setting(CONGESTION_CONTROL))
                .put("java", System.getProperty("java.runtime.version"))
                .put("postgres", postgres + ", embedded, fsync and synchronous_commit on");
    }

    /** Of the whole machine, rounded. */
    public static long memoryGib() {
        return Math.round(system().getTotalMemorySize() / 1073741824.0);
    }

    private static OperatingSystemMXBean system() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    }

    private static String setting(Path file) {
        // The system gives it to the first read alone, which must not be of a single byte.
        try (InputStream setting = Files.newInputStream(file)) {
            return new String(setting.readNBytes(SETTING_BYTES_MAX), StandardCharsets.US_ASCII).strip();
        } catch (IOException elsewhere) {
            return "unknown";
        }
    }

    private static String cpu() {
        try {
            List<String> lines = Files.readAllLines(CPUS, StandardCharsets.UTF_8);
            return lines.stream()
                    .filter(line -> line.startsWith("model name"))
                    .findFirst()
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .orElse("unknown");
        } catch (IOException elsewhere) {
            return "unknown";
        }
    }
}
