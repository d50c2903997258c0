package io.quittance.endtoend;

import io.quittance.cli.Main;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A gateway in a process of its own, as it is started in production. */
final class ServedGateway {

    private static final long END_SECONDS_MAX = 30;

    private final Process process;

    private ServedGateway(Process process) {
        this.process = process;
    }

    /**
     * Starts it and waits until it listens.
     *
     * @param directory for its configuration and what it prints
     */
    static ServedGateway start(Stage stage, Path directory) throws IOException {
        Path config = Files.writeString(
                directory.resolve("quittance.yaml"), stage.config().encode());
        Path output = Files.createTempFile(directory, "output", ".log");
        Process process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "serve",
                        "--config",
                        config.toString()))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        ServedGateway gateway = new ServedGateway(process);
        try {
            stage.awaitUntil("the gateway listens", () -> {
                if (!process.isAlive()) {
                    throw new AssertionError("the gateway ended: " + read(output));
                }
                return listens(stage.port());
            });
            return gateway;
        } catch (AssertionError failed) {
            gateway.kill();
            throw failed;
        }
    }

    /** SIGKILL. */
    void kill() {
        process.destroyForcibly();
    }

    /** The exit code. */
    int awaitEnd() throws InterruptedException {
        if (!process.waitFor(END_SECONDS_MAX, TimeUnit.SECONDS)) {
            throw new AssertionError("the gateway did not end");
        }
        return process.exitValue();
    }

    /** Asks it to end, and makes it end if it does not. */
    void stop() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(END_SECONDS_MAX, TimeUnit.SECONDS)) {
            kill();
            awaitEnd();
        }
    }

    private static boolean listens(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException notYet) {
            return false;
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            return unreadable.toString();
        }
    }
}
