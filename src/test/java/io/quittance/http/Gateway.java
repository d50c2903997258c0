package io.quittance.http;

import io.quittance.domain.LatePolicy;
import io.quittance.domain.Outcome;
import io.quittance.message.Addresses;
import io.quittance.message.Bus;
import io.quittance.message.Inquiry;
import io.quittance.message.RareLog;
import io.quittance.message.Request;
import io.quittance.message.Submission;
import io.quittance.psp.CallbackUrls;
import io.quittance.psp.Psps;
import io.quittance.store.OrderReads;
import io.quittance.store.OrderView;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** The public port on a real bus whose other side is played by the test. */
final class Gateway implements AutoCloseable {

    static final Instant NOW = Instant.parse("2026-01-31T12:00:00Z");
    static final int BODY_LIMIT = 1 << 20;
    static final int IN_FLIGHT_MAX = 3;
    static final OrderTerms TERMS = new OrderTerms(
            100, Duration.ofMinutes(30), Duration.ofMinutes(1), Duration.ofDays(30), Map.of("acme", LatePolicy.REVIEW));
    static final Duration IDLE_TIMEOUT = Duration.ofMinutes(1);
    static final Duration RETURN_WAIT = Duration.ofSeconds(3);
    static final String KEY = "sk-acme";
    static final ResultLinks LINKS = new ResultLinks(
            new CallbackUrls("https://gateway.example"),
            "0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.UTF_8));

    /** Paces that no test waits for. */
    static final LiveOptions LIVE =
            new LiveOptions(new LiveSlots(100), Duration.ofHours(1), Duration.ofHours(1), Duration.ofHours(1));

    final Vertx vertx = Vertx.vertx();
    final Bus bus = new Bus(vertx, 1, Clock.systemUTC());
    final FakePsp fake = new FakePsp("fake", "acme");
    final NotifyCounters counters = new NotifyCounters();
    final List<Submission> submitted = new CopyOnWriteArrayList<>();
    final List<Request<?>> asked = new CopyOnWriteArrayList<>();
    volatile Function<Submission, Future<Submission.Verdict>> engine = submission -> verdict(Outcome.APPLIED);
    volatile Function<Request<?>, Future<Object>> checkout = request -> Future.failedFuture("not expected");
    final List<Inquiry> inquired = new CopyOnWriteArrayList<>();
    volatile Function<Inquiry, Future<Inquiry.Answer>> inquiries =
            inquiry -> Future.succeededFuture(new Inquiry.Answer.NoSuchPayment());
    volatile Function<String, Future<Optional<OrderView>>> orders = orderNo -> Future.succeededFuture(Optional.empty());
    final HttpVerticle http;
    private final HttpClient client = HttpClient.newHttpClient();

    /** The reads of watched orders, as lists of ids. */
    final List<List<UUID>> looked = new CopyOnWriteArrayList<>();

    volatile Function<List<UUID>, Future<List<OrderView>>> watched = ids -> Future.succeededFuture(List.of());

    Gateway() {
        this(LIVE);
    }

    Gateway(LiveOptions live) {
        this(live, IDLE_TIMEOUT);
    }

    Gateway(LiveOptions live, Duration idleTimeout) {
        bus.<Submission, Submission.Verdict>serve(Addresses.engine(0), submission -> {
            submitted.add(submission);
            return engine.apply(submission);
        });
        bus.<Request<Object>, Object>serve(Addresses.CHECKOUT, request -> {
            asked.add(request);
            return checkout.apply(request);
        });
        bus.<Inquiry, Inquiry.Answer>serve(Addresses.INQUIRY, inquiry -> {
            inquired.add(inquiry);
            return inquiries.apply(inquiry);
        });
        HttpOptions options = new HttpOptions(
                0, "127.0.0.1", BODY_LIMIT, IN_FLIGHT_MAX, idleTimeout, TERMS, RETURN_WAIT, LINKS, live);
        http = new HttpVerticle(
                options,
                new Merchants(Map.of(
                        "3f3f6c2c4c1ab1f0000000000000000000000000000000000000000000000000",
                        "other",
                        sha256(KEY),
                        "acme")),
                new Psps(List.of(fake, new FakePsp("quiet", "acme"), new FakePsp("alipay", "acme"))),
                bus,
                reads(),
                counters,
                new RareLog(Clock.fixed(NOW, ZoneOffset.UTC)),
                Clock.fixed(NOW, ZoneOffset.UTC));
        await(vertx.deployVerticle(http));
    }

    static Future<Submission.Verdict> verdict(Outcome outcome) {
        return Future.succeededFuture(new Submission.Verdict(outcome, "as the test says"));
    }

    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + http.actualPort() + path))
                .timeout(Duration.ofSeconds(20));
    }

    HttpRequest.Builder merchant(String path) {
        return request(path).header("Authorization", "Bearer " + KEY).header("Content-Type", "application/json");
    }

    HttpRequest.Builder notification(String body) {
        return request("/v1/notify/fake/acme")
                .header("X-Signature", "right")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body));
    }

    HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    CompletableFuture<HttpResponse<String>> sendLater(HttpRequest.Builder request) {
        return client.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    HttpResponse<String> post(String path, String body) throws Exception {
        return send(merchant(path).POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    Socket socket() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), http.actualPort());
        socket.setSoTimeout(20_000);
        return socket;
    }

    /** Sends bytes as they are on a connection of their own, and reads until the server closes it. */
    String exchange(String bytes) throws IOException {
        try (Socket socket = socket()) {
            socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
            socket.getOutputStream().flush();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    long counted(String psp, NotifyCounters.Reason reason) {
        return counters.count(new NotifyCounters.Key(psp, reason));
    }

    static JsonObject json(HttpResponse<String> response) {
        return new JsonObject(response.body());
    }

    static String sha256(String text) {
        return HexFormat.of().formatHex(Digests.sha256(text.getBytes(StandardCharsets.UTF_8)));
    }

    static <T> T await(Future<T> future) {
        try {
            return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        await(vertx.close());
    }

    private OrderReads reads() {
        return new OrderReads(null) {
            @Override
            public Future<Optional<OrderView>> byNumber(String merchantId, String orderNo) {
                return merchantId.equals("acme") ? orders.apply(orderNo) : Future.succeededFuture(Optional.empty());
            }

            @Override
            public Future<List<OrderView>> byIds(Collection<UUID> ids) {
                looked.add(List.copyOf(ids));
                return watched.apply(List.copyOf(ids));
            }
        };
    }
}
