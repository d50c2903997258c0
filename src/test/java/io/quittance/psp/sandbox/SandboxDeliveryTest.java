package io.quittance.psp.sandbox;

import static io.quittance.psp.sandbox.SandboxBench.await;
import static io.quittance.psp.sandbox.SandboxBench.newAttemptId;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.stripe.exception.SignatureVerificationException;
import com.stripe.net.Webhook;
import io.quittance.psp.sandbox.SandboxBench.Answer;
import io.quittance.psp.sandbox.SandboxBench.Received;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How notifications travel, and the payer's door; with Stripe's format, since these do not depend on it. */
class SandboxDeliveryTest {

    private static final int PAYMENTS = 60;

    private final SandboxBench bench = new SandboxBench();
    private final HttpClient http = HttpClient.newHttpClient();

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void without_faults_each_notification_is_sent_once_and_in_order() {
        List<String> paid = payInTurn(5);
        assertThat(bench.settled()).hasSize(5);
        assertThat(bench.sandbox.sent())
                .extracting(SentNotification::attemptId)
                .containsExactlyInAnyOrderElementsOf(paid);
        SandboxCounts counts = bench.sandbox.counts();
        assertThat(counts.created()).isEqualTo(5);
        assertThat(counts.paid()).isEqualTo(5);
        assertThat(counts.sent()).isEqualTo(5);
        assertThat(counts.acknowledged()).isEqualTo(5);
        assertThat(counts.duplicates()
                        + counts.dropped()
                        + counts.forged()
                        + counts.tampered()
                        + counts.late()
                        + counts.reordered()
                        + counts.retried())
                .isZero();
    }

    @Test
    void a_seed_fixes_what_happens_to_each_notification() {
        Faults faults = new Faults(0.3, 0.3, 0.3, 0.2, 0.3, 0.3, Duration.ofMillis(20), 7);
        List<FaultPlan> plans = LongStream.range(0, PAYMENTS)
                .mapToObj(n -> FaultPlan.of(faults, n))
                .toList();
        List<FaultPlan> travelling =
                plans.stream().filter(plan -> !plan.dropped()).toList();
        bench.answerWith(this::likeAGateway);
        bench.sandbox.faults(faults);

        payInTurn(PAYMENTS);
        bench.settled();

        SandboxCounts counts = bench.sandbox.counts();
        long duplicates =
                travelling.stream().mapToLong(plan -> plan.copies() - 1).sum();
        assertThat(counts.duplicates()).isEqualTo(duplicates).isPositive();
        assertThat(counts.sent()).isEqualTo(travelling.size() + duplicates);
        assertThat(counts.acknowledged()).isEqualTo(counts.sent());
        assertThat(counts.dropped()).isEqualTo(PAYMENTS - travelling.size()).isPositive();
        assertThat(counts.late())
                .isEqualTo(travelling.stream()
                        .filter(plan -> plan.delayMillis() > 0)
                        .count())
                .isPositive();
        assertThat(counts.reordered()).isEqualTo(overtaken(travelling)).isPositive();
        assertThat(counts.forged())
                .isEqualTo(plans.stream().filter(FaultPlan::forged).count())
                .isPositive();
        assertThat(counts.tampered())
                .isEqualTo(plans.stream().filter(FaultPlan::tampered).count())
                .isPositive();
        assertThat(counts.refusedForgeries()).isEqualTo(counts.forged() + counts.tampered());
        assertThat(counts.acceptedForgeries()).isZero();
        assertThat(counts.retried()).isZero();
    }

    @Test
    void a_gateway_that_believes_everything_is_found_out() {
        bench.sandbox.faults(new Faults(0, 0, 0, 0, 1, 1, Duration.ZERO, 1));
        payInTurn(1);
        assertThat(bench.settled()).hasSize(3);
        assertThat(bench.sandbox.counts().acceptedForgeries()).isEqualTo(2);
        assertThat(bench.sandbox.sent())
                .filteredOn(sent -> !sent.genuine())
                .hasSize(2)
                .allSatisfy(lie -> assertThat(lie.status()).isEqualTo(200));
    }

    @Test
    void a_forgery_speaks_of_another_amount_or_of_an_unpaid_payment() {
        bench.sandbox.faults(new Faults(0, 0, 0, 1, 1, 0, Duration.ZERO, 3));
        List<String> attempts = new ArrayList<>();
        for (int i = 0; i < 11; i++) {
            attempts.add(create());
        }
        String unpaid = attempts.get(10);
        attempts.subList(0, 10).forEach(attemptId -> await(bench.sandbox.pay(attemptId)));

        List<Received> lies = bench.settled();

        assertThat(lies).hasSize(10);
        assertThat(lies).extracting(SandboxDeliveryTest::attemptId).contains(unpaid);
        assertThat(lies)
                .filteredOn(lie -> !attemptId(lie).equals(unpaid))
                .isNotEmpty()
                .allSatisfy(lie -> assertThat(lie.text()).contains("\"amount_received\":2099"));
    }

    @Test
    void what_is_held_back_arrives_after_the_next_one() {
        bench.sandbox.faults(new Faults(0, 1, 0, 0, 0, 0, Duration.ZERO, 1));
        List<String> paid = payInTurn(2);
        assertThat(bench.settled())
                .extracting(SandboxDeliveryTest::attemptId)
                .containsExactly(paid.get(1), paid.get(0));
        assertThat(bench.sandbox.counts().reordered()).isEqualTo(1);
    }

    @Test
    void what_is_held_back_arrives_even_if_no_other_one_comes() {
        bench.sandbox.faults(new Faults(0, 1, 0, 0, 0, 0, Duration.ZERO, 1));
        payInTurn(1);
        assertThat(bench.settled()).hasSize(1);
        assertThat(bench.sandbox.counts().reordered()).isZero();
    }

    @Test
    void retries_stop_when_the_gateway_acknowledges() {
        AtomicInteger tries = new AtomicInteger();
        bench.answerWith(notification -> new Answer(tries.incrementAndGet() < 3 ? 500 : 200, ""));
        payInTurn(1);
        assertThat(bench.settled()).hasSize(3);
        SandboxCounts counts = bench.sandbox.counts();
        assertThat(counts.retried()).isEqualTo(2);
        assertThat(counts.acknowledged()).isEqualTo(1);
        assertThat(counts.abandoned()).isZero();
        assertThat(bench.sandbox.sent()).extracting(SentNotification::status).containsExactly(500, 500, 200);
    }

    @Test
    void retries_stop_at_the_limit() {
        bench.answerWith(notification -> new Answer(500, ""));
        payInTurn(1);
        assertThat(bench.settled()).hasSize(4);
        assertThat(bench.sandbox.counts().abandoned()).isEqualTo(1);
    }

    @Test
    void a_redirect_is_no_acknowledgement_and_is_not_followed() {
        bench.answerWith(notification -> new Answer(302, ""));
        payInTurn(1);
        assertThat(bench.settled()).hasSize(4);
    }

    @Test
    void a_gateway_that_is_away_has_status_zero_and_gets_retries() {
        bench.sandbox.notifyBase("http://127.0.0.1:1/v1/notify");
        payInTurn(1);
        assertThat(bench.settled()).isEmpty();
        assertThat(bench.sandbox.sent()).hasSize(4).allSatisfy(sent -> assertThat(sent.status())
                .isZero());
    }

    @Test
    void copies_sent_at_once_are_all_there_before_the_first_is_answered() {
        Faults duplicated = seeded(seed -> new Faults(1, 0, 0, 0, 0, 0, Duration.ZERO, seed), FaultPlan::atOnce);
        int copies = FaultPlan.of(duplicated, 0).copies();
        bench.sandbox.faults(duplicated);
        Promise<Answer> all = Promise.promise();
        AtomicInteger arrived = new AtomicInteger();
        bench.answerLater(notification -> {
            if (arrived.incrementAndGet() == copies) {
                all.complete(new Answer(200, ""));
            }
            return all.future();
        });
        payInTurn(1);
        assertThat(bench.settled()).hasSize(copies);
        assertThat(bench.sandbox.counts().duplicates()).isEqualTo(copies - 1);
    }

    @Test
    void copies_sent_one_after_the_other_wait_for_the_answer() {
        Faults duplicated = seeded(seed -> new Faults(1, 0, 0, 0, 0, 0, Duration.ZERO, seed), plan -> !plan.atOnce());
        bench.sandbox.faults(duplicated);
        payInTurn(1);
        assertThat(bench.settled()).hasSize(FaultPlan.of(duplicated, 0).copies());
    }

    @Test
    void a_gateway_that_never_answers_has_status_zero_and_gets_retries() {
        try (SandboxBench mute = new SandboxBench(SandboxBench.options().withAnswerLimit(Duration.ofMillis(50)))) {
            mute.answerLater(notification -> Promise.<Answer>promise().future());
            String attemptId = newAttemptId();
            create(mute, attemptId);
            await(mute.sandbox.pay(attemptId));
            assertThat(mute.settled()).hasSize(4);
            assertThat(mute.sandbox.sent()).extracting(SentNotification::status).containsExactly(0, 0, 0, 0);
        }
    }

    @Test
    void paying_twice_moves_the_money_once() {
        String attemptId = payInTurn(1).get(0);
        await(bench.sandbox.pay(attemptId));
        assertThat(bench.settled()).hasSize(1);
        assertThat(bench.sandbox.counts().paid()).isEqualTo(1);
    }

    @Test
    void closing_ends_the_wait_for_notifications_that_were_to_be_retried() {
        try (SandboxBench slow = new SandboxBench(SandboxBench.options().withRetries(Duration.ofHours(1), 3))) {
            CompletableFuture<Void> arrived = new CompletableFuture<>();
            slow.answerWith(notification -> {
                arrived.complete(null);
                return new Answer(500, "");
            });
            String attemptId = newAttemptId();
            create(slow, attemptId);
            await(slow.sandbox.pay(attemptId));
            arrived.orTimeout(10, TimeUnit.SECONDS).join();
            Future<Void> settled = slow.sandbox.settled();
            await(slow.sandbox.close());
            await(settled);
            assertThatThrownBy(() -> await(slow.sandbox.pay(attemptId))).hasMessageContaining("not running");
        }
    }

    @Test
    void people_pay_decline_and_look_over_http() {
        String attemptId = create();
        assertThat(call("GET", "/payments/" + attemptId).body()).contains("OPEN");
        assertThat(call("POST", "/decline/" + attemptId).statusCode()).isEqualTo(200);
        HttpResponse<String> paid = call("POST", "/pay/" + attemptId);
        assertThat(new JsonObject(paid.body()).getString("state")).isEqualTo("PAID");
        assertThat(new JsonObject(paid.body()).getLong("amount_minor")).isEqualTo(1999);
        assertThat(call("POST", "/decline/" + attemptId).statusCode()).isEqualTo(409);
        assertThat(call("POST", "/pay/nobody").statusCode()).isEqualTo(404);
        assertThat(call("GET", "/nothing").statusCode()).isEqualTo(404);
        assertThat(new JsonObject(call("GET", "/").body()).getJsonObject("psps").fieldNames())
                .containsExactly("stripe", "alipay", "wechatpay", "adyen", "standardwebhooks");
        assertThat(bench.settled()).hasSize(2);
    }

    @Test
    void a_body_that_is_too_large_is_refused() throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + bench.port + "/pay/x"))
                .version(HttpClient.Version.HTTP_1_1)
                .POST(BodyPublishers.ofByteArray(new byte[SandboxServer.BODY_BYTES_MAX + 1]))
                .build();
        assertThat(http.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(413);
    }

    @Test
    void keys_that_were_kept_are_the_same_again() {
        JsonObject kept = SandboxBench.KEYS.toJson();
        SandboxKeys again = SandboxKeys.fromJson(new JsonObject(kept.encode()));
        assertThat(again.toJson()).isEqualTo(kept);
        try (SandboxBench other = new SandboxBench(SandboxBench.options().withKeys(again))) {
            for (String psp : List.of("stripe", "alipay", "wechatpay", "adyen")) {
                assertThat(withoutAddresses(other.settings(psp))).isEqualTo(withoutAddresses(bench.settings(psp)));
            }
        }
    }

    @Test
    void keys_of_an_earlier_version_get_new_ones_for_adyen() {
        JsonObject kept = SandboxBench.KEYS.toJson();
        kept.remove("adyen");
        JsonObject completed = SandboxKeys.fromJson(kept).toJson();
        assertThat(completed.getJsonObject("adyen").fieldNames())
                .isEqualTo(SandboxBench.KEYS.toJson().getJsonObject("adyen").fieldNames());
        assertThat(completed.getJsonObject("stripe")).isEqualTo(kept.getJsonObject("stripe"));
    }

    @Test
    void keys_that_are_incomplete_are_refused_by_the_name_of_what_is_missing() {
        JsonObject kept = SandboxBench.KEYS.toJson();
        kept.getJsonObject("wechatpay").remove("api_v3_key");
        assertThatThrownBy(() -> SandboxKeys.fromJson(kept))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("api_v3_key");
    }

    /** Faults whose first plan is as wanted. */
    private static Faults seeded(LongFunction<Faults> faults, Predicate<FaultPlan> wanted) {
        return LongStream.range(0, 100)
                .mapToObj(faults)
                .filter(candidate -> wanted.test(FaultPlan.of(candidate, 0)))
                .findFirst()
                .orElseThrow();
    }

    /** At most one is held back at a time; the next one releases it. */
    private static long overtaken(List<FaultPlan> travelling) {
        long overtaken = 0;
        boolean held = false;
        for (FaultPlan plan : travelling) {
            if (!held && plan.heldBack()) {
                held = true;
            } else if (held) {
                held = false;
                overtaken++;
            }
        }
        return overtaken;
    }

    private List<String> payInTurn(int count) {
        List<String> attempts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String attemptId = create();
            attempts.add(attemptId);
            await(bench.sandbox.pay(attemptId));
        }
        return attempts;
    }

    private String create() {
        String attemptId = newAttemptId();
        create(bench, attemptId);
        return attemptId;
    }

    private void create(SandboxBench at, String attemptId) {
        JsonObject settings = at.settings("stripe");
        HttpRequest request = HttpRequest.newBuilder(URI.create(settings.getString("api_base") + "/v1/payment_intents"))
                .version(HttpClient.Version.HTTP_1_1)
                .header("Authorization", "Bearer " + settings.getString("api_key"))
                .header("Idempotency-Key", attemptId)
                .POST(BodyPublishers.ofString("amount=1999&currency=eur&metadata%5Battempt_id%5D=" + attemptId))
                .build();
        assertThat(send(request).statusCode()).isEqualTo(200);
    }

    private HttpResponse<String> call(String method, String path) {
        return send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + bench.port + path))
                .version(HttpClient.Version.HTTP_1_1)
                .method(method, BodyPublishers.noBody())
                .build());
    }

    private HttpResponse<String> send(HttpRequest request) {
        try {
            return http.send(request, BodyHandlers.ofString());
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private Answer likeAGateway(Received notification) {
        String secret = SandboxBench.KEYS.stripe.webhookSecret();
        try {
            Webhook.constructEvent(notification.text(), notification.header("Stripe-Signature"), secret);
            return new Answer(200, "");
        } catch (SignatureVerificationException e) {
            return new Answer(401, "");
        }
    }

    private static String attemptId(Received notification) {
        return notification
                .body()
                .toJsonObject()
                .getJsonObject("data")
                .getJsonObject("object")
                .getJsonObject("metadata")
                .getString("attempt_id");
    }

    private static JsonObject withoutAddresses(JsonObject settings) {
        JsonObject copy = settings.copy();
        copy.remove("api_base");
        copy.remove("gateway");
        return copy;
    }
}
