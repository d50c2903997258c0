package io.quittance.http;

import io.quittance.store.OrderView;
import io.vertx.core.Future;
import java.util.Optional;

/** A live stream as its reader wants it: which order, in which words. */
interface LiveView {

    /** The name of the stream's events. */
    String event();

    /** Reads the order for the first time; empty if this reader may see none. */
    Future<Optional<OrderView>> order();

    LiveState state(OrderView order);

    /** There is nothing to see. */
    Answer unknown();

    /** No stream now: there are too many. Says when to come again. */
    Answer full();

    /** The order could not be read. */
    Answer explain(Throwable failure);
}
