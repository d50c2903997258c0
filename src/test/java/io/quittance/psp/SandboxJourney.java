package io.quittance.psp;

import static io.quittance.psp.sandbox.SandboxBench.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.quittance.domain.Money;
import io.quittance.psp.PspAdapter.NewPayment;
import io.quittance.psp.PspAdapter.PaymentRef;
import io.quittance.psp.PspAdapter.RefundOrder;
import io.quittance.psp.Verification.Verified;
import io.quittance.psp.sandbox.SandboxBench;
import io.quittance.psp.sandbox.SandboxBench.Received;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Payments at the sandbox through the adapter of one PSP. What an adapter cannot do is done at the sandbox by the
 * merchant's own server, as it is for such a PSP.
 */
final class SandboxJourney {

    private static final Money PRICE = new Money(1_999, "CNY");

    private final SandboxBench bench;
    private final PspAdapter adapter;
    private final boolean answersWithMoney;
    private int read;

    SandboxJourney(PspFixture psp, SandboxBench bench) {
        this.bench = bench;
        this.answersWithMoney = psp.answersWithMoney();
        PspHttp http = new PspHttp(bench.vertx, bench.vertx.createHttpClient(), psp + "/acme", Duration.ofSeconds(5));
        this.adapter = psp.adapter(bench.settings(psp.toString()), http, Clock.systemUTC());
    }

    PaymentRef create() {
        String attemptId = SandboxBench.newAttemptId();
        String notifyUrl = bench.notifyUrl(adapter.psp());
        NewPayment payment = new NewPayment(
                attemptId, "A-1", PRICE, Instant.now().plusSeconds(900), notifyUrl, "https://shop.example/");
        PaymentReport created = await(adapter.create(payment));
        assertThat(created.status()).isEqualTo(PaymentReport.Status.PENDING);
        String url = created.pay().getString("url");
        if (url != null) {
            await(bench.sandbox.open(url));
        }
        if (!adapter.capabilities().query() && bench.sandbox.payment(attemptId).isEmpty()) {
            byMerchant("", new JsonObject().put("reference", attemptId).put("amount", amount(PRICE)));
        }
        String pspPaymentId = bench.sandbox.payment(attemptId).orElseThrow().pspPaymentId();
        return new PaymentRef(attemptId, pspPaymentId, payment);
    }

    void close(PaymentRef payment) {
        if (adapter.capabilities().close()) {
            assertThat(await(adapter.close(payment)).status()).isEqualTo(PaymentReport.Status.CLOSED);
            assertThat(await(adapter.query(payment)).status()).isEqualTo(PaymentReport.Status.CLOSED);
        } else {
            byMerchant("/" + payment.pspPaymentId() + "/close", new JsonObject());
        }
    }

    void refund(PaymentRef payment, Money part) {
        if (!adapter.capabilities().refund()) {
            byMerchant("/" + payment.pspPaymentId() + "/refunds", new JsonObject().put("amount", amount(part)));
            return;
        }
        RefundOrder refund = new RefundOrder(SandboxBench.newAttemptId(), payment, PRICE, part, "returned");
        assertThat(await(adapter.refund(refund)).status())
                .isIn(RefundReport.Status.SUCCEEDED, RefundReport.Status.PENDING);
        bench.settled();
        assertThat(await(adapter.queryRefund(refund)).status())
                .isEqualTo(answersWithMoney ? RefundReport.Status.SUCCEEDED : RefundReport.Status.PENDING);
    }

    void assertKnownAsPaid(PaymentRef payment) {
        if (adapter.capabilities().query()) {
            PaymentReport known = await(adapter.query(payment));
            assertThat(known.status())
                    .isEqualTo(answersWithMoney ? PaymentReport.Status.SUCCEEDED : PaymentReport.Status.PENDING);
            assertThat(known.amount()).isEqualTo(answersWithMoney ? PRICE : null);
        }
    }

    /** What the notifications said since the last time, each of which must be believed. */
    List<String> told() {
        List<Received> all = bench.settled();
        List<String> news = all.subList(read, all.size()).stream()
                .map(one -> new RawNotification(one.headers(), one.body(), Instant.now()))
                .map(adapter::verify)
                .map(Verified.class::cast)
                .map(adapter::translate)
                .map(Translation.Facts.class::cast)
                .flatMap(translated -> translated.facts().stream())
                .map(PspAdapterContractTest::said)
                .toList();
        read = all.size();
        return news;
    }

    private static JsonObject amount(Money money) {
        return new JsonObject().put("value", money.toIsoDecimal()).put("currency", money.currency());
    }

    private void byMerchant(String below, JsonObject body) {
        String path = "/" + adapter.psp() + "/payments" + below;
        int status = await(bench.vertx
                .createHttpClient()
                .request(HttpMethod.POST, bench.port, "127.0.0.1", path)
                .compose(request -> request.send(body.toBuffer())
                        .compose(response -> response.body().map(read -> response.statusCode()))));
        assertThat(status).as(path).isBetween(200, 299);
    }
}
