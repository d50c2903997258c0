package io.quittance.psp.sandbox;

import static io.quittance.psp.sandbox.SandboxBench.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import io.quittance.domain.FactKind;
import io.quittance.domain.Ids;
import io.quittance.domain.Money;
import io.quittance.domain.PaymentFact;
import io.quittance.psp.PaymentReport;
import io.quittance.psp.PspAdapter;
import io.quittance.psp.PspAdapter.NewPayment;
import io.quittance.psp.PspAdapter.PaymentRef;
import io.quittance.psp.PspAdapter.RefundOrder;
import io.quittance.psp.PspHttp;
import io.quittance.psp.RawNotification;
import io.quittance.psp.RefundReport;
import io.quittance.psp.SettlementFormat.Movement;
import io.quittance.psp.SettlementFormat.SettlementFile;
import io.quittance.psp.SettlementFormat.SettlementLine;
import io.quittance.psp.Translation;
import io.quittance.psp.Verification;
import io.quittance.psp.Verification.Refused;
import io.quittance.psp.Verification.Verified;
import io.quittance.psp.adyen.AdyenAdapter;
import io.quittance.psp.adyen.AdyenSettings;
import io.quittance.psp.sandbox.SandboxBench.Received;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The Adyen side and the Adyen adapter, each as the other's counterpart: they share no code. */
class AdyenSandboxTest {

    private static final Money PRICE = new Money(1_999, "EUR");

    private final SandboxBench bench = new SandboxBench();
    private final HttpClient client = bench.vertx.createHttpClient();
    private final PspHttp http = new PspHttp(bench.vertx, client, "adyen/acme", Duration.ofSeconds(5));
    private final PspAdapter adyen =
            new AdyenAdapter("acme", AdyenSettings.parse(bench.settings("adyen")), http, Clock.systemUTC());

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void a_link_is_created_opened_and_paid_and_the_notification_is_believed() {
        NewPayment payment = payment(Duration.ofMinutes(30));
        PaymentReport created = await(adyen.create(payment));
        assertThat(created.status()).isEqualTo(PaymentReport.Status.PENDING);
        assertThat(created.pspPaymentId()).isNull();
        assertThat(created.sessionEnds()).isBeforeOrEqualTo(payment.expiresAt());
        await(bench.sandbox.open(created.pay().getString("url")));

        await(bench.sandbox.pay(payment.attemptId()));

        Received told = bench.only();
        assertThat(told.path()).isEqualTo("/v1/notify/adyen/acme");
        PaymentFact fact = facts(told).get(0);
        assertThat(fact.kind()).isEqualTo(FactKind.PAYMENT_SUCCEEDED);
        assertThat(fact.reference()).isEqualTo(payment.attemptId());
        assertThat(fact.amount()).isEqualTo(PRICE);
        assertThat(fact.mismatch()).isNull();
        assertThat(fact.pspPaymentId())
                .isEqualTo(
                        bench.sandbox.payment(payment.attemptId()).orElseThrow().pspPaymentId());
    }

    @Test
    void a_paid_link_is_not_a_success_and_cannot_be_closed() {
        NewPayment payment = created();
        await(bench.sandbox.pay(payment.attemptId()));
        PaymentRef ref = new PaymentRef(payment.attemptId(), null, payment);
        assertThat(await(adyen.query(ref)).status()).isEqualTo(PaymentReport.Status.PENDING);
        assertThat(await(adyen.close(ref)).status()).isEqualTo(PaymentReport.Status.PENDING);
        assertThat(bench.sandbox.payment(payment.attemptId()).orElseThrow().state())
                .isEqualTo(SandboxPayment.State.PAID);
    }

    @Test
    void asking_makes_no_second_link_and_closing_keeps_the_payer_out() {
        NewPayment payment = created();
        PaymentRef ref = new PaymentRef(payment.attemptId(), null, payment);
        PaymentReport asked = await(adyen.query(ref));
        assertThat(asked.status()).isEqualTo(PaymentReport.Status.PENDING);
        assertThat(asked.pay().getString("url")).isNotEmpty();
        assertThat(await(adyen.close(ref)).status()).isEqualTo(PaymentReport.Status.CLOSED);
        assertThat(await(adyen.query(ref)).status()).isEqualTo(PaymentReport.Status.CLOSED);
        assertThat(await(adyen.close(ref)).status()).isEqualTo(PaymentReport.Status.CLOSED);
        assertThat(bench.sandbox.counts().created()).isEqualTo(1);
        assertThatThrownBy(() -> await(bench.sandbox.pay(payment.attemptId()))).hasMessageContaining("CLOSED");
        String url = asked.pay().getString("url");
        assertThatThrownBy(() -> await(bench.sandbox.open(url))).hasMessageContaining("not active");
    }

    @Test
    void a_link_that_was_never_made_is_made_by_the_question_or_proven_not_to_be() {
        NewPayment payment = payment(Duration.ofMinutes(30));
        PaymentRef lost = new PaymentRef(payment.attemptId(), null, payment);
        assertThat(await(adyen.query(lost)).status()).isEqualTo(PaymentReport.Status.PENDING);
        NewPayment over = payment(Duration.ofMinutes(-1));
        PaymentRef tooLate = new PaymentRef(over.attemptId(), null, over);
        assertThat(await(adyen.query(tooLate)).status()).isEqualTo(PaymentReport.Status.FAILED);
        assertThat(bench.sandbox.payment(over.attemptId())).isEmpty();
    }

    @Test
    void a_declined_try_is_told_under_a_pspreference_of_its_own_and_the_link_can_still_be_paid() {
        NewPayment payment = created();
        await(bench.sandbox.decline(payment.attemptId()));
        PaymentFact declined = facts(bench.only()).get(0);
        assertThat(declined.kind()).isEqualTo(FactKind.PAYMENT_DECLINED);
        await(bench.sandbox.pay(payment.attemptId()));
        assertThat(facts(bench.settled().get(1)).get(0).kind()).isEqualTo(FactKind.PAYMENT_SUCCEEDED);
    }

    @Test
    void now_and_then_a_payment_and_its_capture_come_in_one_body() {
        for (int i = 0; i < 4; i++) {
            await(bench.sandbox.pay(created().attemptId()));
        }
        List<List<PaymentFact>> all = bench.settled().stream()
                .map(this::facts)
                .filter(facts -> facts.size() > 1)
                .toList();
        assertThat(all).singleElement().satisfies(both -> {
            assertThat(both).extracting(PaymentFact::kind).containsOnly(FactKind.PAYMENT_SUCCEEDED);
            assertThat(both).extracting(PaymentFact::pspPaymentId).doesNotContainNull();
            assertThat(both.get(0).pspPaymentId()).isEqualTo(both.get(1).pspPaymentId());
        });
    }

    @Test
    void a_refund_is_received_once_a_key_and_its_outcome_is_told() {
        NewPayment payment = created();
        await(bench.sandbox.pay(payment.attemptId()));
        String paymentId = facts(bench.only()).get(0).pspPaymentId();
        RefundOrder refund = refund(payment, paymentId, 500);

        RefundReport received = await(adyen.refund(refund));
        assertThat(received.status()).isEqualTo(RefundReport.Status.PENDING);
        assertThat(await(adyen.queryRefund(refund))).isEqualTo(received);

        assertThat(bench.sandbox.payment(payment.attemptId()).orElseThrow().refundedMinor())
                .isEqualTo(500);
        List<Received> told = bench.settled();
        assertThat(told).hasSize(2);
        PaymentFact fact = facts(told.get(1)).get(0);
        assertThat(fact.kind()).isEqualTo(FactKind.REFUND_SUCCEEDED);
        assertThat(fact.reference()).isEqualTo(payment.attemptId());
        assertThat(fact.refund())
                .isEqualTo(new PaymentFact.RefundNews(
                        refund.refundId(), received.pspRefundId(), new Money(500, "EUR"), null));
    }

    @Test
    void a_refund_of_more_than_is_left_is_received_and_then_refused() {
        NewPayment payment = created();
        await(bench.sandbox.pay(payment.attemptId()));
        String paymentId = facts(bench.only()).get(0).pspPaymentId();
        assertThat(await(adyen.refund(refund(payment, paymentId, 2_000))).status())
                .isEqualTo(RefundReport.Status.PENDING);
        assertThat(facts(bench.settled().get(1)).get(0).kind()).isEqualTo(FactKind.REFUND_FAILED);
        assertThat(await(adyen.refund(refund(payment, "8800000000000009", 500))).status())
                .isEqualTo(RefundReport.Status.FAILED);
        assertThat(await(adyen.refund(refund(payment, null, 500))).status()).isEqualTo(RefundReport.Status.NO_ANSWER);
    }

    @Test
    void what_is_forged_or_tampered_is_refused_and_nothing_genuine_is_lost() {
        bench.sandbox.faults(new Faults(0, 0, 0, 1, 1, 1, Duration.ZERO, 1));
        NewPayment payment = created();
        await(bench.sandbox.pay(payment.attemptId()));
        List<Received> all = bench.settled();
        assertThat(all).hasSize(3);
        assertThat(all.stream().map(told -> adyen.verify(raw(told))).filter(Refused.class::isInstance))
                .hasSize(2);
        assertThat(bench.sandbox.counts().dropped()).isZero();
    }

    @Test
    void a_stranger_is_not_let_in() {
        JsonObject settings = bench.settings("adyen").put("api_key", "AQE_wrong");
        PspAdapter stranger = new AdyenAdapter("acme", AdyenSettings.parse(settings), http, Clock.systemUTC());
        NewPayment payment = created();
        PaymentRef ref = new PaymentRef(payment.attemptId(), null, payment);
        assertThat(await(stranger.create(payment(Duration.ofMinutes(30)))).status())
                .isEqualTo(PaymentReport.Status.FAILED);
        assertThat(await(stranger.query(ref)).status()).isEqualTo(PaymentReport.Status.NO_ANSWER);
        assertThat(await(stranger.refund(refund(payment, "8800000000000009", 500)))
                        .status())
                .isEqualTo(RefundReport.Status.NO_ANSWER);
    }

    @Test
    void the_settlement_details_report_holds_what_was_paid_and_refunded() {
        NewPayment payment = created();
        NewPayment unpaid = created();
        await(bench.sandbox.pay(payment.attemptId()));
        String paymentId = facts(bench.only()).get(0).pspPaymentId();
        RefundOrder refund = refund(payment, paymentId, 500);
        String refundId = await(adyen.refund(refund)).pspRefundId();

        byte[] file = report(basic()).body().getBytes();

        SettlementFile read = (SettlementFile) adyen.settlement().orElseThrow().read(file);
        assertThat(read.lines())
                .extracting(
                        SettlementLine::movement,
                        SettlementLine::reference,
                        SettlementLine::pspPaymentId,
                        SettlementLine::refundReference,
                        SettlementLine::pspRefundId,
                        SettlementLine::amount)
                .containsExactly(
                        tuple(Movement.PAYMENT, payment.attemptId(), paymentId, null, null, PRICE),
                        tuple(
                                Movement.REFUND,
                                payment.attemptId(),
                                paymentId,
                                refund.refundId(),
                                refundId,
                                new Money(500, "EUR")));
        assertThat(new String(file, StandardCharsets.UTF_8))
                .contains("MerchantPayout", "14.99")
                .doesNotContain(unpaid.attemptId());
        assertThat(report("Basic d3Jvbmc6d3Jvbmc=").status()).isEqualTo(401);
    }

    private PspHttp.Answer report(String authorization) {
        String url = "http://127.0.0.1:" + bench.port + "/adyen/reports/settlement_detail_report_batch_1.csv";
        return await(http.send(HttpMethod.GET, url, Map.of("Authorization", authorization), Buffer.buffer()));
    }

    private static String basic() {
        JsonObject keys = SandboxBench.KEYS.toJson().getJsonObject("adyen");
        String login = keys.getString("report_user") + ":" + keys.getString("report_password");
        return "Basic " + Base64.getEncoder().encodeToString(login.getBytes(StandardCharsets.UTF_8));
    }

    private NewPayment created() {
        NewPayment payment = payment(Duration.ofMinutes(30));
        assertThat(await(adyen.create(payment)).status()).isEqualTo(PaymentReport.Status.PENDING);
        return payment;
    }

    private NewPayment payment(Duration life) {
        Instant now = Instant.now();
        UUID random = UUID.randomUUID();
        String attemptId = Ids.hex(
                Ids.version7(now.toEpochMilli(), random.getMostSignificantBits(), random.getLeastSignificantBits()));
        return new NewPayment(
                attemptId,
                "Order 7 & more",
                PRICE,
                now.plus(life),
                bench.notifyUrl("adyen"),
                "http://127.0.0.1/v1/return/adyen/acme");
    }

    private static RefundOrder refund(NewPayment payment, String paymentId, long minor) {
        return new RefundOrder(
                Ids.hex(UUID.randomUUID()),
                new PaymentRef(payment.attemptId(), paymentId, payment),
                PRICE,
                new Money(minor, "EUR"),
                "late payment");
    }

    private List<PaymentFact> facts(Received told) {
        Verification verification = adyen.verify(raw(told));
        assertThat(verification).isInstanceOf(Verified.class);
        return ((Translation.Facts) adyen.translate((Verified) verification)).facts();
    }

    private static RawNotification raw(Received told) {
        return new RawNotification(told.headers(), told.body(), Instant.now());
    }
}
