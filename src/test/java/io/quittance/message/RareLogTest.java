package io.quittance.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.quittance.testing.SetClock;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class RareLogTest {

    private static final Instant START = Instant.parse("2026-03-01T12:00:00Z");

    private final SetClock clock = new SetClock(START);
    private final RareLog log = new RareLog(clock);

    @Test
    void one_line_of_a_kind_is_admitted_in_a_pause_and_the_next_tells_how_many_were_not() {
        assertThat(log.admit("forged")).hasValue(0);
        for (int i = 0; i < 5; i++) {
            assertThat(log.admit("forged")).isEmpty();
        }
        clock.set(START.plus(RareLog.PAUSE).minusMillis(1));
        assertThat(log.admit("forged")).isEmpty();
        clock.set(START.plus(RareLog.PAUSE));
        assertThat(log.admit("forged")).hasValue(6);
        assertThat(log.admit("forged")).isEmpty();
    }

    @Test
    void kinds_do_not_silence_each_other() {
        assertThat(log.admit("forged")).hasValue(0);
        assertThat(log.admit("stale")).hasValue(0);
    }
}
