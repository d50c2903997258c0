package io.quittance.http;

import io.quittance.psp.PspAnswer;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * An HTTP answer as a value.
 *
 * @param contentType empty if there is no body
 * @param close whether the connection ends with it
 */
record Answer(int status, String contentType, Buffer body, Map<String, String> headers, boolean close) {

    static final String JSON = "application/json";
    static final String PROBLEM_JSON = "application/problem+json";

    /** Written as PSPs document it, though no reader may mind; Vert.x's own constant is in lower case. */
    private static final CharSequence CONTENT_TYPE = HttpHeaders.createOptimized("Content-Type");

    /** How long what is still coming in is thrown away, so that the peer can read the answer, in milliseconds. */
    private static final long LINGER_MS = 1_000;

    static Answer of(int status, String contentType, Buffer body) {
        return new Answer(status, contentType, body, Map.of(), false);
    }

    static Answer json(int status, JsonObject body) {
        return of(status, JSON, body.toBuffer());
    }

    static Answer of(PspAnswer answer) {
        return of(answer.status(), answer.contentType(), answer.body());
    }

    Answer with(String header, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(header, value);
        return new Answer(status, contentType, body, Map.copyOf(more), close);
    }

    Answer retryAfter(long seconds) {
        return with("Retry-After", Long.toString(seconds));
    }

    /** The same answer, after which the connection ends: for requests whose body is not read to its end. */
    Answer closing() {
        return new Answer(status, contentType, body, headers, true).with("Connection", "close");
    }

    /** Sends it, unless the peer is gone. */
    void send(RoutingContext context) {
        HttpServerResponse response = context.response();
        if (response.closed() || response.ended()) {
            return;
        }
        response.setStatusCode(status);
        headers.forEach(response::putHeader);
        if (!contentType.isEmpty()) {
            response.putHeader(CONTENT_TYPE, contentType);
        }
        var sent = body.length() == 0 ? response.end() : response.end(body);
        if (close) {
            sent.onComplete(done -> linger(context));
        }
    }

    /** A connection that is closed while data is under way is reset, and the peer may never see the answer. */
    private static void linger(RoutingContext context) {
        HttpServerRequest request = context.request();
        if (request.isEnded()) {
            request.connection().close();
            return;
        }
        request.handler(discarded -> {});
        request.endHandler(end -> request.connection().close());
        request.exceptionHandler(gone -> {});
        context.vertx().setTimer(LINGER_MS, timer -> request.connection().close());
    }
}
