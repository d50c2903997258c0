package io.quittance.http;

import io.quittance.message.Bus;
import io.quittance.message.RareLog;
import io.quittance.psp.Psps;
import io.quittance.store.OrderReads;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.Clock;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The public port. Several instances share it, one an event loop, and what they are limited to and count. */
public final class HttpVerticle extends VerticleBase {

    /** Connections that wait to be accepted: what a PSP's burst may open in one go. */
    private static final int ACCEPT_BACKLOG = 4096;

    /** Certificates' serials and long signatures stand in headers. */
    private static final int HEADERS_MAX_BYTES = 16 * 1024;

    /** How long requests may take to end when the port is closed, in seconds. */
    private static final long SHUTDOWN_SECONDS_MAX = 10;

    private final HttpOptions options;
    private final Merchants merchants;
    private final Psps psps;
    private final Bus bus;
    private final OrderReads orders;
    private final NotifyCounters counters;
    private final RareLog rareLog;
    private final Clock clock;
    private @Nullable HttpServer server;
    private @Nullable LiveOrders live;

    /**
     * One of the instances of a process, with what they share.
     *
     * @param options its live streams are of all instances
     * @param counters of all instances
     * @param rareLog of all instances
     */
    public HttpVerticle(
            HttpOptions options,
            Merchants merchants,
            Psps psps,
            Bus bus,
            OrderReads orders,
            NotifyCounters counters,
            RareLog rareLog,
            Clock clock) {
        this.options = options;
        this.merchants = merchants;
        this.psps = psps;
        this.bus = bus;
        this.orders = orders;
        this.counters = counters;
        this.rareLog = rareLog;
        this.clock = clock;
    }

    /** Fails if the port cannot be had, or if the contract and the program differ. */
    @Override
    public Future<?> start() {
        Router router = Router.router(vertx);
        Contract contract = Contract.packed();
        LiveOrders streams = new LiveOrders(vertx, bus, orders, options.live());
        live = streams;
        contract.mount(router, handlers(contract, streams));
        answerFailures(router);
        HttpServer created = vertx.createHttpServer(serverOptions()).requestHandler(router);
        server = created;
        return created.listen().recover(failure -> Future.failedFuture(cannotListen(failure)));
    }

    /** Ends the live streams, which would not end by themselves, lets what is in flight end, then closes. */
    @Override
    public Future<?> stop() {
        if (live != null) {
            live.close();
        }
        return server == null ? Future.succeededFuture() : server.shutdown(SHUTDOWN_SECONDS_MAX, TimeUnit.SECONDS);
    }

    /**
     * The port that is listened on.
     *
     * @throws IllegalStateException before the start
     */
    public int actualPort() {
        if (server == null) {
            throw new IllegalStateException("not started");
        }
        return server.actualPort();
    }

    private Map<String, Handler<RoutingContext>> handlers(Contract contract, LiveOrders streams) {
        NotifyHandler notify = new NotifyHandler(psps, bus, counters, rareLog, clock, options);
        Endpoint endpoint = new Endpoint(merchants, clock);
        Idempotency idempotency = new Idempotency(bus);
        ResultLinks links = options.resultLinks();
        ReturnHandler returns = new ReturnHandler(psps, bus, links, clock, options.returnWait());
        Orders ordersApi = new Orders(bus, orders, idempotency, new OrderForm(options.orderTerms()), links);
        Wishes wishes = new Wishes(bus, orders, links);
        ResultPage page = new ResultPage(orders, links, clock);
        OrderEvents events = new OrderEvents(streams, orders, links);
        Answer document = Answer.of(200, "application/yaml", contract.text());
        return Map.ofEntries(
                Map.entry("receiveNotification", notify),
                Map.entry("probeNotificationAddress", notify::probe),
                Map.entry("headNotificationAddress", notify::probe),
                Map.entry("returnFromPsp", returns),
                Map.entry("returnFromPspPosted", returns),
                Map.entry("showResult", page),
                Map.entry("followResult", new PageEvents(streams, page)),
                Map.entry("putProduct", endpoint.of(new Products(bus)::put)),
                Map.entry("placeOrder", endpoint.of(ordersApi::place)),
                Map.entry("showOrder", endpoint.of(ordersApi::show)),
                Map.entry("followOrder", endpoint.streaming(events::stream)),
                Map.entry("refreshOrder", endpoint.withoutBody(ordersApi::refresh)),
                Map.entry("cancelOrder", endpoint.withoutBody(wishes::cancel)),
                Map.entry("refundOrder", endpoint.of(wishes::refund)),
                Map.entry("openAttempt", endpoint.of(new Attempts(bus, psps, idempotency)::open)),
                Map.entry("showContract", document::send));
    }

    private static void answerFailures(Router router) {
        router.errorHandler(404, context -> answerFailure(context, Problem.NOT_FOUND.answer("No such address.")));
        router.errorHandler(
                400, context -> answerFailure(context, Problem.BAD_REQUEST.answer("The address is not well-formed.")));
        router.errorHandler(500, context -> answerFailure(context, Endpoint.explain(context.failure())));
    }

    /** Where browsers come, people read the answer. */
    private static void answerFailure(RoutingContext context, Answer answer) {
        String path = context.request().path();
        if (path == null || !(path.startsWith("/pay/") || path.startsWith("/v1/return/"))) {
            answer.closing().send(context);
            return;
        }
        Language language = Language.preferred(context.request().headers().getAll("Accept-Language"));
        NoticePage page = answer.status() < 500 ? NoticePage.NOT_RECOGNISED : NoticePage.NOT_NOW;
        page.answer(answer.status(), language).closing().send(context);
    }

    /** Bodies are never inflated, because signatures are over the bytes as sent; answers are too small to compress. */
    private HttpServerOptions serverOptions() {
        return new HttpServerOptions()
                .setHost(options.host())
                .setPort(options.port())
                .setCompressionSupported(false)
                .setDecompressionSupported(false)
                .setHttp2ClearTextEnabled(false)
                .setPerFrameWebSocketCompressionSupported(false)
                .setPerMessageWebSocketCompressionSupported(false)
                .setAcceptBacklog(ACCEPT_BACKLOG)
                .setMaxHeaderSize(HEADERS_MAX_BYTES)
                .setIdleTimeout(Math.toIntExact(options.idleTimeout().toMillis()))
                .setIdleTimeoutUnit(TimeUnit.MILLISECONDS);
    }

    private IllegalStateException cannotListen(Throwable cause) {
        return new IllegalStateException(
                "cannot listen on " + options.host() + " port " + options.port() + " (" + cause.getMessage()
                        + "); choose another port with http.port in the configuration, or with"
                        + " QUITTANCE_HTTP_PORT in the environment",
                cause);
    }
}
