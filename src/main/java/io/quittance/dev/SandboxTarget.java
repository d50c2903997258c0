package io.quittance.dev;

import io.quittance.dispatch.Target;
import io.quittance.dispatch.WebhookSignature;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import javax.crypto.SecretKey;
import org.jspecify.annotations.Nullable;

/**
 * A merchant's ERP for development, demonstrations and tests: it creates a record for each paid order that it is given,
 * and notes what else it is told of an order. It cannot take back what it did, so it counts what contradicts that.
 *
 * <p>{@code POST /orders} takes an order, {@code GET /orders/{order_no}} finds its record; both must be signed as Standard
 * Webhooks says. What it knows is lost when the process ends. All methods may be called from any thread.
 */
public final class SandboxTarget {

    private static final String HOST = "127.0.0.1";
    private static final String PATH = "/orders";

    /** Requests with larger bodies, in bytes, are refused. */
    private static final int BODY_BYTES_MAX = 64 * 1024;

    /** Standard Webhooks recommends five minutes. */
    private static final long TOLERANCE_SECONDS = 300;

    /** How long answers may take to leave when the server is closed, in seconds; silent ones never do. */
    private static final long SHUTDOWN_SECONDS_MAX = 0;

    private final Vertx vertx;
    private final SecretKey secret;
    private final Repeats repeats;
    private final Clock clock;
    private final Map<String, String> records = new HashMap<>();
    private final Map<String, Promise<String>> awaited = new HashMap<>();
    private Faults faults = Faults.none();
    private long drawn;
    private int posts;
    private int lookups;
    private int refused;
    private int unsigned;
    private int created;

    /** A target that was started anew gives no id a second time. */
    private final String run;

    private int doubles;

    /** The last notice about each order that it was told anything of but a payment. */
    private final Map<String, String> notices = new HashMap<>();

    private int contradictions;
    private @Nullable HttpServer server;

    /** What happens to an order that is given again. */
    public enum Repeats {
        /** 200 with the id of its record. */
        ANSWERED_200,
        /** 409 with the id of its record. */
        ANSWERED_409,
        /** Another record is created: this target knows nothing of idempotency. */
        NAIVE
    }

    /**
     * How badly it behaves. Each probability is between 0 and 1; what is drawn for the n-th order given to it depends on
     * nothing but the seed and n.
     *
     * @param errorBefore status 500, and no record
     * @param errorAfter status 500 although the record was created
     * @param silentAfter no answer at all although the record was created
     * @param fulfilmentFailed status 422 with that code, and no record
     */
    public record Faults(
            double errorBefore, double errorAfter, double silentAfter, double fulfilmentFailed, long seed) {

        public Faults {
            requireProbability("errorBefore", errorBefore);
            requireProbability("errorAfter", errorAfter);
            requireProbability("silentAfter", silentAfter);
            requireProbability("fulfilmentFailed", fulfilmentFailed);
        }

        /** It always answers, and well. */
        public static Faults none() {
            return new Faults(0, 0, 0, 0, 0);
        }

        private static void requireProbability(String name, double value) {
            if (!(value >= 0 && value <= 1)) {
                throw new IllegalArgumentException(name + " must be between 0 and 1, was " + value);
            }
        }
    }

    /**
     * What came in and what became of it.
     *
     * @param posts orders given, repetitions included, that were rightly signed
     * @param lookups questions that were rightly signed
     * @param refused answers of 422
     * @param unsigned requests of either kind whose signature was missing, wrong or old
     * @param created records, doubles included
     * @param doubles records created for an order that had one: what must never happen
     */
    public record Counts(int posts, int lookups, int refused, int unsigned, int created, int doubles) {}

    private enum Fate {
        ANSWERED,
        ERROR_BEFORE,
        ERROR_AFTER,
        SILENT_AFTER,
        FULFILMENT_FAILED
    }

    private record Reply(int status, JsonObject body) {}

    private SandboxTarget(Vertx vertx, SecretKey secret, Repeats repeats, Clock clock) {
        this.vertx = vertx;
        this.secret = secret;
        this.repeats = repeats;
        this.clock = clock;
        this.run = Long.toString(clock.millis(), Character.MAX_RADIX);
    }

    /**
     * A target that has not been started.
     *
     * @param secret {@code whsec_} and base64 of 24 to 64 bytes
     */
    public static SandboxTarget create(Vertx vertx, String secret, Repeats repeats, Clock clock) {
        return new SandboxTarget(vertx, Target.secretOf(secret), repeats, clock);
    }

    /**
     * Listens on 127.0.0.1.
     *
     * @param port 0 for any free one
     * @return the port; fails if it is taken
     */
    public Future<Integer> start(int port) {
        return vertx.createHttpServer()
                .requestHandler(this::receive)
                .listen(port, HOST)
                .onSuccess(listening -> {
                    synchronized (this) {
                        server = listening;
                    }
                })
                .map(HttpServer::actualPort);
    }

    /** Ends everything. Closing twice does no harm. */
    public synchronized Future<Void> close() {
        HttpServer current = server;
        server = null;
        return current == null ? Future.succeededFuture() : current.shutdown(SHUTDOWN_SECONDS_MAX, TimeUnit.SECONDS);
    }

    /** Where it takes orders. */
    public String url() {
        return base() + PATH;
    }

    /** Where it can be asked, as a target's lookup_url. */
    public String lookupUrl() {
        return base() + PATH + "/{order_no}";
    }

    /** Changes how it behaves from now on; the draw starts over. */
    public synchronized void faults(Faults changed) {
        faults = changed;
        drawn = 0;
    }

    public synchronized Counts counts() {
        return new Counts(posts, lookups, refused, unsigned, created, doubles);
    }

    /** What was told last about each order that a notice came about. */
    public synchronized Map<String, String> notices() {
        return Map.copyOf(notices);
    }

    /**
     * How often it heard what it cannot act on: that an order was closed which it has a record of or which was told as
     * closed otherwise, or that one was paid which was told as closed.
     */
    public synchronized int contradictions() {
        return contradictions;
    }

    /** The id of each order's first record. */
    public synchronized Map<String, String> records() {
        return Map.copyOf(records);
    }

    /** Completes with the id as soon as there is a record of the order. */
    public synchronized Future<String> recorded(String orderNo) {
        String id = records.get(orderNo);
        return id != null
                ? Future.succeededFuture(id)
                : awaited.computeIfAbsent(orderNo, key -> Promise.promise()).future();
    }

    private synchronized String base() {
        if (server == null) {
            throw new IllegalStateException("the sandbox target is not running");
        }
        return "http://" + HOST + ":" + server.actualPort();
    }

    private void receive(HttpServerRequest request) {
        Buffer body = Buffer.buffer();
        request.handler(chunk -> {
            if (body.length() + chunk.length() <= BODY_BYTES_MAX) {
                body.appendBuffer(chunk);
            } else if (!request.response().ended()) {
                request.response()
                        .putHeader("Connection", "close")
                        .setStatusCode(413)
                        .end();
            }
        });
        request.endHandler(end -> {
            Reply reply = request.response().ended() ? null : answer(request, body);
            if (reply != null) {
                request.response()
                        .setStatusCode(reply.status)
                        .putHeader("Content-Type", "application/json")
                        .end(reply.body.toBuffer());
            }
        });
    }

    /** Null for silence. */
    private synchronized @Nullable Reply answer(HttpServerRequest request, Buffer body) {
        String path = request.path() == null ? "" : request.path();
        if (!isSigned(request, body)) {
            unsigned++;
            return new Reply(401, new JsonObject().put("code", "signature"));
        }
        if (HttpMethod.GET.equals(request.method()) && path.startsWith(PATH + "/")) {
            return found(path.substring(PATH.length() + 1));
        }
        if (!HttpMethod.POST.equals(request.method()) || !path.equals(PATH)) {
            return new Reply(404, new JsonObject().put("code", "no_such_address"));
        }
        return given(request.getHeader("Idempotency-Key"), body);
    }

    private Reply found(String encoded) {
        lookups++;
        String id = records.get(URLDecoder.decode(encoded.replace("+", "%2B"), StandardCharsets.UTF_8));
        return id == null
                ? new Reply(404, new JsonObject().put("code", "no_such_order"))
                : new Reply(200, new JsonObject().put("id", id));
    }

    private @Nullable Reply given(@Nullable String key, Buffer body) {
        posts++;
        Fate fate = draw();
        JsonObject document = document(body);
        String orderNo = document.getString("order_no");
        String status = document.getString("status");
        if (orderNo == null || status == null) {
            return new Reply(400, new JsonObject().put("code", "malformed"));
        }
        if (!status.equals("PAID")) {
            return noticed(orderNo, status, key, fate);
        }
        if (!orderNo.equals(key)) {
            return new Reply(400, new JsonObject().put("code", "malformed"));
        }
        if (fate == Fate.ERROR_BEFORE) {
            return new Reply(500, new JsonObject().put("code", "error"));
        }
        if (fate == Fate.FULFILMENT_FAILED) {
            refused++;
            return new Reply(422, new JsonObject().put("code", "fulfilment_failed"));
        }
        String known = records.get(orderNo);
        boolean repeated = known != null && repeats != Repeats.NAIVE;
        String id = known != null && repeated ? known : create(orderNo);
        if (fate == Fate.SILENT_AFTER) {
            return null;
        }
        if (fate == Fate.ERROR_AFTER) {
            return new Reply(500, new JsonObject().put("code", "error"));
        }
        int answer = !repeated ? 201 : repeats == Repeats.ANSWERED_409 ? 409 : 200;
        return new Reply(answer, new JsonObject().put("id", id));
    }

    private @Nullable Reply noticed(String orderNo, String status, @Nullable String key, Fate fate) {
        if (!(orderNo + "/" + status).equals(key)) {
            return new Reply(400, new JsonObject().put("code", "malformed"));
        }
        if (fate == Fate.ERROR_BEFORE) {
            return new Reply(500, new JsonObject().put("code", "error"));
        }
        String before = notices.put(orderNo, status);
        boolean closing = !status.equals("REFUNDED");
        boolean otherwise = before != null && !before.equals(status);
        contradictions += closing && (records.containsKey(orderNo) || otherwise) ? 1 : 0;
        if (fate == Fate.SILENT_AFTER) {
            return null;
        }
        return fate == Fate.ERROR_AFTER
                ? new Reply(500, new JsonObject().put("code", "error"))
                : new Reply(200, new JsonObject());
    }

    private String create(String orderNo) {
        contradictions += notices.containsKey(orderNo) ? 1 : 0;
        String id = "erp-" + run + "-" + ++created;
        if (records.putIfAbsent(orderNo, id) != null) {
            doubles++;
        }
        Promise<String> waiting = awaited.remove(orderNo);
        if (waiting != null) {
            waiting.complete(id);
        }
        return id;
    }

    /** Empty if it is not one. */
    private static JsonObject document(Buffer body) {
        try {
            JsonObject document = new JsonObject(body);
            document.getString("order_no");
            document.getString("status");
            return document;
        } catch (DecodeException | ClassCastException malformed) {
            return new JsonObject();
        }
    }

    private Fate draw() {
        SplittableRandom random =
                new SplittableRandom(new SplittableRandom(faults.seed * 1_000_003 + drawn++).nextLong());
        // Every value is always drawn, so that one probability does not disturb the others.
        boolean errorBefore = random.nextDouble() < faults.errorBefore;
        boolean errorAfter = random.nextDouble() < faults.errorAfter;
        boolean silentAfter = random.nextDouble() < faults.silentAfter;
        boolean fulfilmentFailed = random.nextDouble() < faults.fulfilmentFailed;
        if (errorBefore) {
            return Fate.ERROR_BEFORE;
        }
        if (fulfilmentFailed) {
            return Fate.FULFILMENT_FAILED;
        }
        if (silentAfter) {
            return Fate.SILENT_AFTER;
        }
        return errorAfter ? Fate.ERROR_AFTER : Fate.ANSWERED;
    }

    private boolean isSigned(HttpServerRequest request, Buffer body) {
        String id = request.getHeader(WebhookSignature.ID_HEADER);
        String timestamp = request.getHeader(WebhookSignature.TIMESTAMP_HEADER);
        String signature = request.getHeader(WebhookSignature.SIGNATURE_HEADER);
        if (id == null || id.contains(".") || timestamp == null || signature == null) {
            return false;
        }
        if (!timestamp.matches("[0-9]{1,12}")) {
            return false;
        }
        long at = Long.parseLong(timestamp);
        if (Math.abs(clock.instant().getEpochSecond() - at) > TOLERANCE_SECONDS) {
            return false;
        }
        String expected = WebhookSignature.sign(secret, id, at, body);
        return MessageDigest.isEqual(
                expected.getBytes(StandardCharsets.UTF_8), signature.getBytes(StandardCharsets.UTF_8));
    }
}
