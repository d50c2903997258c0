package io.quittance.endtoend;

import static io.quittance.endtoend.Stage.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.quittance.app.Gateway;
import io.quittance.config.Config;
import io.quittance.dev.LoopbackPorts;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A merchant follows an order while whole gateways learn what became of it. */
class LiveIT {

    private TestGateway gateway;
    private Stage stage;

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

    @Test
    void an_order_is_followed_from_its_placing_to_its_delivery() throws Exception {
        await(stage.merchant().order("A-1", "19.99", "tee", "REFUND"));
        try (Stream<String> lines = follow("A-1")) {
            Iterator<String> stream = lines.iterator();
            JsonObject placed = next(stream);
            String attempt = await(stage.merchant().attempt("A-1", "stripe")).getString("id");
            JsonObject opened = next(stream);
            pay(attempt, stage.poster());

            assertThat(placed.getString("message")).isEqualTo("Waiting to be paid.");
            assertThat(opened.getJsonArray("attempts").getJsonObject(0).getString("id"))
                    .isEqualTo(attempt);
            JsonObject last = opened;
            while (stream.hasNext()) {
                last = data(stream.next()).orElse(last);
            }
            assertThat(last.getString("status")).isEqualTo("PAID");
            assertThat(last.getString("sync_status")).as("the stream has ended").isEqualTo("COMPLETED");
            assertThat(last).isEqualTo(await(stage.merchant().show("A-1")));
        }
    }

    @Test
    void what_another_process_on_the_same_database_learns_is_told_too() throws Exception {
        int port = LoopbackPorts.free();
        JsonObject config = stage.config();
        config.getJsonObject("http").put("port", port);
        Vertx vertx = Vertx.vertx();
        Gateway other = await(Gateway.start(
                vertx, Config.parse(config.encode(), Path.of(""), Map.of(), Config.Mode.SERVE), Clock.systemUTC()));
        String attempt = await(stage.placeAndOpen("A-1", "alipay", "REFUND"));
        try (Stream<String> lines = follow("A-1")) {
            Iterator<String> stream = lines.iterator();
            JsonObject told = next(stream);
            pay(attempt, new Poster(stage.vertx(), "http://127.0.0.1:" + port));

            while (!told.getString("status").equals("PAID")) {
                told = next(stream);
            }
        } finally {
            await(other.close());
            await(vertx.close());
        }
    }

    private Stream<String> follow(String orderNo) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(stage.url() + "/v1/orders/" + orderNo + "/events"))
                .header("Authorization", "Bearer " + Stage.API_KEY)
                .build();
        HttpResponse<Stream<String>> response =
                HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofLines());
        assertThat(response.statusCode()).isEqualTo(200);
        return response.body();
    }

    /** The next state that is told. */
    private static JsonObject next(Iterator<String> stream) {
        Optional<JsonObject> read = Optional.empty();
        while (read.isEmpty()) {
            read = data(stream.next());
        }
        return read.get();
    }

    private static Optional<JsonObject> data(String line) {
        return Optional.of(line)
                .filter(any -> any.startsWith("data: "))
                .map(data -> new JsonObject(data.substring("data: ".length())));
    }

    private void pay(String attempt, Poster poster) {
        await(stage.psp().pay(attempt).compose(paid -> stage.psp().settled()));
        stage.mailbox().take().forEach(held -> await(poster.postUntilSuccess(held, 10)));
    }
}
