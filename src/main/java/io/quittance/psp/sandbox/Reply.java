package io.quittance.psp.sandbox;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.Map;

/** The answer to a {@link Call}. */
record Reply(int status, Map<String, String> headers, Buffer body) {

    static Reply json(int status, JsonObject body) {
        return new Reply(status, Map.of("Content-Type", "application/json"), body.toBuffer());
    }

    static Reply text(int status, String contentType, String body) {
        return new Reply(status, Map.of("Content-Type", contentType), Buffer.buffer(body));
    }

    static Reply empty(int status) {
        return new Reply(status, Map.of(), Buffer.buffer());
    }

    Reply with(Map<String, String> further) {
        Map<String, String> all = new LinkedHashMap<>(headers);
        all.putAll(further);
        return new Reply(status, all, body);
    }
}
