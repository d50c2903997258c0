package io.quittance.dev;

import static org.assertj.core.api.Assertions.assertThat;

import io.quittance.dispatch.WebhookSignature;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SandboxTargetTest {

    private static final byte[] KEY = "sandbox-target-test-key-01".getBytes(java.nio.charset.StandardCharsets.UTF_8);
    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

    private final Vertx vertx = Vertx.vertx();

    @AfterEach
    void close() throws Exception {
        await(vertx.close());
    }

    @Test
    void a_target_that_was_started_anew_gives_no_id_a_second_time() throws Exception {
        Set<String> ids = new HashSet<>();
        for (int start = 0; start < 3; start++) {
            Instant startedAt = NOW.plusMillis(start);
            SandboxTarget target = SandboxTarget.create(
                    vertx,
                    "whsec_" + Base64.getEncoder().encodeToString(KEY),
                    SandboxTarget.Repeats.NAIVE,
                    Clock.fixed(startedAt, ZoneOffset.UTC));
            await(target.start(0));
            ids.add(new JsonObject(give(target, "A-" + start, "PAID", startedAt).body()).getString("id"));
            ids.add(new JsonObject(give(target, "B-" + start, "PAID", startedAt).body()).getString("id"));
            await(target.close());
        }
        assertThat(ids).hasSize(6);
    }

    @Test
    void what_it_cannot_take_back_is_counted_as_a_contradiction() throws Exception {
        SandboxTarget target = SandboxTarget.create(
                vertx,
                "whsec_" + Base64.getEncoder().encodeToString(KEY),
                SandboxTarget.Repeats.ANSWERED_200,
                Clock.fixed(NOW, ZoneOffset.UTC));
        await(target.start(0));
        assertThat(give(target, "closed", "EXPIRED", NOW).statusCode()).isEqualTo(200);
        assertThat(give(target, "closed", "EXPIRED", NOW).statusCode()).isEqualTo(200);
        give(target, "refunded", "PAID", NOW);
        give(target, "refunded", "REFUNDED", NOW);
        assertThat(target.contradictions()).isZero();
        assertThat(target.notices()).isEqualTo(Map.of("closed", "EXPIRED", "refunded", "REFUNDED"));

        give(target, "closed", "PAID", NOW);
        assertThat(target.contradictions()).isOne();
        give(target, "refunded", "CANCELLED", NOW);
        assertThat(target.contradictions()).isEqualTo(2);
    }

    private static HttpResponse<String> give(SandboxTarget target, String orderNo, String status, Instant at)
            throws Exception {
        Buffer body =
                new JsonObject().put("order_no", orderNo).put("status", status).toBuffer();
        SecretKey secret = new SecretKeySpec(KEY, "HmacSHA256");
        HttpRequest request = HttpRequest.newBuilder(URI.create(target.url()))
                .header(WebhookSignature.ID_HEADER, orderNo)
                .header(WebhookSignature.TIMESTAMP_HEADER, Long.toString(at.getEpochSecond()))
                .header(
                        WebhookSignature.SIGNATURE_HEADER,
                        WebhookSignature.sign(secret, orderNo, at.getEpochSecond(), body))
                .header("Idempotency-Key", status.equals("PAID") ? orderNo : orderNo + "/" + status)
                .POST(HttpRequest.BodyPublishers.ofByteArray(body.getBytes()))
                .build();
        return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }
}
