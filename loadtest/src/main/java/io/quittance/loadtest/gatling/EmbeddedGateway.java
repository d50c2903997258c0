package io.quittance.loadtest.gatling;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The packaged gateway in dev mode, as a process of its own on free ports with data that goes with it. It also ends when
 * this process is interrupted.
 */
final class EmbeddedGateway implements AutoCloseable {

    private static final long START_SECONDS_MAX = 120;
    private static final long STOP_SECONDS_MAX = 40;

    private static final Pattern API = Pattern.compile("merchant API\\s+(http://[^/\\s]+)/.*Bearer (\\S+)\\)");
    private static final Pattern POSTGRES = Pattern.compile("Postgres\\s+(postgresql://\\S+)");

    private final Process process;
    private final Path data;
    private final Thread hook = new Thread(this::interrupted, "gateway-end");
    private final StringBuilder said = new StringBuilder();
    /** Its Postgres and Redis, which it stops itself unless it is killed. */
    private volatile List<ProcessHandle> servers = List.of();

    private final CompletableFuture<Addresses> serving = new CompletableFuture<>();

    /** What dev mode says of itself. */
    record Addresses(String url, String merchantKey, String postgresUri) {}

    private EmbeddedGateway(Process process, Path data) {
        this.process = process;
        this.data = data;
    }

    /**
     * Starts it and waits until it serves.
     *
     * @param heap as {@code -Xmx} takes it
     */
    static EmbeddedGateway start(Path jar, String heap) {
        EmbeddedGateway gateway;
        try {
            Path data = Files.createTempDirectory("quittance-gatling-");
            Process process = new ProcessBuilder(command(jar, heap, data))
                    .redirectErrorStream(true)
                    .start();
            gateway = new EmbeddedGateway(process, data);
        } catch (IOException failure) {
            throw new UncheckedIOException("the embedded gateway cannot be started", failure);
        }
        Runtime.getRuntime().addShutdownHook(gateway.hook);
        Thread reader = new Thread(gateway::listen, "gateway-says");
        reader.setDaemon(true);
        reader.start();
        gateway.awaitServing();
        gateway.servers = Stream.concat(gateway.process.descendants(), gateway.postgres().stream())
                .toList();
        return gateway;
    }

    private static List<String> command(Path jar, String heap, Path data) {
        return List.of(
                java(),
                "-Xmx" + heap,
                "-jar",
                jar.toString(),
                "dev",
                "--scenario",
                "none",
                "--port",
                "0",
                "--sandbox-port",
                "0",
                "--data",
                data.toString());
    }

    /** The program that runs this one. */
    static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    private void awaitServing() {
        try {
            serving.get(START_SECONDS_MAX, TimeUnit.SECONDS);
        } catch (TimeoutException | ExecutionException failure) {
            close();
            throw new IllegalStateException("The embedded gateway does not serve; it said:\n" + said(), failure);
        } catch (InterruptedException stopped) {
            close();
            throw new IllegalStateException("stopped while the gateway was starting", stopped);
        }
    }

    private String said() {
        synchronized (said) {
            return said.toString();
        }
    }

    private void listen() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                synchronized (said) {
                    said.append(line).append('\n');
                }
                saidAddresses().ifPresent(serving::complete);
            }
        } catch (IOException ended) {
            serving.completeExceptionally(ended);
        }
        serving.completeExceptionally(new IllegalStateException("it ended"));
    }

    private Optional<Addresses> saidAddresses() {
        Matcher api = API.matcher(said());
        Matcher postgres = POSTGRES.matcher(said());
        return api.find() && postgres.find()
                ? Optional.of(new Addresses(api.group(1), api.group(2), postgres.group(1)))
                : Optional.empty();
    }

    Addresses addresses() {
        return serving.join();
    }

    Path keys() {
        return data.resolve("sandbox-keys.json");
    }

    long pid() {
        return process.pid();
    }

    /** Keeps its log beside the report, since its data goes. */
    void keepLog(Path directory) {
        try {
            Files.copy(
                    data.resolve("quittance.log"),
                    directory.resolve("gateway.log"),
                    StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException failure) {
            throw new UncheckedIOException("the gateway's log cannot be kept", failure);
        }
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException interrupted) {
            // this process is ending, and the hook is at work
            return;
        }
        end();
    }

    /** It is no child of the gateway's. */
    private Optional<ProcessHandle> postgres() {
        try (Stream<String> lines = Files.lines(data.resolve("postgres/data/postmaster.pid"))) {
            return lines.findFirst().flatMap(pid -> ProcessHandle.of(Long.parseLong(pid.strip())));
        } catch (IOException none) {
            return Optional.empty();
        }
    }

    private void interrupted() {
        System.err.println("interrupted: the embedded gateway is ended");
        end();
    }

    private void end() {
        process.destroy();
        try {
            if (!process.waitFor(STOP_SECONDS_MAX, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
            for (ProcessHandle orphan : servers) {
                orphan.destroy();
                orphan.onExit()
                        .orTimeout(STOP_SECONDS_MAX, TimeUnit.SECONDS)
                        .handle((ended, late) -> ended)
                        .join();
            }
            delete();
        } catch (InterruptedException stopped) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        } catch (IOException failure) {
            System.err.println("the data of the embedded gateway is left in " + data + ": " + failure.getMessage());
        }
    }

    private void delete() throws IOException {
        try (Stream<Path> all = Files.walk(data)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }
}
