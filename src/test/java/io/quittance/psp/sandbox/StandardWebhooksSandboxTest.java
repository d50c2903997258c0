package io.quittance.psp.sandbox;

import static io.quittance.psp.sandbox.SandboxBench.await;
import static io.quittance.psp.sandbox.SandboxBench.newAttemptId;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import io.quittance.domain.FactKind;
import io.quittance.domain.Money;
import io.quittance.domain.PaymentFact;
import io.quittance.domain.PaymentFact.RefundNews;
import io.quittance.psp.PspAdapter;
import io.quittance.psp.RawNotification;
import io.quittance.psp.Translation;
import io.quittance.psp.Verification.Refused;
import io.quittance.psp.Verification.Verified;
import io.quittance.psp.sandbox.SandboxBench.Answer;
import io.quittance.psp.sandbox.SandboxBench.Received;
import io.quittance.psp.standardwebhooks.StandardWebhooksAdapter;
import io.quittance.psp.standardwebhooks.StandardWebhooksSettings;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.json.JsonObject;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The Standard Webhooks side, with the specification's library and our adapter as the merchant. */
class StandardWebhooksSandboxTest {

    private final SandboxBench bench = new SandboxBench();
    private final JsonObject settings = bench.settings("standardwebhooks");
    private final PspAdapter adapter =
            new StandardWebhooksAdapter("acme", StandardWebhooksSettings.parse(settings), null, Clock.systemUTC());

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void a_payment_is_made_and_paid_and_told_of_under_a_signature_that_the_library_and_the_adapter_believe()
            throws Exception {
        String attemptId = newAttemptId();
        JsonObject created = create(attemptId, "19.99", 201);
        assertThat(created.getString("status")).isEqualTo("open");

        await(bench.sandbox.pay(attemptId));

        Received notification = bench.only();
        assertThat(notification.path()).isEqualTo("/v1/notify/standardwebhooks/acme");
        library(notification);
        PaymentFact fact = fact(notification);
        assertThat(fact.kind()).isEqualTo(FactKind.PAYMENT_SUCCEEDED);
        assertThat(fact.reference()).isEqualTo(attemptId);
        assertThat(fact.pspPaymentId()).isEqualTo(created.getString("id"));
        assertThat(fact.amount()).isEqualTo(new Money(1_999, "CNY"));
        assertThat(bench.sandbox.payment(attemptId).orElseThrow().state()).isEqualTo(SandboxPayment.State.PAID);
    }

    @Test
    void the_same_payment_again_is_the_same_and_another_one_under_its_reference_is_refused() {
        String attemptId = newAttemptId();
        JsonObject created = create(attemptId, "19.99", 201);
        assertThat(create(attemptId, "19.99", 200)).isEqualTo(created);
        create(attemptId, "20.00", 409);
        assertThat(bench.sandbox.counts().created()).isEqualTo(1);
    }

    @Test
    void what_is_not_a_payment_is_refused_and_says_why() {
        for (String value : List.of("0", "-1", "1.999", "x", "")) {
            assertThat(create(newAttemptId(), value, 422).getString("error")).isNotBlank();
        }
        post("", new JsonObject(), 422);
        post("/pay_unknown/close", new JsonObject(), 404);
        post("/pay_unknown/elsewhere", new JsonObject(), 404);
    }

    @Test
    void a_declined_try_and_a_closed_payment_are_told() throws Exception {
        String attemptId = newAttemptId();
        JsonObject created = create(attemptId, "19.99", 201);
        await(bench.sandbox.decline(attemptId));
        post("/" + created.getString("id") + "/close", new JsonObject(), 200);
        post("/" + created.getString("id") + "/close", new JsonObject(), 409);
        assertThatThrownBy(() -> await(bench.sandbox.pay(attemptId))).isInstanceOf(Cashier.NotPayable.class);

        assertThat(bench.settled())
                .extracting(notification -> fact(notification).kind())
                .containsExactlyInAnyOrder(FactKind.PAYMENT_DECLINED, FactKind.PAYMENT_CLOSED);

        await(bench.sandbox.payLateEvenIfClosed(attemptId));
        assertThat(bench.settled())
                .extracting(notification -> fact(notification).kind())
                .contains(FactKind.PAYMENT_SUCCEEDED);
    }

    @Test
    void refunds_are_made_in_parts_and_told_with_their_own_amounts() {
        String attemptId = newAttemptId();
        String refundId = newAttemptId();
        String path = "/" + create(attemptId, "19.99", 201).getString("id") + "/refunds";
        post(path, amount("5.00"), 409);
        await(bench.sandbox.pay(attemptId));
        bench.settled();

        post(path, amount("5.00").put("reference", refundId), 201);
        post(path, amount("5.00").put("reference", refundId), 200);
        JsonObject after = post(path, amount("14.99"), 201);
        post(path, amount("0.01"), 409);

        assertThat(after.getJsonObject("refunded").getString("value")).isEqualTo("19.99");
        List<RefundNews> told = bench.settled().stream()
                .map(this::fact)
                .filter(fact -> fact.kind() == FactKind.REFUND_SUCCEEDED)
                .map(PaymentFact::refund)
                .toList();
        assertThat(told).hasSize(2);
        assertThat(told).extracting(RefundNews::reference).containsExactlyInAnyOrder(refundId, null);
        assertThat(told)
                .extracting(RefundNews::amount)
                .containsExactlyInAnyOrder(new Money(500, "CNY"), new Money(1_499, "CNY"));
        assertThat(told)
                .extracting(RefundNews::pspRefundId)
                .doesNotContainNull()
                .doesNotHaveDuplicates();
    }

    @Test
    void a_repetition_has_the_same_id_and_a_fresh_signature() throws Exception {
        bench.answerWith(notification -> new Answer(503, ""));
        String attemptId = newAttemptId();
        create(attemptId, "19.99", 201);
        await(bench.sandbox.pay(attemptId));

        List<Received> all = bench.settled();
        assertThat(all).hasSize(4);
        assertThat(all)
                .extracting(one -> one.header("webhook-id"))
                .containsOnly(all.get(0).header("webhook-id"));
        for (Received one : all) {
            library(one);
        }
    }

    @Test
    void forged_and_tampered_ones_are_believed_by_nobody_and_nothing_is_left_out_that_nobody_could_ask_about() {
        bench.sandbox.faults(new Faults(0, 0, 0, 1, 1, 1, Duration.ZERO, 7));
        String attemptId = newAttemptId();
        create(attemptId, "19.99", 201);
        await(bench.sandbox.pay(attemptId));

        List<Received> all = bench.settled();

        assertThat(all).hasSize(3);
        assertThat(all.stream().filter(one -> adapter.verify(raw(one)) instanceof Verified))
                .hasSize(1);
        assertThat(all.stream().filter(one -> adapter.verify(raw(one)) instanceof Refused))
                .hasSize(2);
        assertThat(all.stream().filter(this::libraryBelieves)).hasSize(1);
        assertThat(bench.sandbox.counts().dropped()).isZero();
    }

    @Test
    void keys_that_were_kept_before_there_was_standard_webhooks_get_a_secret_for_it() {
        JsonObject kept = SandboxBench.KEYS.toJson();
        assertThat(SandboxKeys.fromJson(kept).toJson()).isEqualTo(kept);
        kept.remove("standardwebhooks");
        assertThat(SandboxKeys.fromJson(kept).standardWebhooks.webhookSecret()).startsWith("whsec_");
    }

    // ---- helpers

    private JsonObject create(String reference, String value, int status) {
        return post("", amount(value).put("reference", reference), status);
    }

    private static JsonObject amount(String value) {
        return new JsonObject()
                .put("amount", new JsonObject().put("value", value).put("currency", "CNY"));
    }

    private JsonObject post(String below, JsonObject body, int status) {
        RequestOptions options = new RequestOptions()
                .setMethod(HttpMethod.POST)
                .setAbsoluteURI("http://127.0.0.1:" + bench.port + "/standardwebhooks/payments" + below);
        return await(bench.vertx
                .createHttpClient()
                .request(options)
                .compose(request -> request.send(body.toBuffer()).compose(response -> {
                    assertThat(response.statusCode()).as(below + " " + body).isEqualTo(status);
                    return response.body();
                }))
                .map(JsonObject::new));
    }

    private void library(Received notification) throws WebhookVerificationException {
        new Webhook(settings.getJsonArray("webhook_secrets").getString(0))
                .verify(
                        notification.text(),
                        Map.of(
                                "webhook-id", List.of(notification.header("webhook-id")),
                                "webhook-timestamp", List.of(notification.header("webhook-timestamp")),
                                "webhook-signature", List.of(notification.header("webhook-signature"))));
    }

    private boolean libraryBelieves(Received notification) {
        try {
            library(notification);
            return true;
        } catch (WebhookVerificationException e) {
            return false;
        }
    }

    private PaymentFact fact(Received notification) {
        Verified verified = (Verified) adapter.verify(raw(notification));
        return ((Translation.Facts) adapter.translate(verified)).facts().get(0);
    }

    private static RawNotification raw(Received notification) {
        return new RawNotification(notification.headers(), notification.body(), Instant.now());
    }
}
