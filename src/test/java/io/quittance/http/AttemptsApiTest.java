package io.quittance.http;

import static io.quittance.http.OrdersApiTest.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import io.quittance.FaultOfOthers;
import io.quittance.domain.AttemptStatus;
import io.quittance.domain.OrderStatus;
import io.quittance.message.Checkout.AttemptAnswer;
import io.quittance.message.Checkout.BeginKey;
import io.quittance.message.Checkout.EndKey;
import io.quittance.message.Checkout.KeyAnswer;
import io.quittance.message.Checkout.OpenAttempt;
import io.quittance.message.Unavailable;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AttemptsApiTest {

    private static final String PATH = "/v1/orders/A-1/attempts";
    private static final String BODY = "{\"psp\":\"fake\",\"account\":\"acme\"}";
    private static final AttemptAnswer OPENED = new AttemptAnswer.Opened(
            FakePsp.REFERENCE, AttemptStatus.PENDING, "pay-1", new JsonObject().put("client_secret", "cs-1"), null);

    private Gateway gateway;

    @BeforeEach
    void start() {
        gateway = new Gateway();
    }

    @AfterEach
    void stop() {
        gateway.close();
    }

    @Test
    void an_open_attempt_comes_with_what_the_payer_needs() throws Exception {
        gateway.checkout = request -> Future.succeededFuture(OPENED);

        HttpResponse<String> response = gateway.post(PATH, BODY);

        assertThat(response.statusCode()).isEqualTo(201);
        assertThat(gateway.asked).containsExactly(new OpenAttempt("acme", "A-1", "fake", "acme"));
        assertThat(Gateway.json(response)).isEqualTo(new JsonObject("""
                        {"id": "0199c0de4a6b7c8d9e0f1a2b3c4d5e6f", "psp": "fake", "account": "acme",
                         "status": "PENDING", "psp_payment_id": "pay-1", "pay": {"client_secret": "cs-1"},
                         "message": "Waiting for the payer."}
                        """));
    }

    @Test
    void an_attempt_whose_psp_says_when_its_session_ends_says_so_too() throws Exception {
        gateway.checkout = request -> Future.succeededFuture(new AttemptAnswer.Opened(
                FakePsp.REFERENCE,
                AttemptStatus.PENDING,
                "pay-1",
                new JsonObject(),
                Instant.parse("2026-03-01T12:30:00Z")));

        HttpResponse<String> response = gateway.post(PATH, BODY);

        assertThat(Gateway.json(response).getString("expires_at")).isEqualTo("2026-03-01T12:30:00Z");
    }

    @Test
    void an_order_that_has_had_all_its_attempts_is_told_the_limit_and_the_way_out() throws Exception {
        gateway.checkout = request -> Future.succeededFuture(new AttemptAnswer.TooMany(20));

        HttpResponse<String> response = gateway.post(PATH, BODY);

        assertProblem(response, 409, "attempts-exhausted");
        assertThat(Gateway.json(response).getString("detail"))
                .contains("20 attempts (checkout.attempts_max)", "POST /v1/orders/A-1/cancel", "new order");
    }

    @ParameterizedTest
    @EnumSource(names = {"UNKNOWN", "CREATED", "PROCESSING"})
    @FaultOfOthers(
            value = "PrestaShopCorp/ps_checkout PR#1546",
            symptom = "the callback failed, the customer was told that the payment failed, and paid again")
    void an_attempt_that_nobody_knows_about_is_202_and_must_not_be_paid_again(AttemptStatus status) throws Exception {
        gateway.checkout = request -> Future.succeededFuture(
                new AttemptAnswer.Opened(FakePsp.REFERENCE, status, null, new JsonObject(), null));

        HttpResponse<String> response = gateway.post(PATH, BODY);

        assertThat(response.statusCode()).isEqualTo(202);
        assertThat(Gateway.json(response).getString("message")).contains("Do not pay again");
    }

    @Test
    void a_live_attempt_is_named_instead_of_opening_a_second_one() throws Exception {
        gateway.checkout = request ->
                Future.succeededFuture(new AttemptAnswer.AlreadyLive(FakePsp.REFERENCE, AttemptStatus.PENDING));

        HttpResponse<String> response = gateway.post(PATH, BODY);

        assertProblem(response, 409, "attempt-live");
        assertThat(Gateway.json(response).getJsonObject("attempt"))
                .isEqualTo(new JsonObject().put("id", FakePsp.REFERENCE).put("status", "PENDING"));
        assertThat(Gateway.json(response).getString("detail")).contains("Do not pay again.");
    }

    @Test
    void a_call_whose_outcome_went_with_the_store_is_not_to_be_paid_again() throws Exception {
        gateway.checkout = request -> Future.failedFuture(new Unavailable("the store does not take it now"));

        HttpResponse<String> response = gateway.post(PATH, BODY);

        assertProblem(response, 503, "unavailable");
        assertThat(response.headers().firstValue("Retry-After")).isPresent();
        assertThat(Gateway.json(response).getString("detail"))
                .contains("not known whether a payment was begun", "Do not pay again");
    }

    @Test
    void a_concluded_and_a_missing_order_cannot_be_paid() throws Exception {
        gateway.checkout = request -> Future.succeededFuture(new AttemptAnswer.NotPayable(OrderStatus.PAID));
        HttpResponse<String> paid = gateway.post(PATH, BODY);
        gateway.checkout = request -> Future.succeededFuture(new AttemptAnswer.NoSuchOrder());
        HttpResponse<String> missing = gateway.post(PATH, BODY);

        assertProblem(paid, 409, "not-payable");
        assertThat(Gateway.json(paid).getString("order_status")).isEqualTo("PAID");
        assertProblem(missing, 404, "not-found");
    }

    @Test
    void an_unknown_account_is_answered_with_those_that_are_configured() throws Exception {
        HttpResponse<String> response = gateway.post(PATH, "{\"psp\":\"fake\",\"account\":\"nobody\"}");

        assertProblem(response, 422, "unknown-account");
        assertThat(response.body()).contains("fake/acme, quiet/acme, alipay/acme");
        assertThat(gateway.asked).isEmpty();
    }

    @Test
    void with_a_fresh_key_the_answer_is_kept_under_it() throws Exception {
        gateway.checkout = request -> Future.succeededFuture(
                request instanceof BeginKey ? new KeyAnswer.Fresh() : request instanceof EndKey ? true : OPENED);

        HttpResponse<String> response = withKey("k-1", BODY);

        assertThat(response.statusCode()).isEqualTo(201);
        assertThat(gateway.asked).hasSize(3);
        assertThat(gateway.asked.get(2)).isEqualTo(new EndKey("acme", "k-1", 201, response.body()));
    }

    @Test
    void the_hash_of_a_request_is_over_its_address_and_its_bytes() throws Exception {
        gateway.checkout = request -> Future.succeededFuture(
                request instanceof BeginKey ? new KeyAnswer.Fresh() : request instanceof EndKey ? true : OPENED);
        withKey("k-1", BODY);
        withKey("k-1", BODY);
        withKey("k-1", BODY + " ");
        gateway.send(gateway.merchant("/v1/orders/A-2/attempts")
                .header("Idempotency-Key", "k-1")
                .POST(HttpRequest.BodyPublishers.ofString(BODY)));

        assertThat(gateway.asked.stream()
                        .filter(BeginKey.class::isInstance)
                        .map(request -> ((BeginKey) request).requestHash())
                        .distinct())
                .hasSize(3)
                .allMatch(hash -> hash.matches("[0-9a-f]{64}"));
    }

    @Test
    void a_repetition_is_answered_as_before_and_does_nothing() throws Exception {
        gateway.checkout = request -> Future.succeededFuture(new KeyAnswer.Replay(201, "{\"id\":\"as before\"}"));

        HttpResponse<String> response = withKey("k-1", BODY);

        assertThat(response.statusCode()).isEqualTo(201);
        assertThat(response.body()).isEqualTo("{\"id\":\"as before\"}");
        assertThat(response.headers().firstValue("Content-Type")).hasValue("application/json");
        assertThat(response.headers().firstValue("Idempotency-Replayed")).hasValue("true");
        assertThat(gateway.asked).singleElement().isInstanceOf(BeginKey.class);
    }

    @Test
    void a_key_with_another_body_or_still_in_progress_is_refused() throws Exception {
        gateway.checkout = request -> Future.succeededFuture(new KeyAnswer.OtherRequest());
        HttpResponse<String> other = withKey("k-1", BODY);
        gateway.checkout = request -> Future.succeededFuture(new KeyAnswer.InProgress());
        HttpResponse<String> running = withKey("k-1", BODY);

        assertProblem(other, 422, "key-reused");
        assertProblem(running, 409, "key-in-progress");
        assertThat(running.headers().firstValue("Retry-After")).hasValue("1");
    }

    @Test
    void a_key_whose_work_failed_is_given_back() throws Exception {
        gateway.checkout = request -> {
            if (request instanceof BeginKey) {
                return Future.succeededFuture(new KeyAnswer.Fresh());
            }
            return request instanceof EndKey
                    ? Future.succeededFuture(true)
                    : Future.failedFuture(new Unavailable("not now"));
        };

        HttpResponse<String> response = withKey("k-1", BODY);

        assertProblem(response, 503, "unavailable");
        assertThat(gateway.asked.get(2)).isEqualTo(new EndKey("acme", "k-1", null, null));
    }

    @Test
    void a_request_with_mistakes_takes_no_key() throws Exception {
        HttpResponse<String> mistaken = withKey("k-1", "{}");
        HttpResponse<String> spaced = withKey("k 1", BODY);
        HttpResponse<String> twice = gateway.send(gateway.merchant(PATH)
                .header("Idempotency-Key", "a")
                .header("Idempotency-Key", "b")
                .POST(HttpRequest.BodyPublishers.ofString(BODY)));

        assertProblem(mistaken, 422, "invalid");
        assertProblem(spaced, 422, "invalid");
        assertProblem(twice, 422, "invalid");
        assertThat(gateway.asked).isEmpty();
    }

    private HttpResponse<String> withKey(String key, String body) throws Exception {
        return gateway.send(
                gateway.merchant(PATH).header("Idempotency-Key", key).POST(HttpRequest.BodyPublishers.ofString(body)));
    }
}
