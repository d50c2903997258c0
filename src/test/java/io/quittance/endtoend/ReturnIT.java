package io.quittance.endtoend;

import static io.quittance.endtoend.Stage.await;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.spi.ILoggingEvent;
import io.quittance.dev.SandboxTarget;
import io.quittance.endtoend.Browser.Shown;
import io.quittance.psp.sandbox.SentNotification;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A payer's browser comes back to a whole gateway: before, beside, instead of and long after the notification. */
class ReturnIT {

    private static final int ORDERS = 100;

    /** Notifications start up to so much after the returns, which is about how long the question to the PSP takes. */
    private static final int SPREAD_MS = 300;

    private static final String EVERYTHING = """
            select (select json_agg(o order by id)::text from orders o) as orders,
                   (select json_agg(a order by id)::text from attempts a) as attempts,
                   (select json_agg(r order by id)::text from refunds r) as refunds,
                   (select json_agg(x order by order_id)::text from outbox x) as outbox,
                   (select count(*) from audit) as audit,
                   (select count(*) from reviews) as reviews
            """;

    private static final String BY_WHOM = """
            select count(*) filter (where callback_id is not null) as by_notification,
                   count(*) filter (where callback_id is null) as by_return,
                   count(*) as total
            from audit where entity = 'ATTEMPT' and to_status = 'SUCCEEDED'
            """;

    private final long seed = Long.getLong("return.seed", System.nanoTime());
    private final SplittableRandom random = new SplittableRandom(seed);
    private TestGateway gateway;
    private Stage stage;
    private Browser browser;

    @BeforeEach
    void start() {
        gateway = TestGateway.start();
        stage = gateway.stage();
        browser = new Browser(stage.vertx(), stage);
        await(stage.merchant().product("tee", "STOCK", 1_000));
        stage.mailbox().hold();
    }

    @AfterEach
    void close() {
        gateway.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"stripe", "alipay", "wechatpay"})
    void a_browser_that_is_back_before_the_notification_finds_the_order_paid(String psp) {
        String attempt = await(stage.placeAndOpen("A-1", psp, "REFUND"));
        await(stage.psp().pay(attempt));

        try (LogTape tape = new LogTape()) {
            Shown sent = await(browser.comeBack(psp, browser.query(psp, attempt)));

            assertThat(sent.status()).isEqualTo(303);
            assertThat(sent.location())
                    .matches(stage.mailbox().base() + "/pay/A-1\\?token=acme\\.[A-Za-z0-9_-]{43}")
                    .doesNotContain("secret", attempt);
            assertThat(await(browser.follow(sent, "en")).body()).contains("<h1>Paid</h1>", "19.99 CNY");
            assertThat(await(browser.follow(sent, "zh")).body()).contains("<h1>支付成功</h1>");
            assertThat(tape.events())
                    .extracting(ILoggingEvent::getFormattedMessage)
                    .noneMatch(line -> line.contains("secret_of_the_payer") || line.contains("client_secret"));
        }
        assertThat(status("A-1")).isEqualTo("PAID");
        assertThat(stage.rows(BY_WHOM).get(0).getLong("by_return")).isEqualTo(1);
        passOnWhatWasHeld();
        stage.awaitSettled();
        assertThat(stage.rows(BY_WHOM).get(0).getLong("total")).isEqualTo(1);
        assertThat(stage.target().records()).containsOnlyKeys("A-1");
        assertThat(stage.violations()).isEmpty();
    }

    @Test
    void a_browser_that_is_back_without_having_paid_changes_nothing_and_is_told_so() {
        String attempt = await(stage.placeAndOpen("A-1", "alipay", "REFUND"));

        Shown sent = await(browser.comeBackPosting("alipay", browser.query("alipay", attempt)));
        Shown page = await(browser.follow(sent, "en"));

        assertThat(status("A-1")).isEqualTo("PENDING");
        assertThat(page.body()).contains("Confirming your payment", "Do not pay again.", "http-equiv=\"refresh\"");
        assertThat(stage.violations()).isEmpty();
    }

    @Test
    void return_and_notification_at_the_same_instant_are_one_effect() {
        Map<String, String> attempts = new HashMap<>();
        for (int i = 0; i < ORDERS; i++) {
            String psp = Stage.PSPS.get(i % Stage.PSPS.size());
            attempts.put(await(stage.placeAndOpen("R-" + i, psp, "REFUND")), psp);
        }
        attempts.keySet().forEach(attempt -> await(stage.psp().pay(attempt)));
        Map<String, List<Notification>> captured = captured();

        Promise<Void> gun = Promise.promise();
        List<Future<?>> all = new ArrayList<>();
        attempts.forEach((attempt, psp) -> {
            String query = browser.query(psp, attempt);
            all.add(gun.future().compose(go -> browser.comeBack(psp, query)).map(this::sentOn));
            all.add(gun.future()
                    .compose(go -> browser.comeBackPosting(psp, query))
                    .map(this::sentOn));
            for (Notification notification : captured.get(attempt)) {
                int afterMs = 1 + random.nextInt(SPREAD_MS);
                Future<Void> start = random.nextBoolean()
                        ? gun.future()
                        : gun.future()
                                .compose(go -> stage.vertx().timer(afterMs).mapEmpty());
                all.add(start.compose(go -> stage.poster().postUntilSuccess(notification, 10)));
            }
        });
        gun.complete();
        await(Future.all(all));
        stage.awaitSettled();

        assertThat(stage.violations()).as("seed %d", seed).isEmpty();
        assertThat(stage.rows("select count(*) from orders where status = 'PAID'")
                        .get(0)
                        .getLong(0))
                .as("seed %d", seed)
                .isEqualTo(ORDERS);
        Row won = stage.rows(BY_WHOM).get(0);
        assertThat(won.getLong("total")).as("seed %d", seed).isEqualTo(ORDERS);
        assertThat(won.getLong("by_notification")).as("seed %d", seed).isPositive();
        assertThat(won.getLong("by_return")).as("seed %d", seed).isPositive();
        assertThat(stage.target().records()).as("seed %d", seed).hasSize(ORDERS);
        assertThat(stage.target().counts().doubles()).as("seed %d", seed).isZero();
    }

    @Test
    void a_genuine_alipay_return_that_is_opened_again_after_a_refund_changes_nothing() {
        stage.target().faults(new SandboxTarget.Faults(0, 0, 0, 1, 1));
        String attempt = await(stage.placeAndOpen("A-1", "alipay", "REFUND"));
        await(stage.psp().pay(attempt));
        String genuine = browser.query("alipay", attempt);
        await(browser.comeBack("alipay", genuine));
        stage.awaitUntil("the order is refunded", () -> status("A-1").equals("REFUNDED"));
        passOnWhatWasHeld();
        stage.awaitSettled();
        JsonObject before = everything();

        for (int i = 0; i < 3; i++) {
            Shown again = await(browser.comeBack("alipay", genuine));
            Shown posted = await(browser.comeBackPosting("alipay", genuine));
            assertThat(posted.location()).isEqualTo(again.location());
            assertThat(await(browser.follow(again, "en")).body()).contains("<h1>Refunded</h1>");
        }
        JsonObject refreshed = await(stage.merchant().refresh("A-1"));

        assertThat(refreshed.getString("status")).isEqualTo("REFUNDED");
        assertThat(everything()).isEqualTo(before);
        assertThat(stage.violations()).isEmpty();
    }

    @Test
    void a_return_that_alipay_did_not_sign_asks_nobody() {
        String attempt = await(stage.placeAndOpen("A-1", "alipay", "REFUND"));
        await(stage.psp().pay(attempt));
        String genuine = browser.query("alipay", attempt);

        Shown changed = await(browser.comeBack("alipay", genuine.replace("19.99", "19.98")));
        Shown elsewhere = await(browser.comeBack("stripe", genuine));
        Shown unknown = await(browser.comeBack("wechatpay", "out_trade_no=" + attempt));

        assertThat(changed.status()).isEqualTo(400);
        assertThat(elsewhere.status()).isEqualTo(400);
        assertThat(unknown.status()).as("an attempt of another PSP").isEqualTo(404);
        assertThat(changed.body())
                .contains("We could not recognise this payment")
                .doesNotContain("A-1");
        assertThat(status("A-1")).isEqualTo("PENDING");
    }

    @Test
    void a_psp_that_does_not_answer_keeps_no_browser_and_makes_nothing_unknown() {
        String attempt = await(stage.placeAndOpen("A-1", "stripe", "REFUND"));
        await(stage.psp().pay(attempt));
        stage.gate().mute();

        Shown sent = await(browser.comeBack("stripe", browser.query("stripe", attempt)));
        Shown page = await(browser.follow(sent, "en"));
        JsonObject order = await(stage.merchant().refresh("A-1"));
        stage.gate().unmute();

        assertThat(page.body()).contains("Confirming your payment", "Do not pay again.");
        assertThat(order.getString("status")).isEqualTo("PENDING");
        assertThat(order.getJsonArray("attempts").getJsonObject(0).getString("status"))
                .isEqualTo("PENDING");
        passOnWhatWasHeld();
        assertThat(status("A-1")).isEqualTo("PAID");
        assertThat(await(browser.follow(sent, "en")).body()).contains("<h1>Paid</h1>");
        assertThat(order.getString("result_url")).isEqualTo(sent.location());
    }

    @Test
    void a_merchant_who_asks_learns_that_it_is_paid() {
        String attempt = await(stage.placeAndOpen("A-1", "wechatpay", "REFUND"));
        await(stage.psp().pay(attempt));

        assertThat(await(stage.merchant().refresh("A-1")).getString("status")).isEqualTo("PAID");
    }

    private Void sentOn(Shown shown) {
        assertThat(shown.status()).isEqualTo(303);
        return null;
    }

    private String status(String orderNo) {
        return stage.rows("select status from orders where order_no = $1", orderNo)
                .get(0)
                .getString(0);
    }

    private JsonObject everything() {
        return stage.rows(EVERYTHING).get(0).toJson();
    }

    /** The notifications that were held, by attempt. */
    private Map<String, List<Notification>> captured() {
        await(stage.psp().settled());
        Map<String, String> attemptOf = stage.psp().sent().stream()
                .collect(Collectors.toMap(SentNotification::eventId, SentNotification::attemptId, (one, same) -> one));
        return stage.mailbox().take().stream()
                .collect(Collectors.groupingBy(notification -> attemptOf.get(notification.eventId())));
    }

    private void passOnWhatWasHeld() {
        await(stage.psp().settled());
        stage.mailbox().take().forEach(held -> await(stage.poster().postUntilSuccess(held, 10)));
    }
}
