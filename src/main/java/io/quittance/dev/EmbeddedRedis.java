package io.quittance.dev;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import redis.embedded.core.ExecutableProvider;

/**
 * A Redis of our own, on the loopback interface, which keeps nothing on disk.
 *
 * <p>Only the program is taken from the library: its own runner registers a shutdown hook, and a Redis that goes before
 * the gateway does would make every shutdown look like an outage.
 */
public final class EmbeddedRedis implements AutoCloseable {

    static final String PROGRAM = "redis-server";

    private static final Duration START_LIMIT = Duration.ofSeconds(20);
    private static final int PROBE_PAUSE_MS = 10;
    private static final int PROBE_TIMEOUT_MS = 1_000;

    private final ServerDirectory directory;
    private final Process process;
    private final int port;

    private EmbeddedRedis(ServerDirectory directory, Process process, int port) {
        this.directory = directory;
        this.process = process;
        this.port = port;
    }

    /**
     * Starts a server and waits until it answers.
     *
     * @param chosenPort 0 for any free one
     * @throws EmbeddedServerFailed if the port is taken or the server does not come up
     */
    public static EmbeddedRedis start(int chosenPort) {
        LoopbackPorts.requireFree(chosenPort, "Redis");
        ServerDirectory directory = ServerDirectory.temporary();
        try {
            int port = chosenPort == 0 ? LoopbackPorts.free() : chosenPort;
            Process process = launch(directory, port);
            EmbeddedRedis redis = new EmbeddedRedis(directory, process, port);
            redis.awaitAnswer();
            return redis;
        } catch (IOException failure) {
            directory.close();
            throw new EmbeddedServerFailed("The embedded Redis did not start: " + failure.getMessage(), failure);
        }
    }

    public int port() {
        return port;
    }

    public String uri() {
        return "redis://127.0.0.1:" + port;
    }

    /** Stops the server and waits for its end. */
    @Override
    public void close() {
        process.destroy();
        ServerDirectory.awaitEnd(process.toHandle());
        directory.close();
    }

    static Path pidFile(ServerDirectory directory) {
        return directory.resolve("redis.pid");
    }

    private static Process launch(ServerDirectory directory, int port) throws IOException {
        Path home = Files.createDirectories(directory.resolve("redis"));
        Path program =
                ExecutableProvider.newJarResourceProvider(home.toFile()).get().toPath();
        Path renamed = Files.move(program, home.resolve(PROGRAM));
        List<String> command = List.of(
                renamed.toString(),
                "--port",
                Integer.toString(port),
                "--bind",
                "127.0.0.1",
                "--save",
                "",
                "--appendonly",
                "no",
                "--dir",
                home.toString(),
                "--logfile",
                home.resolve("server.log").toString());
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        Files.writeString(pidFile(directory), Long.toString(process.pid()));
        return process;
    }

    private void awaitAnswer() {
        long deadline = System.nanoTime() + START_LIMIT.toNanos();
        while (!answers()) {
            boolean gone = !process.isAlive();
            if (gone || System.nanoTime() - deadline > 0) {
                String log = lastLogLine();
                close();
                throw new EmbeddedServerFailed("The embedded Redis did not start on port " + port + ": " + log);
            }
            pause();
        }
    }

    private boolean answers() {
        // Somebody else's Redis on the same port would answer as well; ours would have ended then.
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), PROBE_TIMEOUT_MS);
            socket.setSoTimeout(PROBE_TIMEOUT_MS);
            socket.getOutputStream().write("INFO server\r\nQUIT\r\n".getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            return answer.contains("process_id:" + process.pid());
        } catch (IOException notYet) {
            return false;
        }
    }

    private String lastLogLine() {
        try (var lines = Files.lines(directory.resolve("redis").resolve("server.log"))) {
            return lines.reduce("", (before, line) -> line);
        } catch (IOException none) {
            return "no log was written";
        }
    }

    private static void pause() {
        try {
            Thread.sleep(PROBE_PAUSE_MS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new EmbeddedServerFailed("Interrupted while the embedded Redis was starting.");
        }
    }
}
