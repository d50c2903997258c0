package io.quittance.dev;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** TCP ports on the loopback interface. */
public final class LoopbackPorts {

    private LoopbackPorts() {}

    /**
     * A port that nobody listens on at this moment.
     *
     * @throws UncheckedIOException if there is none left
     */
    public static int free() {
        try {
            return bindAndRelease(0);
        } catch (IOException none) {
            throw new UncheckedIOException("no port is free", none);
        }
    }

    /**
     * Checks a chosen port before a server is started on it, because the servers say it late or unclearly.
     *
     * @param port 0 for none chosen
     * @throws EmbeddedServerFailed if somebody listens on it
     */
    static void requireFree(int port, String server) {
        try {
            bindAndRelease(port);
        } catch (IOException taken) {
            throw new EmbeddedServerFailed(
                    "The embedded " + server + " cannot use port " + port + ": another program listens on it.", taken);
        }
    }

    private static int bindAndRelease(int port) throws IOException {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
