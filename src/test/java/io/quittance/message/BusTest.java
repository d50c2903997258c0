package io.quittance.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BusTest {

    private final Vertx vertx = Vertx.vertx();
    private final Bus bus = new Bus(vertx, 1);
    private final Context context = vertx.getOrCreateContext();
    private final BlockingQueue<UUID> heard = new LinkedBlockingQueue<>();
    private final UUID order = UUID.randomUUID();
    private final UUID other = UUID.randomUUID();

    @AfterEach
    void close() throws Exception {
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
