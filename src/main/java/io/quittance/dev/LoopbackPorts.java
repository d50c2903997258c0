package io.quittance.dev;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** TCP ports on the loopback interface. */
public final class LoopbackPorts {

    /**
     * Where ports are chosen from: under those that systems give to connections on their way out (Linux: 32,768 to
     * 60,999; IANA, RFC 6335 section 6: 49,152 to 65,535). A port of that range that is free when it is chosen may be
     * some connection's own end when the server comes to listen on it.
     */
    static final int FIRST = 20_000;

    /** The end of the choice, itself not in it. */
    static final int END = 30_000;

    /** Each process begins somewhere else, and goes on from there: no port is given twice to those who start late. */
    private static final AtomicInteger NEXT =
            new AtomicInteger(ThreadLocalRandom.current().nextInt(END - FIRST));

    private LoopbackPorts() {}

    /**
     * A port that nobody listens on at this moment, for a server that has to know its port before it starts or has to
     * come back to it. One that does neither binds to port 0.
     *
     * @throws EmbeddedServerFailed if there is none left
     */
    public static int free() {
        for (int tries = 0; tries < END - FIRST; tries++) {
            int port = FIRST + Math.floorMod(NEXT.getAndIncrement(), END - FIRST);
            if (isFree(port)) {
                return port;
            }
        }
        throw new EmbeddedServerFailed("There is no port left between " + FIRST + " and " + (END - 1)
                + " on the loopback interface: other programs listen on all of them.");
    }

    private static boolean isFree(int port) {
        try {
            bindAndRelease(port);
            return true;
        } catch (IOException taken) {
            return false;
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

    private static void bindAndRelease(int port) throws IOException {
        new ServerSocket(port, 1, InetAddress.getLoopbackAddress()).close();
    }
}
