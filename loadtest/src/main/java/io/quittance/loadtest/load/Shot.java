package io.quittance.loadtest.load;

import io.vertx.core.buffer.Buffer;

/** One request as the load generator sends it. */
public interface Shot {

    /** HTTP/1.1, from its first line to the end of its body. */
    Buffer request();

    /** Nothing but the request. */
    static Shot of(Buffer request) {
        return () -> request;
    }
}
