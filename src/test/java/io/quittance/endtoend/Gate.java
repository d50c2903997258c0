package io.quittance.endtoend;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The line to the PSP. While it is mute, requests arrive there and no answer comes back. */
final class Gate {

    private static final String HOST = "127.0.0.1";

    private final NetServer server;
    private final NetClient client;
    private final Map<String, Promise<Void>> watched = new ConcurrentHashMap<>();
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

    /** Completes when a request that contains this is on its way to the PSP. */
    Future<Void> asked(String text) {
        return watched.computeIfAbsent(text, key -> Promise.promise()).future();
    }

    private void look(Buffer request) {
        if (watched.isEmpty()) {
            return;
        }
        String text = request.toString(StandardCharsets.ISO_8859_1);
        watched.forEach((wanted, seen) -> {
            if (text.contains(wanted) && watched.remove(wanted, seen)) {
                seen.complete();
            }
        });
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
        inbound.handler(request -> {
            outbound.write(request);
            look(request);
        });
        outbound.handler(answer -> {
            if (!mute) {
                inbound.write(answer);
            }
        });
        inbound.resume();
    }
}
