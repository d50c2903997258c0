package io.quittance.testing;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A clock that stands until it is set. */
public final class SetClock extends Clock {

    private volatile Instant now;

    public SetClock(Instant now) {
        this.now = now;
    }

    public void set(Instant then) {
        now = then;
    }

    @Override
    public Instant instant() {
        return now;
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        return this;
    }
}
