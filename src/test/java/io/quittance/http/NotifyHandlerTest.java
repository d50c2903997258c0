package io.quittance.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.quittance.domain.Outcome;
import io.quittance.http.NotifyCounters.Reason;
import io.quittance.message.Submission;
import io.quittance.message.Submission.Verdict;
import io.quittance.message.Unavailable;
import io.quittance.testing.Logs;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class NotifyHandlerTest {

    private static final String ONE_FACT = "{\"id\":\"evt-1\",\"facts\":1}";

    private Gateway gateway;
    private Logs logs;

    @BeforeEach
    void start() {
        logs = new Logs();
        gateway = new Gateway();
    }

    @AfterEach
    void stop() {
        gateway.close();
        logs.close();
    }

    @ParameterizedTest
    @EnumSource(Outcome.class)
    void every_outcome_that_is_committed_is_answered_with_success(Outcome outcome) throws Exception {
        gateway.engine = submission -> Gateway.verdict(outcome);

        HttpResponse<String> response = gateway.send(gateway.notification(ONE_FACT));

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEqualTo("success");
        assertThat(logs.lines()).isEmpty();
    }

    @Test
    void success_is_not_answered_before_the_engine_says_that_it_is_committed() throws Exception {
        Promise<Verdict> commit = Promise.promise();
        CountDownLatch reached = new CountDownLatch(1);
        gateway.engine = submission -> {
            reached.countDown();
            return commit.future();
        };

        CompletableFuture<HttpResponse<String>> response = gateway.sendLater(gateway.notification(ONE_FACT));
        assertThat(reached.await(20, TimeUnit.SECONDS)).isTrue();
        // a whole exchange on the same server passes, so an answer that was written early would be here
        gateway.send(gateway.request("/openapi.yaml"));

        assertThat(response).isNotDone();
        assertThat(gateway.counters.inFlight()).isEqualTo(1);
        commit.complete(new Verdict(Outcome.APPLIED, ""));
        assertThat(response.get(20, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
        assertThat(gateway.counters.inFlight()).isZero();
    }

    @Test
    void the_delivery_carries_the_bytes_the_time_and_the_part() throws Exception {
        gateway.send(gateway.notification("{\"id\":\"evt-9\",  \"facts\":2}\n"));

        assertThat(gateway.submitted).hasSize(2);
        Submission first = gateway.submitted.get(0);
        assertThat(first.delivery().body().toString()).isEqualTo("{\"id\":\"evt-9\",  \"facts\":2}\n");
        assertThat(first.delivery().receivedAt()).isEqualTo(Gateway.NOW);
        assertThat(first.delivery().keyLabel()).isEqualTo("key 1");
        assertThat(first.delivery().eventId()).isEqualTo("evt-9");
        assertThat(first.delivery().id().version()).isEqualTo(7);
        assertThat(first.eventType()).isEqualTo("PAYMENT_SUCCEEDED");
        assertThat(gateway.submitted).extracting(s -> s.delivery().part()).containsExactly(0, 1);
        assertThat(gateway.submitted)
                .extracting(s -> s.delivery().id())
                .containsOnly(first.delivery().id());
    }

    @Test
    void one_failed_fact_of_two_is_no_success_and_the_answer_waits_for_both() throws Exception {
        Promise<Verdict> second = Promise.promise();
        CountDownLatch reached = new CountDownLatch(2);
        gateway.engine = submission -> {
            reached.countDown();
            return submission.delivery().part() == 0
                    ? Future.failedFuture(new Unavailable("the store is away"))
                    : second.future();
        };

        CompletableFuture<HttpResponse<String>> response =
                gateway.sendLater(gateway.notification("{\"id\":\"evt-1\",\"facts\":2}"));
        assertThat(reached.await(20, TimeUnit.SECONDS)).isTrue();
        gateway.send(gateway.request("/openapi.yaml"));
        assertThat(response).isNotDone();
        second.complete(new Verdict(Outcome.APPLIED, ""));

        assertThat(response.get(20, TimeUnit.SECONDS).statusCode()).isEqualTo(503);
    }

    @Test
    void what_is_not_ours_is_logged_by_the_engine_before_it_is_acknowledged() throws Exception {
        HttpResponse<String> response = gateway.send(gateway.notification("{\"id\":\"evt-2\",\"other\":\"balance\"}"));

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(gateway.submitted).singleElement().satisfies(submission -> {
            assertThat(submission.fact()).isNull();
            assertThat(submission.eventType()).isEqualTo("balance");
        });
    }

    @Test
    void without_a_store_the_psp_is_told_to_come_again() throws Exception {
        gateway.engine = submission -> Future.failedFuture(new Unavailable("neither postgres nor journal"));

        HttpResponse<String> response = gateway.send(gateway.notification(ONE_FACT));

        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(response.headers().firstValue("Retry-After")).hasValue("5");
        assertThat(gateway.counted("fake", Reason.POSTPONED)).isEqualTo(1);
        assertThat(logs.withStackTrace()).isEmpty();
    }

    @Test
    void beyond_the_limit_in_flight_the_psp_is_told_to_come_again_at_once() throws Exception {
        Promise<Verdict> commit = Promise.promise();
        CountDownLatch reached = new CountDownLatch(Gateway.IN_FLIGHT_MAX);
        gateway.engine = submission -> {
            reached.countDown();
            return commit.future();
        };
        List<CompletableFuture<HttpResponse<String>>> waiting = java.util.stream.IntStream.range(
                        0, Gateway.IN_FLIGHT_MAX)
                .mapToObj(i -> gateway.sendLater(gateway.notification(ONE_FACT)))
                .toList();
        assertThat(reached.await(20, TimeUnit.SECONDS)).isTrue();

        HttpResponse<String> refused = gateway.send(gateway.notification(ONE_FACT));
        commit.complete(new Verdict(Outcome.APPLIED, ""));

        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(refused.headers().firstValue("Retry-After")).hasValue("5");
        assertThat(gateway.submitted).hasSize(Gateway.IN_FLIGHT_MAX);
        for (CompletableFuture<HttpResponse<String>> one : waiting) {
            assertThat(one.get(20, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
        }
        assertThat(gateway.send(gateway.notification(ONE_FACT)).statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource({"wrong-s3cret-looking, BAD_SIGNATURE", "old, STALE"})
    void a_refused_signature_is_counted_and_logged_in_one_line_and_goes_nowhere(String signature, Reason reason)
            throws Exception {
        HttpResponse<String> response =
                gateway.send(gateway.notification(ONE_FACT).setHeader("X-Signature", signature));

        assertThat(response.statusCode()).isEqualTo(401);
        assertThat(response.body()).isEqualTo("fail");
        assertThat(gateway.counted("fake", reason)).isEqualTo(1);
        assertThat(gateway.submitted).isEmpty();
        assertThat(logs.lines())
                .singleElement()
                .asString()
                .contains("fake/acme")
                .doesNotContain("s3cret");
    }

    @Test
    void a_missing_and_a_repeated_signature_are_refused() throws Exception {
        HttpRequest.Builder missing =
                gateway.request("/v1/notify/fake/acme").POST(HttpRequest.BodyPublishers.ofString(ONE_FACT));
        HttpRequest.Builder repeated = gateway.notification(ONE_FACT).header("X-Signature", "right");

        assertThat(gateway.send(missing).statusCode()).isEqualTo(401);
        assertThat(gateway.send(repeated).statusCode()).isEqualTo(401);
        assertThat(gateway.counted("fake", Reason.MALFORMED_SIGNATURE)).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "[1,2]", "\u0000\u0001\u0002", "{\"id\":\"evt-1\",\"fac", "null", "nonsense"})
    void a_signed_body_that_cannot_be_read_is_answered_with_400_and_no_stack_trace(String body) throws Exception {
        HttpResponse<String> response = gateway.send(gateway.notification(body));

        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(gateway.counted("fake", Reason.UNREADABLE)).isEqualTo(1);
        assertThat(gateway.submitted).isEmpty();
        assertThat(logs.withStackTrace()).isEmpty();
    }

    @Test
    void a_bug_in_an_adapter_is_never_a_success_and_is_logged_once_with_its_stack_trace() throws Exception {
        HttpResponse<String> verify =
                gateway.send(gateway.notification(ONE_FACT).setHeader("X-Signature", "bug"));
        HttpResponse<String> translate = gateway.send(gateway.notification("{\"bug\":1}"));
        HttpResponse<String> noFacts = gateway.send(gateway.notification("{\"id\":\"evt-1\",\"facts\":0}"));

        assertThat(List.of(verify.statusCode(), translate.statusCode(), noFacts.statusCode()))
                .containsOnly(503);
        assertThat(verify.headers().firstValue("Retry-After")).isPresent();
        assertThat(logs.lines()).hasSize(3).allMatch(line -> line.startsWith("ERROR"));
        assertThat(logs.withStackTrace()).hasSize(3);
        assertThat(gateway.counted("fake", Reason.BROKEN)).isEqualTo(3);
    }

    @Test
    void a_bug_in_the_engine_is_never_a_success() throws Exception {
        gateway.engine = submission -> Future.failedFuture(new IllegalStateException("a bug"));

        assertThat(gateway.send(gateway.notification(ONE_FACT)).statusCode()).isEqualTo(503);
        assertThat(logs.lines()).singleElement().asString().startsWith("ERROR");
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "br", "identity, gzip", "GZIP"})
    void an_encoded_body_is_not_taken(String encoding) throws Exception {
        HttpResponse<String> response =
                gateway.send(gateway.notification(ONE_FACT).header("Content-Encoding", encoding));

        assertThat(response.statusCode()).isEqualTo(415);
        assertThat(gateway.fake.seen).hasNullValue();
        assertThat(gateway.counted("fake", Reason.CONTENT_ENCODING)).isEqualTo(1);
    }

    @Test
    void the_encoding_identity_is_none() throws Exception {
        assertThat(gateway.send(gateway.notification(ONE_FACT).header("Content-Encoding", "Identity"))
                        .statusCode())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource({
        "fake, application/json; charset=UTF-8, 200",
        "fake, Application/JSON, 200",
        "fake, application/cloudevents+json, 200",
        "fake, text/plain, 415",
        "fake, application/x-www-form-urlencoded, 415",
        "alipay, application/x-www-form-urlencoded; charset=GBK, 200",
        "alipay, application/json, 415",
    })
    void the_content_type_must_be_the_psps_whatever_its_parameters(String psp, String type, int status)
            throws Exception {
        HttpRequest.Builder request = gateway.request("/v1/notify/" + psp + "/acme")
                .header("X-Signature", "right")
                .header("Content-Type", type)
                .POST(HttpRequest.BodyPublishers.ofString(ONE_FACT));

        assertThat(gateway.send(request).statusCode()).isEqualTo(status);
        assertThat(gateway.submitted).hasSize(status == 200 ? 1 : 0);
    }

    @Test
    void a_missing_content_type_is_no_fault() throws Exception {
        HttpRequest.Builder request = gateway.request("/v1/notify/fake/acme")
                .header("X-Signature", "right")
                .POST(HttpRequest.BodyPublishers.ofString(ONE_FACT));

        assertThat(gateway.send(request).statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/notify/fake/nobody", "/v1/notify/nothing/acme", "/v1/notify/fake/ACME"})
    void an_unknown_psp_or_account_is_not_found(String path) throws Exception {
        HttpResponse<String> response = gateway.send(
                gateway.request(path).header("X-Signature", "right").POST(HttpRequest.BodyPublishers.ofString("{}")));

        assertThat(response.statusCode()).isEqualTo(404);
        assertThat(response.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(gateway.counted(NotifyCounters.NO_PSP, Reason.UNKNOWN_ACCOUNT))
                .isEqualTo(1);
        assertThat(gateway.send(gateway.request(path)).statusCode()).isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "HEAD"})
    void a_probe_is_answered_with_200_and_changes_nothing(String method) throws Exception {
        HttpResponse<String> response = gateway.send(
                gateway.request("/v1/notify/fake/acme").method(method, HttpRequest.BodyPublishers.noBody()));

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEmpty();
        assertThat(gateway.submitted).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"PUT", "DELETE", "PATCH", "OPTIONS"})
    void other_methods_are_told_which_are_taken(String method) throws Exception {
        HttpResponse<String> response = gateway.send(
                gateway.request("/v1/notify/fake/acme").method(method, HttpRequest.BodyPublishers.noBody()));

        assertThat(response.statusCode()).isEqualTo(405);
        assertThat(response.headers().firstValue("Allow")).hasValue("GET, HEAD, POST");
    }
}
