package io.quittance.endtoend;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static io.quittance.endtoend.Stage.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Request;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.options.AriaRole;
import io.quittance.dev.SandboxTarget;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A payer looks at his order with a real browser, on a phone, while a whole gateway learns what became of it. */
class PayersPageIT {

    private static final LocatorAssertions.HasTextOptions IN_TIME =
            new LocatorAssertions.HasTextOptions().setTimeout(45_000);
    private static final LocatorAssertions.ContainsTextOptions A_WHILE =
            new LocatorAssertions.ContainsTextOptions().setTimeout(45_000);
    private static final LocatorAssertions.IsHiddenOptions UNTIL_HIDDEN =
            new LocatorAssertions.IsHiddenOptions().setTimeout(45_000);
    private static final String EVENTS = "**/pay/*/events**";
    private static final String MARK = "window.untouched = true";
    private static final String IS_MARKED = "window.untouched === true";

    private static final String EVERYTHING = """
            select (select json_agg(o order by id)::text from orders o) as orders,
                   (select json_agg(a order by id)::text from attempts a) as attempts,
                   (select json_agg(h order by order_id, sku)::text from holds h) as holds,
                   (select json_agg(t order by order_id)::text from timers t) as timers,
                   (select count(*) from audit) as audit
            """;

    private static PhoneBrowser browser;

    private TestGateway gateway;
    private Stage stage;

    @BeforeAll
    static void startBrowser() {
        browser = PhoneBrowser.start();
    }

    @AfterAll
    static void stopBrowser() {
        if (browser != null) {
            browser.close();
        }
    }

    @BeforeEach
    void start() {
        gateway = TestGateway.start();
        stage = gateway.stage();
        await(stage.merchant().product("tee", "STOCK", 10));
        stage.mailbox().hold();
    }

    @AfterEach
    void close() {
        gateway.close();
    }

    @ParameterizedTest
    @CsvSource({
        "en-US, Confirming your payment, Time left to pay 5, Do not pay again., Paid",
        "zh-CN, 正在确认您的付款, 剩余支付时间 5, 请勿重复支付。, 支付成功"
    })
    void the_page_turns_to_paid_by_itself_and_tells_nothing_that_is_not_the_payers(
            String locale, String confirming, String timeLeft, String doNotPayAgain, String paid) {
        String attempt = await(stage.placeAndOpen("A-1", "stripe", "REFUND"));
        try (BrowserContext visitor = browser.visitor(locale, true)) {
            Page page = visitor.newPage();
            List<String> seen = everythingThatComesAndGoes(page);
            List<String> complaints = complaints(page);
            page.navigate(pageOf("A-1"));
            seen.add(page.content());
            page.evaluate(MARK);

            Locator status = page.getByRole(AriaRole.STATUS);
            assertThat(status).containsText(confirming);
            assertThat(status).containsText(doNotPayAgain);
            assertThat(page.getByRole(AriaRole.TIMER)).containsText(timeLeft);
            String firstTime = page.locator("#left").textContent();
            assertThat(page.locator("#left")).not().hasText(firstTime);
            PhoneBrowser.photograph(page, locale + "-confirming");
            PhoneBrowser.photographInTheDark(page, locale + "-confirming-dark");

            await(stage.psp().pay(attempt));
            passOnWhatWasHeld();

            assertThat(page.locator("h1")).hasText(paid, IN_TIME);
            assertThat(status).not().containsText(doNotPayAgain);
            assertThat(page.getByRole(AriaRole.TIMER)).isHidden();
            assertThat(page).hasTitle(paid);
            assertThat(page.evaluate(IS_MARKED)).as("without a reload").isEqualTo(true);
            PhoneBrowser.photograph(page, locale + "-paid");
            seen.add(page.content());
            assertThat(complaints).isEmpty();
            assertThat(String.join("\n", seen))
                    .contains("/pay/A-1/events")
                    .doesNotContain(attempt, "endtoend-key", "ZW5kLXRvLWVuZC", "whsec_", "pi_", "Bearer");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"refused", "cut"})
    void where_events_do_not_arrive_the_page_asks_and_turns_all_the_same(String how) {
        String attempt = await(stage.placeAndOpen("A-1", "alipay", "REFUND"));
        try (BrowserContext visitor = browser.visitor("en-US", true)) {
            Page page = visitor.newPage();
            page.route(EVENTS, route -> stop(route, how));
            page.navigate(pageOf("A-1"));
            page.evaluate(MARK);
            assertThat(page.locator("h1")).hasText("Confirming your payment");

            await(stage.psp().pay(attempt));
            passOnWhatWasHeld();

            assertThat(page.locator("h1")).hasText("Paid", IN_TIME);
            assertThat(page.evaluate(IS_MARKED)).isEqualTo(true);
        }
    }

    @Test
    void without_scripts_the_page_loads_itself_again() {
        String attempt = await(stage.placeAndOpen("A-1", "wechatpay", "REFUND"));
        try (BrowserContext visitor = browser.visitor("zh-CN", false)) {
            Page page = visitor.newPage();
            page.navigate(pageOf("A-1"));
            assertThat(page.locator("h1")).hasText("正在确认您的付款");
            assertThat(page.getByRole(AriaRole.TIMER)).containsText("剩余支付时间 5");
            PhoneBrowser.photograph(page, "zh-CN-confirming-without-scripts");

            await(stage.psp().pay(attempt));
            passOnWhatWasHeld();

            assertThat(page.locator("h1")).hasText("支付成功", IN_TIME);
        }
    }

    @Test
    void an_order_whose_time_is_over_is_being_closed_until_the_server_says_that_it_has_expired() {
        await(stage.merchant().order("A-1", "19.99", "tee", "REFUND", "PT4S"));
        await(stage.merchant().attempt("A-1", "stripe"));
        stage.gate().mute();
        try (BrowserContext visitor = browser.visitor("en-US", true)) {
            Page page = visitor.newPage();
            page.navigate(pageOf("A-1"));
            page.evaluate(MARK);

            assertThat(page.locator("#over")).containsText("the order is being closed");
            assertThat(page.locator("h1")).hasText("Confirming your payment");
            PhoneBrowser.photograph(page, "en-US-closing");
            stage.gate().unmute();

            assertThat(page.locator("h1")).hasText("The order has expired", IN_TIME);
            assertThat(page.locator("#over")).isHidden();
            assertThat(page.evaluate(IS_MARKED)).isEqualTo(true);
            PhoneBrowser.photograph(page, "en-US-expired");
        }
    }

    @Test
    void an_order_that_is_being_called_off_says_so_until_it_is_cancelled() {
        await(stage.placeAndOpen("A-1", "stripe", "REFUND"));
        stage.gate().mute();
        JsonObject order = await(stage.merchant().cancel("A-1"));
        try (BrowserContext visitor = browser.visitor("zh-CN", true)) {
            Page page = visitor.newPage();
            page.navigate(pageOf("A-1"));
            assertThat(page.locator("h1")).hasText("订单正在取消");
            assertThat(page.getByRole(AriaRole.STATUS)).containsText("请勿重复支付。");
            PhoneBrowser.photograph(page, "zh-CN-calling-off");
            stage.gate().unmute();

            assertThat(page.locator("h1")).hasText("订单已取消", IN_TIME);
        }
        assertThat(order.getBoolean("called_off")).isTrue();
        assertThat(order.getString("message")).endsWith("Do not pay again.");
    }

    @Test
    void what_the_shop_cannot_fulfil_is_seen_going_back_to_the_end() {
        stage.target().faults(new SandboxTarget.Faults(0, 0, 0, 1, 1));
        String attempt = await(stage.placeAndOpen("A-1", "alipay", "REFUND"));
        try (BrowserContext visitor = browser.visitor("en-US", true)) {
            Page page = visitor.newPage();
            page.navigate(pageOf("A-1"));
            page.evaluate(MARK);

            await(stage.psp().pay(attempt));
            passOnWhatWasHeld();

            assertThat(page.locator("h1")).hasText("Refunded", IN_TIME);
            assertThat(page.evaluate(IS_MARKED)).isEqualTo(true);
            PhoneBrowser.photograph(page, "en-US-refunded");
        }
    }

    @Test
    void a_page_that_was_out_of_sight_looks_once_more_even_after_a_final_state() {
        String attempt = await(stage.placeAndOpen("A-1", "stripe", "REFUND"));
        await(stage.psp().pay(attempt));
        passOnWhatWasHeld();
        stage.awaitSettled();
        try (BrowserContext visitor = browser.visitor("en-US", true)) {
            Page page = visitor.newPage();
            page.navigate(pageOf("A-1"));
            page.evaluate(MARK);
            assertThat(page.locator("h1")).hasText("Paid");
            await(stage.merchant().refund("A-1", "R-1"));
            stage.awaitSettled();

            page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");

            assertThat(page.locator("h1")).hasText("Refunded", IN_TIME);
            assertThat(page.evaluate(IS_MARKED)).isEqualTo(true);
        }
    }

    @Test
    void a_page_that_can_learn_nothing_for_a_while_warns_until_it_can() {
        await(stage.merchant().order("A-1", "19.99", "tee", "REFUND"));
        try (BrowserContext visitor = browser.visitor("en-US", true)) {
            Page page = visitor.newPage();
            page.navigate(pageOf("A-1"));
            page.evaluate(MARK);
            page.route("**/pay/**", route -> stop(route, "refused"));
            page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");

            assertThat(page.locator("#warning")).containsText("do not pay again", A_WHILE);
            PhoneBrowser.photograph(page, "en-US-unreachable");
            page.unroute("**/pay/**");

            assertThat(page.locator("#warning")).isHidden(UNTIL_HIDDEN);
            assertThat(page.evaluate(IS_MARKED)).isEqualTo(true);
        }
    }

    @Test
    void a_window_that_is_opened_and_closed_changes_nothing() {
        String attempt = await(stage.placeAndOpen("A-1", "stripe", "REFUND"));
        JsonObject before = stage.rows(EVERYTHING).get(0).toJson();
        try (BrowserContext visitor = browser.visitor("en-US", true)) {
            Page page = visitor.newPage();
            page.navigate(pageOf("A-1"));
            assertThat(page.locator("h1")).hasText("Confirming your payment");
        }
        assertThat(stage.rows(EVERYTHING).get(0).toJson()).isEqualTo(before);

        await(stage.psp().pay(attempt));
        passOnWhatWasHeld();
        stage.awaitSettled();

        assertThat(stage.target().records()).containsOnlyKeys("A-1");
        assertThat(stage.violations()).isEmpty();
    }

    @Test
    void an_order_that_nobody_has_paid_yet_turns_as_soon_as_somebody_begins() {
        await(stage.merchant().order("A-1", "19.99", "tee", "REFUND"));
        try (BrowserContext visitor = browser.visitor("en-US", true)) {
            Page page = visitor.newPage();
            page.navigate(pageOf("A-1"));
            assertThat(page.locator("h1")).hasText("Not paid yet");
            assertThat(page.getByRole(AriaRole.STATUS)).not().containsText("Do not pay again.");
            PhoneBrowser.photograph(page, "en-US-not-paid");

            await(stage.merchant().attempt("A-1", "stripe"));

            assertThat(page.locator("h1")).hasText("Confirming your payment", IN_TIME);
        }
    }

    // ---- helpers

    /** The page as the gateway serves it; its public address is the mailbox's here. */
    private String pageOf(String orderNo) {
        URI link = URI.create(await(stage.merchant().show(orderNo)).getString("result_url"));
        return stage.url() + link.getRawPath() + "?" + link.getRawQuery();
    }

    private static void stop(Route route, String how) {
        if (how.equals("refused")) {
            route.fulfill(new Route.FulfillOptions().setStatus(503));
        } else {
            route.abort();
        }
    }

    private static List<String> complaints(Page page) {
        List<String> errors = new ArrayList<>();
        Pattern bad = Pattern.compile("error|warning");
        page.onConsoleMessage(message -> {
            if (bad.matcher(message.type()).matches()) {
                errors.add(message.text());
            }
        });
        page.onPageError(errors::add);
        return errors;
    }

    private static List<String> everythingThatComesAndGoes(Page page) {
        List<String> all = new ArrayList<>();
        page.onRequest(request -> all.add(shown(request)));
        return all;
    }

    private static String shown(Request request) {
        return request.method() + " " + request.url() + " " + request.headers() + " " + request.postData();
    }

    private void passOnWhatWasHeld() {
        await(stage.psp().settled());
        stage.mailbox().take().forEach(held -> await(stage.poster().postUntilSuccess(held, 10)));
    }
}
