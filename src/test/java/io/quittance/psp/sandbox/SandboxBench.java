package io.quittance.psp.sandbox;

import ch.qos.logback.classic.Level;
import com.alipay.api.internal.util.AlipayLogger;
import io.quittance.domain.Ids;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.slf4j.LoggerFactory;

/** A sandbox that has been started, and a gateway that only writes down what it gets. */
public final class SandboxBench implements AutoCloseable {

    /** Made once: RSA keys take long. */
    static final SandboxKeys KEYS = SandboxKeys.generate();

    static final String ACCOUNT = "acme";

    public final Vertx vertx = Vertx.vertx();
    public final SandboxPsp sandbox;
    public final int port;
    final String notifyBase;
    private final List<Received> received = new CopyOnWriteArrayList<>();
    private volatile Function<Received, Future<Answer>> gateway =
            notification -> Future.succeededFuture(accepting(notification));

    /** A notification as it came in. */
    public record Received(String path, MultiMap headers, Buffer body) {

        String header(String name) {
            return headers.get(name);
        }

        String text() {
            return body.toString();
        }
    }

    record Answer(int status, String body) {}

    static {
        // The SDKs and the server would otherwise write a line for each request.
        ((ch.qos.logback.classic.Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME))
                .setLevel(Level.WARN);
        AlipayLogger.setNeedEnableLogger(false);
    }

    public SandboxBench() {
        this(options());
    }

    SandboxBench(SandboxOptions options) {
        HttpServer server =
                await(vertx.createHttpServer().requestHandler(this::receive).listen(0, "127.0.0.1"));
        notifyBase = "http://127.0.0.1:" + server.actualPort() + "/v1/notify";
        sandbox = SandboxPsp.create(vertx, options);
        sandbox.notifyBase(notifyBase);
        port = await(sandbox.start(0));
    }

    static SandboxOptions options() {
        return new SandboxOptions(ACCOUNT, "", Duration.ofMillis(1), 3, Duration.ofSeconds(5), 0, Faults.none(), KEYS);
    }

    /** Answers with what each PSP takes for success. */
    static Answer accepting(Received notification) {
        return new Answer(200, "success");
    }

    /** Waits for a result, ten seconds at most. */
    public static <T> T await(Future<T> future) {
        try {
            return future.await(10, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new AssertionError("nothing happened within ten seconds", e);
        }
    }

    public static String newAttemptId() {
        return Ids.hex(UUID.randomUUID());
    }

    void answerWith(Function<Received, Answer> changed) {
        gateway = notification -> Future.succeededFuture(changed.apply(notification));
    }

    /** Lets the gateway answer when a future completes, or never. */
    void answerLater(Function<Received, Future<Answer>> changed) {
        gateway = changed;
    }

    public JsonObject settings(String psp) {
        return sandbox.accountSettings(psp);
    }

    public String notifyUrl(String psp) {
        return notifyBase + "/" + psp + "/" + ACCOUNT;
    }

    /** What has come in once nothing is on its way any more. */
    public List<Received> settled() {
        await(sandbox.settled());
        return new ArrayList<>(received);
    }

    /** The only notification, once nothing is on its way any more. */
    Received only() {
        List<Received> all = settled();
        if (all.size() != 1) {
            throw new AssertionError("expected one notification, got " + all.size());
        }
        return all.get(0);
    }

    @Override
    public void close() {
        await(sandbox.close());
        await(vertx.close());
    }

    private void receive(HttpServerRequest request) {
        request.body().onSuccess(body -> {
            Received notification = new Received(
                    request.path(), MultiMap.caseInsensitiveMultiMap().addAll(request.headers()), body);
            received.add(notification);
            gateway.apply(notification)
                    .onSuccess(answer ->
                            request.response().setStatusCode(answer.status).end(answer.body));
        });
    }
}
