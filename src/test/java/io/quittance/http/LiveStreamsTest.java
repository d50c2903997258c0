package io.quittance.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.quittance.domain.AttemptStatus;
import io.quittance.domain.OrderStatus;
import io.quittance.domain.SyncStatus;
import io.quittance.http.EventReader.Event;
import io.quittance.store.Away;
import io.quittance.store.OrderView;
import io.quittance.testing.Logs;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Live streams on real sockets. What the database says is the test's word, and so is when it says it. */
class LiveStreamsTest {

    private static final String EVENTS = "/v1/orders/A-1/events";
    private static final String PAGE_EVENTS = "/pay/A-1/events?token=" + Gateway.LINKS.token("acme", "A-1");
    private static final Duration NEVER = Duration.ofHours(1);
    private static final Duration SOON = Duration.ofMillis(20);
    private static final Sample WAITING = Sample.of(OrderStatus.PENDING).attempts(AttemptStatus.PENDING);
    private static final Sample PAID =
            Sample.of(OrderStatus.PAID).attempts(AttemptStatus.SUCCEEDED).sync(SyncStatus.PENDING);
    private static final Sample DELIVERED = PAID.sync(SyncStatus.COMPLETED);

    private Gateway gateway;
    private LiveSlots slots;
    private volatile OrderView stored = WAITING.view();

    @AfterEach
    void stop() {
        gateway.close();
    }

    @Test
    void an_order_is_told_at_once_and_then_at_each_change() throws Exception {
        start(100, NEVER, NEVER, NEVER);
        try (EventReader reader = follow(EVENTS)) {
            Event first = reader.next();
            commit(PAID);
            Event second = reader.next();
            commit(DELIVERED);
            Event third = reader.next();

            assertThat(reader.response().statusCode()).isEqualTo(200);
            assertThat(reader.response().headers().firstValue("Content-Type")).hasValue("text/event-stream");
            assertThat(reader.response().headers().firstValue("Cache-Control")).hasValue("no-store");
            assertThat(reader.response().headers().firstValue("X-Accel-Buffering"))
                    .hasValue("no");
            assertThat(List.of(first, second, third)).extracting(Event::name).containsOnly("order");
            assertThat(first.data())
                    .isEqualTo(OrderJson.order(WAITING.view(), Gateway.LINKS.to("acme", "A-1")))
                    .isEqualTo(Gateway.json(showAs(WAITING)));
            assertThat(second.status()).isEqualTo("PAID");
            assertThat(third.data().getString("sync_status")).isEqualTo("COMPLETED");
            assertThat(reader.rest()).as("after the last state").isEmpty();
        }
    }

    @Test
    void a_change_between_the_first_read_and_the_watch_is_told_too() throws Exception {
        start(100, NEVER, NEVER, NEVER);
        gateway.watched = ids -> Future.succeededFuture(List.of(PAID.view()));

        try (EventReader reader = follow(EVENTS)) {
            assertThat(reader.next().status()).isEqualTo("PENDING");
            assertThat(reader.next().status()).isEqualTo("PAID");
        }
    }

    @Test
    void a_change_of_an_order_that_nobody_watches_reads_nothing() throws Exception {
        start(100, NEVER, NEVER, NEVER);
        try (EventReader reader = follow(EVENTS)) {
            reader.next();
            gateway.bus.changed(UUID.randomUUID());
            commit(PAID);
            reader.next();

            assertThat(gateway.looked).allMatch(List.of(Sample.ID)::equals);
        }
    }

    @Test
    void what_another_process_commits_is_seen_by_the_slow_look() throws Exception {
        start(100, SOON, NEVER, NEVER);
        try (EventReader reader = follow(EVENTS)) {
            assertThat(reader.next().status()).isEqualTo("PENDING");
            stored = PAID.view();

            assertThat(reader.next().status()).isEqualTo("PAID");
        }
    }

    @Test
    void all_watched_orders_are_looked_at_with_one_statement_and_each_once() throws Exception {
        start(100, SOON, NEVER, NEVER);
        Map<String, UUID> ids = Map.of("B-1", new UUID(0, 1), "B-2", new UUID(0, 2), "B-3", new UUID(0, 3));
        gateway.orders = orderNo -> Future.succeededFuture(Optional.of(numbered(orderNo, ids.get(orderNo))));
        CompletableFuture<List<UUID>> together = new CompletableFuture<>();
        gateway.watched = looked -> {
            if (looked.size() == ids.size()) {
                together.complete(looked);
            }
            return Future.succeededFuture(List.of());
        };
        List<EventReader> readers = new ArrayList<>();
        for (String orderNo : List.of("B-1", "B-2", "B-3", "B-3")) {
            readers.add(follow("/v1/orders/" + orderNo + "/events"));
        }

        assertThat(together.get(20, TimeUnit.SECONDS)).containsExactlyInAnyOrderElementsOf(ids.values());
        for (EventReader reader : readers) {
            reader.close();
        }
    }

    @Test
    void a_look_that_fails_ends_no_stream() throws Exception {
        start(100, SOON, NEVER, NEVER);
        AtomicInteger looks = new AtomicInteger();
        gateway.watched = ids -> looks.incrementAndGet() < LiveOrders.FAILURES_MAX
                ? Future.failedFuture(new Away(new IllegalStateException("restarting")))
                : Future.succeededFuture(List.of(PAID.view()));
        try (EventReader reader = follow(EVENTS)) {
            assertThat(reader.next().status()).isEqualTo("PENDING");
            assertThat(reader.next().status()).isEqualTo("PAID");
        }
        assertThat(looks.get()).isGreaterThanOrEqualTo(LiveOrders.FAILURES_MAX);
    }

    @Test
    void a_stream_ends_rather_than_let_believe_in_a_state_that_nobody_knows_any_more() throws Exception {
        start(100, SOON, NEVER, NEVER);
        gateway.watched = ids -> Future.failedFuture(new Away(new IllegalStateException("gone")));
        try (Logs logs = new Logs();
                EventReader reader = follow(EVENTS)) {
            assertThat(reader.rest()).hasSize(1);
            assertThat(logs.lines())
                    .singleElement()
                    .asString()
                    .startsWith("WARN live streams end, because orders cannot be read");
        }
    }

    @Test
    void a_state_that_cannot_be_told_takes_no_place_and_holds_up_nobody() throws Exception {
        start(1, NEVER, NEVER, NEVER);
        OrderView unreadable = new OrderView(
                Sample.ID,
                "A-1",
                OrderStatus.PENDING,
                null,
                null,
                null,
                Sample.EXPIRES_AT,
                1,
                false,
                List.of(),
                List.of());
        stored = unreadable;
        try (Logs logs = new Logs()) {
            OrdersApiTest.assertProblem(gateway.send(gateway.merchant(EVENTS)), 500, "internal");
            assertThat(slots.taken()).isZero();
            stored = WAITING.view();
            try (EventReader reader = follow(EVENTS)) {
                reader.next();
                stored = unreadable;
                gateway.bus.changed(Sample.ID);
                assertThat(reader.rest()).isEmpty();
            }
            assertThat(logs.lines()).hasSize(2);
        }
    }

    @Test
    void a_reader_that_does_not_read_gets_the_latest_state_and_not_every_one() throws Exception {
        start(100, NEVER, NEVER, NEVER);
        int changes = 400;
        String bulk = "x".repeat(100_000);
        try (EventReader reader = follow(EVENTS)) {
            for (int i = 0; i < changes; i++) {
                commitAndAwaitLook(WAITING.paymentId(i + bulk));
            }
            commitAndAwaitLook(DELIVERED.paymentId("the last"));

            List<Event> told = reader.rest();

            assertThat(told).hasSizeLessThan(changes);
            assertThat(told.get(told.size() - 1).status()).isEqualTo("PAID");
        }
    }

    @Test
    void beyond_the_limit_there_is_no_stream_until_one_ends() throws Exception {
        start(1, NEVER, NEVER, NEVER);
        EventReader first = follow(EVENTS);
        first.next();

        HttpResponse<String> merchants = gateway.send(gateway.merchant(EVENTS));
        HttpResponse<String> payers = gateway.send(gateway.request(PAGE_EVENTS));

        OrdersApiTest.assertProblem(merchants, 503, "unavailable");
        assertThat(merchants.headers().firstValue("Retry-After")).isPresent();
        assertThat(payers.statusCode()).isEqualTo(503);
        assertThat(payers.headers().firstValue("Retry-After")).isPresent();
        first.close();
        try (EventReader second = followWhenThereIsRoom()) {
            assertThat(second.next().status()).isEqualTo("PENDING");
            assertThat(slots.taken()).isEqualTo(1);
        }
    }

    @Test
    void one_order_does_not_take_all_places() throws Exception {
        start(100, NEVER, NEVER, NEVER);
        List<EventReader> readers = new ArrayList<>();
        for (int i = 0; i < LiveSlots.STREAMS_AN_ORDER_MAX; i++) {
            readers.add(follow(PAGE_EVENTS));
        }
        assertThat(gateway.send(gateway.request(PAGE_EVENTS)).statusCode()).isEqualTo(503);
        assertThat(slots.taken()).isEqualTo(LiveSlots.STREAMS_AN_ORDER_MAX);
        for (EventReader reader : readers) {
            reader.close();
        }
    }

    @Test
    void an_orders_places_are_the_same_for_all_instances() throws Exception {
        start(100, NEVER, NEVER, NEVER);
        Gateway one = gateway;
        List<EventReader> readers = new ArrayList<>();
        try (Gateway other = gateway(NEVER, NEVER, NEVER)) {
            for (int i = 0; i < LiveSlots.STREAMS_AN_ORDER_MAX; i++) {
                gateway = i % 2 == 0 ? one : other;
                readers.add(follow(PAGE_EVENTS));
            }
            assertThat(one.send(one.request(PAGE_EVENTS)).statusCode()).isEqualTo(503);
            assertThat(other.send(other.request(PAGE_EVENTS)).statusCode()).isEqualTo(503);
            readers.remove(0).close();
            gateway = other;
            readers.add(followWhenThereIsRoom());
            for (EventReader reader : readers) {
                reader.close();
            }
        } finally {
            gateway = one;
        }
    }

    @Test
    void a_stream_that_was_not_opened_takes_no_place() throws Exception {
        start(1, NEVER, NEVER, NEVER);
        gateway.orders = orderNo -> Future.failedFuture(new Away(new IllegalStateException("away")));
        OrdersApiTest.assertProblem(gateway.send(gateway.merchant(EVENTS)), 503, "unavailable");
        assertThat(gateway.send(gateway.request(PAGE_EVENTS)).body()).contains("do not pay again");
        gateway.orders = orderNo -> Future.succeededFuture(Optional.empty());
        OrdersApiTest.assertProblem(gateway.send(gateway.merchant(EVENTS)), 404, "not-found");
        assertThat(gateway.send(gateway.request(PAGE_EVENTS)).statusCode()).isEqualTo(404);
        assertThat(gateway.send(gateway.request("/pay/A-1/events?token=acme.wrong"))
                        .statusCode())
                .isEqualTo(404);
        OrdersApiTest.assertProblem(gateway.send(gateway.request(EVENTS)), 401, "unauthenticated");

        assertThat(slots.taken()).isZero();
    }

    @Test
    void who_comes_again_is_told_only_what_is_new() throws Exception {
        start(100, NEVER, NEVER, NEVER);
        String known;
        try (EventReader reader = follow(EVENTS)) {
            known = reader.next().id();
        }
        try (EventReader again = EventReader.open(
                authorized(EVENTS).header("Last-Event-ID", known).build())) {
            commit(PAID);
            assertThat(again.next().status()).isEqualTo("PAID");
        }
    }

    @Test
    void a_settled_order_is_told_once_and_then_there_is_nothing_to_come_again_for() throws Exception {
        start(100, NEVER, NEVER, NEVER);
        stored = DELIVERED.view();
        List<Event> all;
        try (EventReader reader = follow(EVENTS)) {
            all = reader.rest();
        }

        HttpResponse<String> again = gateway.send(
                gateway.merchant(EVENTS).header("Last-Event-ID", all.get(0).id()));

        assertThat(all).hasSize(1);
        assertThat(again.statusCode()).isEqualTo(204);
        assertThat(slots.taken()).isZero();
    }

    @Test
    void a_stream_has_an_end_in_any_case() throws Exception {
        start(100, NEVER, NEVER, Duration.ofMillis(100));
        try (EventReader reader = follow(EVENTS)) {
            assertThat(reader.rest()).hasSize(1);
        }
    }

    @Test
    void a_stream_on_which_nothing_happens_shows_that_it_lives() throws Exception {
        start(100, NEVER, SOON, NEVER);
        try (EventReader reader = follow(EVENTS)) {
            reader.next();
            assertThat(reader.line()).isEmpty();
            assertThat(reader.line()).isEqualTo(":");
        }
    }

    @Test
    void a_shutdown_ends_the_streams_before_it_waits_for_requests() throws Exception {
        start(100, NEVER, NEVER, NEVER);
        try (EventReader merchant = follow(EVENTS);
                EventReader payer = follow(PAGE_EVENTS)) {
            merchant.next();
            payer.next();

            Gateway.await(gateway.vertx.undeploy(gateway.http.deploymentID()));

            // a connection that was cut would be an error here
            assertThat(merchant.rest()).isEmpty();
            assertThat(payer.rest()).isEmpty();
            assertThat(slots.taken()).isZero();
        }
    }

    @Test
    void a_page_is_told_what_it_shows_and_nothing_else() throws Exception {
        start(100, NEVER, NEVER, NEVER);
        try (EventReader reader = EventReader.open(
                gateway.request(PAGE_EVENTS).header("Accept-Language", "zh-CN").build())) {
            Event confirming = reader.next();
            commit(PAID);
            Event paid = reader.next();

            assertThat(confirming.name()).isEqualTo("state");
            assertThat(confirming.data()).isEqualTo(new JsonObject("""
                            {"state": "CONFIRMING", "tone": "waiting", "sign": "⋯", "title": "正在确认您的付款",
                             "text": "如果您已完成付款，请稍候，确认可能需要一点时间。", "warning": "请勿重复支付。",
                             "final": false, "seconds_left": 1800}
                            """));
            assertThat(paid.data().getString("title")).isEqualTo("支付成功");
            assertThat(paid.data().encode()).doesNotContain(FakePsp.REFERENCE, "pay-1", "acme", "fake", "A-1");
            commit(DELIVERED);
            assertThat(reader.next().data().getBoolean("final")).isTrue();
            assertThat(reader.rest()).isEmpty();
        }
    }

    @Test
    void a_proxy_that_speaks_http_1_0_gets_events_too() throws Exception {
        start(100, NEVER, NEVER, NEVER);
        try (Socket socket = gateway.socket()) {
            String request = "GET " + PAGE_EVENTS + " HTTP/1.0\r\nHost: x\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            BufferedReader lines =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            List<String> read = new ArrayList<>();
            for (String line = lines.readLine(); !line.startsWith("data: "); line = lines.readLine()) {
                read.add(line.toLowerCase(Locale.ROOT));
            }
            assertThat(read).contains("content-type: text/event-stream", "event: state");
            assertThat(read).doesNotContain("transfer-encoding: chunked");
        }
    }

    // ---- helpers

    private void start(int streamsMax, Duration look, Duration heartbeat, Duration life) {
        slots = new LiveSlots(streamsMax);
        gateway = gateway(look, heartbeat, life);
    }

    /** One more, which shares the places with those that there are. */
    private Gateway gateway(Duration look, Duration heartbeat, Duration life) {
        Gateway created = new Gateway(new LiveOptions(slots, look, heartbeat, life));
        created.orders = orderNo -> Future.succeededFuture(Optional.of(stored));
        created.watched = ids -> Future.succeededFuture(List.of(stored));
        return created;
    }

    private void commit(Sample order) {
        stored = order.view();
        gateway.bus.changed(Sample.ID);
    }

    /** Returns when the state was read, which is when it was offered to the streams. */
    private void commitAndAwaitLook(Sample order) throws Exception {
        OrderView view = order.view();
        CompletableFuture<Void> read = new CompletableFuture<>();
        gateway.watched = ids -> {
            gateway.vertx.runOnContext(after -> read.complete(null));
            return Future.succeededFuture(List.of(view));
        };
        gateway.bus.changed(Sample.ID);
        read.get(20, TimeUnit.SECONDS);
    }

    private HttpResponse<String> showAs(Sample order) throws Exception {
        gateway.orders = orderNo -> Future.succeededFuture(Optional.of(order.view()));
        return gateway.send(gateway.merchant("/v1/orders/A-1"));
    }

    private HttpRequest.Builder authorized(String path) {
        return gateway.request(path).header("Authorization", "Bearer " + Gateway.KEY);
    }

    private EventReader follow(String path) throws Exception {
        return EventReader.open(authorized(path).build());
    }

    private EventReader followWhenThereIsRoom() throws Exception {
        for (int i = 0; i < 10_000; i++) {
            EventReader reader = follow(EVENTS);
            if (reader.response().statusCode() == 200) {
                return reader;
            }
            reader.close();
        }
        throw new AssertionError("the place was never free again");
    }

    private static OrderView numbered(String orderNo, UUID id) {
        OrderView view = WAITING.view();
        return new OrderView(
                id,
                orderNo,
                view.status(),
                null,
                null,
                view.amount(),
                view.expiresAt(),
                view.secondsLeft(),
                false,
                view.attempts(),
                List.of());
    }
}
