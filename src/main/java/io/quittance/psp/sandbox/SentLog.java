package io.quittance.psp.sandbox;

import java.util.ArrayDeque;
import java.util.List;

/** The latest notifications that were posted. Written on the sandbox's thread, read from any. */
final class SentLog {

    /** More are forgotten, the oldest first: enough for a test's or a demonstration's run. */
    static final int SENT_MAX = 10_000;

    private final ArrayDeque<SentNotification> latest = new ArrayDeque<>();

    synchronized void add(SentNotification sent) {
        if (latest.size() == SENT_MAX) {
            latest.removeFirst();
        }
        latest.addLast(sent);
    }

    synchronized List<SentNotification> all() {
        return List.copyOf(latest);
    }
}
