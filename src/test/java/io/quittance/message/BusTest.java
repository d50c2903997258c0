package io.quittance.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.quittance.message.Bus.Served;
import io.quittance.testing.Logs;
import io.quittance.testing.SetClock;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BusTest {

    private static final String SOMEWHERE = "somewhere";

    private final Logs logs = new Logs(Bus.class.getName());
    private final Vertx vertx = Vertx.vertx();
    private final SetClock clock = new SetClock(Instant.EPOCH);
    private final Bus bus = new Bus(vertx, 1, clock);
    private final Context context = vertx.getOrCreateContext();
    private final BlockingQueue<UUID> heard = new LinkedBlockingQueue<>();
    private final UUID order = UUID.randomUUID();
    private final UUID other = UUID.randomUUID();

    @AfterEach
    void close() throws Exception {
        logs.close();
        vertx.close().await(20, TimeUnit.SECONDS);
    }

    @Test
    void who_watches_an_order_hears_of_it_and_of_no_other() throws Exception {
        watch(order);

        bus.changed(other);
        bus.changed(order);

        assertThat(heard.poll(20, TimeUnit.SECONDS)).isEqualTo(order);
        assertThat(heard).isEmpty();
    }

    @Test
    void what_nobody_watches_is_not_sent() throws Exception {
        // listens at the order's address without having said so, and would hear whatever is sent there
        vertx.eventBus().localConsumer(Addresses.changed(order), message -> heard.add(order));
        watch(other);

        bus.changed(order);
        bus.changed(other);

        assertThat(heard.poll(20, TimeUnit.SECONDS)).isEqualTo(other);
        assertThat(heard).isEmpty();
    }

    @Test
    void of_two_who_watch_one_order_each_hears_until_he_stops() throws Exception {
        Bus.Watch first = watch(order);
        Bus.Watch second = watch(order);
        bus.changed(order);
        assertThat(heard.poll(20, TimeUnit.SECONDS)).isEqualTo(order);
        assertThat(heard.poll(20, TimeUnit.SECONDS)).isEqualTo(order);

        stop(first);
        bus.changed(order);
        assertThat(heard.poll(20, TimeUnit.SECONDS)).isEqualTo(order);

        stop(second);
        watch(other);
        bus.changed(order);
        bus.changed(other);
        assertThat(heard.poll(20, TimeUnit.SECONDS)).isEqualTo(other);
        assertThat(heard).isEmpty();
    }

    /** The bus hands over messages of failures only: what a store that refuses says is seen here or nowhere. */
    @Test
    void the_cause_of_what_may_be_tried_again_is_logged_once_in_a_while_and_is_not_told_to_the_asker() {
        bus.serve(SOMEWHERE, request -> Future.failedFuture(new Unavailable("not now", new IOException("disk full"))));

        Unavailable first = assertThrows(Unavailable.class, this::ask);
        assertThrows(Unavailable.class, this::ask);

        assertThat(first).hasMessage("not now");
        assertThat(logs.lines()).containsExactly("WARN somewhere: not now: java.io.IOException: disk full");
    }

    @Test
    void what_has_no_cause_but_itself_is_not_logged() {
        bus.serve(SOMEWHERE, request -> Future.failedFuture(new Unavailable("too many are waiting")));

        assertThrows(Unavailable.class, this::ask);

        assertThat(logs.lines()).isEmpty();
    }

    @Test
    void a_fault_of_our_own_is_logged_with_its_stack_and_is_nothing_to_try_again() {
        bus.serve(SOMEWHERE, request -> {
            throw new IllegalStateException("never thought of");
        });

        assertThrows(Broken.class, this::ask);

        assertThat(logs.lines()).containsExactly("ERROR somewhere: a request could not be handled");
        assertThat(logs.withStackTrace().get(0).getThrowableProxy().getMessage())
                .isEqualTo("never thought of");
    }

    @Test
    void what_nobody_serves_may_be_tried_again() {
        assertThat(assertThrows(Unavailable.class, this::ask)).hasMessage("nobody answers at somewhere");
    }

    @Test
    void the_answer_comes_on_the_context_of_the_asker() throws Exception {
        bus.serve(SOMEWHERE, request -> Future.succeededFuture("here"));
        LinkedBlockingQueue<Boolean> onContext = new LinkedBlockingQueue<>();

        context.runOnContext(
                now -> bus.ask(new Question()).onComplete(done -> onContext.add(Vertx.currentContext() == context)));

        assertThat(onContext.poll(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void what_is_not_answered_within_a_minute_may_be_tried_again_and_an_answer_after_that_is_dropped()
            throws Exception {
        Promise<String> late = Promise.promise();
        bus.<Question, String>serve(SOMEWHERE, request -> late.future());
        Future<String> asked = bus.ask(new Question());

        clock.set(Instant.EPOCH.plus(Duration.ofDays(1)));
        for (int i = 0; i < Bus.LOOKS_MAX; i++) {
            bus.giveUpWhatIsLate();
        }
        assertThat(asked.isComplete()).isFalse();
        bus.giveUpWhatIsLate();

        Unavailable gone = assertThrows(Unavailable.class, () -> asked.await(20, TimeUnit.SECONDS));
        assertThat(gone).hasMessage("no answer within 60000 ms from somewhere");
        late.complete("too late");
        assertThat(asked.failed()).isTrue();
    }

    /** All on one thread: what is asked there cannot arrive before the task that asks it has ended. */
    @Test
    void what_is_on_its_way_when_its_server_closes_may_be_tried_again_and_is_never_begun() throws Exception {
        AtomicInteger begun = new AtomicInteger();
        BlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();
        context.runOnContext(now -> {
            Served served = bus.<Question, String>serve(SOMEWHERE, request -> {
                begun.incrementAndGet();
                return Future.succeededFuture("here");
            });
            bus.ask(new Question()).onFailure(failures::add);
            bus.ask(new Question()).onFailure(failures::add);
            served.close();
        });

        for (int i = 0; i < 2; i++) {
            assertThat(failures.poll(20, TimeUnit.SECONDS))
                    .isInstanceOf(Unavailable.class)
                    .hasMessage("nobody answers at somewhere any more");
        }
        assertThrows(Unavailable.class, this::ask);
        assertThat(begun).hasValue(0);
    }

    @Test
    void what_was_begun_is_answered_after_its_server_closed() throws Exception {
        Promise<String> answer = Promise.promise();
        Promise<Void> begun = Promise.promise();
        Served served = bus.<Question, String>serve(SOMEWHERE, request -> {
            begun.complete();
            return answer.future();
        });
        Future<String> asked = bus.ask(new Question());
        begun.future().await(20, TimeUnit.SECONDS);

        served.close().await(20, TimeUnit.SECONDS);
        answer.complete("here");

        assertThat(asked.await(20, TimeUnit.SECONDS)).isEqualTo("here");
    }

    private String ask() throws Exception {
        return bus.ask(new Question()).await(20, TimeUnit.SECONDS);
    }

    private record Question() implements Request<String> {

        @Override
        public String address() {
            return SOMEWHERE;
        }
    }

    private Bus.Watch watch(UUID watched) throws Exception {
        LinkedBlockingQueue<Bus.Watch> made = new LinkedBlockingQueue<>();
        context.runOnContext(now -> made.add(bus.watch(watched, heard::add)));
        return made.poll(20, TimeUnit.SECONDS);
    }

    private void stop(Bus.Watch watch) throws Exception {
        LinkedBlockingQueue<Boolean> stopped = new LinkedBlockingQueue<>();
        context.runOnContext(now -> {
            watch.close();
            stopped.add(true);
        });
        stopped.poll(20, TimeUnit.SECONDS);
    }
}
