package io.quittance.loadtest.sender;

import io.quittance.loadtest.sender.News.Kind;
import java.time.Instant;

/** A PSP's side of its notifications: it writes them, signs them and reads the answer. Usable from any thread. */
public interface Sender {

    /** Its name in the gateway's configuration. */
    String psp();

    /** Writes and signs one; {@code now} is when it is sent. */
    Notification sign(News news, Instant now);

    /** Whether it tells such a thing at all. */
    default boolean tells(Kind kind) {
        return true;
    }

    /** Whether this answer ends its retries. */
    default boolean isAcknowledged(int status, String body) {
        return status >= 200 && status < 300;
    }
}
