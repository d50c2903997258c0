package io.quittance.psp;

import static org.assertj.core.api.Assertions.assertThat;

import io.quittance.domain.Money;
import io.quittance.psp.PspAdapter.NewPayment;
import io.quittance.psp.PspAdapter.PaymentRef;
import io.quittance.psp.PspAdapter.RefundOrder;
import io.quittance.psp.adyen.AdyenFixture;
import io.quittance.psp.alipay.AlipayFixture;
import io.quittance.psp.standardwebhooks.StandardWebhooksFixture;
import io.quittance.psp.stripe.StripeFixture;
import io.quittance.psp.wechatpay.WechatpayFixture;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The calls to the PSPs, against a server of the test's own. */
class PspCallsTest {

    private static final NewPayment PAYMENT = new NewPayment(
            PspFixture.ATTEMPT,
            "A-1 & total_amount=1",
            new Money(1_999, "CNY"),
            PspFixture.NOW.plus(30, ChronoUnit.MINUTES),
            "https://quittance.example/v1/notify",
            "https://quittance.example/v1/return");
    private static final PaymentRef REF = new PaymentRef(PspFixture.ATTEMPT, "pi_1", PAYMENT);
    private static final RefundOrder REFUND =
            new RefundOrder(PspFixture.REFUND, REF, new Money(1_999, "CNY"), new Money(500, "CNY"), "not in stock");

    private static Vertx vertx;
    private static HttpClient client;
    private static HttpServer server;
    private static volatile Handler<HttpServerRequest> behaviour = request -> {};

    @BeforeAll
    static void start() throws Exception {
        vertx = Vertx.vertx();
        client = vertx.createHttpClient();
        server = await(vertx.createHttpServer()
                .requestHandler(request -> behaviour.handle(request))
                .listen(0, "127.0.0.1"));
    }

    @AfterAll
    static void stop() throws Exception {
        await(vertx.close());
    }

    static Stream<PspFixture> psps() {
        return Stream.of(
                new StripeFixture(),
                new AlipayFixture(),
                new WechatpayFixture(),
                new AdyenFixture(),
                new StandardWebhooksFixture());
    }

    @ParameterizedTest
    @MethodSource("psps")
    void silence_is_no_answer(PspFixture psp) throws Exception {
        behaviour = request -> {};
        assertNoAnswers(psp, Duration.ofMillis(150));
    }

    @ParameterizedTest
    @MethodSource("psps")
    void a_closed_connection_is_no_answer(PspFixture psp) throws Exception {
        behaviour = request -> request.connection().close();
        assertNoAnswers(psp, Duration.ofSeconds(5));
    }

    @ParameterizedTest
    @MethodSource("psps")
    void a_server_error_is_no_answer_even_if_it_is_signed(PspFixture psp) throws Exception {
        behaviour = request -> psp.answer(request, 500, Buffer.buffer("{\"error\":{\"type\":\"api_error\"}}"));
        assertNoAnswers(psp, Duration.ofSeconds(5));
    }

    @ParameterizedTest
    @MethodSource("psps")
    void garbage_is_no_answer(PspFixture psp) throws Exception {
        for (String garbage : List.of("", "<html>", "[]", "null", "{", "{}")) {
            for (int status : new int[] {200, 404}) {
                behaviour = request -> request.response().setStatusCode(status).end(garbage);
                assertNoAnswers(psp, Duration.ofSeconds(5));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("psps")
    void an_answer_that_is_not_signed_is_no_answer(PspFixture psp) throws Exception {
        if (!psp.signsAnswers()) {
            return;
        }
        behaviour = request -> psp.answerUnsigned(request.response());
        assertNoAnswers(psp, Duration.ofSeconds(5));
    }

    @Test
    void stripe_creates_under_the_attempts_id_and_gives_the_client_secret() throws Exception {
        behaviour = request -> {
            boolean keyed = PspFixture.ATTEMPT.equals(request.getHeader("Idempotency-Key"))
                    && "Bearer sk_test_secret".equals(request.getHeader("Authorization"));
            request.response().setStatusCode(keyed ? 200 : 400).end("""
                    {"id":"pi_1","status":"requires_payment_method","client_secret":"pi_1_secret","livemode":false}""");
        };
        PaymentReport report = await(adapter(new StripeFixture()).create(PAYMENT));
        assertThat(report.status()).isEqualTo(PaymentReport.Status.PENDING);
        assertThat(report.pspPaymentId()).isEqualTo("pi_1");
        assertThat(report.pay().getString("client_secret")).isEqualTo("pi_1_secret");
    }

    @Test
    void stripe_refusals_fail_a_creation_and_conflicts_leave_it_open() throws Exception {
        Map<Integer, PaymentReport.Status> expected = Map.of(
                400, PaymentReport.Status.FAILED,
                402, PaymentReport.Status.FAILED,
                409, PaymentReport.Status.NO_ANSWER,
                429, PaymentReport.Status.NO_ANSWER);
        for (Map.Entry<Integer, PaymentReport.Status> one : expected.entrySet()) {
            behaviour = request -> request.response()
                    .setStatusCode(one.getKey())
                    .end("{\"error\":{\"type\":\"invalid_request_error\",\"message\":\"private\"}}");
            PaymentReport report = await(adapter(new StripeFixture()).create(PAYMENT));
            assertThat(report.status()).as(one.getKey().toString()).isEqualTo(one.getValue());
            assertThat(report.detail()).doesNotContain("private");
        }
    }

    @Test
    void stripe_reports_that_a_payment_was_paid_before_it_could_be_closed() throws Exception {
        behaviour = request -> {
            boolean cancel = request.path().endsWith("/cancel");
            request.response()
                    .setStatusCode(cancel ? 400 : 200)
                    .end(
                            cancel
                                    ? "{\"error\":{\"code\":\"payment_intent_unexpected_state\"}}"
                                    : "{\"id\":\"pi_1\",\"status\":\"succeeded\",\"amount_received\":1999,\"currency\":\"cny\"}");
        };
        PaymentReport report = await(adapter(new StripeFixture()).close(REF));
        assertThat(report.status()).isEqualTo(PaymentReport.Status.SUCCEEDED);
        assertThat(report.amount()).isEqualTo(new Money(1_999, "CNY"));
    }

    @Test
    void alipay_makes_an_address_that_is_signed_over_all_of_it() throws Exception {
        PaymentReport report = await(adapter(new AlipayFixture()).create(PAYMENT));
        String url = report.pay().getString("url");
        Map<String, String> fields = FormBody.decode(
                        url.substring(url.indexOf('?') + 1).getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8)
                .orElseThrow();
        assertThat(fields.get("biz_content"))
                .contains("\"total_amount\":\"19.99\"", "\"time_expire\":\"2026-03-01 20:30:00\"", PspFixture.ATTEMPT)
                .doesNotContain("&");
        String text = com.alipay.api.internal.util.AlipaySignature.getSignCheckContentV2(new HashMap<>(fields));
        assertThat(com.alipay.api.internal.util.AlipaySignature.rsa256CheckContent(
                        text, fields.get("sign"), TestKeys.base64(TestKeys.OWN.getPublic()), "utf-8"))
                .isTrue();
        assertThat(report.sessionEnds()).isEqualTo(PAYMENT.expiresAt());
    }

    @Test
    void alipay_answers_are_read_if_they_are_signed() throws Exception {
        AlipayFixture psp = new AlipayFixture();
        behaviour = request ->
                psp.answer(request, 200, Buffer.buffer("{\"code\":\"40004\",\"sub_code\":\"ACQ.TRADE_NOT_EXIST\"}"));
        assertThat(await(adapter(psp).query(REF)).status()).isEqualTo(PaymentReport.Status.NOT_FOUND);
        assertThat(await(adapter(psp).close(REF)).status()).isEqualTo(PaymentReport.Status.NOT_FOUND);
        behaviour = request -> psp.answer(
                request,
                200,
                Buffer.buffer("{\"code\":\"10000\",\"out_trade_no\":\""
                        + PspFixture.ATTEMPT + "\",\"trade_no\":\"2\",\"trade_status\":\"TRADE_SUCCESS\","
                        + "\"total_amount\":\"19.99\",\"fund_change\":\"N\",\"refund_status\":\"REFUND_SUCCESS\"}"));
        assertThat(await(adapter(psp).query(REF))).isEqualTo(PaymentReport.succeeded("2", new Money(1_999, "CNY")));
        assertThat(await(adapter(psp).close(REF)).status()).isEqualTo(PaymentReport.Status.CLOSED);
        assertThat(await(adapter(psp).refund(REFUND)).status()).isEqualTo(RefundReport.Status.SUCCEEDED);
    }

    @Test
    void alipay_answers_with_a_node_twice_are_no_answer() throws Exception {
        AlipayFixture psp = new AlipayFixture();
        behaviour = request -> {
            String node = "\"alipay_trade_close_response\":{\"code\":\"10000\"}";
            request.response().end("{" + node + "," + node + ",\"sign\":\"AAAA\"}");
        };
        assertThat(await(adapter(psp).close(REF)).status()).isEqualTo(PaymentReport.Status.NO_ANSWER);
    }

    @Test
    void wechat_pay_answers_are_read_if_they_are_signed() throws Exception {
        WechatpayFixture psp = new WechatpayFixture();
        behaviour = request -> psp.answer(request, 200, Buffer.buffer("{\"code_url\":\"weixin://x\"}"));
        assertThat(await(adapter(psp).create(PAYMENT)).pay().getString("code_url"))
                .isEqualTo("weixin://x");
        behaviour = request -> psp.answer(request, 404, Buffer.buffer("{\"code\":\"ORDER_NOT_EXIST\"}"));
        assertThat(await(adapter(psp).query(REF)).status()).isEqualTo(PaymentReport.Status.NOT_FOUND);
        behaviour = request -> psp.answer(request, 204, Buffer.buffer());
        assertThat(await(adapter(psp).close(REF)).status()).isEqualTo(PaymentReport.Status.CLOSED);
        behaviour = request -> psp.answer(
                request,
                200,
                Buffer.buffer("{\"refund_id\":\"5\",\"out_refund_no\":\"" + PspFixture.REFUND
                        + "\",\"status\":\"PROCESSING\"}"));
        assertThat(await(adapter(psp).refund(REFUND)))
                .isEqualTo(new RefundReport(RefundReport.Status.PENDING, "5", "PROCESSING"));
    }

    @Test
    void adyen_creates_a_link_under_the_attempts_id_and_never_gives_its_id_for_the_payments() throws Exception {
        AtomicReference<JsonObject> asked = new AtomicReference<>();
        behaviour = request -> request.body().onSuccess(body -> {
            asked.set(body.toJsonObject());
            boolean keyed = PspFixture.ATTEMPT.equals(request.getHeader("Idempotency-Key"))
                    && "AQE_secret".equals(request.getHeader("X-API-Key"))
                    && request.path().equals("/v71/paymentLinks");
            request.response().setStatusCode(keyed ? 201 : 400).end(adyenLink("active"));
        });
        PaymentReport report = await(adapter(new AdyenFixture()).create(PAYMENT));
        assertThat(report)
                .isEqualTo(PaymentReport.created(
                        null,
                        new JsonObject().put("url", "https://eu.adyen.link/PL1"),
                        Instant.parse("2026-03-01T12:30:00Z")));
        assertThat(asked.get())
                .isEqualTo(new JsonObject()
                        .put("reference", PspFixture.ATTEMPT)
                        .put("amount", new JsonObject().put("value", 1_999).put("currency", "CNY"))
                        .put("merchantAccount", "AcmeECOM")
                        .put("expiresAt", "2026-03-01T12:30:00Z")
                        .put("returnUrl", "https://quittance.example/v1/return?reference=" + PspFixture.ATTEMPT)
                        .put("description", "A-1 & total_amount=1"));
    }

    @Test
    void adyen_refuses_for_good_or_leaves_it_open() throws Exception {
        Map<String, PaymentReport.Status> expected = Map.of(
                "422 130", PaymentReport.Status.FAILED,
                "403 901", PaymentReport.Status.FAILED,
                "422 704", PaymentReport.Status.NO_ANSWER,
                "409 704", PaymentReport.Status.NO_ANSWER,
                "429 905", PaymentReport.Status.NO_ANSWER,
                "422 transient", PaymentReport.Status.NO_ANSWER);
        for (Map.Entry<String, PaymentReport.Status> one : expected.entrySet()) {
            String[] answer = one.getKey().split(" ", 2);
            behaviour = request -> request.response()
                    .setStatusCode(Integer.parseInt(answer[0]))
                    .putHeader("transient-error", Boolean.toString(answer[1].equals("transient")))
                    .end("{\"errorCode\":\"" + answer[1] + "\",\"message\":\"private\"}");
            PaymentReport report = await(adapter(new AdyenFixture()).create(PAYMENT));
            assertThat(report.status()).as(one.getKey()).isEqualTo(one.getValue());
            assertThat(report.detail()).doesNotContain("private");
        }
    }

    @Test
    void adyen_is_asked_by_repeating_the_creation_and_a_completed_link_is_not_yet_a_success() throws Exception {
        Map<String, PaymentReport.Status> expected = Map.of(
                "active", PaymentReport.Status.PENDING,
                "paymentPending", PaymentReport.Status.PENDING,
                "completed", PaymentReport.Status.PENDING,
                "expired", PaymentReport.Status.CLOSED,
                "odd", PaymentReport.Status.NO_ANSWER);
        for (Map.Entry<String, PaymentReport.Status> one : expected.entrySet()) {
            behaviour = request -> request.response()
                    .setStatusCode(HttpMethod.POST.equals(request.method()) ? 201 : 200)
                    .end(adyenLink(HttpMethod.POST.equals(request.method()) ? "active" : one.getKey()));
            PaymentReport report = await(adapter(new AdyenFixture()).query(REF));
            assertThat(report.status()).as(one.getKey()).isEqualTo(one.getValue());
            assertThat(report.pspPaymentId()).isNull();
        }
        behaviour = request -> request.response()
                .setStatusCode(201)
                .end(adyenLink("active").replace(PspFixture.ATTEMPT, PspFixture.REFUND));
        assertThat(await(adapter(new AdyenFixture()).query(REF)).status()).isEqualTo(PaymentReport.Status.NO_ANSWER);
    }

    @Test
    void adyen_reports_that_a_link_was_paid_before_it_could_be_closed() throws Exception {
        AtomicInteger looks = new AtomicInteger();
        behaviour = request -> {
            boolean patch = HttpMethod.PATCH.equals(request.method());
            boolean stillActive = HttpMethod.POST.equals(request.method()) || looks.getAndIncrement() == 0;
            request.response()
                    .setStatusCode(patch ? 422 : 200)
                    .end(patch ? "{\"errorCode\":\"14_0410\"}" : adyenLink(stillActive ? "active" : "completed"));
        };
        assertThat(await(adapter(new AdyenFixture()).close(REF)).status()).isEqualTo(PaymentReport.Status.PENDING);
    }

    @Test
    void adyen_is_not_asked_any_more_when_it_may_have_forgotten_the_key() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        behaviour = request -> {
            calls.incrementAndGet();
            request.response().setStatusCode(422).end("{\"errorCode\":\"14_0425\"}");
        };
        String old = "0195" + "0000" + PspFixture.ATTEMPT.substring(8);
        NewPayment payment = new NewPayment(old, "A-1", PAYMENT.amount(), PAYMENT.expiresAt(), "", "");
        PspAdapter adapter = adapter(new AdyenFixture());
        assertThat(await(adapter.query(new PaymentRef(old, null, payment))).status())
                .isEqualTo(PaymentReport.Status.NO_ANSWER);
        assertThat(await(adapter.close(new PaymentRef(old, null, payment))).status())
                .isEqualTo(PaymentReport.Status.NO_ANSWER);
        assertThat(calls).hasValue(0);
        assertThat(await(adapter.query(REF)).status()).isEqualTo(PaymentReport.Status.FAILED);
    }

    @Test
    void adyen_has_a_refund_when_it_says_received_about_the_right_payment() throws Exception {
        AtomicReference<JsonObject> asked = new AtomicReference<>();
        behaviour = request -> request.body().onSuccess(body -> {
            asked.set(body.toJsonObject());
            boolean keyed = PspFixture.REFUND.equals(request.getHeader("Idempotency-Key"))
                    && request.path().equals("/v71/payments/pi_1/refunds");
            request.response().setStatusCode(keyed ? 201 : 400).end("""
                    {"status":"received","pspReference":"88","paymentPspReference":"pi_1"}""");
        });
        RefundReport received = new RefundReport(RefundReport.Status.PENDING, "88", "received");
        assertThat(await(adapter(new AdyenFixture()).refund(REFUND))).isEqualTo(received);
        assertThat(await(adapter(new AdyenFixture()).queryRefund(REFUND))).isEqualTo(received);
        assertThat(asked.get().getString("reference")).isEqualTo(PspFixture.ATTEMPT + "-" + PspFixture.REFUND);
        assertThat(asked.get().getJsonObject("amount").getLong("value")).isEqualTo(500);
        behaviour = request -> request.response().setStatusCode(201).end("""
                {"status":"received","pspReference":"88","paymentPspReference":"other"}""");
        assertThat(await(adapter(new AdyenFixture()).refund(REFUND)).status()).isEqualTo(RefundReport.Status.NO_ANSWER);
    }

    private static String adyenLink(String status) {
        return new JsonObject()
                .put("id", "PL1")
                .put("reference", PspFixture.ATTEMPT)
                .put("status", status)
                .put("url", "https://eu.adyen.link/PL1")
                .put("expiresAt", "2026-03-01T13:30:00+01:00")
                .encode();
    }

    @Test
    void standard_webhooks_has_no_calls_and_says_so() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        behaviour = request -> {
            calls.incrementAndGet();
            request.response().end("{}");
        };
        PspAdapter adapter = adapter(new StandardWebhooksFixture());
        assertThat(adapter.capabilities()).isEqualTo(new PspAdapter.Capabilities(false, false, false, false));
        PaymentReport created = await(adapter.create(PAYMENT));
        assertThat(created.pspPaymentId()).isNull();
        assertThat(created.pay().isEmpty()).isTrue();
        assertThat(await(adapter.query(REF)).detail()).contains("no calls");
        assertThat(await(adapter.close(REF)).detail()).contains("no calls");
        assertThat(await(adapter.refund(REFUND)).detail()).contains("no calls");
        assertThat(await(adapter.queryRefund(REFUND)).detail()).contains("no calls");
        assertThat(calls).hasValue(0);
    }

    @Test
    void server_errors_are_returned_until_the_breaker_opens() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        behaviour = request -> {
            calls.incrementAndGet();
            request.response().setStatusCode(502).end("bad gateway");
        };
        PspHttp http = http(Duration.ofSeconds(5));
        for (int i = 0; i < 5; i++) {
            assertThat(await(send(http)).status()).isEqualTo(502);
        }
        assertThat(await(send(http).map("answered").otherwise("open"))).isEqualTo("open");
        assertThat(calls).hasValue(5);
    }

    private static void assertNoAnswers(PspFixture psp, Duration limit) throws Exception {
        for (int call = 0; call < 5; call++) {
            // A breaker of its own for each call, so that the call itself is tested and not the open breaker.
            PspAdapter adapter = psp.adapter(address(), http(limit));
            String status =
                    switch (call) {
                        case 0 -> created(psp, adapter);
                        case 1 -> await(adapter.query(REF)).status().name();
                        case 2 -> await(adapter.close(REF)).status().name();
                        case 3 -> await(adapter.refund(REFUND)).status().name();
                        default -> await(adapter.queryRefund(REFUND)).status().name();
                    };
            assertThat(status).as(psp + " call " + call).isEqualTo("NO_ANSWER");
        }
    }

    /** A creation that calls nobody succeeds whatever the PSP does. */
    private static String created(PspFixture psp, PspAdapter adapter) throws Exception {
        PaymentReport.Status status = await(adapter.create(PAYMENT)).status();
        if (psp.creationCallsThePsp()) {
            return status.name();
        }
        assertThat(status).isEqualTo(PaymentReport.Status.PENDING);
        return "NO_ANSWER";
    }

    private static Future<PspHttp.Answer> send(PspHttp http) {
        return http.send(HttpMethod.GET, address(), Map.of(), Buffer.buffer());
    }

    private static PspAdapter adapter(PspFixture psp) {
        return psp.adapter(address(), http(Duration.ofSeconds(5)));
    }

    private static PspHttp http(Duration limit) {
        return new PspHttp(vertx, client, "test", limit);
    }

    private static String address() {
        return "http://127.0.0.1:" + server.actualPort();
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }
}
