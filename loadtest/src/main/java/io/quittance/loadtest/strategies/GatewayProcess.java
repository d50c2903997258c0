package io.quittance.loadtest.strategies;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/** The gateway's engine behind its door in a process of its own, which ends when its standard input does. */
public final class GatewayProcess implements AutoCloseable {

    private static final String PORT = "port ";

    private final Process process;
    private final BufferedReader said;
    private final int port;

    private GatewayProcess(Process process, BufferedReader said, int port) {
        this.process = process;
        this.said = said;
        this.port = port;
    }

    /**
     * Takes database, Redis, key in hex and event loops; tells its port in a line of its own, and for each byte that it
     * reads the bytes of its heap that are in use after a collection.
     */
    public static void main(String[] arguments) throws IOException {
        byte[] key = HexFormat.of().parseHex(arguments[2]);
        int eventLoops = Integer.parseInt(arguments[3]);
        try (Contender contender = Contender.start(
                Scheme.QUITTANCE, arguments[0], arguments[1], key, eventLoops, Contender.USUAL_IN_FLIGHT_MAX)) {
            System.out.println(PORT + contender.port());
            while (System.in.read() >= 0) {
                System.gc();
                System.out.println(
                        ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
            }
        }
    }

    static GatewayProcess start(String database, String redis, byte[] key, int eventLoops) {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xms512m",
                "-Xmx512m",
                "-Dlogback.configurationFile="
                        + System.getProperty("logback.configurationFile", "logback-loadtest.xml"),
                "-cp",
                System.getProperty("java.class.path"),
                GatewayProcess.class.getName(),
                database,
                redis,
                HexFormat.of().formatHex(key),
                Integer.toString(eventLoops));
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            BufferedReader said =
                    new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
            String line = said.readLine();
            if (line == null || !line.startsWith(PORT)) {
                process.destroy();
                throw new IllegalStateException("a gateway did not start: " + line);
            }
            return new GatewayProcess(process, said, Integer.parseInt(line.substring(PORT.length())));
        } catch (IOException failure) {
            throw new UncheckedIOException("a gateway cannot be started", failure);
        }
    }

    int port() {
        return port;
    }

    /** Bytes of its heap that are in use, after a collection. */
    long heapBytes() {
        try {
            process.getOutputStream().write('\n');
            process.getOutputStream().flush();
            return Long.parseLong(said.readLine());
        } catch (IOException failure) {
            throw new UncheckedIOException("the gateway is gone", failure);
        }
    }

    /** Bytes of memory that it has of the machine; 0 where the system does not tell. */
    long residentBytes() {
        try (Stream<String> lines = Files.lines(Path.of("/proc", Long.toString(process.pid()), "status"))) {
            return lines.filter(line -> line.startsWith("VmRSS:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024)
                    .findFirst()
                    .orElse(0);
        } catch (IOException elsewhere) {
            return 0;
        }
    }

    @Override
    public void close() {
        try {
            process.getOutputStream().close();
            process.waitFor();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
