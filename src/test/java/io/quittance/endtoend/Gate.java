package io.quittance.endtoend;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;

/** The line to the PSP. While it is mute, requests arrive there and no answer comes back. */
final class Gate {

    private static final String HOST = "127.0.0.1";

    private final NetServer server;
    private final NetClient client;
    private volatile boolean mute;

    private Gate(Vertx vertx) {
        this.server = vertx.createNetServer();
        this.client = vertx.createNetClient();
    }

    static Future<Gate> open(Vertx vertx, int toPort) {
        Gate gate = new Gate(vertx);
        return gate.server
                .connectHandler(inbound -> gate.connect(inbound, toPort))
                .listen(0, HOST)
                .map(listening -> gate);
    }

    int port() {
        return server.actualPort();
    }

    void mute() {
        mute = true;
    }

    void unmute() {
        mute = false;
    }

    private void connect(NetSocket inbound, int toPort) {
        inbound.pause();
        client.connect(toPort, HOST)
                .onSuccess(outbound -> join(inbound, outbound))
                .onFailure(refused -> inbound.close());
    }

    private void join(NetSocket inbound, NetSocket outbound) {
        inbound.closeHandler(gone -> outbound.close());
        outbound.closeHandler(gone -> inbound.close());
        inbound.handler(outbound::write);
        outbound.handler(answer -> {
            if (!mute) {
                inbound.write(answer);
            }
        });
        inbound.resume();
    }
}
