package io.quittance.http;

import io.quittance.domain.LatePolicy;
import java.time.Duration;

/**
 * The settings of the public port.
 *
 * @param port to listen on; 0 for any free one
 * @param host the address to listen on
 * @param notifyBodyLimitBytes a notification with a longer body is refused before it is read whole
 * @param notificationsInFlightMax beyond this many at once, a PSP is told to send it again later
 * @param orderTimeMin the shortest time that an order may be given to be paid
 * @param latePolicyDefault for orders that do not say one
 */
public record HttpOptions(
        int port,
        String host,
        long notifyBodyLimitBytes,
        int notificationsInFlightMax,
        Duration orderTimeMin,
        LatePolicy latePolicyDefault) {

    public static final int PORT_DEFAULT = 8080;

    /** 1 MiB: Stripe's genuine events reach some hundred KiB; nobody's reach this. */
    public static final long NOTIFY_BODY_LIMIT_BYTES_DEFAULT = 1 << 20;

    /** Some thirty batches of the engine: a quarter of a second's work, well inside every PSP's time limit. */
    public static final int NOTIFICATIONS_IN_FLIGHT_MAX_DEFAULT = 4096;

    /** Below a minute no payer can finish, and PSPs do not take shorter times. */
    public static final Duration ORDER_TIME_MIN_DEFAULT = Duration.ofMinutes(1);

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
        if (orderTimeMin.isNegative() || orderTimeMin.isZero()) {
            throw new IllegalArgumentException("the shortest time of an order must be above zero");
        }
    }

    /** Everything at its default, on all addresses. */
    public static HttpOptions defaults() {
        return new HttpOptions(
                PORT_DEFAULT,
                "0.0.0.0",
                NOTIFY_BODY_LIMIT_BYTES_DEFAULT,
                NOTIFICATIONS_IN_FLIGHT_MAX_DEFAULT,
                ORDER_TIME_MIN_DEFAULT,
                LatePolicy.REFUND);
    }
}
