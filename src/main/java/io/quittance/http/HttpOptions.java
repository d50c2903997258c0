package io.quittance.http;

import java.time.Duration;

/**
 * The settings of the public port.
 *
 * @param port to listen on; 0 for any free one
 * @param host the address to listen on
 * @param notifyBodyLimitBytes a notification with a longer body is refused before it is read whole
 * @param notificationsInFlightMax beyond this many at once, a PSP is told to send it again later
 * @param idleTimeout a connection on which nothing came or went for so long is closed
 * @param orderTerms what merchants may ask for
 * @param returnWait how long a payer's browser waits for the PSP's answer before it is sent to the result page
 * @param resultLinks the links to result pages
 * @param live the live streams
 */
public record HttpOptions(
        int port,
        String host,
        long notifyBodyLimitBytes,
        int notificationsInFlightMax,
        Duration idleTimeout,
        OrderTerms orderTerms,
        Duration returnWait,
        ResultLinks resultLinks,
        LiveOptions live) {

    public HttpOptions {
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("http.port must be 0 to 65535, was " + port);
        }
        if (notifyBodyLimitBytes < 1 || notifyBodyLimitBytes > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("the body limit must be 1 byte to 2 GiB, was " + notifyBodyLimitBytes);
        }
        if (notificationsInFlightMax < 1) {
            throw new IllegalArgumentException("at least one notification must be allowed in flight");
        }
    }
}
