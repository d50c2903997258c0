package io.quittance.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.quittance.domain.AttemptStatus;
import io.quittance.domain.LatePolicy;
import io.quittance.domain.Money;
import io.quittance.domain.OrderStatus;
import io.quittance.domain.RefundReason;
import io.quittance.domain.RefundStatus;
import io.quittance.domain.SyncStatus;
import io.quittance.message.Checkout.Item;
import io.quittance.message.Checkout.OrderAnswer;
import io.quittance.message.Checkout.PlaceOrder;
import io.quittance.message.Checkout.ProductAnswer;
import io.quittance.message.Checkout.PutProduct;
import io.quittance.message.Checkout.Strategy;
import io.quittance.message.Unavailable;
import io.quittance.store.Away;
import io.quittance.store.OrderView;
import io.quittance.testing.Logs;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OrdersApiTest {

    private static final String ORDER = """
            {"order_no": "A-1", "amount": {"value": "19.99", "currency": "CNY"},
             "items": [{"sku": "tee", "quantity": 2}], "expires_in": "PT45M", "late_policy": "REVIVE"}
            """;

    private Gateway gateway;
    private Logs logs;

    @BeforeEach
    void start() {
        logs = new Logs();
        gateway = new Gateway();
        gateway.orders = orderNo -> Future.succeededFuture(Optional.of(order(OrderStatus.PENDING, null)));
    }

    @AfterEach
    void stop() {
        gateway.close();
        logs.close();
    }

    @Test
    void a_placed_order_is_created_and_shown() throws Exception {
        answer(new OrderAnswer.Placed(UUID.randomUUID(), true));

        HttpResponse<String> response = gateway.post("/v1/orders", ORDER);

        assertThat(response.statusCode()).isEqualTo(201);
        assertThat(response.headers().firstValue("Location")).hasValue("/v1/orders/A-1");
        assertThat(gateway.asked)
                .containsExactly(new PlaceOrder(
                        "acme",
                        "A-1",
                        new Money(1999, "CNY"),
                        List.of(new Item("tee", 2)),
                        Duration.ofMinutes(45),
                        LatePolicy.REVIVE));
        assertThat(Gateway.json(response))
                .isEqualTo(new JsonObject("""
                        {"order_no": "A-1", "status": "PENDING", "sync_status": null, "third_party_id": null,
                         "amount": {"value": "19.99", "currency": "CNY"}, "expires_at": "2026-01-31T12:30:00Z",
                         "attempts": [], "message": "Waiting to be paid.", "seconds_left": 1800}
                        """).put("result_url", Gateway.LINKS.to("acme", "A-1")));
    }

    @Test
    void what_is_left_out_has_its_default() throws Exception {
        answer(new OrderAnswer.Placed(UUID.randomUUID(), false));

        HttpResponse<String> response = gateway.post(
                "/v1/orders", "{\"order_no\":\"A-1\",\"amount\":{\"value\":\"500\",\"currency\":\"JPY\"}}");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(gateway.asked)
                .containsExactly(new PlaceOrder(
                        "acme", "A-1", new Money(500, "JPY"), List.of(), Duration.ofMinutes(30), LatePolicy.REVIEW));
        assertThat(Gateway.TERMS.latePolicyOf("acme")).isEqualTo(LatePolicy.REVIEW);
        assertThat(Gateway.TERMS.latePolicyOf("a merchant that says nothing")).isEqualTo(LatePolicy.REFUND);
    }

    @Test
    void the_refusals_of_state_have_types_of_their_own() throws Exception {
        answer(new OrderAnswer.OtherContent());
        assertProblem(gateway.post("/v1/orders", ORDER), 409, "other-content");
        answer(new OrderAnswer.OutOfStock("tee"));
        assertProblem(gateway.post("/v1/orders", ORDER), 409, "out-of-stock");
        answer(new OrderAnswer.UnknownProduct("tee"));
        assertProblem(gateway.post("/v1/orders", ORDER), 422, "unknown-product");
    }

    @Test
    void every_mistake_is_told_at_once_with_its_place() throws Exception {
        HttpResponse<String> response = gateway.post("/v1/orders", """
                {"order_no": "a/b", "amount": {"value": 19.99, "currency": "CNN", "tax": 1}, "colour": "red",
                 "items": [{"sku": "tee", "quantity": 0}, {"quantity": "1"}, 7, {"sku": "tee", "quantity": 1}],
                 "expires_in": "P31D", "late_policy": "revive"}
                """);

        assertProblem(response, 422, "invalid");
        assertThat(Gateway.json(response).getJsonArray("errors").stream()
                        .map(JsonObject.class::cast)
                        .map(error -> error.getString("field")))
                .containsExactlyInAnyOrder(
                        "order_no",
                        "amount.value",
                        "amount.currency",
                        "amount.tax",
                        "colour",
                        "items[0].quantity",
                        "items[1].sku",
                        "items[1].quantity",
                        "items[2]",
                        "items[3].sku",
                        "expires_in",
                        "late_policy");
        assertThat(Gateway.json(response).getJsonArray("errors").stream()
                        .map(JsonObject.class::cast)
                        .map(error -> error.getString("problem")))
                .allMatch(problem -> problem.contains("wanted: "));
        assertThat(gateway.asked).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "19.99, CNY, 1999",
        "8.20, EUR, 820",
        "263.90, USD, 26390",
        "500, JPY, 500",
        "1.234, KWD, 1234",
        "0.01, CNY, 1",
    })
    void amounts_are_exact_in_the_currencys_own_decimals(String value, String currency, long minor) throws Exception {
        answer(new OrderAnswer.Placed(UUID.randomUUID(), true));

        assertThat(gateway.post("/v1/orders", orderOf("\"" + value + "\"", currency))
                        .statusCode())
                .isEqualTo(201);
        assertThat(((PlaceOrder) gateway.asked.get(0)).amount()).isEqualTo(new Money(minor, currency));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "\"19.999\";CNY;amount.value",
                "\"0.5\";JPY;amount.value",
                "\"0\";CNY;amount.value",
                "\"-1\";CNY;amount.value",
                "\"1e3\";CNY;amount.value",
                "\" 1\";CNY;amount.value",
                "\"\";CNY;amount.value",
                "\"9999999999999999999\";CNY;amount.value",
                "1999;CNY;amount.value",
                "null;CNY;amount.value",
                "\"1\";cny;amount.currency",
                "\"1\";XXX;amount.currency",
                "\"1\";ZZZ;amount.currency",
            })
    void an_amount_that_is_not_exact_positive_and_of_a_real_currency_is_a_mistake(
            String value, String currency, String field) throws Exception {
        HttpResponse<String> response = gateway.post("/v1/orders", orderOf(value, currency));

        assertProblem(response, 422, "invalid");
        assertThat(Gateway.json(response)
                        .getJsonArray("errors")
                        .getJsonObject(0)
                        .getString("field"))
                .isEqualTo(field);
    }

    @Test
    void an_unknown_currency_is_named() throws Exception {
        assertThat(gateway.post("/v1/orders", orderOf("\"1\"", "ZZZ")).body()).contains("ZZZ is not known");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT59S", "PT0S", "-PT5M", "P31D", "30", "soon", "P1Y", "PT"})
    void a_time_out_of_range_is_a_mistake_that_is_told_once(String time) throws Exception {
        HttpResponse<String> response = gateway.post("/v1/orders", ORDER.replace("PT45M", time));

        assertProblem(response, 422, "invalid");
        assertThat(Gateway.json(response).getJsonArray("errors"))
                .singleElement()
                .asString()
                .contains("PT1M to P30D");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ".",
                "..",
                "",
                "a b",
                "a/b",
                "é",
                "12345678901234567890123456789012345678901234567890123456789012345"
            })
    void an_order_number_that_cannot_stand_in_an_address_is_a_mistake(String orderNo) throws Exception {
        assertProblem(gateway.post("/v1/orders", ORDER.replace("A-1", orderNo)), 422, "invalid");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"order_no\": \"secret-content\",,}",
                "{\"order_no\": \"secret-content",
                "{}{}",
                "{\"a\":1,\"a\":2}"
            })
    void broken_json_is_told_with_its_place_and_without_its_content(String body) throws Exception {
        HttpResponse<String> response = gateway.post("/v1/orders", body);

        assertProblem(response, 400, "not-json");
        assertThat(Gateway.json(response).getString("detail")).contains("line 1, column ");
        assertThat(response.body()).doesNotContain("secret-content");
        assertThat(logs.lines()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[]", "null", "7", "\"text\""})
    void a_body_that_is_no_object_is_refused(String body) throws Exception {
        assertProblem(gateway.post("/v1/orders", body), 400, "not-json");
    }

    @Test
    void a_deeply_nested_body_is_refused_without_a_stack_trace() throws Exception {
        assertProblem(gateway.post("/v1/orders", "{\"a\":" + "[".repeat(30_000)), 400, "not-json");
        assertThat(logs.lines()).isEmpty();
    }

    @Test
    void a_body_above_the_limit_or_of_another_type_is_refused() throws Exception {
        assertProblem(gateway.post("/v1/orders", " ".repeat(65 * 1024)), 413, "too-large");
        HttpRequest.Builder text = gateway.merchant("/v1/orders")
                .setHeader("Content-Type", "text/plain")
                .POST(HttpRequest.BodyPublishers.ofString(ORDER));
        assertProblem(gateway.send(text), 415, "media-type");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Bearer", "Bearer wrong", "Basic c2stYWNtZQ==", "sk-acme", "Bearer sk-acme2"})
    void without_a_configured_key_nobody_gets_in(String authorization) throws Exception {
        HttpRequest.Builder request = gateway.request("/v1/orders")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(ORDER));
        if (!authorization.isEmpty()) {
            request.header("Authorization", authorization);
        }

        HttpResponse<String> response = gateway.send(request);

        assertProblem(response, 401, "unauthenticated");
        assertThat(response.headers().firstValue("WWW-Authenticate")).hasValue("Bearer realm=\"quittance\"");
        assertThat(gateway.asked).isEmpty();
        assertThat(logs.lines()).isEmpty();
    }

    @Test
    void absence_behind_the_port_is_503_and_a_bug_is_500_without_internals() throws Exception {
        gateway.checkout = request -> Future.failedFuture(new Unavailable("postgres at 10.0.0.1 is away"));
        HttpResponse<String> away = gateway.post("/v1/orders", ORDER);
        gateway.orders = orderNo -> Future.failedFuture(new Away(new IllegalStateException("10.0.0.1")));
        HttpResponse<String> unreadable = gateway.send(gateway.merchant("/v1/orders/A-1"));
        assertThat(logs.lines()).isEmpty();
        gateway.checkout = request -> Future.failedFuture(new IllegalStateException("internal detail"));
        HttpResponse<String> bug = gateway.post("/v1/orders", ORDER);

        assertProblem(away, 503, "unavailable");
        assertThat(away.headers().firstValue("Retry-After")).hasValue("2");
        assertThat(away.body() + unreadable.body()).doesNotContain("10.0.0.1");
        assertProblem(unreadable, 503, "unavailable");
        assertProblem(bug, 500, "internal");
        assertThat(bug.body()).doesNotContain("internal detail");
        assertThat(logs.lines()).singleElement().asString().startsWith("ERROR");
    }

    @Test
    void another_merchants_order_and_an_unknown_address_are_not_found() throws Exception {
        gateway.orders = orderNo -> Future.succeededFuture(Optional.empty());

        assertProblem(gateway.send(gateway.merchant("/v1/orders/A-1")), 404, "not-found");
        assertProblem(gateway.send(gateway.merchant("/v2/orders")), 404, "not-found");
        HttpResponse<String> wrongMethod =
                gateway.send(gateway.merchant("/v1/orders").DELETE());
        assertProblem(wrongMethod, 405, "method-not-allowed");
        assertThat(wrongMethod.headers().firstValue("Allow")).hasValue("POST");
    }

    @Test
    void a_payer_whose_payment_is_unknown_is_told_not_to_pay_again() throws Exception {
        gateway.orders =
                orderNo -> Future.succeededFuture(Optional.of(order(OrderStatus.PENDING, null, AttemptStatus.UNKNOWN)));

        JsonObject shown = Gateway.json(gateway.send(gateway.merchant("/v1/orders/A-1")));

        assertThat(shown.getString("message")).contains("Do not pay again");
        assertThat(shown.getJsonArray("attempts").getJsonObject(0)).isEqualTo(new JsonObject("""
                        {"id": "0199c0de4a6b7c8d9e0f1a2b3c4d5e6f", "psp": "fake", "account": "acme",
                         "status": "UNKNOWN", "psp_payment_id": null}
                        """));
    }

    @Test
    void a_refund_is_shown() throws Exception {
        OrderView refunded = Sample.of(OrderStatus.EXPIRED)
                .attempts(AttemptStatus.SUCCEEDED)
                .refunds(RefundReason.LATE_PAYMENT, RefundStatus.REQUESTED)
                .view();
        gateway.orders = orderNo -> Future.succeededFuture(Optional.of(refunded));

        JsonObject shown = Gateway.json(gateway.send(gateway.merchant("/v1/orders/A-1")));

        assertThat(shown.getString("message")).contains("too late is being sent back");
        assertThat(shown.getJsonArray("refunds").getJsonObject(0).getString("reason"))
                .isEqualTo("LATE_PAYMENT");
    }

    @Test
    void a_product_is_kept_or_refused() throws Exception {
        gateway.checkout = request -> Future.succeededFuture(new ProductAnswer.Kept("tee", Strategy.STOCK, 100, 97));
        HttpResponse<String> kept = put("/v1/products/tee", "{\"strategy\":\"STOCK\",\"supplied\":100}");
        gateway.checkout = request -> Future.succeededFuture(new ProductAnswer.Refused("3 are held"));
        HttpResponse<String> refused = put("/v1/products/tee", "{\"strategy\":\"STOCK\",\"supplied\":1}");

        assertThat(Gateway.json(kept))
                .isEqualTo(
                        new JsonObject("{\"sku\":\"tee\",\"strategy\":\"STOCK\",\"supplied\":100,\"available\":97}"));
        assertThat(gateway.asked.get(0)).isEqualTo(new PutProduct("acme", "tee", Strategy.STOCK, 100));
        assertProblem(refused, 409, "product-refused");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"strategy\":\"UNIQUE\",\"supplied\":2}",
                "{\"strategy\":\"STOCK\",\"supplied\":-1}",
                "{\"strategy\":\"STOCK\",\"supplied\":1.5}",
                "{\"strategy\":\"STOCK\",\"supplied\":1e999999999}",
                "{\"strategy\":\"STOCK\",\"supplied\":99999999999999999999999}",
                "{\"strategy\":\"OTHER\",\"supplied\":1}",
                "{\"supplied\":1}",
            })
    void a_product_with_a_mistake_is_refused(String body) throws Exception {
        assertProblem(put("/v1/products/tee", body), 422, "invalid");
        assertThat(gateway.asked).isEmpty();
    }

    private HttpResponse<String> put(String path, String body) throws Exception {
        return gateway.send(gateway.merchant(path).PUT(HttpRequest.BodyPublishers.ofString(body)));
    }

    private void answer(OrderAnswer answer) {
        gateway.checkout = request -> Future.succeededFuture(answer);
    }

    private static String orderOf(String value, String currency) {
        return "{\"order_no\":\"A-1\",\"amount\":{\"value\":" + value + ",\"currency\":\"" + currency + "\"}}";
    }

    static OrderView order(OrderStatus status, SyncStatus sync, AttemptStatus... attempts) {
        return Sample.of(status).sync(sync).attempts(attempts).paymentId(null).view();
    }

    static void assertProblem(HttpResponse<String> response, int status, String type) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
        assertThat(response.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        JsonObject problem = Gateway.json(response);
        assertThat(problem.getString("type")).isEqualTo("urn:quittance:problem:" + type);
        assertThat(problem.getInteger("status")).isEqualTo(status);
        assertThat(problem.getString("title")).isNotBlank();
        assertThat(problem.getString("detail")).isNotBlank();
    }
}
