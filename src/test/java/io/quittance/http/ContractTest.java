package io.quittance.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.quittance.domain.AttemptStatus;
import io.quittance.domain.LatePolicy;
import io.quittance.domain.OrderStatus;
import io.quittance.domain.RefundReason;
import io.quittance.domain.RefundStatus;
import io.quittance.domain.SyncStatus;
import io.quittance.message.Checkout.Strategy;
import io.quittance.message.RareLog;
import io.quittance.psp.Psps;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ContractTest {

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
    void the_contract_is_served_as_it_is() throws Exception {
        HttpResponse<String> response = gateway.send(gateway.request("/openapi.yaml"));

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("Content-Type")).hasValue("application/yaml");
        assertThat(response.body()).isEqualTo(Contract.packed().text().toString());
    }

    @Test
    void every_operation_is_mounted_and_open_exactly_if_the_contract_says_so() throws Exception {
        JsonNode paths = document().path("paths");
        for (Contract.Operation operation : Contract.packed().operations()) {
            String path = operation.path().replaceAll("\\{[a-z_]+}", "some");
            HttpResponse<String> response = gateway.send(
                    gateway.request(path).method(operation.method().name(), HttpRequest.BodyPublishers.noBody()));
            JsonNode entry =
                    paths.path(operation.path()).path(operation.method().name().toLowerCase(java.util.Locale.ROOT));
            boolean open = entry.has("security") && entry.path("security").isEmpty();

            assertThat(response.statusCode() == 401).as(operation.id()).isEqualTo(!open);
            assertThat(response.statusCode()).as(operation.id()).isNotEqualTo(405);
            assertThat(entry.path("responses").has(Integer.toString(response.statusCode())))
                    .as(operation.id() + " answers " + response.statusCode())
                    .isTrue();
        }
    }

    @Test
    void every_reference_in_the_contract_leads_somewhere() throws Exception {
        JsonNode document = document();

        assertThat(document.findValuesAsText("$ref")).isNotEmpty().allSatisfy(reference -> assertThat(
                        document.at(reference.substring(1)).isMissingNode())
                .as(reference)
                .isFalse());
    }

    @Test
    void the_contracts_words_are_the_programs_words() throws Exception {
        JsonNode schemas = document().at("/components/schemas");

        assertWords(schemas.at("/Order/properties/status/enum"), OrderStatus.values());
        assertWords(schemas.at("/AttemptStatus/enum"), AttemptStatus.values());
        assertWords(schemas.at("/LatePolicy/enum"), LatePolicy.values());
        assertWords(schemas.at("/Strategy/enum"), Strategy.values());
        assertWords(schemas.at("/Refund/properties/status/enum"), RefundStatus.values());
        assertWords(schemas.at("/Refund/properties/reason/enum"), RefundReason.values());
        assertWords(schemas.at("/PageState/properties/state/enum"), PageState.values());
        JsonNode sync = schemas.at("/Order/properties/sync_status/enum");
        assertThat(sync).hasSize(SyncStatus.values().length + 1);
        Arrays.stream(SyncStatus.values())
                .forEach(status -> assertThat(sync.toString()).contains(status.name()));
    }

    @Test
    void the_start_fails_if_the_contract_and_the_program_differ() {
        Contract contract = Contract.packed();
        Map<String, Handler<RoutingContext>> handlers = new HashMap<>();
        contract.operations().forEach(operation -> handlers.put(operation.id(), context -> {}));
        handlers.remove("placeOrder");
        handlers.put("dropOrder", context -> {});

        assertThatThrownBy(() -> contract.mount(Router.router(gateway.vertx), handlers))
                .hasMessage("openapi.yaml and the program differ: operations without a handler [placeOrder],"
                        + " handlers without an operation [dropOrder]");
    }

    @Test
    void a_contract_that_is_none_is_refused() {
        assertThatThrownBy(() -> new Contract(Buffer.buffer("openapi: 3.1.0"))).hasMessageContaining("no paths");
        assertThatThrownBy(() -> new Contract(Buffer.buffer("paths: {/a: {get: {}}}")))
                .hasMessageContaining("get /a has no operationId");
        assertThatThrownBy(() ->
                        new Contract(Buffer.buffer("paths: {/a: {get: {operationId: x}, put: {operationId: x}}}")))
                .hasMessageContaining("twice");
        assertThatThrownBy(() -> new Contract(Buffer.buffer("paths: ["))).hasMessageContaining("not YAML");
    }

    @Test
    void an_occupied_port_is_told_with_the_key_that_changes_it() throws Exception {
        Vertx vertx = Vertx.vertx();
        try (ServerSocket occupied = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            HttpOptions options = new HttpOptions(
                    occupied.getLocalPort(),
                    "127.0.0.1",
                    1024,
                    1,
                    Gateway.IDLE_TIMEOUT,
                    Gateway.TERMS,
                    Gateway.RETURN_WAIT,
                    Gateway.LINKS,
                    Gateway.LIVE);
            HttpVerticle second = new HttpVerticle(
                    options,
                    new Merchants(Map.of()),
                    new Psps(List.of()),
                    gateway.bus,
                    null,
                    new NotifyCounters(),
                    new RareLog(Clock.systemUTC()),
                    Clock.systemUTC());

            assertThat(vertx.deployVerticle(second).toCompletionStage().toCompletableFuture())
                    .failsWithin(Duration.ofSeconds(20))
                    .withThrowableOfType(Exception.class)
                    .withMessageContaining("port " + occupied.getLocalPort())
                    .withMessageContaining("http.port")
                    .withMessageContaining("QUITTANCE_HTTP_PORT");
        } finally {
            Gateway.await(vertx.close());
        }
    }

    private static JsonNode document() throws Exception {
        return new YAMLMapper().readTree(Contract.packed().text().getBytes());
    }

    private static void assertWords(JsonNode listed, Enum<?>[] values) {
        List<String> words = new java.util.ArrayList<>();
        listed.forEach(word -> words.add(word.asText()));
        assertThat(words)
                .containsExactlyInAnyOrderElementsOf(
                        Arrays.stream(values).map(Enum::name).toList());
    }
}
