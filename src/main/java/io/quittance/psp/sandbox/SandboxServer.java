package io.quittance.psp.sandbox;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.time.Instant;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sandbox's thread and HTTP server: each PSP under a prefix of its own, and the payer's door. Undeploying it ends its
 * timers, connections and requests.
 */
final class SandboxServer extends VerticleBase {

    /** Requests with larger bodies, in bytes, are refused. */
    static final int BODY_BYTES_MAX = 1 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(SandboxServer.class);
    private static final String HOST = "127.0.0.1";

    private final SandboxOptions options;
    private final Desk.Shared shared;
    private final int requestedPort;
    private volatile @Nullable Running running;

    /** What there is between start and stop. */
    private record Running(Desk desk, PayerDoor door, HttpServer http) {}

    SandboxServer(SandboxOptions options, Desk.Shared shared, int requestedPort) {
        this.options = options;
        this.shared = shared;
        this.requestedPort = requestedPort;
    }

    @Override
    public Future<?> start() {
        Desk desk = Desk.open(vertx, options, shared);
        PayerDoor door = new PayerDoor(desk.cashier(), shared.ledger());
        HttpServer http = vertx.createHttpServer().requestHandler(this::receive);
        running = new Running(desk, door, http);
        return http.listen(requestedPort, HOST);
    }

    @Override
    public Future<?> stop() {
        running().desk.delivery().close();
        return Future.succeededFuture();
    }

    Desk desk() {
        return running().desk;
    }

    String base() {
        return "http://" + HOST + ":" + port();
    }

    int port() {
        return running().http.actualPort();
    }

    /** Does something on the sandbox's thread; what it throws fails the future. */
    Future<Void> onThread(Consumer<Desk> step) {
        Promise<Void> done = Promise.promise();
        context.runOnContext(ignored -> {
            try {
                step.accept(desk());
                done.complete();
            } catch (RuntimeException e) {
                done.fail(e);
            }
        });
        return done.future();
    }

    private void receive(HttpServerRequest request) {
        Buffer body = Buffer.buffer();
        request.handler(chunk -> {
            if (body.length() + chunk.length() <= BODY_BYTES_MAX) {
                body.appendBuffer(chunk);
            } else if (!request.response().ended()) {
                request.response().putHeader("Connection", "close").setStatusCode(413);
                send(request.response(), Reply.empty(413));
            }
        });
        request.endHandler(end -> {
            if (!request.response().ended()) {
                send(request.response(), answer(request, body));
            }
        });
    }

    private Reply answer(HttpServerRequest request, Buffer body) {
        Running now = running();
        String path = request.path() == null ? "/" : request.path();
        String query = request.query() == null ? "" : request.query();
        try {
            for (PspSide side : now.desk.sides().values()) {
                String prefix = "/" + side.psp() + "/";
                if (path.startsWith(prefix)) {
                    String below = path.substring(prefix.length() - 1);
                    return side.answer(
                            new Call(request.method(), request.uri(), below, query, request.headers(), body),
                            Instant.now());
                }
            }
            return now.door.answer(
                    new Call(request.method(), request.uri(), path, query, request.headers(), body), Instant.now());
        } catch (RuntimeException e) {
            LOG.error("sandbox: {} {} failed", request.method(), path, e);
            return Reply.text(500, "text/plain", "the sandbox has a bug");
        }
    }

    private static void send(HttpServerResponse response, Reply reply) {
        response.setStatusCode(reply.status());
        reply.headers().forEach(response::putHeader);
        response.end(reply.body()).onFailure(gone -> LOG.debug("sandbox: the caller is gone: {}", gone.getMessage()));
    }

    private Running running() {
        Running now = running;
        if (now == null) {
            throw new IllegalStateException("the sandbox has not been started");
        }
        return now;
    }
}
