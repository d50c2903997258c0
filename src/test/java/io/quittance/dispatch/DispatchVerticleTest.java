package io.quittance.dispatch;

import static io.quittance.dispatch.DispatchBench.OPTIONS;
import static io.quittance.testing.OutboxBench.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.standardwebhooks.Webhook;
import io.quittance.FaultOfOthers;
import io.quittance.dev.SandboxTarget;
import io.quittance.dev.SandboxTarget.Faults;
import io.quittance.dev.SandboxTarget.Repeats;
import io.quittance.domain.FactKind;
import io.quittance.domain.FactSource;
import io.quittance.domain.Ids;
import io.quittance.domain.Outcome;
import io.quittance.domain.PaymentFact;
import io.quittance.domain.SyncStatus;
import io.quittance.message.Addresses;
import io.quittance.testing.OutboxBench.OutboxRow;
import io.vertx.core.Promise;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class DispatchVerticleTest {

    private static final Faults SILENT = new Faults(0, 0, 1, 0, 1);
    private static final Faults ERROR_BEFORE = new Faults(1, 0, 0, 0, 1);
    private static final Faults ERROR_AFTER = new Faults(0, 1, 0, 0, 1);
    private static final Faults REFUSING = new Faults(0, 0, 0, 1, 1);

    private DispatchBench bench;

    @BeforeEach
    void open() throws SQLException {
        bench = new DispatchBench();
    }

    @AfterEach
    void close() throws SQLException {
        bench.close();
    }

    @Test
    void a_paid_order_reaches_its_target_which_is_known_by_its_id() throws SQLException {
        SandboxTarget erp = bench.erp(Repeats.ANSWERED_409);
        UUID order = bench.paid("A-1");

        bench.dispatcher(OPTIONS, DispatchBench.asking(erp));

        bench.awaitRow(order, SyncStatus.COMPLETED, 1);
        assertThat(erp.records())
                .containsExactly(Map.entry("A-1", bench.outbox.row(order).thirdPartyId()));
        assertThat(erp.counts()).isEqualTo(new SandboxTarget.Counts(1, 0, 0, 0, 1, 0));
        assertThat(bench.outbox.trail(order)).containsExactly("PENDING -> PROCESSING", "PROCESSING -> COMPLETED");
        assertThat(bench.facts).isEmpty();
    }

    @Test
    void a_nudge_wakes_a_dispatcher_that_had_nothing_to_do() throws SQLException {
        SandboxTarget erp = bench.erp(Repeats.ANSWERED_409);
        bench.dispatcher(OPTIONS, DispatchBench.asking(erp));

        UUID order = bench.paid("A-1");
        bench.bus.tell(Addresses.CONCLUDED, order);

        bench.awaitRow(order, SyncStatus.COMPLETED, 1);
    }

    @Test
    void who_watches_an_order_hears_that_its_delivery_has_moved() throws Exception {
        SandboxTarget erp = bench.erp(Repeats.ANSWERED_409);
        UUID order = bench.paid("A-1");
        BlockingQueue<UUID> heard = new LinkedBlockingQueue<>();
        bench.bus.watch(order, heard::add);

        bench.dispatcher(OPTIONS, DispatchBench.asking(erp));

        do {
            assertThat(heard.poll(20, TimeUnit.SECONDS)).isEqualTo(order);
        } while (bench.outbox.row(order).status() != SyncStatus.COMPLETED);
    }

    @Test
    void without_any_nudge_a_row_is_taken_when_it_comes_due() throws SQLException {
        SandboxTarget erp = bench.erp(Repeats.ANSWERED_409);
        UUID order = bench.paid("A-1");
        bench.outbox.run("update outbox set due_at = now() + interval '300 milliseconds'");

        bench.dispatcher(OPTIONS, DispatchBench.asking(erp));

        bench.awaitRow(order, SyncStatus.COMPLETED, 1);
    }

    @Test
    void what_is_sent_is_what_was_agreed_and_the_official_library_accepts_its_signature() throws Exception {
        Promise<JsonObject> body = Promise.promise();
        AtomicReference<String> raw = new AtomicReference<>();
        Map<String, List<String>> headers = new HashMap<>();
        String url = bench.server(request -> request.body().onSuccess(received -> {
            request.headers()
                    .forEach(header ->
                            headers.put(header.getKey().toLowerCase(Locale.ROOT), List.of(header.getValue())));
            raw.set(received.toString());
            request.response().setStatusCode(200).end("{\"id\": 4711}");
            body.complete(new JsonObject(received));
        }));
        UUID order = bench.paid("A 1/é");

        bench.dispatcher(OPTIONS, DispatchBench.at(url, null));

        JsonObject sent = await(body.future());
        assertThat(sent.fieldNames()).containsExactly("order_no", "status", "amount", "attempt");
        assertThat(sent.getString("order_no")).isEqualTo("A 1/é");
        assertThat(sent.getString("status")).isEqualTo("PAID");
        assertThat(sent.getJsonObject("amount"))
                .isEqualTo(new JsonObject().put("value", "19.99").put("currency", "CNY"));
        JsonObject attempt = sent.getJsonObject("attempt");
        assertThat(attempt.fieldNames()).containsExactly("id", "psp", "account", "psp_payment_id");
        assertThat(attempt.getString("id")).matches("[0-9a-f]{32}");
        assertThat(attempt.getString("psp_payment_id")).isEqualTo("pi_A 1/é");
        assertThat(headers.get("content-type")).containsExactly("application/json");
        assertThat(headers).containsKey("idempotency-key");
        assertThat(headers.get("webhook-id")).containsExactly(Ids.hex(order));
        new Webhook(DispatchBench.SECRET).verify(raw.get(), headers);
        bench.awaitRow(order, SyncStatus.COMPLETED, 1);
        assertThat(bench.outbox.row(order).thirdPartyId()).isEqualTo("4711");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "200 | {\"id\": \"x-1\"} | COMPLETED |",
                "201 | {\"id\": \"x-1\"} | COMPLETED |",
                "409 | {\"id\": \"x-1\"} | COMPLETED |",
                "200 | {} | FAILED | answered 200 without an id",
                "204 | '' | FAILED | answered 204 without an id",
                "200 | not json | FAILED | answered 200 without an id",
                "200 | [1] | FAILED | answered 200 without an id",
                "200 | {\"id\": \" \"} | FAILED | answered 200 without an id",
                "200 | {\"id\": \"a\\u0000b\"} | FAILED | answered 200 without an id",
                "409 | {} | FAILED | answered 409 without an id",
                "422 | {\"code\": \"fulfilment_failed\"} | REJECTED | the target refused to fulfil the order",
                "422 | {\"code\": \"other\"} | FAILED | answered 422",
                "302 | {\"id\": \"x-1\"} | FAILED | answered 302",
                "400 | {\"id\": \"x-1\"} | FAILED | answered 400",
                "500 | {\"id\": \"x-1\"} | FAILED | answered 500",
                "429 | {} | FAILED | answered 429"
            })
    void each_answer_has_its_meaning(int status, String answer, SyncStatus expected, String error) throws SQLException {
        String url =
                bench.server(request -> request.response().setStatusCode(status).end(status == 204 ? "" : answer));
        UUID order = bench.paid("A-1");

        bench.dispatcher(OPTIONS, DispatchBench.at(url, null));

        bench.awaitRow(order, expected, 1);
        OutboxRow row = bench.outbox.row(order);
        assertThat(row.lastError()).isEqualTo(error);
        assertThat(row.uncertain()).isEqualTo(expected == SyncStatus.FAILED);
        assertThat(bench.outbox.trail(order)).containsExactly("PENDING -> PROCESSING", "PROCESSING -> " + expected);
    }

    @Test
    void an_answer_without_end_is_not_read() throws SQLException {
        String url = bench.server(request -> {
            request.response().setChunked(true);
            request.response().write("{\"id\": \"" + "x".repeat(DispatchOptions.ANSWER_BYTES_MAX));
        });
        UUID order = bench.paid("A-1");

        bench.dispatcher(OPTIONS, DispatchBench.at(url, null));

        bench.awaitRow(order, SyncStatus.FAILED, 1);
        assertThat(bench.outbox.row(order).lastError()).isEqualTo("its answer was over 65536 bytes");
        assertThat(bench.outbox.row(order).uncertain()).isTrue();
    }

    @Test
    void a_request_that_never_left_leaves_no_doubt() throws SQLException {
        SandboxTarget erp = bench.erp(Repeats.ANSWERED_409);
        Target gone = DispatchBench.asking(erp);
        await(erp.close());
        UUID order = bench.paid("A-1");

        bench.dispatcher(OPTIONS, gone);

        bench.awaitRow(order, SyncStatus.FAILED, 1);
        assertThat(bench.outbox.row(order).lastError()).startsWith("no connection");
        assertThat(bench.outbox.row(order).uncertain()).isFalse();
    }

    @Test
    void a_final_refusal_asks_for_the_refund_before_it_is_noted() throws SQLException {
        SandboxTarget erp = bench.erp(Repeats.ANSWERED_409);
        erp.faults(REFUSING);
        bench.engineAway = true;
        UUID order = bench.paid("A-1");
        bench.dispatcher(OPTIONS, DispatchBench.asking(erp));
        bench.awaitRow(order, SyncStatus.FAILED, 1);
        assertThat(bench.facts).isEmpty();

        bench.engineAway = false;
        bench.verdict = Outcome.DUPLICATE;
        bench.again(order);

        bench.awaitRow(order, SyncStatus.REJECTED, 2);
        assertThat(bench.facts).hasSize(1);
        PaymentFact fact = bench.facts.get(0);
        assertThat(fact.kind()).isEqualTo(FactKind.FULFILMENT_REJECTED);
        assertThat(fact.reference()).isEqualTo(Ids.hex(order));
        assertThat(fact.evidence().source()).isEqualTo(FactSource.TARGET);
        assertThat(erp.records()).isEmpty();
        bench.outbox.trail(order);
    }

    @Test
    void silence_after_recording_leads_to_a_question_and_to_one_record_even_at_a_naive_target() throws SQLException {
        SandboxTarget erp = bench.erp(Repeats.NAIVE);
        erp.faults(SILENT);
        UUID order = bench.paid("A 1/é?");
        bench.dispatcher(OPTIONS.withAnswerLimit(Duration.ofMillis(200)), DispatchBench.asking(erp));
        bench.awaitRow(order, SyncStatus.FAILED, 1);
        assertThat(bench.outbox.row(order).uncertain()).isTrue();
        assertThat(bench.outbox.row(order).lastError()).isEqualTo("no answer within 200 ms");

        erp.faults(Faults.none());
        bench.again(order);

        bench.awaitRow(order, SyncStatus.COMPLETED, 2);
        assertThat(erp.counts()).isEqualTo(new SandboxTarget.Counts(1, 1, 0, 0, 1, 0));
        assertThat(bench.outbox.row(order).thirdPartyId())
                .isEqualTo(erp.records().get("A 1/é?"));
        assertThat(bench.outbox.trail(order))
                .containsExactly(
                        "PENDING -> PROCESSING",
                        "PROCESSING -> FAILED",
                        "FAILED -> PROCESSING",
                        "PROCESSING -> COMPLETED");
    }

    @Test
    void an_order_that_the_target_does_not_have_is_sent_again() throws SQLException {
        SandboxTarget erp = bench.erp(Repeats.NAIVE);
        erp.faults(ERROR_BEFORE);
        UUID order = bench.paid("A-1");
        bench.dispatcher(OPTIONS, DispatchBench.asking(erp));
        bench.awaitRow(order, SyncStatus.FAILED, 1);

        erp.faults(Faults.none());
        bench.again(order);

        bench.awaitRow(order, SyncStatus.COMPLETED, 2);
        assertThat(erp.counts()).isEqualTo(new SandboxTarget.Counts(2, 1, 0, 0, 1, 0));
    }

    @ParameterizedTest
    @EnumSource(names = {"ANSWERED_200", "ANSWERED_409"})
    void without_a_question_the_same_key_makes_a_repetition_safe(Repeats repeats) throws SQLException {
        SandboxTarget erp = bench.erp(repeats);
        erp.faults(ERROR_AFTER);
        UUID order = bench.paid("A-1");
        bench.dispatcher(OPTIONS, DispatchBench.notAsking(erp));
        bench.awaitRow(order, SyncStatus.FAILED, 1);

        erp.faults(Faults.none());
        bench.again(order);

        bench.awaitRow(order, SyncStatus.COMPLETED, 2);
        assertThat(erp.counts()).isEqualTo(new SandboxTarget.Counts(2, 0, 0, 0, 1, 0));
        assertThat(bench.outbox.row(order).thirdPartyId())
                .isEqualTo(erp.records().get("A-1"));
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 204, 401, 500})
    void a_question_without_an_answer_sends_nothing(int status) throws SQLException {
        List<HttpMethod> seen = new CopyOnWriteArrayList<>();
        String url = bench.server(request -> {
            seen.add(request.method());
            request.response().setStatusCode(status).end("{}");
        });
        UUID order = bench.paid("A-1");
        bench.outbox.run("update outbox set uncertain = true");

        bench.dispatcher(OPTIONS, DispatchBench.at(url, url + "/{order_no}"));

        bench.awaitRow(order, SyncStatus.FAILED, 1);
        assertThat(seen).containsExactly(HttpMethod.GET);
        assertThat(bench.outbox.row(order).uncertain()).isTrue();
    }

    @Test
    void a_lost_lease_is_taken_over_by_another_dispatcher_which_asks_first() throws SQLException {
        SandboxTarget erp = bench.erp(Repeats.NAIVE);
        erp.faults(SILENT);
        UUID order = bench.paid("A-1");
        DispatchOptions patient = OPTIONS.withAnswerLimit(Duration.ofSeconds(3));
        String first = bench.dispatcher(patient, DispatchBench.asking(erp));
        String id = await(erp.recorded("A-1"));
        UUID lost = bench.outbox.row(order).lease();

        bench.outbox.makeDue(order);
        bench.dispatcher(patient, DispatchBench.asking(erp));

        bench.awaitRow(order, SyncStatus.COMPLETED, 2);
        await(bench.vertx.undeploy(first));
        assertThat(bench.outbox.row(order).thirdPartyId()).isEqualTo(id);
        assertThat(await(bench.store().complete(order, lost, "late"))).isFalse();
        assertThat(bench.outbox.row(order).status()).isEqualTo(SyncStatus.COMPLETED);
        assertThat(erp.counts()).isEqualTo(new SandboxTarget.Counts(1, 1, 0, 0, 1, 0));
        assertThat(bench.outbox.trail(order))
                .containsExactly("PENDING -> PROCESSING", "PROCESSING -> PROCESSING", "PROCESSING -> COMPLETED");
    }

    @Test
    void two_dispatchers_share_two_hundred_orders_and_send_each_once() throws SQLException {
        SandboxTarget erp = bench.erp(Repeats.NAIVE);
        List<UUID> orders = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            orders.add(bench.paid("A-" + i));
        }

        DispatchOptions narrow = OPTIONS.withInFlightMax(8);
        bench.dispatcher(narrow, DispatchBench.asking(erp));
        bench.dispatcher(narrow, DispatchBench.asking(erp));

        for (UUID order : orders) {
            bench.awaitRow(order, SyncStatus.COMPLETED, 1);
            assertThat(bench.outbox.trail(order)).containsExactly("PENDING -> PROCESSING", "PROCESSING -> COMPLETED");
        }
        assertThat(erp.counts()).isEqualTo(new SandboxTarget.Counts(200, 0, 0, 0, 200, 0));
    }

    @Test
    @FaultOfOthers(
            value = "rafiki#712",
            symptom =
                    "one subscriber that takes half a minute holds up the answer to the PSP and all other subscribers")
    void a_target_that_does_not_answer_holds_up_no_other() throws SQLException {
        Promise<Void> arrived = Promise.promise();
        String silent = bench.server(request -> arrived.tryComplete());
        SandboxTarget quick = bench.erp(Repeats.ANSWERED_409);
        UUID waiting = bench.paid("A-0");
        bench.dispatcher(
                OPTIONS,
                DispatchBench.at(silent, null),
                Target.of("quick", quick.url(), DispatchBench.SECRET, null, false));
        await(arrived.future());

        List<UUID> others = new ArrayList<>();
        for (int i = 1; i <= 20; i++) {
            others.add(bench.outbox.paid("A-" + i, "quick"));
        }
        bench.bus.tell(Addresses.CONCLUDED, others.get(0));

        for (UUID other : others) {
            bench.awaitRow(other, SyncStatus.COMPLETED, 1);
        }
        assertThat(bench.outbox.row(waiting).status()).isEqualTo(SyncStatus.PROCESSING);
    }

    @Test
    void while_the_breaker_is_open_nothing_is_claimed_and_no_try_is_used_up() throws SQLException {
        SandboxTarget erp = bench.erp(Repeats.NAIVE);
        erp.faults(ERROR_BEFORE);
        UUID failing = bench.paid("A-1");
        bench.dispatcher(
                OPTIONS.withBreaker(1, DispatchOptions.BREAKER_WINDOW_MAX, Duration.ofDays(1)),
                DispatchBench.asking(erp));
        bench.awaitRow(failing, SyncStatus.FAILED, 1);

        UUID waiting = bench.paid("A-2");
        bench.outbox.awaitRow(waiting, SyncStatus.PENDING, 0);
        bench.outbox.forget(waiting);
        bench.bus.tell(Addresses.CONCLUDED, waiting);

        bench.awaitRow(waiting, SyncStatus.PENDING, 0);
        assertThat(await(bench.store().nextDue())).isGreaterThan(80_000_000L);
        assertThat(bench.outbox.trail(waiting)).isEmpty();
        assertThat(erp.counts().posts()).isEqualTo(1);
    }

    @Test
    void a_try_that_finds_the_breaker_open_is_given_back() throws SQLException {
        Promise<Void> openNow = Promise.promise();
        String url = bench.server(request -> {
            if (request.method().equals(HttpMethod.POST)) {
                request.response().setStatusCode(500).end();
            } else {
                openNow.future()
                        .onSuccess(go -> request.response().setStatusCode(404).end());
            }
        });
        UUID asking = bench.paid("A-1");
        bench.outbox.run("update outbox set uncertain = true");
        UUID failing = bench.paid("A-2");

        bench.dispatcher(
                OPTIONS.withBreaker(1, DispatchOptions.BREAKER_WINDOW_MAX, Duration.ofDays(1)),
                DispatchBench.at(url, url + "/{order_no}"));
        bench.awaitRow(failing, SyncStatus.FAILED, 1);
        openNow.complete();

        bench.awaitRow(asking, SyncStatus.FAILED, 0);
        assertThat(bench.outbox.row(asking).lastError()).isEqualTo("not tried: the target is left alone");
        assertThat(bench.outbox.trail(asking)).containsExactly("PENDING -> PROCESSING", "PROCESSING -> FAILED");
    }

    @Test
    void a_target_that_recovers_is_tried_again_by_itself() throws SQLException {
        SandboxTarget erp = bench.erp(Repeats.ANSWERED_409);
        erp.faults(ERROR_BEFORE);
        UUID failing = bench.paid("A-1");
        bench.dispatcher(
                OPTIONS.withBreaker(1, DispatchOptions.BREAKER_WINDOW_MAX, Duration.ofMillis(200)),
                DispatchBench.asking(erp));
        bench.awaitRow(failing, SyncStatus.FAILED, 1);
        erp.faults(Faults.none());

        UUID waiting = bench.paid("A-2");
        bench.bus.tell(Addresses.CONCLUDED, waiting);

        bench.awaitRow(waiting, SyncStatus.COMPLETED, 1);
    }

    @Test
    void after_the_last_try_a_person_must_look() throws SQLException {
        SandboxTarget erp = bench.erp(Repeats.ANSWERED_409);
        erp.faults(ERROR_BEFORE);
        UUID order = bench.paid("A-1");
        bench.dispatcher(OPTIONS.withTries(2, Duration.ofDays(1), Duration.ofDays(1)), DispatchBench.asking(erp));
        bench.awaitRow(order, SyncStatus.FAILED, 1);

        bench.again(order);

        bench.awaitRow(order, SyncStatus.REVIEW, 2);
        assertThat(bench.outbox.count(
                        "select count(*) from reviews where order_id = ? and reason = 'SYNC_EXHAUSTED'"
                                + " and closed_at is null and attempt_id is not null",
                        order))
                .isEqualTo(1);
        assertThat(bench.outbox.trail(order))
                .containsExactly(
                        "PENDING -> PROCESSING",
                        "PROCESSING -> FAILED",
                        "FAILED -> PROCESSING",
                        "PROCESSING -> REVIEW");
    }

    @Test
    void tries_whose_leases_were_lost_end_as_well() throws SQLException {
        SandboxTarget erp = bench.erp(Repeats.ANSWERED_409);
        UUID order = bench.paid("A-1");
        bench.outbox.run(
                "update outbox set status = 'PROCESSING', lease = gen_random_uuid(), tries = ?", OPTIONS.triesMax());

        bench.dispatcher(OPTIONS, DispatchBench.asking(erp));

        bench.awaitRow(order, SyncStatus.REVIEW, OPTIONS.triesMax() + 1);
        assertThat(erp.counts().posts()).isZero();
    }

    @Test
    void an_id_that_another_order_has_is_put_before_a_person() throws SQLException {
        String url =
                bench.server(request -> request.response().setStatusCode(200).end("{\"id\": \"same\"}"));
        UUID one = bench.paid("A-1");
        bench.dispatcher(OPTIONS, DispatchBench.at(url, null));
        bench.awaitRow(one, SyncStatus.COMPLETED, 1);

        UUID other = bench.paid("A-2");
        bench.bus.tell(Addresses.CONCLUDED, other);

        bench.awaitRow(other, SyncStatus.REVIEW, 1);
        assertThat(bench.outbox.row(other).lastError()).isEqualTo("the target gave an id that another order has");
    }

    @Test
    void a_row_whose_target_is_not_configured_is_visible() throws SQLException {
        UUID order = bench.outbox.paid("A-1", "nowhere");

        bench.dispatcher(OPTIONS);

        bench.awaitRow(order, SyncStatus.FAILED, 1);
        assertThat(bench.outbox.row(order).lastError()).isEqualTo("the configuration has no such target");
    }

    @Test
    void a_dispatcher_that_stops_lets_its_calls_end_and_claims_nothing_more() throws SQLException {
        Promise<Void> arrived = Promise.promise();
        Promise<Void> answer = Promise.promise();
        String url = bench.server(request -> {
            arrived.tryComplete();
            answer.future().onSuccess(go -> request.response().end("{\"id\": \"x-1\"}"));
        });
        UUID order = bench.paid("A-1");
        String deployment = bench.dispatcher(OPTIONS, DispatchBench.at(url, null));
        await(arrived.future());

        var stopped = bench.vertx.undeploy(deployment);
        UUID late = bench.paid("A-2");
        bench.bus.tell(Addresses.CONCLUDED, late);
        answer.complete();
        await(stopped);

        assertThat(bench.outbox.row(order).status()).isEqualTo(SyncStatus.COMPLETED);
        assertThat(bench.outbox.row(late).status()).isEqualTo(SyncStatus.PENDING);
    }
}
