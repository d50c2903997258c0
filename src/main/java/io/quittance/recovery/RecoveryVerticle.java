package io.quittance.recovery;

import io.quittance.message.Addresses;
import io.quittance.message.Alarm;
import io.quittance.message.Bus;
import io.quittance.store.UnmatchedStore;
import io.quittance.store.UnmatchedStore.Matchable;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings notifications together with attempts that appeared after them, and puts those that found none before a person.
 * A fact that is submitted twice because this process died in between is recognised by the rules.
 */
public final class RecoveryVerticle extends VerticleBase {

    private static final Logger LOG = LoggerFactory.getLogger(RecoveryVerticle.class);

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
                .compose(found -> Future.join(found.stream().map(this::submit).toList())
                        .map(done -> done.<Boolean>list().contains(true))
                        .map(progress -> (found.size() == batchMax && progress) || reviewed == batchMax)));
    }

    /** Whether it is settled now. One that cannot be written is left for a later round and holds up no other. */
    private Future<Boolean> submit(Matchable matchable) {
        return bus.submit(matchable.fact())
                .compose(verdict -> store.matched(matchable))
                .map(true)
                .recover(failure -> {
                    LOG.warn("notification {} will be matched later: {}", matchable.callbackId(), failure.toString());
                    return Future.succeededFuture(false);
                });
    }
}
