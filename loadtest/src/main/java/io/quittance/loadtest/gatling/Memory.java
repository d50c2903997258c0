package io.quittance.loadtest.gatling;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** What a process has in memory (its resident set), looked at now and then; known where there is a /proc. */
final class Memory implements AutoCloseable {

    private static final long LOOK_EVERY_SECONDS = 2;
    private static final long KIB_A_MIB = 1_024;

    private final Path status;
    private final OptionalLong startMib;
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "memory");
        thread.setDaemon(true);
        return thread;
    });
    private volatile long mostMib;

    private Memory(Path status) {
        this.status = status;
        this.startMib = nowMib();
        clock.scheduleAtFixedRate(this::nowMib, LOOK_EVERY_SECONDS, LOOK_EVERY_SECONDS, TimeUnit.SECONDS);
    }

    static Memory of(long pid) {
        return new Memory(Path.of("/proc/" + pid + "/status"));
    }

    private OptionalLong nowMib() {
        try {
            OptionalLong found = Files.readAllLines(status, StandardCharsets.UTF_8).stream()
                    .filter(line -> line.startsWith("VmRSS:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) / KIB_A_MIB)
                    .findFirst();
            found.ifPresent(mib -> mostMib = Math.max(mostMib, mib));
            return found;
        } catch (IOException elsewhere) {
            return OptionalLong.empty();
        }
    }

    /** In one line. */
    String told() {
        OptionalLong now = nowMib();
        return startMib.isPresent() && now.isPresent()
                ? "%d MiB at the start, %d MiB at the end, %d MiB at most"
                        .formatted(startMib.getAsLong(), now.getAsLong(), mostMib)
                : "not known: the process is gone, or this system has no /proc";
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}
