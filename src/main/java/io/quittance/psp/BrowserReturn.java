package io.quittance.psp;

import io.vertx.core.buffer.Buffer;
import java.time.Instant;

/**
 * What a payer's browser brought back from the PSP. It proves nothing: payers see it, keep it and send it again.
 *
 * @param fields url-encoded, exactly as received: the query of a GET, the body of a POST
 * @param receivedAt when it came in, by the gateway's clock
 */
public record BrowserReturn(Buffer fields, Instant receivedAt) {

    /** Its fields may hold secrets of the payment. */
    @Override
    public String toString() {
        return "BrowserReturn[" + fields.length() + " bytes]";
    }
}
