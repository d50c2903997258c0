package io.quittance.http;

import static io.quittance.domain.AttemptStatus.EXPIRED;
import static io.quittance.domain.AttemptStatus.FAILED;
import static io.quittance.domain.AttemptStatus.MANUAL_REVIEW;
import static io.quittance.domain.AttemptStatus.PENDING;
import static io.quittance.domain.AttemptStatus.PROCESSING;
import static io.quittance.domain.AttemptStatus.SUCCEEDED;
import static io.quittance.domain.AttemptStatus.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;

import io.quittance.domain.AttemptStatus;
import io.quittance.domain.Money;
import io.quittance.domain.OrderStatus;
import io.quittance.domain.RefundReason;
import io.quittance.domain.RefundStatus;
import io.quittance.domain.SyncStatus;
import io.quittance.store.Away;
import io.quittance.store.OrderView;
import io.quittance.testing.Logs;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ResultPageTest {

    private static final String TOKEN = Gateway.LINKS.token("acme", "A-1");
    private static final String PAGE = "/pay/A-1?token=" + TOKEN;

    /** Money in doubt or on its way back. */
    private static final Set<PageState> MUST_NOT_PAY_AGAIN = EnumSet.of(
            PageState.CONFIRMING,
            PageState.CALLING_OFF,
            PageState.NOT_FULFILLED,
            PageState.MONEY_GOES_BACK,
            PageState.UNDER_REVIEW);

    private static final Set<PageState> REFRESHING = EnumSet.of(
            PageState.NOT_PAID,
            PageState.CONFIRMING,
            PageState.CALLING_OFF,
            PageState.CLOSING,
            PageState.NOT_SUCCEEDED,
            PageState.NOT_FULFILLED,
            PageState.MONEY_GOES_BACK,
            PageState.UNDER_REVIEW);

    private Gateway gateway;
    private Logs logs;

    @BeforeEach
    void start() {
        logs = new Logs();
        gateway = new Gateway();
        show(order(OrderStatus.PENDING, null, List.of(PENDING)));
    }

    @AfterEach
    void stop() {
        gateway.close();
        logs.close();
    }

    static Stream<Arguments> states() {
        return Stream.of(
                state(PageState.NOT_PAID, order(OrderStatus.PENDING, null, List.of())),
                state(PageState.CONFIRMING, order(OrderStatus.PENDING, null, List.of(PENDING))),
                state(PageState.CONFIRMING, order(OrderStatus.PENDING, null, List.of(PROCESSING))),
                state(PageState.CONFIRMING, order(OrderStatus.PENDING, null, List.of(FAILED, UNKNOWN))),
                state(PageState.NOT_SUCCEEDED, order(OrderStatus.PENDING, null, List.of(EXPIRED, FAILED))),
                state(PageState.UNDER_REVIEW, order(OrderStatus.PENDING, null, List.of(MANUAL_REVIEW))),
                state(
                        PageState.CALLING_OFF,
                        Sample.of(OrderStatus.PENDING)
                                .attempts(PENDING)
                                .calledOff(true)
                                .view()),
                state(
                        PageState.CLOSING,
                        Sample.of(OrderStatus.PENDING)
                                .attempts(FAILED)
                                .secondsLeft(0)
                                .view()),
                state(PageState.PAID, order(OrderStatus.PAID, null, List.of(SUCCEEDED))),
                state(PageState.PAID, order(OrderStatus.PAID, SyncStatus.FAILED, List.of(SUCCEEDED))),
                state(PageState.NOT_FULFILLED, order(OrderStatus.PAID, SyncStatus.REJECTED, List.of(SUCCEEDED))),
                state(
                        PageState.NOT_FULFILLED,
                        order(
                                OrderStatus.PAID,
                                SyncStatus.REJECTED,
                                List.of(SUCCEEDED),
                                refund(RefundStatus.REQUESTED, RefundReason.FULFILMENT_FAILED))),
                state(
                        PageState.PAID_TWICE,
                        order(
                                OrderStatus.PAID,
                                SyncStatus.COMPLETED,
                                List.of(SUCCEEDED, SUCCEEDED),
                                refund(RefundStatus.SUCCEEDED, RefundReason.DOUBLE_PAYMENT))),
                state(
                        PageState.PARTLY_REFUNDED,
                        order(
                                OrderStatus.PARTIALLY_REFUNDED,
                                SyncStatus.COMPLETED,
                                List.of(SUCCEEDED),
                                refund(RefundStatus.SUCCEEDED, RefundReason.MADE_AT_PSP))),
                state(PageState.REFUNDED, order(OrderStatus.REFUNDED, null, List.of(SUCCEEDED))),
                state(PageState.FAILED, order(OrderStatus.FAILED, null, List.of(FAILED))),
                state(PageState.EXPIRED, order(OrderStatus.EXPIRED, null, List.of(EXPIRED))),
                state(PageState.CANCELLED, order(OrderStatus.CANCELLED, null, List.of())),
                state(PageState.UNDER_REVIEW, order(OrderStatus.EXPIRED, null, List.of(SUCCEEDED))),
                state(PageState.MONEY_GOES_BACK, late(RefundStatus.UNKNOWN)),
                state(PageState.MONEY_WENT_BACK, late(RefundStatus.SUCCEEDED)),
                state(PageState.UNDER_REVIEW, late(RefundStatus.MANUAL_REVIEW)),
                state(PageState.UNDER_REVIEW, late(RefundStatus.FAILED)));
    }

    @ParameterizedTest
    @MethodSource("states")
    void each_order_has_its_state(PageState wanted, OrderView order) {
        assertThat(PageState.of(order)).isEqualTo(wanted);
    }

    @ParameterizedTest
    @EnumSource(PageState.class)
    void each_state_is_told_in_both_languages_and_warns_of_paying_again_where_that_would_be_wrong(PageState state) {
        OrderView order = states().filter(arguments -> arguments.get()[0] == state)
                .map(arguments -> (OrderView) arguments.get()[1])
                .findFirst()
                .orElseThrow();
        String english = html(show(order, Language.ENGLISH, TOKEN));
        String chinese = html(show(order, Language.CHINESE, TOKEN));

        assertThat(english).contains("<html lang=\"en\">", "<h1>" + state.title(Language.ENGLISH) + "</h1>");
        assertThat(chinese).contains("<html lang=\"zh-CN\">", "<h1>" + state.title(Language.CHINESE) + "</h1>");
        assertThat(english).contains("<dt>Order</dt><dd>A-1</dd>", "<dt>Amount</dt><dd>19.99 CNY</dd>");
        assertThat(chinese).contains("<dt>订单号</dt><dd>A-1</dd>", "<dt>金额</dt><dd>19.99 CNY</dd>");
        assertThat(english.contains("Do not pay again.")).isEqualTo(MUST_NOT_PAY_AGAIN.contains(state));
        assertThat(chinese.contains("请勿重复支付。")).isEqualTo(MUST_NOT_PAY_AGAIN.contains(state));
        assertThat(english.contains("http-equiv=\"refresh\"")).isEqualTo(REFRESHING.contains(state));
        assertThat(english.contains("data-final=\"true\"")).isEqualTo(order.isSettledForPayer());
    }

    @Test
    void everything_that_comes_from_outside_is_escaped() {
        OrderView hostile =
                Sample.of(OrderStatus.PENDING).attempts(PENDING).view("\"><script>alert('1')</script>&", Gateway.NOW);

        String html = html(show(hostile, Language.ENGLISH, "\"'><img src=x>"));

        assertThat(html)
                .doesNotContain("<script>alert", "<img", "alert('")
                .containsOnlyOnce("<script")
                .contains("<dd>&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;</dd>")
                .contains(
                        "url=?token=&quot;&#39;&gt;&lt;img src=x&gt;&amp;look=1\">",
                        "data-token=\"&quot;&#39;&gt;&lt;img src=x&gt;\"");
    }

    @Test
    void the_page_is_served_with_everything_shut() throws Exception {
        HttpResponse<String> response = get(PAGE, "zh-CN,zh;q=0.9");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).contains("正在确认您的付款");
        assertPage(response, "zh-CN");
        assertThat(logs.lines()).isEmpty();
    }

    @Test
    void the_one_style_and_the_one_script_are_those_that_the_policy_allows() throws Exception {
        HttpResponse<String> response = get(PAGE, "en");

        String policy = response.headers().firstValue("Content-Security-Policy").orElseThrow();
        assertThat(policy)
                .contains("default-src 'none'", "connect-src 'self'")
                .contains("style-src " + source(between(response.body(), "<style>", "</style>")))
                .contains("script-src " + source(between(response.body(), "<script>", "</script>")))
                .doesNotContain("unsafe", "*", "http");
        assertThat(response.body())
                .containsOnlyOnce("<script")
                .containsOnlyOnce("<style")
                .doesNotContain("style=", "src=", "<link", "http:", "https:");
        assertThat(PageScript.TEXT).doesNotContain("</", "<!--", "innerHTML");
    }

    @Test
    void a_notice_may_run_nothing() {
        Answer notice = NoticePage.NOT_NOW.answer(503, Language.ENGLISH);

        assertThat(notice.headers().get("Content-Security-Policy"))
                .contains("default-src 'none'")
                .doesNotContain("script-src", "connect-src", "unsafe");
        assertThat(html(notice)).doesNotContain("<script");
    }

    @Test
    void the_time_that_is_left_is_shown_while_paying_is_possible_and_never_called_expired() {
        Sample confirming = Sample.of(OrderStatus.PENDING).attempts(PENDING);

        assertThat(english(confirming.secondsLeft(754)))
                .contains(
                        "<p id=\"time\" class=\"time\" role=\"timer\">Time left to pay <span id=\"left\">12:34</span>")
                .contains("data-seconds-left=\"754\"");
        assertThat(html(show(confirming.secondsLeft(754).view(), Language.CHINESE, TOKEN)))
                .contains("剩余支付时间 <span id=\"left\">12:34</span>");
        assertThat(english(confirming.secondsLeft(0)))
                .contains("role=\"timer\" hidden>")
                .contains(
                        ">The time to pay is over and the order is being closed. Please do not begin a payment now.</p>")
                .doesNotContain("expired");
        assertThat(english(Sample.of(OrderStatus.PENDING).secondsLeft(0)))
                .contains("<h1>The time to pay is over</h1>")
                .doesNotContain("Go back to the shop to pay", "expired");
        assertThat(english(Sample.of(OrderStatus.PAID))).contains("role=\"timer\" hidden>", "data-seconds-left=\"\"");
    }

    @ParameterizedTest
    @CsvSource({"1, 0:01", "59, 0:59", "60, 1:00", "3599, 59:59", "3600, 1:00:00", "90061, 25:01:01"})
    void a_time_is_written_as_on_a_clock(long seconds, String face) {
        assertThat(ResultPage.clockFace(seconds)).isEqualTo(face);
    }

    @Test
    void the_script_may_ask_for_what_the_page_says() throws Exception {
        HttpResponse<String> response = gateway.send(
                gateway.request(PAGE).header("Accept", "application/json").header("Accept-Language", "zh"));

        assertThat(response.headers().firstValue("Content-Type")).hasValue("application/json");
        assertThat(response.headers().firstValue("Cache-Control")).hasValue("no-store");
        assertThat(Gateway.json(response)).isEqualTo(new JsonObject("""
                        {"state": "CONFIRMING", "tone": "waiting", "sign": "⋯", "title": "正在确认您的付款",
                         "text": "如果您已完成付款，请稍候，确认可能需要一点时间。", "warning": "请勿重复支付。",
                         "final": false, "seconds_left": 1800}
                        """));
    }

    @Test
    void nothing_of_the_payment_but_number_amount_and_state_is_shown() throws Exception {
        HttpResponse<String> response = get(PAGE, "en");

        assertThat(response.body()).doesNotContain(FakePsp.REFERENCE, "fake", "pay-1", "CREATED", "PENDING");
    }

    @Test
    void the_page_looks_again_less_and_less_and_then_stops() throws Exception {
        assertThat(refresh(PAGE)).isEqualTo("3;url=?token=" + TOKEN + "&amp;look=1");
        assertThat(refresh(PAGE + "&look=19")).startsWith("3;").endsWith("look=20");
        assertThat(refresh(PAGE + "&look=20")).startsWith("15;").endsWith("look=21");
        assertThat(refresh(PAGE + "&look=139")).startsWith("15;").endsWith("look=140");
        assertThat(get(PAGE + "&look=140", "en").body())
                .doesNotContain("http-equiv")
                .contains("<a id=\"again\" href=\"?token=" + TOKEN + "\">");
        assertThat(refresh(PAGE + "&look=-1")).endsWith("look=1");
        assertThat(refresh(PAGE + "&look=99999999999")).endsWith("look=1");
    }

    @Test
    void the_refresh_leads_to_the_page_itself() throws Exception {
        String url = between(refresh(PAGE), "url=", "&amp;").concat("&look=1");

        HttpResponse<String> again = get("/pay/A-1" + url, "en");

        assertThat(again.statusCode()).isEqualTo(200);
        assertThat(again.body()).contains("look=2");
    }

    static List<String> badLinks() {
        return List.of(
                "/pay/A-1",
                "/pay/A-1?token=",
                "/pay/A-1?token=acme",
                "/pay/A-1?token=" + TOKEN + "x",
                "/pay/A-2?token=" + TOKEN,
                "/pay/A-1?token=" + Gateway.LINKS.token("other", "A-1"),
                "/pay/A-1?token=" + Gateway.LINKS.token("nobody", "A-1"),
                PAGE + "&token=" + TOKEN,
                PAGE + "&x=%ff",
                "/pay/%3Cscript%3E?token=" + TOKEN);
    }

    /** Java's own client refuses some of these addresses. */
    @ParameterizedTest
    @MethodSource("badLinks")
    void a_bad_link_gets_one_neutral_page_whatever_is_wrong(String link) throws Exception {
        String answer = gateway.exchange("GET " + link + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");

        assertThat(answer)
                .startsWith("HTTP/1.1 404 ")
                .contains("Content-Type: text/html; charset=utf-8\r\n", "Cache-Control: no-store\r\n")
                .contains("Nothing was charged because of this page")
                .endsWith("\r\n\r\n" + html(NoticePage.NOT_RECOGNISED.answer(404, Language.ENGLISH)));
        assertThat(logs.lines()).isEmpty();
    }

    @Test
    void an_address_that_is_not_well_formed_gets_the_same_page() throws Exception {
        String answer = gateway.exchange("GET " + PAGE + "&x=%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");

        assertThat(answer)
                .startsWith("HTTP/1.1 400 ")
                .endsWith("\r\n\r\n" + html(NoticePage.NOT_RECOGNISED.answer(404, Language.ENGLISH)));
        assertThat(gateway.send(gateway.request("/pay/A-1/more")).body()).startsWith("<!doctype html>");
        assertThat(gateway.send(gateway.request("/payments")).body()).startsWith("{");
    }

    @Test
    void an_order_that_is_long_over_is_not_shown_any_more() throws Exception {
        Duration life = ResultPage.LINK_LIFE;
        show(at(Gateway.NOW.minus(life).plusSeconds(1)));
        assertThat(get(PAGE, "en").statusCode()).isEqualTo(200);
        show(at(Gateway.NOW.minus(life)));
        assertThat(get(PAGE, "en").statusCode()).isEqualTo(404);
    }

    @Test
    void an_order_that_is_gone_is_not_recognised() throws Exception {
        gateway.orders = orderNo -> Future.succeededFuture(Optional.empty());

        HttpResponse<String> response = get(PAGE, "zh");

        assertThat(response.statusCode()).isEqualTo(404);
        assertThat(response.body()).contains("无法识别此付款", "本页面不会产生任何扣款");
        assertPage(response, "zh-CN");
    }

    @Test
    void without_the_database_the_payer_is_told_that_nothing_is_lost() throws Exception {
        gateway.orders = orderNo -> Future.failedFuture(new Away(new IllegalStateException("10.0.0.1")));
        HttpResponse<String> away = get(PAGE, "en");
        assertThat(logs.lines()).isEmpty();
        gateway.orders = orderNo -> Future.failedFuture(new IllegalStateException("a bug"));
        HttpResponse<String> bug = get(PAGE, "en");

        assertThat(away.statusCode()).isEqualTo(503);
        assertThat(away.headers().firstValue("Retry-After")).hasValue("2");
        assertThat(away.body()).contains("do not pay again").doesNotContain("10.0.0.1");
        assertPage(away, "en");
        assertThat(bug.statusCode()).isEqualTo(503);
        assertThat(bug.body()).isEqualTo(away.body());
        assertThat(logs.lines()).singleElement().asString().startsWith("ERROR");
    }

    @ParameterizedTest
    @ValueSource(strings = {"HEAD", "POST", "PUT", "DELETE"})
    void the_page_is_only_read(String method) throws Exception {
        HttpResponse<String> response =
                gateway.send(gateway.request(PAGE).method(method, HttpRequest.BodyPublishers.noBody()));

        assertThat(response.statusCode()).isEqualTo(405);
        assertThat(response.headers().firstValue("Allow")).hasValue("GET");
    }

    // ---- helpers

    private void show(OrderView order) {
        gateway.orders = orderNo -> Future.succeededFuture(
                Optional.of(order).filter(found -> found.orderNo().equals(orderNo)));
    }

    private HttpResponse<String> get(String path, String languages) throws Exception {
        return gateway.send(gateway.request(path).header("Accept-Language", languages));
    }

    private String refresh(String path) throws Exception {
        Matcher found = Pattern.compile("<meta http-equiv=\"refresh\" content=\"([^\"]*)\">")
                .matcher(get(path, "en").body());
        assertThat(found.find()).isTrue();
        return found.group(1);
    }

    static void assertPage(HttpResponse<String> response, String language) {
        assertThat(response.headers().firstValue("Content-Type")).hasValue("text/html; charset=utf-8");
        assertThat(response.headers().firstValue("Content-Language")).hasValue(language);
        assertThat(response.headers().firstValue("Vary").orElseThrow()).contains("Accept-Language");
        assertThat(response.headers().firstValue("Cache-Control")).hasValue("no-store");
        assertThat(response.headers().firstValue("Referrer-Policy")).hasValue("no-referrer");
        assertThat(response.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
        assertThat(response.headers().firstValue("Content-Security-Policy")).isPresent();
    }

    private static Answer show(OrderView order, Language language, String token) {
        return ResultPage.show(order, new ResultPage.Visit(language, order.orderNo(), token, Optional.of("acme"), 0));
    }

    private static String english(Sample order) {
        return html(show(order.view(), Language.ENGLISH, TOKEN));
    }

    private static String source(String text) {
        byte[] hash = Digests.sha256(text.getBytes(StandardCharsets.UTF_8));
        return "'sha256-" + Base64.getEncoder().encodeToString(hash) + "'";
    }

    private static String between(String text, String start, String end) {
        int from = text.indexOf(start) + start.length();
        return text.substring(from, text.indexOf(end, from));
    }

    private static String html(Answer answer) {
        return answer.body().toString(StandardCharsets.UTF_8);
    }

    private static Arguments state(PageState state, OrderView order) {
        return Arguments.of(state, order);
    }

    private static OrderView late(RefundStatus status) {
        return order(OrderStatus.EXPIRED, null, List.of(SUCCEEDED), refund(status, RefundReason.LATE_PAYMENT));
    }

    private static OrderView.Refund refund(RefundStatus status, RefundReason reason) {
        return new OrderView.Refund(FakePsp.REFERENCE, status, new Money(1999, "CNY"), reason);
    }

    private static OrderView at(Instant expiresAt) {
        return Sample.of(OrderStatus.PAID).view("A-1", expiresAt);
    }

    private static OrderView order(
            OrderStatus status, SyncStatus sync, List<AttemptStatus> attempts, OrderView.Refund... refunds) {
        OrderView view = Sample.of(status)
                .sync(sync)
                .attempts(attempts.toArray(AttemptStatus[]::new))
                .view();
        return new OrderView(
                view.id(),
                view.orderNo(),
                status,
                sync,
                null,
                view.amount(),
                view.expiresAt(),
                view.secondsLeft(),
                view.calledOff(),
                view.attempts(),
                List.of(refunds));
    }
}
