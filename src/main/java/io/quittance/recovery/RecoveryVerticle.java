package io.quittance.recovery;

import io.quittance.message.Addresses;
import io.quittance.message.Alarm;
import io.quittance.message.Bus;
import io.quittance.store.UnmatchedStore;
import io.quittance.store.UnmatchedStore.Matchable;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Brings notifications together with attempts that appeared after them, and puts those that found none before a person.
 * A fact that is submitted twice because this process died in between is recognised by the rules.
 */
public final class RecoveryVerticle extends VerticleBase {

    private final Bus bus;
    private final UnmatchedStore store;
    private final int batchMax;
    private final long pauseMaxMs;
    private @Nullable Alarm alarm;

    /**
     * Deployed once for each process.
     *
     * @param batchMax notifications taken up at once
     * @param pauseMaxMs how often it looks without being told, in milliseconds
     */
    public RecoveryVerticle(Bus bus, UnmatchedStore store, int batchMax, long pauseMaxMs) {
        this.bus = bus;
        this.store = store;
        this.batchMax = batchMax;
        this.pauseMaxMs = pauseMaxMs;
    }

    @Override
    public Future<?> start() {
        Alarm created = new Alarm(
                vertx, "recovery", pauseMaxMs, this::round, () -> Future.succeededFuture(OptionalLong.empty()));
        alarm = created;
        created.nudge();
        return bus.hear(Addresses.MATCH_DUE, order -> created.nudge()).completion();
    }

    @Override
    public Future<?> stop() {
        return alarm == null ? Future.succeededFuture() : alarm.stop();
    }

    private Future<Boolean> round() {
        return store.review(batchMax).compose(reviewed -> store.matchable(batchMax)
                .compose(found -> submit(found, 0).map(done -> found.size() == batchMax || reviewed == batchMax)));
    }

    private Future<Void> submit(List<Matchable> found, int next) {
        if (next >= found.size()) {
            return Future.succeededFuture();
        }
        Matchable matchable = found.get(next);
        return bus.submit(matchable.fact())
                .compose(verdict -> store.matched(matchable))
                .compose(done -> submit(found, next + 1));
    }
}
