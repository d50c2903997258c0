package io.quittance.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Map;

/**
 * An authenticated request of a merchant's server.
 *
 * @param target method and path, as one of the things that an Idempotency-Key stands for
 * @param parameters of the path, decoded
 * @param idempotencyKeys all values of that header
 * @param raw the body's bytes; empty if the operation takes none
 * @param body the same, parsed: an object; missing if the operation takes none
 */
record Call(
        String merchantId,
        String target,
        Map<String, String> parameters,
        List<String> idempotencyKeys,
        Buffer raw,
        JsonNode body) {

    /** A parameter that the contract puts into the path. */
    String parameter(String name) {
        String value = parameters.get(name);
        if (value == null) {
            throw new IllegalStateException("the contract's path has no parameter " + name);
        }
        return value;
    }

    /** The body's members, to be read one by one. */
    Members members() {
        return new Members(body);
    }
}
