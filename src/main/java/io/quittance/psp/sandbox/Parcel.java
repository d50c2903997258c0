package io.quittance.psp.sandbox;

import io.quittance.psp.sandbox.Tally.Counted;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A notification on its way: what is left of its plan. Only the delivery touches it. */
final class Parcel {

    /** What it really is. */
    enum Nature {
        GENUINE,
        /** A second or third one, which is not retried on its own. */
        COPY,
        FORGED,
        TAMPERED
    }

    private static final FaultPlan PLAIN = FaultPlan.of(Faults.none(), 0);

    final Notice notice;
    final Nature nature;
    final FaultPlan plan;
    int retries;

    /** One that was held back and goes when this one has been answered for the first time. */
    @Nullable Parcel follower;

    private int copiesLeft;

    private Parcel(Notice notice, Nature nature, FaultPlan plan, int copiesLeft) {
        this.notice = notice;
        this.nature = nature;
        this.plan = plan;
        this.copiesLeft = copiesLeft;
    }

    static Parcel genuine(Notice notice, FaultPlan plan) {
        return new Parcel(notice, Nature.GENUINE, plan, plan.atOnce() ? 0 : plan.copies() - 1);
    }

    static Parcel forged(Notice forgery) {
        return new Parcel(forgery, Nature.FORGED, PLAIN, 0);
    }

    static Parcel tampered(Notice notice) {
        return new Parcel(notice, Nature.TAMPERED, PLAIN, 0);
    }

    Parcel copy() {
        return new Parcel(notice, Nature.COPY, PLAIN, 0);
    }

    /** The next of the copies that go one after the other. */
    Optional<Parcel> nextCopy() {
        if (copiesLeft == 0) {
            return Optional.empty();
        }
        Parcel copy = new Parcel(notice, Nature.COPY, PLAIN, copiesLeft - 1);
        copiesLeft = 0;
        return Optional.of(copy);
    }

    @Nullable Parcel takeFollower() {
        Parcel taken = follower;
        follower = null;
        return taken;
    }

    long nextRetryWaitMillis(Duration first) {
        long doubled = first.toMillis() << Math.min(retries, 20);
        return Math.min(doubled, Delivery.RETRY_WAIT_MAX.toMillis());
    }

    SentNotification shown(int status) {
        boolean genuine = nature == Nature.GENUINE || nature == Nature.COPY;
        return new SentNotification(notice.eventId(), notice.psp(), notice.attemptId(), notice.kind(), genuine, status);
    }

    void countDeparture(Tally tally) {
        switch (nature) {
            case GENUINE -> {
                tally.count(Counted.SENT);
                if (retries > 0) {
                    tally.count(Counted.RETRIED);
                }
            }
            case COPY -> {
                tally.count(Counted.SENT);
                tally.count(Counted.DUPLICATE);
            }
            case FORGED -> tally.count(Counted.FORGED);
            case TAMPERED -> tally.count(Counted.TAMPERED);
        }
    }

    void countArrival(Tally tally, boolean acknowledged, int status) {
        boolean genuine = nature == Nature.GENUINE || nature == Nature.COPY;
        if (genuine && acknowledged) {
            tally.count(Counted.ACKNOWLEDGED);
        }
        if (!genuine && acknowledged) {
            tally.count(Counted.ACCEPTED_FORGERY);
        }
        if (!genuine && status >= 400 && status < 500) {
            tally.count(Counted.REFUSED_FORGERY);
        }
    }
}
