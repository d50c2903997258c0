package io.quittance.loadtest.gatling;

import static io.gatling.javaapi.core.CoreDsl.StringBody;
import static io.gatling.javaapi.core.CoreDsl.bodyString;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.responseTimeInMillis;
import static io.gatling.javaapi.http.HttpDsl.header;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

import io.gatling.http.client.Request;
import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.Session;
import io.gatling.javaapi.http.HttpProtocolBuilder;
import io.gatling.javaapi.http.HttpRequestActionBuilder;
import io.quittance.loadtest.sender.News.Kind;
import io.quittance.loadtest.sender.Notification;
import io.quittance.loadtest.sender.Sender;
import io.vertx.core.json.JsonObject;
import java.util.function.Function;

/** The requests that scripts are made of. Each is counted for the verdict besides what Gatling notes of it. */
final class Steps {

    static final String SHOT = "shot";
    static final String ORDER_NO = "order_no";
    static final String ORDER_STATUS = "order_status";
    static final String TRIES = "tries";

    private static final String NUMBER = "number";
    private static final String NOTIFICATION = "notification";
    private static final String SENT = "sent";
    private static final String STATUS = "status";
    private static final String MILLIS = "millis";
    private static final String LATER = "later";
    private static final String BODY = "body";

    private static final int SERVICE_UNAVAILABLE = 503;

    private final Run run;
    private final Tally tally;

    Steps(Run run) {
        this.run = run;
        this.tally = run.tally();
    }

    /** Virtual users share connections, as a PSP's notifications do. */
    HttpProtocolBuilder protocol() {
        return http.baseUrl(run.site().url())
                .disableWarmUp()
                .disableFollowRedirect()
                .disableCaching()
                .shareConnections()
                .userAgentHeader("quittance-loadtest");
    }

    /** Signs the session's shot, now, and sends it. */
    ChainBuilder notification() {
        return exec(session -> cleared(session).set(NOTIFICATION, shot(session).signed()))
                .exec(counted(http(session -> "notify " + psp(session))
                        .post(session -> run.site().notifyPath(shot(session).sender()))
                        .body(StringBody(session -> notification(session).body()))
                        .sign(Steps::withHeaders)))
                .exec(this::notified);
    }

    private static Request withHeaders(Request request, Session session) {
        notification(session).headers().forEach(request.getHeaders()::set);
        return request;
    }

    private Session notified(Session session) {
        Figures figures = tally.of(Tally.NOTIFICATIONS);
        if (session.contains(STATUS) && shot(session).sender().isAcknowledged(session.getInt(STATUS), body(session))) {
            figures.succeeded(session.getLong(SENT), session.getInt(MILLIS));
            tally.acknowledged(shot(session), notification(session));
        } else {
            notSucceeded(figures, session, psp(session));
        }
        return session.set(TRIES, session.contains(TRIES) ? session.getInt(TRIES) + 1 : 1);
    }

    /** Whether the gateway asked to have it again. */
    static boolean isPostponed(Session session) {
        return session.contains(STATUS) && session.getInt(STATUS) == SERVICE_UNAVAILABLE;
    }

    /** Places an order with a number of its own. */
    ChainBuilder order(Function<Session, JsonObject> terms) {
        return exec(session -> {
                    int number = run.nextNumber();
                    return session.set(NUMBER, number).set(ORDER_NO, run.prefix() + number);
                })
                .exec(merchant(
                        "place order",
                        http("place order")
                                .post("/v1/orders")
                                .header("Idempotency-Key", session -> session.getString(ORDER_NO))
                                .body(StringBody(session -> Merchant.order(
                                                session.getString(ORDER_NO), session.getInt(NUMBER), "PT30M")
                                        .mergeIn(terms.apply(session))
                                        .encode()))
                                .header("Content-Type", "application/json")));
    }

    /** Opens an attempt; the session has its success as its shot afterwards. */
    ChainBuilder attempt() {
        return merchant(
                        "open attempt",
                        http("open attempt")
                                .post(session -> orderPath(session) + "/attempts")
                                .body(StringBody(session -> Merchant.attempt(
                                                sender(session), run.site().account())
                                        .encode()))
                                .header("Content-Type", "application/json"))
                .exitHereIfFailed()
                .exec(session -> session.set(
                        SHOT,
                        Placed.of(session.getString(ORDER_NO), sender(session), new JsonObject(body(session)))
                                .tells(Kind.SUCCEEDED)));
    }

    /** @param kind under which it is counted, and shown in the report */
    ChainBuilder read(String kind) {
        return merchant(kind, http(kind).get(this::orderPath))
                .exec(session -> session.set(
                        ORDER_STATUS,
                        session.isFailed() ? "not readable" : new JsonObject(body(session)).getString("status")));
    }

    /** Reads an order, and nobody keeps anything of it. */
    ChainBuilder readUncounted() {
        return exec(authorised(http("warm-up").get(this::orderPath)).silent());
    }

    /** The body of the last answer. */
    static String body(Session session) {
        return session.contains(BODY) ? session.getString(BODY) : "";
    }

    private ChainBuilder merchant(String kind, HttpRequestActionBuilder request) {
        return exec(Steps::cleared).exec(counted(authorised(request))).exec(session -> {
            Figures figures = tally.of(kind);
            if (session.isFailed()) {
                notSucceeded(figures, session, kind);
            } else {
                figures.succeeded(session.getLong(SENT), session.getInt(MILLIS));
            }
            return session;
        });
    }

    private HttpRequestActionBuilder authorised(HttpRequestActionBuilder request) {
        return request.header("Authorization", "Bearer " + run.site().merchantKey());
    }

    private String orderPath(Session session) {
        return "/v1/orders/" + session.getString(ORDER_NO);
    }

    private static Session cleared(Session session) {
        return session.removeAll(STATUS, MILLIS, LATER, BODY).markAsSucceeded().set(SENT, System.nanoTime());
    }

    private static HttpRequestActionBuilder counted(HttpRequestActionBuilder request) {
        return request.check(
                status().saveAs(STATUS),
                responseTimeInMillis().saveAs(MILLIS),
                header("Retry-After").optional().saveAs(LATER),
                bodyString().saveAs(BODY),
                status().in(200, 201, 202, 204));
    }

    private static void notSucceeded(Figures figures, Session session, String what) {
        if (isPostponed(session) && session.contains(LATER)) {
            figures.later();
        } else {
            figures.failed(
                    what + ": " + (session.contains(STATUS) ? "answered with " + session.getInt(STATUS) : "no answer"));
        }
    }

    private Sender sender(Session session) {
        return run.sender(session.getInt(NUMBER));
    }

    private static String psp(Session session) {
        return shot(session).sender().psp();
    }

    private static Shot shot(Session session) {
        return session.get(SHOT);
    }

    private static Notification notification(Session session) {
        return session.get(NOTIFICATION);
    }
}
