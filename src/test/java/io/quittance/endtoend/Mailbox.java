package io.quittance.endtoend;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Where the sandbox sends its notifications: genuine ones, which a test keeps to send them when and how often it wants,
 * or which are passed on.
 */
final class Mailbox {

    private final HttpServer server;
    private final List<Notification> held = new ArrayList<>();
    private Poster poster;
    private int copies;

    private Mailbox(HttpServer server) {
        this.server = server;
    }

    static Future<Mailbox> open(Vertx vertx) {
        HttpServer server = vertx.createHttpServer();
        Mailbox mailbox = new Mailbox(server);
        return server.requestHandler(mailbox::receive).listen(0, "127.0.0.1").map(listening -> mailbox);
    }

    String base() {
        return "http://127.0.0.1:" + server.actualPort();
    }

    /** From now on notifications are kept. */
    synchronized void hold() {
        poster = null;
    }

    /** From now on notifications are passed on, in so many copies at once on as many connections. */
    synchronized void passOn(Poster to, int copiesAtOnce) {
        poster = to;
        copies = copiesAtOnce;
    }

    /** Those that were kept; the mailbox is empty afterwards. */
    synchronized List<Notification> take() {
        List<Notification> taken = List.copyOf(held);
        held.clear();
        return taken;
    }

    private void receive(HttpServerRequest request) {
        request.body()
                .compose(body -> handle(Notification.of(request, body)))
                .onSuccess(success -> answer(request, success))
                .onFailure(failure -> answer(request, false));
    }

    private static void answer(HttpServerRequest request, boolean success) {
        request.response().setStatusCode(success ? 200 : 503).end(Buffer.buffer(success ? "success" : "fail"));
    }

    private Future<Boolean> handle(Notification notification) {
        Poster to;
        int times;
        synchronized (this) {
            to = poster;
            times = copies;
            if (to == null) {
                held.add(notification);
                return Future.succeededFuture(true);
            }
        }
        List<Future<Boolean>> answers = IntStream.range(0, times)
                .mapToObj(copy -> to.post(notification))
                .toList();
        return Future.all(answers)
                .map(all -> answers.stream().allMatch(answer -> Boolean.TRUE.equals(answer.result())));
    }
}
