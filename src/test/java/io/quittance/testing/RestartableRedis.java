package io.quittance.testing;

import io.quittance.dev.EmbeddedRedis;

/**
 * A Redis that belongs to one test, which may stop it and start it again at the same address. It is always an embedded
 * one, because a container would come back under another port.
 */
public final class RestartableRedis implements AutoCloseable {

    private final String uri;
    private final int port;
    private EmbeddedRedis running;

    private RestartableRedis(EmbeddedRedis running) {
        this.running = running;
        this.uri = running.uri();
        this.port = running.port();
    }

    public static RestartableRedis started() {
        return new RestartableRedis(EmbeddedRedis.start(0));
    }

    public String uri() {
        return uri;
    }

    /** Stops it: connections break, new ones are refused, and everything in it is lost. */
    public void stop() {
        if (running != null) {
            running.close();
            running = null;
        }
    }

    /** Starts it again, empty, at the same address. */
    public void start() {
        if (running == null) {
            running = EmbeddedRedis.start(port);
        }
    }

    @Override
    public void close() {
        stop();
    }
}
