package io.quittance.http;

import io.quittance.message.Bus;
import io.quittance.store.OrderReads;
import io.quittance.store.OrderView;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The live streams of one HTTP instance, all on its event loop. An order that somebody watches is read again when the bus
 * tells of a change, and from time to time without being told, because another process may have changed it. Whatever is
 * due while one read is under way is read together by the next one, each order once for all who watch it.
 */
final class LiveOrders {

    /** Orders a read. */
    static final int BATCH_MAX = 256;

    /** So many reads in a row that failed end all streams: about a quarter of a minute at the usual pace. */
    static final int FAILURES_MAX = 3;

    /** Readers whose streams end together do not come again together, in milliseconds. */
    private static final int RETRY_MS_MIN = 1_000;

    private static final int RETRY_MS_SPREAD = 3_000;

    private static final Logger LOG = LoggerFactory.getLogger(LiveOrders.class);

    private final Vertx vertx;
    private final Bus bus;
    private final OrderReads reads;
    private final LiveOptions options;
    private final Map<UUID, Watched> watched = new HashMap<>();
    private final Set<UUID> due = new LinkedHashSet<>();
    private int failures;
    private boolean reading;
    private boolean closed;
    private long lookTimer;
    private final long heartbeatTimer;

    /** An order that somebody watches. */
    private record Watched(Bus.Watch watch, Set<Reader> readers) {}

    /** One stream with the words of its reader. */
    private record Reader(EventStream stream, LiveView view, long lifeTimer) {}

    LiveOrders(Vertx vertx, Bus bus, OrderReads reads, LiveOptions options) {
        this.vertx = vertx;
        this.bus = bus;
        this.reads = reads;
        this.options = options;
        this.heartbeatTimer = vertx.setPeriodic(options.heartbeatEvery().toMillis(), beat -> heartbeat());
        lookLater();
    }

    /** Answers with a stream: the order as it stands, then each change. */
    void serve(RoutingContext context, LiveView view) {
        if (closed || !options.slots().take()) {
            view.full().send(context);
            return;
        }
        Future.succeededFuture()
                .compose(start -> view.order())
                .map(found ->
                        found.map(order -> open(context, view, order)).orElseGet(() -> Optional.of(view.unknown())))
                .otherwise(failure -> Optional.of(view.explain(failure)))
                .onSuccess(refusal -> refusal.ifPresent(answer -> {
                    options.slots().free();
                    answer.send(context);
                }));
    }

    /** Ends all streams; no further one is opened. */
    void close() {
        closed = true;
        vertx.cancelTimer(lookTimer);
        vertx.cancelTimer(heartbeatTimer);
        readers().forEach(reader -> reader.stream.end());
    }

    /** Empty if the stream is open; otherwise the answer in its place. */
    private Optional<Answer> open(RoutingContext context, LiveView view, OrderView order) {
        LiveState now = view.state(order);
        String knownId = lastEventId(context.request());
        if (now.last() && now.id().equals(knownId)) {
            // tells an EventSource not to come again
            return Optional.of(Answer.of(204, "", Buffer.buffer()));
        }
        if (closed || context.response().closed() || !options.slots().join(order.id())) {
            return Optional.of(view.full());
        }
        begin(context.response(), view, order.id(), knownId, now);
        return Optional.empty();
    }

    private static String lastEventId(HttpServerRequest request) {
        String id = request.getHeader("Last-Event-ID");
        return id == null ? "" : id;
    }

    private void begin(HttpServerResponse response, LiveView view, UUID order, String knownId, LiveState now) {
        response.setChunked(true);
        response.putHeader("Content-Type", "text/event-stream");
        response.putHeader("Cache-Control", "no-store");
        response.putHeader("Referrer-Policy", "no-referrer");
        // nginx keeps back what it thinks too little to pass on
        response.putHeader("X-Accel-Buffering", "no");
        EventStream stream = new EventStream(response, view.event(), knownId);
        long life = vertx.setTimer(options.lifeMax().toMillis(), over -> stream.end());
        Reader reader = new Reader(stream, view, life);
        response.exceptionHandler(gone -> leave(order, reader));
        response.closeHandler(gone -> leave(order, reader));
        response.endHandler(gone -> leave(order, reader));
        watched.computeIfAbsent(order, this::watch).readers.add(reader);
        stream.begin(RETRY_MS_MIN + ThreadLocalRandom.current().nextInt(RETRY_MS_SPREAD));
        stream.offer(now);
        // what changed after the first read and before the watch
        lookAt(order);
    }

    private Watched watch(UUID order) {
        return new Watched(bus.watch(order, this::lookAt), new LinkedHashSet<>());
    }

    private void leave(UUID order, Reader reader) {
        Watched left = watched.get(order);
        if (left == null || !left.readers.remove(reader)) {
            return;
        }
        options.slots().leave(order);
        options.slots().free();
        vertx.cancelTimer(reader.lifeTimer);
        if (left.readers.isEmpty()) {
            watched.remove(order);
            due.remove(order);
            left.watch.close();
        }
    }

    private void lookAt(UUID order) {
        if (watched.containsKey(order)) {
            due.add(order);
            look();
        }
    }

    /** Spread over a fifth of the pace, so that processes that were started together do not look together. */
    private void lookLater() {
        long pauseMs = options.lookEvery().toMillis();
        long spreadMs = ThreadLocalRandom.current().nextLong(pauseMs / 5 + 1);
        lookTimer = vertx.setTimer(pauseMs - pauseMs / 10 + spreadMs, now -> {
            due.addAll(watched.keySet());
            look();
            lookLater();
        });
    }

    private void look() {
        if (reading || closed || due.isEmpty()) {
            return;
        }
        List<UUID> batch = due.stream().limit(BATCH_MAX).toList();
        batch.forEach(due::remove);
        reading = true;
        reads.byIds(batch).onComplete(read -> {
            reading = false;
            if (read.succeeded()) {
                failures = 0;
                read.result().forEach(this::tell);
            } else {
                failed(read.cause());
            }
            look();
        });
    }

    private void tell(OrderView order) {
        Watched seen = watched.get(order.id());
        if (seen != null) {
            List.copyOf(seen.readers).forEach(reader -> tell(reader, order));
        }
    }

    /** What one reader cannot be told must not keep the news from the others. */
    private static void tell(Reader reader, OrderView order) {
        Future.succeededFuture(order)
                .map(reader.view::state)
                .onSuccess(reader.stream::offer)
                .onFailure(broken -> {
                    LOG.error("an order could not be told", broken);
                    reader.stream.end();
                });
    }

    /** A stream that lives says that its state holds. When nobody knows that any more, readers must learn it. */
    private void failed(Throwable failure) {
        failures++;
        if (failures < FAILURES_MAX) {
            return;
        }
        failures = 0;
        LOG.warn("live streams end, because orders cannot be read: {}", failure.toString());
        readers().forEach(reader -> reader.stream.end());
    }

    private void heartbeat() {
        readers().forEach(reader -> reader.stream.heartbeat());
    }

    private Collection<Reader> readers() {
        List<Reader> all = new ArrayList<>(options.slots().taken());
        watched.values().forEach(order -> all.addAll(order.readers));
        return all;
    }
}
