package io.quittance.loadtest.expiry;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Stands before a PSP, answers as late as one that is far away, and writes down when it was asked about payments. */
final class SlowPsp {

    private static final int CONNECTIONS_MAX = 64;
    private static final long NANOS_A_SECOND = 1_000_000_000;

    private final Vertx vertx;
    private final HttpClient client;
    private final int behind;
    private final long answerMs;
    private final List<Long> askedAt = new CopyOnWriteArrayList<>();
    private volatile boolean watching;

    /** @param answerMs how long each answer takes longer, in milliseconds */
    SlowPsp(Vertx vertx, int behind, long answerMs) {
        this.vertx = vertx;
        this.client = vertx.createHttpClient(new PoolOptions().setHttp1MaxSize(CONNECTIONS_MAX));
        this.behind = behind;
        this.answerMs = answerMs;
    }

    /** Listens on a free port, which it returns. */
    Future<Integer> start() {
        return vertx.createHttpServer()
                .requestHandler(this::pass)
                .listen(0, "127.0.0.1")
                .map(server -> server.actualPort());
    }

    /** From now on calls are written down. */
    void watch() {
        watching = true;
    }

    private void pass(HttpServerRequest asked) {
        if (watching) {
            askedAt.add(System.nanoTime());
        }
        RequestOptions options = new RequestOptions()
                .setMethod(asked.method())
                .setHost("127.0.0.1")
                .setPort(behind)
                .setURI(asked.uri());
        asked.headers().forEach(header -> {
            if (!header.getKey().equalsIgnoreCase("host")) {
                options.addHeader(header.getKey(), header.getValue());
            }
        });
        asked.body()
                .compose(body -> client.request(options).compose(request -> request.send(body)))
                .compose(answer -> answer.body()
                        .compose(body -> vertx.timer(answerMs).compose(later -> {
                            asked.response().setStatusCode(answer.statusCode());
                            answer.headers().forEach(header -> {
                                if (!header.getKey().equalsIgnoreCase("transfer-encoding")) {
                                    asked.response().putHeader(header.getKey(), header.getValue());
                                }
                            });
                            return asked.response().end(body);
                        })))
                .onFailure(broken -> asked.connection().close());
    }

    int calls() {
        return askedAt.size();
    }

    /** The most calls that it had within one second, wherever that second begins. */
    int busiestSecond() {
        List<Long> times = new ArrayList<>(askedAt);
        times.sort(Long::compare);
        int most = 0;
        int first = 0;
        for (int last = 0; last < times.size(); last++) {
            while (times.get(last) - times.get(first) >= NANOS_A_SECOND) {
                first++;
            }
            most = Math.max(most, last - first + 1);
        }
        return most;
    }
}
