package io.quittance.psp.sandbox;

import static io.quittance.psp.sandbox.SandboxBench.await;
import static io.quittance.psp.sandbox.SandboxBench.newAttemptId;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.stripe.StripeClient;
import com.stripe.exception.AuthenticationException;
import com.stripe.exception.IdempotencyException;
import com.stripe.exception.InvalidRequestException;
import com.stripe.exception.SignatureVerificationException;
import com.stripe.exception.StripeException;
import com.stripe.model.Charge;
import com.stripe.model.Event;
import com.stripe.model.PaymentIntent;
import com.stripe.model.Refund;
import com.stripe.model.StripeObject;
import com.stripe.net.RequestOptions;
import com.stripe.net.Webhook;
import com.stripe.param.PaymentIntentCreateParams;
import com.stripe.param.RefundCreateParams;
import com.stripe.param.RefundListParams;
import io.quittance.psp.sandbox.SandboxBench.Received;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The Stripe side, with Stripe's own SDK as the merchant. */
class StripeSandboxTest {

    private final SandboxBench bench = new SandboxBench(SandboxBench.options().withChargeEventEvery(2));
    private final String secret =
            bench.settings("stripe").getJsonArray("webhook_secrets").getString(0);
    private final StripeClient stripe = client(bench.settings("stripe").getString("api_key"));

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void a_payment_is_created_paid_and_told_of_under_a_signature_that_stripe_believes() throws Exception {
        String attemptId = newAttemptId();
        PaymentIntent created = create(attemptId, 1999);
        assertThat(created.getStatus()).isEqualTo("requires_payment_method");
        assertThat(created.getClientSecret()).startsWith(created.getId());

        await(bench.sandbox.pay(attemptId));

        Received notification = bench.only();
        assertThat(notification.path()).isEqualTo("/v1/notify/stripe/acme");
        Event event = verified(notification);
        assertThat(event.getType()).isEqualTo("payment_intent.succeeded");
        PaymentIntent told = (PaymentIntent) object(event);
        assertThat(told.getId()).isEqualTo(created.getId());
        assertThat(told.getAmountReceived()).isEqualTo(1999);
        assertThat(told.getCurrency()).isEqualTo("eur");
        assertThat(told.getMetadata()).containsEntry("attempt_id", attemptId);
        assertThat(stripe.v1().paymentIntents().retrieve(created.getId()).getStatus())
                .isEqualTo("succeeded");
    }

    @Test
    void each_nth_payment_also_brings_a_charge_that_tells_nothing_new() throws Exception {
        for (int i = 0; i < 2; i++) {
            String attemptId = newAttemptId();
            create(attemptId, 500);
            await(bench.sandbox.pay(attemptId));
        }
        List<Event> events = bench.settled().stream().map(this::verified).toList();
        assertThat(events)
                .extracting(Event::getType)
                .containsExactlyInAnyOrder("payment_intent.succeeded", "payment_intent.succeeded", "charge.succeeded");
        Event charged = events.stream()
                .filter(event -> event.getType().startsWith("charge"))
                .findFirst()
                .orElseThrow();
        assertThat(((Charge) object(charged)).getAmount()).isEqualTo(500);
    }

    @Test
    void the_same_idempotency_key_gives_the_same_intent() throws Exception {
        String attemptId = newAttemptId();
        assertThat(create(attemptId, 1999).getId())
                .isEqualTo(create(attemptId, 1999).getId());
        assertThat(bench.sandbox.counts().created()).isEqualTo(1);
    }

    @Test
    void the_same_idempotency_key_with_another_amount_is_refused() throws Exception {
        String attemptId = newAttemptId();
        create(attemptId, 1999);
        assertThatThrownBy(() -> create(attemptId, 2000)).isInstanceOf(IdempotencyException.class);
    }

    @Test
    void a_wrong_api_key_is_refused_in_stripes_words() {
        StripeClient stranger = client("sk_test_wrong");
        assertThatThrownBy(() -> stranger.v1().paymentIntents().retrieve("pi_any"))
                .isInstanceOf(AuthenticationException.class);
    }

    @Test
    void an_unknown_intent_is_missing_in_stripes_words() {
        InvalidRequestException e = catchThrowableOfType(
                InvalidRequestException.class,
                () -> stripe.v1().paymentIntents().retrieve("pi_unknown"));
        assertThat(e.getStatusCode()).isEqualTo(404);
        assertThat(e.getCode()).isEqualTo("resource_missing");
    }

    @Test
    void a_canceled_intent_cannot_be_paid_unless_the_cancel_came_too_late() throws Exception {
        String attemptId = newAttemptId();
        PaymentIntent intent = create(attemptId, 1999);
        assertThat(stripe.v1().paymentIntents().cancel(intent.getId()).getStatus())
                .isEqualTo("canceled");
        assertThat(verified(bench.only()).getType()).isEqualTo("payment_intent.canceled");

        assertThatThrownBy(() -> await(bench.sandbox.pay(attemptId))).hasMessageContaining("CLOSED");
        await(bench.sandbox.payLateEvenIfClosed(attemptId));

        assertThat(bench.settled())
                .extracting(this::verified)
                .extracting(Event::getType)
                .containsExactly("payment_intent.canceled", "payment_intent.succeeded");
        assertThat(stripe.v1().paymentIntents().retrieve(intent.getId()).getStatus())
                .isEqualTo("succeeded");
    }

    @Test
    void a_paid_intent_cannot_be_canceled() throws Exception {
        String attemptId = newAttemptId();
        PaymentIntent intent = create(attemptId, 1999);
        await(bench.sandbox.pay(attemptId));
        InvalidRequestException e = catchThrowableOfType(
                InvalidRequestException.class,
                () -> stripe.v1().paymentIntents().cancel(intent.getId()));
        assertThat(e.getStatusCode()).isEqualTo(400);
        assertThat(e.getCode()).isEqualTo("payment_intent_unexpected_state");
        assertThat(e.getStripeError().getPaymentIntent().getStatus()).isEqualTo("succeeded");
    }

    @Test
    void a_decline_is_told_and_the_intent_can_still_be_paid() throws Exception {
        String attemptId = newAttemptId();
        PaymentIntent intent = create(attemptId, 1999);
        await(bench.sandbox.decline(attemptId));
        Event event = verified(bench.only());
        assertThat(event.getType()).isEqualTo("payment_intent.payment_failed");
        assertThat(((PaymentIntent) object(event)).getLastPaymentError().getCode())
                .isEqualTo("card_declined");
        await(bench.sandbox.pay(attemptId));
        assertThat(stripe.v1().paymentIntents().retrieve(intent.getId()).getStatus())
                .isEqualTo("succeeded");
    }

    @Test
    void refunds_are_made_once_a_key_told_twice_and_never_exceed_the_payment() throws Exception {
        String attemptId = newAttemptId();
        PaymentIntent intent = create(attemptId, 1000);
        await(bench.sandbox.pay(attemptId));

        Refund first = refund(intent, 400, "refund-1");
        assertThat(refund(intent, 400, "refund-1").getId()).isEqualTo(first.getId());
        assertThat(stripe.v1().refunds().retrieve(first.getId()).getStatus()).isEqualTo("succeeded");
        assertThatThrownBy(() -> refund(intent, 601, "refund-2")).isInstanceOf(InvalidRequestException.class);
        refund(intent, 600, "refund-3");
        assertThatThrownBy(() -> refund(intent, 1, "refund-4"))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("already been refunded");

        RefundListParams list =
                RefundListParams.builder().setPaymentIntent(intent.getId()).build();
        assertThat(stripe.v1().refunds().list(list).getData())
                .extracting(Refund::getAmount)
                .containsExactly(400L, 600L);
        assertThat(bench.sandbox.payment(attemptId).orElseThrow().refundedMinor())
                .isEqualTo(1000);
        List<Event> told = bench.settled().stream()
                .map(this::verified)
                .filter(event -> event.getType().startsWith("refund"))
                .toList();
        assertThat(told)
                .extracting(Event::getType)
                .containsExactlyInAnyOrder("refund.created", "refund.updated", "refund.created", "refund.updated");
        assertThat(((Refund) object(told.get(0))).getMetadata()).containsKey("refund_id");
    }

    @Test
    void an_unpaid_intent_cannot_be_refunded() throws Exception {
        PaymentIntent intent = create(newAttemptId(), 1000);
        assertThatThrownBy(() -> refund(intent, 400, "refund-1")).isInstanceOf(InvalidRequestException.class);
    }

    @Test
    void stripe_refuses_what_is_forged_or_tampered() throws Exception {
        bench.sandbox.faults(new Faults(0, 0, 0, 1, 1, 1, Duration.ZERO, 1));
        String attemptId = newAttemptId();
        create(attemptId, 1999);
        await(bench.sandbox.pay(attemptId));
        List<Received> lies = bench.settled();
        assertThat(lies).hasSize(2);
        assertThat(lies).allSatisfy(lie -> assertThatThrownBy(() -> construct(lie))
                .isInstanceOf(SignatureVerificationException.class));
    }

    @Test
    void a_retry_has_the_same_event_and_a_signature_of_its_own() throws Exception {
        bench.answerWith(notification -> new SandboxBench.Answer(503, ""));
        String attemptId = newAttemptId();
        create(attemptId, 1999);
        await(bench.sandbox.pay(attemptId));
        List<Received> tries = bench.settled();
        assertThat(tries).hasSize(4);
        assertThat(tries)
                .extracting(this::verified)
                .extracting(Event::getId)
                .containsOnly(verified(tries.get(0)).getId());
    }

    private StripeClient client(String apiKey) {
        return StripeClient.builder()
                .setApiKey(apiKey)
                .setApiBase(bench.settings("stripe").getString("api_base"))
                .setMaxNetworkRetries(0)
                .build();
    }

    private PaymentIntent create(String attemptId, long amount) throws StripeException {
        PaymentIntentCreateParams params = PaymentIntentCreateParams.builder()
                .setAmount(amount)
                .setCurrency("eur")
                .setDescription("Order 7 & more")
                .putMetadata("attempt_id", attemptId)
                .build();
        return stripe.v1().paymentIntents().create(params, key(attemptId));
    }

    private Refund refund(PaymentIntent intent, long amount, String key) throws StripeException {
        RefundCreateParams params = RefundCreateParams.builder()
                .setPaymentIntent(intent.getId())
                .setAmount(amount)
                .setReason(RefundCreateParams.Reason.REQUESTED_BY_CUSTOMER)
                .putMetadata("refund_id", key)
                .build();
        return stripe.v1().refunds().create(params, key(key));
    }

    private static RequestOptions key(String key) {
        return RequestOptions.builder().setIdempotencyKey(key).build();
    }

    private Event construct(Received notification) throws SignatureVerificationException {
        return Webhook.constructEvent(notification.text(), notification.header("Stripe-Signature"), secret);
    }

    private Event verified(Received notification) {
        try {
            return construct(notification);
        } catch (SignatureVerificationException e) {
            throw new AssertionError(e);
        }
    }

    /** Empty, and so a failure here, if the event is not of the SDK's own API version. */
    private static StripeObject object(Event event) {
        return event.getDataObjectDeserializer().getObject().orElseThrow();
    }
}
