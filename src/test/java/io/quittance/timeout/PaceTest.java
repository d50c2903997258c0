package io.quittance.timeout;

import static org.assertj.core.api.Assertions.assertThat;

import io.quittance.message.Unavailable;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** How often an account is asked, by a clock that the test turns. */
class PaceTest {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    private final Hours hours = new Hours();

    /** A clock and what is to be done at its hours. It begins where System.nanoTime may: below zero, near an overflow. */
    private static final class Hours {
        private record Step(long at, long no, Runnable run) {}

        private final PriorityQueue<Step> steps =
                new PriorityQueue<>(Comparator.comparingLong(Step::at).thenComparingLong(Step::no));
        private long passed;
        private long steady;

        long nanoTime() {
            return Long.MAX_VALUE - SECOND + passed;
        }

        void later(long afterMs, Runnable run) {
            steps.add(new Step(passed + afterMs * MILLI, steady++, run));
        }

        /** Everything that is to be done until then is done, each at its time. */
        void turnTo(long nanos) {
            while (!steps.isEmpty() && steps.peek().at() <= nanos) {
                Step next = steps.poll();
                passed = Math.max(passed, next.at());
                next.run().run();
            }
            passed = Math.max(passed, nanos);
        }

        /** The machine stands still: what was to be done meanwhile is done late, and at once. */
        void stall(long nanos) {
            passed += nanos;
        }
    }

    @Test
    void no_second_ever_has_more_calls_than_the_rate_whatever_comes_and_however_late_the_machine_is() {
        long seed = Long.getLong("seed", System.nanoTime());
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 200; round++) {
            Hours clock = new Hours();
            int rate = 1 + random.nextInt(300);
            Pace pace = new Pace(rate, clock::nanoTime, clock::later);
            List<Long> calls = new ArrayList<>();
            int asked = 0;
            for (int i = 0; i < 60; i++) {
                int burst = random.nextInt(4) == 0 ? random.nextInt(2 * rate) : random.nextInt(3);
                for (int k = 0; k < burst; k++, asked++) {
                    Future<Void> turn = random.nextBoolean() ? pace.turn() : pace.nextTurn();
                    turn.onSuccess(now -> calls.add(clock.passed));
                }
                if (random.nextInt(5) == 0) {
                    clock.stall(random.nextLong(2 * SECOND));
                }
                clock.turnTo(clock.passed + random.nextLong(SECOND / 4));
            }
            clock.turnTo(clock.passed + 200 * SECOND + asked * SECOND / rate * 2);

            assertThat(calls).as("seed %d: all had their turn", seed).hasSize(asked);
            for (int i = rate; i < calls.size(); i++) {
                assertThat(calls.get(i) - calls.get(i - rate))
                        .as("seed %d: from call %d to call %d at a rate of %d", seed, i - rate, i, rate)
                        .isGreaterThanOrEqualTo(SECOND);
            }
        }
    }

    @Test
    void calls_go_at_even_distances_and_those_that_waited_at_the_whole_rate() {
        Pace pace = new Pace(50, hours::nanoTime, hours::later);
        List<Long> calls = new ArrayList<>();
        for (int i = 0; i < 101; i++) {
            pace.turn().onSuccess(now -> calls.add(hours.passed));
        }

        hours.turnTo(2 * SECOND);

        assertThat(calls).hasSize(101).element(100).isEqualTo(2 * SECOND);
    }

    @Test
    void what_began_goes_on_before_those_who_wait() {
        Pace pace = new Pace(10, hours::nanoTime, hours::later);
        List<String> went = new ArrayList<>();
        pace.turn().onSuccess(now -> {
            went.add("query 1");
            pace.nextTurn().onSuccess(then -> went.add("close 1"));
        });
        pace.turn().onSuccess(now -> went.add("query 2"));

        hours.turnTo(SECOND);

        assertThat(went).containsExactly("query 1", "close 1", "query 2");
    }

    @Test
    void nobody_waits_for_a_turn_that_will_not_come() {
        Pace pace = new Pace(1, hours::nanoTime, hours::later);
        Future<Void> first = pace.turn();
        Future<Void> second = pace.turn();

        pace.close();

        assertThat(first.succeeded()).isTrue();
        assertThat(second.cause()).isInstanceOf(Unavailable.class);
        assertThat(pace.turn().cause()).isInstanceOf(Unavailable.class);
        hours.turnTo(10 * SECOND);
    }

    @Test
    void an_account_takes_in_what_it_can_ask_about_soon_and_puts_off_the_rest_one_behind_the_other() {
        Account account = new Account(new Pace(10, hours::nanoTime, hours::later), hours::nanoTime);

        assertThat(account.takeIn(3, 60_000)).isTrue();
        assertThat(account.takeIn(3, 60_000)).isTrue();
        assertThat(account.takeIn(3, 60_000)).isTrue();
        assertThat(account.takeIn(3, 60_000)).as("a fourth of three").isFalse();

        assertThat(List.of(account.putOffMs(), account.putOffMs(), account.putOffMs()))
                .containsExactly(400L, 500L, 600L);
        hours.turnTo(SECOND / 2);
        assertThat(account.putOffMs()).as("behind the one that comes in 100 ms").isEqualTo(400L);
        account.letGo();
        assertThat(account.takeIn(3, 60_000)).isTrue();
    }

    @Test
    void a_slow_account_takes_in_no_more_than_come_to_their_turn_in_time() {
        Account account = new Account(new Pace(1, hours::nanoTime, hours::later), hours::nanoTime);

        assertThat(List.of(account.takeIn(100, 2_000), account.takeIn(100, 2_000), account.takeIn(100, 2_000)))
                .containsOnly(true);
        assertThat(account.takeIn(100, 2_000)).as("one that would wait for 3 s").isFalse();
    }
}
