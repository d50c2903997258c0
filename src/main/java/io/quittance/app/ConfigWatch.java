package io.quittance.app;

import io.quittance.config.Config;
import io.quittance.config.InvalidConfig;
import io.quittance.psp.InvalidSettings;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the configuration again and again, with every file that it refers to, and hands it on when it has changed and
 * has been the same twice: so a file that is just being written is not taken for a finished one. What cannot be used is
 * told once and changes nothing. It looks at contents and not at file events, which mounted secrets do not give.
 */
final class ConfigWatch {

    private static final Logger LOG = LoggerFactory.getLogger(ConfigWatch.class);

    private final Vertx vertx;
    private final Supplier<Config> reader;
    private final Consumer<Config> changed;
    private final long pollMs;
    private Seen settled;
    private Seen last;
    private Future<Boolean> looking = Future.succeededFuture(true);
    private boolean closed;
    private long timer;

    /** @param current what is in use */
    ConfigWatch(Vertx vertx, Supplier<Config> reader, Config current, Consumer<Config> changed) {
        this.vertx = vertx;
        this.reader = reader;
        this.changed = changed;
        this.pollMs = current.ops().reloadPoll().toMillis();
        this.settled = new Seen(current, List.of());
        this.last = settled;
        lookLater();
    }

    /** Completes when a look that has begun has ended, which changes nothing any more. */
    synchronized Future<Void> close() {
        closed = true;
        vertx.cancelTimer(timer);
        return looking.otherwiseEmpty().mapEmpty();
    }

    private synchronized void lookLater() {
        if (!closed) {
            timer = vertx.setTimer(pollMs, id -> lookNow());
        }
    }

    private synchronized void lookNow() {
        if (closed) {
            return;
        }
        looking = vertx.executeBlocking(() -> {
            look(read());
            return true;
        });
        looking.onFailure(failure -> LOG.error("the configuration could not be looked at", failure))
                .onComplete(done -> lookLater());
    }

    private Seen read() {
        try {
            return new Seen(reader.get(), List.of());
        } catch (InvalidConfig invalid) {
            return new Seen(null, invalid.mistakes());
        }
    }

    private synchronized void look(Seen now) {
        boolean sameTwice = now.equals(last);
        last = now;
        if (closed || !sameTwice || now.equals(settled)) {
            return;
        }
        settled = now;
        Config config = now.config;
        if (config == null) {
            refuse(now.mistakes);
            return;
        }
        try {
            changed.accept(config);
        } catch (InvalidSettings invalid) {
            refuse(invalid.mistakes());
        }
    }

    private static void refuse(List<String> mistakes) {
        LOG.error("the changed configuration cannot be used, and the one before it stays: {}", mistakes);
    }

    /** What one look found: a configuration, or the mistakes in it. */
    private record Seen(@Nullable Config config, List<String> mistakes) {}
}
