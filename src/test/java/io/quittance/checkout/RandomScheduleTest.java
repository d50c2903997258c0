package io.quittance.checkout;

import static org.assertj.core.api.Assertions.assertThat;

import io.quittance.testing.Bench;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/**
 * The promises under random schedules: eight workers do what the seed says to orders in two processes, with a PSP that
 * answers badly; then all is left to settle, and is looked through. The seed gives the actions; how they interleave is the
 * machine's.
 *
 * <p>A failure names its seed, and {@code -Dseed=N} repeats its actions. {@code -Dexplore=everything} takes some minutes;
 * {@code -Druns=N} with it says how many schedules are played.
 */
class RandomScheduleTest {

    private static final boolean LONG = "everything".equals(System.getProperty("explore"));
    private static final int RUNS = LONG ? Integer.getInteger("runs", 60) : 2;
    private static final int ORDERS = LONG ? 120 : 60;

    private final long firstSeed = Long.getLong("seed", System.nanoTime());

    @Test
    void whatever_happens_in_whatever_order_every_promise_is_kept() throws SQLException {
        for (int run = 0; run < RUNS; run++) {
            long seed = firstSeed + run;
            try (Bench bench = Bench.withShards(2)) {
                ScheduledRun scheduled = new ScheduledRun(bench, seed, RandomSchedule.of(seed, ORDERS));
                scheduled.play();
                scheduled.settle();
                scheduled.prove();
            } catch (AssertionError | RuntimeException failure) {
                throw new AssertionError("seed " + seed + "; -Dseed=" + seed + " repeats what was done", failure);
            }
        }
    }

    @Test
    void a_seed_gives_the_same_schedule_again() {
        RandomSchedule schedule = RandomSchedule.of(firstSeed, ORDERS);

        assertThat(RandomSchedule.of(firstSeed, ORDERS)).isEqualTo(schedule);
        assertThat(schedule.actions())
                .extracting(RandomSchedule.Action::kind)
                .as("seed %d: everything happens", firstSeed)
                .contains(RandomSchedule.Kind.values());
    }
}
