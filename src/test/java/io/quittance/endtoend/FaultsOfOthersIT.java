package io.quittance.endtoend;

import static io.quittance.endtoend.Stage.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.quittance.FaultOfOthers;
import io.quittance.dev.SandboxTarget.Faults;
import io.quittance.psp.sandbox.SandboxPayment;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Notifications that broke other shops, sent to the whole gateway. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FaultsOfOthersIT {

    private static final int COPIES = 20;
    private static final int LARGE_CHARS = 300_000;
    private static final String NOBODYS = "0195b1c2d3e47f5a8b6c7d8e9f0a1b2c";

    private final Signer signer = new Signer(Stage.KEYS);
    private TestGateway gateway;
    private Stage stage;

    @BeforeAll
    void start() {
        gateway = TestGateway.start();
        stage = gateway.stage();
        await(stage.merchant().product("tee", "STOCK", 1_000));
    }

    @AfterEach
    void nothingContradictsThePromises() {
        stage.target().faults(Faults.none());
        stage.awaitSettled();
        assertThat(stage.violations()).isEmpty();
    }

    @AfterAll
    void close() {
        gateway.close();
    }

    @Test
    @FaultOfOthers(value = "laravel-pay#82", symptom = "a framework adds its own parameters to those that were signed")
    void parameters_in_the_address_of_a_notification_take_no_part_in_it() {
        Notification paid = paid("address", "alipay");
        Notification routed = paid.withPath(paid.path() + "?s=%2Fnotify&token=1");

        assertThat(await(stage.poster().post(routed))).isTrue();

        assertThat(status("address")).isEqualTo("PAID");
    }

    @Test
    @FaultOfOthers(
            value = "binarywang/WxJava#3288",
            symptom =
                    "half of the callbacks fail with an exception: WeChat Pay tries out whether wrong signatures are refused")
    void after_the_signature_probe_the_right_notification_is_taken() {
        Notification paid = paid("probe", "wechatpay");
        String signature = paid.headers().get("Wechatpay-Signature");
        Notification probe = paid.withHeader("Wechatpay-Signature", "WECHATPAY/SIGNTEST/" + signature);

        assertThat(await(stage.poster().send(probe, false)).status()).isEqualTo(401);
        assertThat(status("probe")).isEqualTo("PENDING");
        assertThat(await(stage.poster().post(paid))).isTrue();

        assertThat(status("probe")).isEqualTo("PAID");
    }

    @Test
    @FaultOfOthers(
            value = "dubinc/dub#3752",
            symptom = "what cannot be used is answered with an error, and comes again for days")
    void a_success_of_an_unknown_order_is_kept_and_acknowledged() {
        JsonObject keys = Stage.KEYS.toJson().getJsonObject("alipay");
        Notification unknown = signer.alipay(Map.of(
                "app_id", keys.getString("app_id"),
                "charset", "utf-8",
                "notify_id", "unknown-1",
                "notify_type", "trade_status_sync",
                "out_trade_no", NOBODYS,
                "seller_id", keys.getString("seller_id"),
                "total_amount", "19.99",
                "trade_no", "2026030122001400000000000001",
                "trade_status", "TRADE_SUCCESS"));

        Poster.Answer answer = await(stage.poster().send(unknown, false));

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo(Buffer.buffer("success"));
        assertThat(stage.rows(
                        "select 1 from unmatched where matched_at is null and replace(attempt_id::text, '-', '') = $1",
                        NOBODYS))
                .hasSize(1);
    }

    @Test
    @FaultOfOthers(
            value = "mozilla/fxa#8861",
            symptom = "real events are refused, because they are larger than the limit")
    void an_event_of_300_kilobytes_is_taken() {
        String attempt = await(stage.placeAndOpen("large", "stripe", "REFUND"));
        SandboxPayment payment = stage.psp().payment(attempt).orElseThrow();
        JsonObject intent = new JsonObject()
                .put("id", payment.pspPaymentId())
                .put("object", "payment_intent")
                .put("amount_received", payment.amountMinor())
                .put("currency", "cny")
                .put("description", "x".repeat(LARGE_CHARS))
                .put("livemode", false)
                .put("metadata", new JsonObject().put("attempt_id", attempt))
                .put("status", "succeeded");
        stage.mailbox().hold();
        await(stage.psp().pay(attempt));

        assertThat(await(stage.poster().post(event("evt_large", "payment_intent.succeeded", intent))))
                .isTrue();

        assertThat(status("large")).isEqualTo("PAID");
    }

    @Test
    @FaultOfOthers(
            value = "Devlaner/devlane#332",
            symptom = "two deliveries at once both find that the event is new, and both act")
    void twenty_deliveries_at_once_have_one_effect() {
        Notification paid = paid("copies", "stripe");
        List<Future<Boolean>> answers = new ArrayList<>();
        for (int i = 0; i < COPIES; i++) {
            answers.add(stage.poster().post(paid));
        }

        await(Future.all(answers));

        assertThat(answers).allMatch(Future::result);
        assertOneEffect("copies");
    }

    @Test
    @FaultOfOthers(value = "vendure#620", symptom = "the answer was lost, the event came again, and was settled again")
    void a_delivery_whose_answer_nobody_read_and_its_repetition_have_one_effect() throws IOException {
        Notification paid = paid("unread", "wechatpay");
        sendAndGoAway(paid);
        stage.awaitUntil("the first delivery is stored", () -> status("unread").equals("PAID"));

        assertThat(await(stage.poster().post(paid))).isTrue();

        assertOneEffect("unread");
    }

    @Test
    @FaultOfOthers(
            value = "rafiki#712",
            symptom =
                    "one subscriber that takes half a minute holds up the answer to the PSP and all other subscribers")
    void a_target_that_never_answers_does_not_keep_the_psp_waiting() {
        stage.target().faults(new Faults(0, 0, 1, 0, 1));
        Notification paid = paid("silent", "alipay");

        assertThat(await(stage.poster().post(paid))).isTrue();

        assertThat(status("silent")).isEqualTo("PAID");
        assertThat(sync("silent")).isNotEqualTo("COMPLETED");
        stage.target().faults(Faults.none());
        stage.awaitUntil("the target has it in the end", () -> sync("silent").equals("COMPLETED"));
        assertOneEffect("silent");
    }

    @Test
    @FaultOfOthers(
            value = "woocommerce-gateway-stripe#2598",
            symptom = "a dispute moves an order that was cancelled, and puts its stock back on sale")
    void a_dispute_of_a_payment_that_came_late_and_went_back_moves_nothing() {
        String attempt = await(stage.placeAndOpen("disputed", "stripe", "REFUND"));
        String timeIsOver = "with over as (update orders set expires_at ="
                + " greatest(created_at + interval '1 microsecond', now()) where order_no = $1 returning id)"
                + " update timers t set due_at = now() from over where t.order_id = over.id";
        await(stage.pool().preparedQuery(timeIsOver).execute(Tuple.of("disputed")));
        stage.awaitUntil("the order has expired", () -> status("disputed").equals("EXPIRED"));
        stage.mailbox().hold();
        await(stage.psp().payLateEvenIfClosed(attempt));
        await(stage.psp().settled());
        stage.mailbox().take().forEach(notification -> await(stage.poster().post(notification)));
        stage.awaitUntil("the money has gone back", () -> refunds("disputed").equals("SUCCEEDED"));
        String before = everythingOf("disputed");

        JsonObject dispute = new JsonObject()
                .put("id", "du_1")
                .put("object", "dispute")
                .put(
                        "payment_intent",
                        stage.psp().payment(attempt).orElseThrow().pspPaymentId())
                .put("amount", 1_999)
                .put("currency", "cny")
                .put("status", "needs_response");
        Poster.Answer answer =
                await(stage.poster().send(event("evt_dispute", "charge.dispute.created", dispute), false));

        assertThat(answer.status()).isEqualTo(200);
        assertThat(everythingOf("disputed")).isEqualTo(before);
    }

    /** The genuine notification of a payment, which nobody has got yet. */
    private Notification paid(String orderNo, String psp) {
        stage.mailbox().hold();
        stage.mailbox().take();
        String attempt = await(stage.placeAndOpen(orderNo, psp, "REFUND"));
        await(stage.psp().pay(attempt));
        await(stage.psp().settled());
        List<Notification> sent = stage.mailbox().take();
        assertThat(sent).isNotEmpty();
        return sent.get(0);
    }

    private Notification event(String id, String type, JsonObject object) {
        JsonObject event = new JsonObject()
                .put("id", id)
                .put("object", "event")
                .put("livemode", false)
                .put("type", type)
                .put("data", new JsonObject().put("object", object));
        return signer.stripe(event.encode(), Clock.systemUTC().instant().getEpochSecond());
    }

    private void sendAndGoAway(Notification notification) throws IOException {
        StringBuilder head = new StringBuilder("POST " + notification.path() + " HTTP/1.1\r\nHost: gateway\r\n");
        notification.headers().forEach((name, value) -> head.append(name + ": " + value + "\r\n"));
        head.append("Content-Length: " + notification.body().length() + "\r\n\r\n");
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), stage.port())) {
            OutputStream out = socket.getOutputStream();
            out.write(head.toString().getBytes(StandardCharsets.ISO_8859_1));
            out.write(notification.body().getBytes());
            out.flush();
            // What the server says from here on is not read; it must have taken the whole request before that.
            socket.shutdownOutput();
            stage.awaitUntil("the request is being handled", () -> stored(notification) > 0);
        }
    }

    private long stored(Notification notification) {
        return stage.rows("select count(*) from callbacks where event_id = $1", notification.eventId())
                .get(0)
                .getLong(0);
    }

    private void assertOneEffect(String orderNo) {
        stage.awaitUntil("the target has the order", () -> sync(orderNo).equals("COMPLETED"));
        assertThat(status(orderNo)).isEqualTo("PAID");
        String trail = "select count(*) from audit a join orders o on o.id = a.order_id"
                + " where o.order_no = $1 and a.entity = 'ORDER' and a.to_status = 'PAID'";
        assertThat(stage.rows(trail, orderNo).get(0).getLong(0)).isEqualTo(1);
        assertThat(stage.target().records()).containsKey(orderNo);
        assertThat(stage.target().counts().doubles()).isZero();
        assertThat(refunds(orderNo)).isEmpty();
    }

    private String status(String orderNo) {
        return stage.rows("select status from orders where order_no = $1", orderNo)
                .get(0)
                .getString(0);
    }

    private String sync(String orderNo) {
        String query = "select x.status from outbox x join orders o on o.id = x.order_id where o.order_no = $1";
        return stage.rows(query, orderNo).get(0).getString(0);
    }

    private String refunds(String orderNo) {
        String query = "select coalesce(string_agg(r.status, ','), '') from refunds r"
                + " join attempts a on a.id = r.attempt_id join orders o on o.id = a.order_id where o.order_no = $1";
        return stage.rows(query, orderNo).get(0).getString(0);
    }

    /** The order, its attempts, holds and reviews, and what is left to sell. */
    private String everythingOf(String orderNo) {
        String query = "select o::text || (select string_agg(a::text, ',') from attempts a where a.order_id = o.id)"
                + " || coalesce((select string_agg(h::text, ',') from holds h where h.order_id = o.id), '')"
                + " || (select count(*) from reviews) || (select string_agg(p::text, ',') from products p)"
                + " from orders o where o.order_no = $1";
        Row row = stage.rows(query, orderNo).get(0);
        return row.getString(0);
    }
}
