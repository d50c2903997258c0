package io.quittance.psp.sandbox;

import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;

/**
 * A request to one of the PSPs.
 *
 * @param uri path and query as they stood in the request line, prefix included
 * @param path without the PSP's prefix, for example {@code /v1/refunds}
 * @param query without the question mark; empty if there is none
 */
record Call(HttpMethod method, String uri, String path, String query, MultiMap headers, Buffer body) {

    /** A header's value; empty if it is absent. */
    String header(String name) {
        String value = headers.get(name);
        return value == null ? "" : value;
    }

    boolean isPost() {
        return method.equals(HttpMethod.POST);
    }

    boolean isGet() {
        return method.equals(HttpMethod.GET);
    }
}
