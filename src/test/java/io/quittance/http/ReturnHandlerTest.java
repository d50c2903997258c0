package io.quittance.http;

import static io.quittance.http.ResultPageTest.assertPage;
import static org.assertj.core.api.Assertions.assertThat;

import io.quittance.domain.AttemptStatus;
import io.quittance.domain.OrderStatus;
import io.quittance.message.Inquiry;
import io.quittance.message.Inquiry.Answer.Known;
import io.quittance.message.Inquiry.Answer.NoSuchPayment;
import io.quittance.message.Inquiry.Subject;
import io.quittance.message.Unavailable;
import io.quittance.testing.Logs;
import io.vertx.core.Future;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReturnHandlerTest {

    private static final String RETURN = "/v1/return/fake/acme";
    private static final String FORM = "application/x-www-form-urlencoded";

    private Gateway gateway;
    private Logs logs;

    @BeforeEach
    void start() {
        logs = new Logs();
        gateway = new Gateway();
        gateway.inquiries = inquiry ->
                Future.succeededFuture(new Known("acme", "A-1", OrderStatus.PENDING, AttemptStatus.PENDING, false));
    }

    @AfterEach
    void stop() {
        gateway.close();
        logs.close();
    }

    @Test
    void the_browser_is_sent_to_the_result_page_and_nothing_that_it_brought_goes_on() throws Exception {
        HttpResponse<String> response =
                gateway.send(gateway.request(RETURN + "?payment=pay-1&client_secret=pi_secret_x&redirect_status=paid"));

        assertSentOn(response);
        assertThat(gateway.inquired)
                .containsExactly(new Inquiry(new Subject.OfPayment("fake", "acme", "pay-1"), Gateway.RETURN_WAIT));
        assertThat(gateway.submitted).as("facts").isEmpty();
        assertThat(logs.lines()).isEmpty();
    }

    @Test
    void a_posted_return_is_read_from_its_form_alone() throws Exception {
        HttpResponse<String> response =
                gateway.send(posted(RETURN + "?payment=other&sign=wrong", "attempt=" + FakePsp.REFERENCE + "&x=%E4"));

        assertSentOn(response);
        assertThat(gateway.inquired)
                .extracting(Inquiry::subject)
                .containsExactly(new Subject.OfAttempt("fake", "acme", FakePsp.REFERENCE));
        assertThat(gateway.fake.returned.get().fields().toString())
                .isEqualTo("attempt=" + FakePsp.REFERENCE + "&x=%E4");
        assertThat(gateway.fake.returned.get().receivedAt()).isEqualTo(Gateway.NOW);
    }

    @Test
    void our_own_id_goes_before_the_psps() throws Exception {
        assertSentOn(gateway.send(gateway.request(RETURN + "?payment=pay-1&attempt=" + FakePsp.REFERENCE)));

        assertThat(gateway.inquired)
                .extracting(Inquiry::subject)
                .containsExactly(new Subject.OfAttempt("fake", "acme", FakePsp.REFERENCE));
    }

    @Test
    void the_query_is_read_byte_by_byte_as_it_came() throws Exception {
        String query = "payment=pay-1&subject=%CE%D2+\u00ce\u00d2&x=a%26b";

        String answer = gateway.exchange(get(RETURN + "?" + query, ""));

        assertThat(answer).startsWith("HTTP/1.1 303 ");
        assertThat(gateway.fake.returned.get().fields().getBytes())
                .isEqualTo(query.getBytes(StandardCharsets.ISO_8859_1));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "?",
                "?payment=",
                "?payment",
                "?sign=wrong&payment=pay-1",
                "?payment=pay-1&payment=pay-2",
                "?payment=pay-1&payment=pay-1",
                "?attempt=0199C0DE4A6B7C8D9E0F1A2B3C4D5E6F",
                "?attempt=1&payment=pay-1",
                "?payment=%zz",
                "?PAYMENT=pay-1",
            })
    void a_return_that_names_no_payment_or_has_a_wrong_signature_asks_nobody(String query) throws Exception {
        String answer = gateway.exchange(get(RETURN + query, "Accept-Language: zh\r\n"));

        assertThat(answer)
                .startsWith("HTTP/1.1 400 ")
                .contains("Content-Type: text/html; charset=utf-8\r\n", "Content-Language: zh-CN\r\n")
                .contains("Cache-Control: no-store\r\n", "Referrer-Policy: no-referrer\r\n");
        assertThat(gateway.inquired).isEmpty();
        assertThat(logs.lines()).allMatch(line -> line.startsWith("INFO a browser came back to fake/acme: "));
        assertThat(String.join("", logs.lines())).doesNotContain("pay-1", "0199C0DE");
    }

    @Test
    void an_unknown_payment_is_not_recognised() throws Exception {
        gateway.inquiries = inquiry -> Future.succeededFuture(new NoSuchPayment());

        HttpResponse<String> response = gateway.send(gateway.request(RETURN + "?payment=pay-1"));

        assertThat(response.statusCode()).isEqualTo(404);
        assertThat(response.body()).contains("We could not recognise this payment");
        assertPage(response, "en");
        assertThat(logs.lines()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/return/nobody/acme", "/v1/return/fake/nobody", "/v1/return/%3Cb%3E/%3Cb%3E"})
    void an_unknown_account_is_not_recognised(String path) throws Exception {
        HttpResponse<String> response = gateway.send(gateway.request(path + "?payment=pay-1"));
        HttpResponse<String> form = gateway.send(posted(path, "payment=pay-1"));

        assertThat(response.statusCode()).isEqualTo(404);
        assertThat(form.statusCode()).isEqualTo(404);
        assertThat(response.body())
                .contains("We could not recognise this payment")
                .doesNotContain("<b>");
        assertPage(response, "en");
        assertThat(gateway.inquired).isEmpty();
        assertThat(logs.lines()).isEmpty();
    }

    @Test
    void a_form_above_the_limit_is_refused_before_it_is_sent() throws Exception {
        try (Socket socket = gateway.socket()) {
            String head = "POST " + RETURN + " HTTP/1.1\r\nHost: x\r\nContent-Type: " + FORM + "\r\nContent-Length: "
                    + (ReturnHandler.BODY_LIMIT_BYTES + 1) + "\r\n\r\n";
            socket.getOutputStream().write(head.getBytes(StandardCharsets.ISO_8859_1));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

            assertThat(answer).startsWith("HTTP/1.1 413 ").contains("We could not recognise this payment");
        }
        assertThat(gateway.fake.returned).hasNullValue();
    }

    @Test
    void a_form_above_the_limit_that_does_not_say_its_length_is_refused_too() throws Exception {
        String chunk = "4001\r\n" + "x".repeat(0x4001) + "\r\n0\r\n\r\n";
        String answer = gateway.exchange("POST " + RETURN + " HTTP/1.1\r\nHost: x\r\nContent-Type: " + FORM
                + "\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk);

        assertThat(answer).startsWith("HTTP/1.1 413 ");
        assertThat(gateway.fake.returned).hasNullValue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/json", "text/plain", "multipart/form-data; boundary=x", "nonsense"})
    void a_body_that_is_no_form_is_refused(String type) throws Exception {
        HttpResponse<String> response =
                gateway.send(posted(RETURN, "payment=pay-1").setHeader("Content-Type", type));

        assertThat(response.statusCode()).isEqualTo(415);
        assertPage(response, "en");
        assertThat(gateway.fake.returned).hasNullValue();
    }

    @Test
    void a_compressed_form_or_one_of_two_types_is_refused() throws Exception {
        assertThat(gateway.send(posted(RETURN, "payment=pay-1").header("Content-Encoding", "gzip"))
                        .statusCode())
                .isEqualTo(415);
        assertThat(gateway.send(posted(RETURN, "payment=pay-1").header("Content-Type", "text/plain"))
                        .statusCode())
                .isEqualTo(415);
        assertThat(gateway.inquired).isEmpty();
    }

    @Test
    void a_form_with_a_charset_is_a_form() throws Exception {
        assertSentOn(gateway.send(posted(RETURN, "payment=pay-1")
                .setHeader("Content-Type", "Application/X-WWW-Form-URLencoded; charset=GBK")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"HEAD", "PUT", "DELETE", "OPTIONS"})
    void who_only_looks_at_the_address_asks_nobody(String method) throws Exception {
        HttpResponse<String> response = gateway.send(
                gateway.request(RETURN + "?payment=pay-1").method(method, HttpRequest.BodyPublishers.noBody()));

        assertThat(response.statusCode()).isEqualTo(405);
        assertThat(response.headers().firstValue("Allow")).hasValue("GET, POST");
        assertThat(gateway.inquired).isEmpty();
    }

    @Test
    void without_the_database_the_payer_is_told_that_nothing_is_lost() throws Exception {
        gateway.inquiries = inquiry -> Future.failedFuture(new Unavailable("postgres at 10.0.0.1 is away"));

        HttpResponse<String> response = gateway.send(gateway.request(RETURN + "?payment=pay-1"));

        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(response.headers().firstValue("Retry-After")).hasValue("2");
        assertThat(response.body()).contains("do not pay again").doesNotContain("10.0.0.1");
        assertPage(response, "en");
        assertThat(logs.lines()).isEmpty();
    }

    @Test
    void a_bug_shows_the_payer_no_internals_and_the_log_no_fields() throws Exception {
        HttpResponse<String> response = gateway.send(gateway.request(RETURN + "?bug=1&client_secret=pi_secret_x"));

        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(response.body()).doesNotContain("bug", "IllegalState");
        assertPage(response, "en");
        assertThat(logs.lines()).singleElement().asString().startsWith("ERROR").doesNotContain("pi_secret_x");
    }

    @Test
    void merchants_ask_with_refresh_and_see_the_order() throws Exception {
        gateway.orders = orderNo -> Future.succeededFuture(
                Optional.of(OrdersApiTest.order(OrderStatus.PAID, null, AttemptStatus.SUCCEEDED)));
        HttpRequest.Builder bare = gateway.request("/v1/orders/A-1/refresh")
                .header("Authorization", "Bearer " + Gateway.KEY)
                .POST(HttpRequest.BodyPublishers.noBody());

        HttpResponse<String> response = gateway.send(bare);
        HttpResponse<String> withEmptyObject = gateway.post("/v1/orders/A-1/refresh", "{}");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(Gateway.json(response).getString("status")).isEqualTo("PAID");
        assertThat(Gateway.json(response).getString("result_url")).isEqualTo(Gateway.LINKS.to("acme", "A-1"));
        assertThat(withEmptyObject.body()).isEqualTo(response.body());
        assertThat(gateway.inquired)
                .extracting(Inquiry::subject)
                .containsOnly(new Subject.OfOrder("acme", "A-1"))
                .hasSize(2);
    }

    @Test
    void a_refresh_of_what_is_not_there_or_by_nobody_or_with_nonsense_is_refused() throws Exception {
        gateway.inquiries = inquiry -> Future.succeededFuture(new NoSuchPayment());
        OrdersApiTest.assertProblem(gateway.post("/v1/orders/A-1/refresh", "{}"), 404, "not-found");
        gateway.inquired.clear();

        OrdersApiTest.assertProblem(
                gateway.send(gateway.request("/v1/orders/A-1/refresh").POST(HttpRequest.BodyPublishers.noBody())),
                401,
                "unauthenticated");
        OrdersApiTest.assertProblem(gateway.post("/v1/orders/A-1/refresh", "{"), 400, "not-json");
        OrdersApiTest.assertProblem(
                gateway.send(gateway.merchant("/v1/orders/A-1/refresh")
                        .setHeader("Content-Type", "text/plain")
                        .POST(HttpRequest.BodyPublishers.ofString("x"))),
                415,
                "media-type");
        assertThat(gateway.inquired).isEmpty();
    }

    private static void assertSentOn(HttpResponse<String> response) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(303);
        assertThat(response.headers().firstValue("Location")).hasValue(Gateway.LINKS.to("acme", "A-1"));
        assertThat(response.headers().firstValue("Cache-Control")).hasValue("no-store");
        assertThat(response.headers().firstValue("Referrer-Policy")).hasValue("no-referrer");
        assertThat(response.headers().map()).doesNotContainKey("content-type");
        assertThat(response.body()).isEmpty();
    }

    private HttpRequest.Builder posted(String path, String form) {
        return gateway.request(path).header("Content-Type", FORM).POST(HttpRequest.BodyPublishers.ofString(form));
    }

    private static String get(String path, String headers) {
        return "GET " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" + headers + "\r\n";
    }
}
