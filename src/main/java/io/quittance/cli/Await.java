package io.quittance.cli;

import io.vertx.core.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The main thread, which may wait; nobody else does. */
final class Await {

    private Await() {}

    /** Waits at most so many seconds. */
    static <T> T of(Future<T> future, long secondsMax) throws TimeoutException {
        return future.await(secondsMax, TimeUnit.SECONDS);
    }
}
