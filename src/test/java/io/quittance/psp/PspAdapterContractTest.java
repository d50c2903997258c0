package io.quittance.psp;

import static io.quittance.psp.sandbox.SandboxBench.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quittance.FaultOfOthers;
import io.quittance.domain.FactKind;
import io.quittance.domain.FactSource;
import io.quittance.domain.Money;
import io.quittance.domain.PaymentFact;
import io.quittance.domain.PaymentFact.RefundNews;
import io.quittance.psp.PspAdapter.PaymentRef;
import io.quittance.psp.Verification.Reason;
import io.quittance.psp.Verification.Refused;
import io.quittance.psp.Verification.Verified;
import io.quittance.psp.adyen.AdyenFixture;
import io.quittance.psp.alipay.AlipayFixture;
import io.quittance.psp.sandbox.SandboxBench;
import io.quittance.psp.standardwebhooks.StandardWebhooksFixture;
import io.quittance.psp.stripe.StripeFixture;
import io.quittance.psp.wechatpay.WechatpayFixture;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds for the adapter of every PSP. */
class PspAdapterContractTest {

    private static final int MEBIBYTE = 1 << 20;

    static Stream<PspFixture> psps() {
        return Stream.of(
                new StripeFixture(),
                new AlipayFixture(),
                new WechatpayFixture(),
                new AdyenFixture(),
                new StandardWebhooksFixture());
    }

    @ParameterizedTest
    @MethodSource("psps")
    void a_good_notification_is_verified_and_becomes_one_success(PspFixture psp) {
        PspAdapter adapter = psp.adapter("https://api.example", null);
        Verification verification = adapter.verify(psp.good());
        assertThat(verification).isInstanceOf(Verified.class);
        assertThat(adapter.translate((Verified) verification))
                .isInstanceOfSatisfying(Translation.Facts.class, translated -> {
                    PaymentFact fact = translated.facts().get(0);
                    assertThat(translated.facts()).hasSize(1);
                    assertThat(fact.kind()).isEqualTo(FactKind.PAYMENT_SUCCEEDED);
                    assertThat(fact.reference()).isEqualTo(PspFixture.ATTEMPT);
                    assertThat(fact.mismatch()).isNull();
                    assertThat(fact.evidence().source()).isEqualTo(FactSource.NOTIFICATION);
                    assertThat(fact.evidence().psp()).isEqualTo(adapter.psp());
                    assertThat(fact.evidence().account()).isEqualTo(adapter.account());
                    assertThat(fact.evidence().eventId()).isEqualTo(translated.eventId());
                    assertThat(fact.evidence().observedAt()).isEqualTo(PspFixture.NOW);
                });
    }

    static Stream<PspEvent> events() {
        return psps().flatMap(psp -> psp.events().stream());
    }

    @ParameterizedTest
    @MethodSource("events")
    void every_event_is_verified_and_says_what_it_means(PspEvent event) {
        Verification verification = event.adapter().verify(event.raw());
        assertThat(verification).isInstanceOf(Verified.class);
        Translation translation = event.adapter().translate((Verified) verification);
        if (event.says().isEmpty()) {
            assertThat(translation).isInstanceOf(Translation.NotOurs.class);
            return;
        }
        assertThat(translation).isInstanceOfSatisfying(Translation.Facts.class, translated -> {
            assertThat(translated.facts()).map(PspAdapterContractTest::said).containsExactlyElementsOf(event.says());
            assertThat(translated.facts()).extracting(PaymentFact::reference).containsOnly(PspFixture.ATTEMPT);
            assertThat(translated.eventId()).isNotEmpty();
        });
    }

    static String said(PaymentFact fact) {
        RefundNews refund = fact.refund();
        assertThat(refund != null)
                .as("says something about a refund")
                .isEqualTo(fact.kind().isAboutRefund());
        Money amount = refund == null ? fact.amount() : refund.amount();
        Money inAll = refund == null ? null : refund.refundedInTotal();
        return fact.kind()
                + (amount == null ? "" : " of " + amount.toIsoDecimal() + " " + amount.currency())
                + (inAll == null ? "" : ", " + inAll.toIsoDecimal() + " " + inAll.currency() + " in all")
                + (fact.mismatch() == null ? "" : ", but " + fact.mismatch());
    }

    @ParameterizedTest
    @MethodSource("psps")
    void what_is_done_at_the_sandbox_comes_back_as_it_was_meant(PspFixture psp) {
        try (SandboxBench bench = new SandboxBench()) {
            SandboxJourney journey = new SandboxJourney(psp, bench);

            PaymentRef paid = journey.create();
            await(bench.sandbox.pay(paid.attemptId()));
            assertThat(journey.told()).containsExactly("PAYMENT_SUCCEEDED of 19.99 CNY");
            journey.assertKnownAsPaid(paid);

            journey.refund(paid, new Money(500, "CNY"));
            assertThat(journey.told()).isNotEmpty().allSatisfy(news -> assertThat(news)
                    .matches("REFUND_SUCCEEDED(,| of) 5\\.00 CNY.*"));

            PaymentRef abandoned = journey.create();
            journey.close(abandoned);
            assertThatThrownBy(() -> await(bench.sandbox.pay(abandoned.attemptId())))
                    .hasMessageContaining(abandoned.attemptId());
            assertThat(journey.told()).isSubsetOf("PAYMENT_CLOSED");
        }
    }

    @ParameterizedTest
    @MethodSource("psps")
    void every_flipped_byte_of_the_body_is_refused_or_tells_nothing_more(PspFixture psp) {
        PspAdapter adapter = psp.adapter("https://api.example", null);
        RawNotification good = psp.good();
        for (int i = 0; i < good.body().length(); i++) {
            Buffer body = good.body().copy();
            body.setByte(i, (byte) (body.getByte(i) ^ 1));
            assertChangeIsHarmless(psp, adapter, body, i);
        }
    }

    @ParameterizedTest
    @MethodSource("psps")
    void what_is_put_around_a_good_body_makes_it_refused_or_tells_nothing_more(PspFixture psp) {
        PspAdapter adapter = psp.adapter("https://api.example", null);
        Buffer good = psp.good().body();
        byte[] byteOrderMark = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};
        assertChangeIsHarmless(psp, adapter, Buffer.buffer(byteOrderMark).appendBuffer(good), -1);
        assertChangeIsHarmless(psp, adapter, good.copy().appendString("\n"), good.length());
    }

    @ParameterizedTest
    @MethodSource("psps")
    void every_flipped_byte_of_a_signature_header_is_refused(PspFixture psp) {
        PspAdapter adapter = psp.adapter("https://api.example", null);
        RawNotification good = psp.good();
        for (String name : psp.signatureHeaders()) {
            byte[] value = good.headers().get(name).getBytes(StandardCharsets.US_ASCII);
            for (int i = 0; i < value.length; i++) {
                byte[] flipped = value.clone();
                flipped[i] ^= 1;
                MultiMap headers = copy(good.headers()).set(name, new String(flipped, StandardCharsets.US_ASCII));
                assertRefused(
                        adapter, new RawNotification(headers, good.body(), good.receivedAt()), name + " byte " + i);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("psps")
    void another_key_is_refused(PspFixture psp) {
        assertThat(psp.adapter("https://api.example", null).verify(psp.signedByAStranger()))
                .isInstanceOfSatisfying(
                        Refused.class, refused -> assertThat(refused.reason()).isEqualTo(Reason.BAD_SIGNATURE));
    }

    @ParameterizedTest
    @MethodSource("psps")
    void a_time_that_was_changed_after_signing_is_refused(PspFixture psp) {
        PspAdapter adapter = psp.adapter("https://api.example", null);
        psp.shifted().forEach(raw -> assertRefused(adapter, raw, "shifted"));
    }

    @ParameterizedTest
    @MethodSource("psps")
    @FaultOfOthers(
            value = "grammY#900",
            symptom = "a header is looked for in one way of writing it, and a proxy writes it in another")
    void header_names_are_compared_without_case(PspFixture psp) {
        RawNotification good = psp.good();
        for (boolean upper : new boolean[] {true, false}) {
            MultiMap headers = MultiMap.caseInsensitiveMultiMap();
            good.headers()
                    .forEach((name, value) ->
                            headers.add(upper ? name.toUpperCase(Locale.ROOT) : name.toLowerCase(Locale.ROOT), value));
            assertThat(psp.adapter("https://api.example", null)
                            .verify(new RawNotification(headers, good.body(), good.receivedAt())))
                    .isInstanceOf(Verified.class);
        }
    }

    @ParameterizedTest
    @MethodSource("psps")
    void missing_empty_and_repeated_signature_headers_are_malformed(PspFixture psp) {
        PspAdapter adapter = psp.adapter("https://api.example", null);
        RawNotification good = psp.good();
        for (String name : psp.signatureHeaders()) {
            String value = good.headers().get(name);
            List<MultiMap> all = List.of(
                    copy(good.headers()).remove(name),
                    copy(good.headers()).set(name, ""),
                    copy(good.headers()).add(name, value),
                    copy(good.headers()).add(name.toLowerCase(Locale.ROOT), "x"));
            for (MultiMap headers : all) {
                assertThat(adapter.verify(new RawNotification(headers, good.body(), good.receivedAt())))
                        .as(name)
                        .isInstanceOfSatisfying(Refused.class, refused -> assertThat(refused.reason())
                                .isEqualTo(Reason.MALFORMED_SIGNATURE));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("psps")
    void garbage_never_throws_and_is_never_verified(PspFixture psp) {
        PspAdapter adapter = psp.adapter("https://api.example", null);
        for (Buffer body : garbage(psp)) {
            RawNotification raw = new RawNotification(psp.good().headers(), body, PspFixture.NOW);
            assertRefused(adapter, raw, body.length() + " bytes");
            assertRefused(
                    adapter, new RawNotification(MultiMap.caseInsensitiveMultiMap(), body, PspFixture.NOW), "bare");
            assertThatCode(() -> adapter.translate(new Verified(raw, "key"))).doesNotThrowAnyException();
        }
    }

    @ParameterizedTest
    @MethodSource("psps")
    void garbage_in_headers_never_throws_and_is_never_verified(PspFixture psp) {
        PspAdapter adapter = psp.adapter("https://api.example", null);
        RawNotification good = psp.good();
        List<String> values =
                List.of("=", ",", "t=,v1=", "t=99999999999999999999,v1=a", "-1", "\u0000", "支付", "=".repeat(10_000));
        for (String name : psp.signatureHeaders()) {
            for (String value : values) {
                RawNotification raw =
                        new RawNotification(copy(good.headers()).set(name, value), good.body(), good.receivedAt());
                assertRefused(adapter, raw, name);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Acknowledgement.class)
    void acknowledgements_are_byte_exact(Acknowledgement acknowledgement) {
        psps().forEach(psp -> {
            PspAnswer answer = psp.adapter("https://api.example", null).acknowledge(acknowledgement);
            assertThat(answer.status() + " " + answer.contentType() + " " + answer.body())
                    .as(psp + " " + acknowledgement)
                    .isEqualTo(psp.acknowledgements().get(acknowledgement));
        });
    }

    private static List<Buffer> garbage(PspFixture psp) {
        byte[] random = new byte[MEBIBYTE];
        new Random(1).nextBytes(random);
        Buffer good = psp.good().body();
        return List.of(
                Buffer.buffer(),
                Buffer.buffer("{}"),
                Buffer.buffer("[]"),
                Buffer.buffer("null"),
                Buffer.buffer("&"),
                Buffer.buffer("%"),
                Buffer.buffer("charset=%&sign_type=RSA2"),
                Buffer.buffer("[".repeat(MEBIBYTE)),
                Buffer.buffer("a=1&".repeat(MEBIBYTE / 4)),
                Buffer.buffer(random),
                good.getBuffer(0, good.length() / 2),
                good.getBuffer(0, good.length() - 1));
    }

    private static void assertChangeIsHarmless(PspFixture psp, PspAdapter adapter, Buffer body, int position) {
        RawNotification changed =
                new RawNotification(psp.good().headers(), body, psp.good().receivedAt());
        if (psp.signs(position)) {
            assertRefused(adapter, changed, "byte " + position);
            return;
        }
        if (adapter.verify(changed) instanceof Verified verified
                && adapter.translate(verified) instanceof Translation.Facts facts) {
            Translation.Facts good = (Translation.Facts) adapter.translate(new Verified(psp.good(), "key"));
            assertThat(facts.facts()).as("byte " + position).hasSameSizeAs(good.facts());
            for (int i = 0; i < facts.facts().size(); i++) {
                assertTellsNothingMore(facts.facts().get(i), good.facts().get(i), "byte " + position);
            }
        }
    }

    private static void assertTellsNothingMore(PaymentFact changed, PaymentFact good, String what) {
        assertThat(changed.kind()).as(what).isEqualTo(good.kind());
        assertThat(changed.reference()).as(what).isEqualTo(good.reference());
        assertThat(changed.pspPaymentId()).as(what).isEqualTo(good.pspPaymentId());
        assertThat(changed.amount()).as(what).isEqualTo(good.amount());
        assertThat(changed.refund()).as(what).isEqualTo(good.refund());
        assertThat(changed.mismatch()).as(what).matches(mismatch -> mismatch != null || good.mismatch() == null);
    }

    private static void assertRefused(PspAdapter adapter, RawNotification raw, String what) {
        assertThat(adapter.verify(raw)).as(what).isInstanceOf(Refused.class);
    }

    private static MultiMap copy(MultiMap headers) {
        return MultiMap.caseInsensitiveMultiMap().addAll(headers);
    }
}
