package io.quittance.endtoend;

import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/** A PSP's notification as it goes over the wire, signature and all. */
record Notification(String path, MultiMap headers, Buffer body) {

    /** What belongs to the connection it came by. */
    private static final Set<String> OF_THE_CONNECTION =
            Set.of("host", "content-length", "connection", "transfer-encoding");

    static Notification of(HttpServerRequest request, Buffer body) {
        MultiMap headers = MultiMap.caseInsensitiveMultiMap().addAll(request.headers());
        OF_THE_CONNECTION.forEach(headers::remove);
        return new Notification(request.path(), headers, body);
    }

    String psp() {
        return path.split("/", -1)[3];
    }

    /** The PSP's id of the event, the same over all repetitions. */
    String eventId() {
        if (!psp().equals("alipay")) {
            return new JsonObject(body).getString("id");
        }
        for (String field : body.toString().split("&", -1)) {
            if (field.startsWith("notify_id=")) {
                return URLDecoder.decode(field.substring("notify_id=".length()), StandardCharsets.UTF_8);
            }
        }
        throw new IllegalStateException("no notify_id in the notification");
    }

    Notification withPath(String other) {
        return new Notification(other, headers, body);
    }

    Notification withBody(Buffer other) {
        return new Notification(path, headers, other);
    }

    Notification withHeader(String name, String value) {
        return new Notification(
                path, MultiMap.caseInsensitiveMultiMap().addAll(headers).set(name, value), body);
    }

    Notification withRepeatedHeader(String name) {
        return new Notification(
                path, MultiMap.caseInsensitiveMultiMap().addAll(headers).add(name, headers.get(name)), body);
    }

    Notification withoutHeader(String name) {
        return new Notification(
                path, MultiMap.caseInsensitiveMultiMap().addAll(headers).remove(name), body);
    }
}
