package io.quittance.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import io.vertx.core.streams.WriteStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EventStreamTest {

    private final Wire wire = new Wire();

    @Test
    void each_state_is_told_once() {
        EventStream stream = new EventStream(wire, "order", "");
        stream.begin(1_234);
        stream.offer(state("one"));
        stream.offer(state("one"));
        stream.offer(state("two"));

        assertThat(wire.written).containsExactly("retry: 1234\n\n", event(state("one")), event(state("two")));
        assertThat(wire.ended).isFalse();
    }

    @Test
    void what_the_reader_has_is_not_told_again() {
        EventStream stream = new EventStream(wire, "order", state("one").id());
        stream.offer(state("one"));
        assertThat(wire.written).isEmpty();

        stream.offer(state("two"));
        assertThat(wire.written).containsExactly(event(state("two")));
    }

    @Test
    void seconds_that_pass_are_no_change() {
        EventStream stream = new EventStream(wire, "order", "");
        LiveState before = LiveState.of(new JsonObject().put("a", 1).put("seconds_left", 10), false);
        LiveState after = LiveState.of(new JsonObject().put("a", 1).put("seconds_left", 9), false);
        stream.offer(before);
        stream.offer(after);

        assertThat(before.data()).contains("\"seconds_left\":10");
        assertThat(wire.written).containsExactly(event(before));
    }

    @Test
    void a_slow_reader_gets_the_latest_state_and_nothing_in_between() {
        EventStream stream = new EventStream(wire, "order", "");
        stream.offer(state("0"));
        wire.full = true;
        for (int i = 1; i <= 1_000; i++) {
            stream.offer(state(Integer.toString(i)));
            stream.heartbeat();
        }
        assertThat(wire.written).hasSize(1);

        wire.drain();

        assertThat(wire.written).containsExactly(event(state("0")), event(state("1000")));
    }

    @Test
    void a_last_state_is_told_to_a_slow_reader_before_the_end() {
        EventStream stream = new EventStream(wire, "order", "");
        wire.full = true;
        stream.offer(new LiveState("id", "{}", true));
        assertThat(wire.ended).isFalse();

        wire.drain();

        assertThat(wire.written).hasSize(1);
        assertThat(wire.ended).isTrue();
    }

    @Test
    void after_its_end_a_stream_is_silent() {
        EventStream stream = new EventStream(wire, "order", "");
        stream.end();
        stream.end();
        stream.offer(state("late"));
        stream.heartbeat();
        wire.drain();

        assertThat(wire.written).isEmpty();
    }

    private static LiveState state(String content) {
        return LiveState.of(new JsonObject().put("content", content), false);
    }

    private static String event(LiveState state) {
        return "event: order\nid: " + state.id() + "\ndata: " + state.data() + "\n\n";
    }

    /** A connection whose queue is full when the test says so. */
    private static final class Wire implements WriteStream<Buffer> {

        private final List<String> written = new ArrayList<>();
        private Handler<Void> drained = nothing -> {};
        private boolean full;
        private boolean ended;

        void drain() {
            full = false;
            drained.handle(null);
        }

        @Override
        public Future<Void> write(Buffer data) {
            assertThat(ended).as("written after the end").isFalse();
            written.add(data.toString());
            return Future.succeededFuture();
        }

        @Override
        public Future<Void> end() {
            assertThat(ended).as("ended twice").isFalse();
            ended = true;
            return Future.succeededFuture();
        }

        @Override
        public WriteStream<Buffer> setWriteQueueMaxSize(int maxSize) {
            return this;
        }

        @Override
        public boolean writeQueueFull() {
            return full;
        }

        @Override
        public WriteStream<Buffer> drainHandler(Handler<Void> handler) {
            drained = handler;
            return this;
        }

        @Override
        public WriteStream<Buffer> exceptionHandler(Handler<Throwable> handler) {
            return this;
        }
    }
}
