package io.quittance.psp;

import static org.assertj.core.api.Assertions.assertThat;

import io.quittance.domain.PaymentFact;
import io.quittance.psp.Verification.Verified;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * Whatever comes in, up to 64 KiB, every parser of every PSP gives one of the answers that its type has, and none throws.
 * A failure prints the seed that repeats it. The long form takes minutes:
 *
 * <pre>{@code mvn test -Dtest=ParsersNeverThrowTest -Djqwik.tries.default=10000}</pre>
 */
class ParsersNeverThrowTest {

    private static final List<Subject> SUBJECTS =
            PspAdapterContractTest.psps().map(Subject::of).toList();

    /** Returns of all PSPs; each adapter gets those of the others too. */
    private static final List<String> RETURNS = List.of(
            "payment_intent=pi_1&payment_intent_client_secret=pi_1_secret_2&redirect_status=succeeded",
            "charset=utf-8&out_trade_no=" + PspFixture.ATTEMPT
                    + "&method=alipay.trade.page.pay.return&total_amount=19.99"
                    + "&sign=AAAA&trade_no=2026030122001&auth_app_id=2021000000000001&app_id=2021000000000001"
                    + "&sign_type=RSA2&seller_id=2088000000000001&timestamp=2026-03-01+20%3A00%3A00",
            "out_trade_no=" + PspFixture.ATTEMPT,
            "reference=" + PspFixture.ATTEMPT + "&id=pay_1",
            "merchantReference=" + PspFixture.ATTEMPT + "&redirectResult=X6XtfGC3%21Y&sessionId=CS1",
            "");

    /** An adapter with a good notification, made once. */
    private record Subject(PspFixture psp, PspAdapter adapter, RawNotification good, List<String> words) {

        static Subject of(PspFixture psp) {
            RawNotification good = psp.good();
            JsonObject plain = JsonFields.parse(psp.plain());
            List<String> words = plain == null ? List.of("a", "b") : OddJson.words(plain);
            return new Subject(psp, psp.adapter("https://api.example", null), good, words);
        }

        @Override
        public String toString() {
            return psp.toString();
        }
    }

    @Property
    void bytes_of_any_kind(@ForAll("subjects") Subject subject, @ForAll("noise") Noise noise) {
        assertAnswered(subject, Buffer.buffer(noise.bytes()));
    }

    @Property
    void json_of_any_kind(@ForAll("subjects") Subject subject, @ForAll long seed) {
        assertAnswered(subject, OddJson.bytes(OddJson.grown(subject.words, seed)));
    }

    @Example
    void a_good_notification_with_each_odd_value_in_each_place() {
        for (Subject subject : SUBJECTS) {
            JsonObject plain = JsonFields.parse(subject.psp.plain());
            if (plain == null) {
                eachFormField(subject);
                continue;
            }
            eachPlace(plain, subject, odd -> assertAnswered(subject, OddJson.bytes(odd)));
        }
    }

    @Example
    void settings_with_each_odd_value_in_each_place() {
        for (Subject subject : SUBJECTS) {
            eachPlace(subject.psp.settings(), subject, odd -> {
                try {
                    subject.psp.adapter(odd);
                } catch (InvalidSettings mistakes) {
                    assertThat(mistakes.mistakes()).isNotEmpty();
                }
            });
        }
    }

    @Property
    void a_damaged_notification(@ForAll("subjects") Subject subject, @ForAll("mutations") List<Mutation> mutations) {
        assertAnswered(subject, mutated(subject.good.body(), mutations));
        assertAnswered(subject, mutated(subject.psp.plain(), mutations));
    }

    @Property
    void damaged_signature_headers(
            @ForAll("subjects") Subject subject, @ForAll("mutations") List<Mutation> mutations, @ForAll boolean all) {
        MultiMap headers = MultiMap.caseInsensitiveMultiMap().addAll(subject.good.headers());
        for (String name : subject.psp.signatureHeaders()) {
            Buffer value = mutated(Buffer.buffer(headers.get(name)), mutations);
            headers.set(name, value.toString(StandardCharsets.ISO_8859_1));
            if (!all) {
                break;
            }
        }
        RawNotification raw = new RawNotification(headers, subject.good.body(), PspFixture.NOW);
        assertThat(subject.adapter.verify(raw)).isNotNull();
        assertThat(subject.adapter.translate(new Verified(raw, "key"))).isNotNull();
    }

    @Property
    void a_damaged_return(
            @ForAll("subjects") Subject subject,
            @ForAll("returns") String fields,
            @ForAll("mutations") List<Mutation> mutations) {
        Buffer damaged = mutated(Buffer.buffer(fields), mutations);
        assertThat(subject.adapter.readReturn(new BrowserReturn(damaged, PspFixture.NOW)))
                .isNotNull();
    }

    // ---- what is tried

    @Provide
    Arbitrary<Subject> subjects() {
        return Arbitraries.of(SUBJECTS);
    }

    @Provide
    Arbitrary<Noise> noise() {
        return Combinators.combine(Arbitraries.integers().between(0, Mutation.BYTES_MAX), Arbitraries.longs())
                .as(Noise::new);
    }

    @Provide
    Arbitrary<List<Mutation>> mutations() {
        return Combinators.combine(
                        Arbitraries.of(Mutation.Kind.class),
                        Arbitraries.doubles().between(0, 1),
                        Arbitraries.longs())
                .as(Mutation::new)
                .list()
                .ofMinSize(1)
                .ofMaxSize(6);
    }

    @Provide
    Arbitrary<String> returns() {
        return Arbitraries.of(RETURNS);
    }

    /** So many bytes by chance; a short text in a report of a failure. */
    private record Noise(int size, long seed) {

        byte[] bytes() {
            byte[] bytes = new byte[size];
            new Random(seed).nextBytes(bytes);
            return bytes;
        }
    }

    private static void eachPlace(JsonObject document, Subject subject, Consumer<JsonObject> check) {
        for (int place = 0; place < OddJson.places(document); place++) {
            for (Object value : OddJson.values()) {
                JsonObject odd = OddJson.with(document, place, value);
                named(subject + ", place " + place, value, () -> check.accept(odd));
            }
        }
    }

    private static void eachFormField(Subject subject) {
        Map<String, String> form = FormBody.decode(subject.psp.plain().getBytes(), StandardCharsets.UTF_8)
                .orElseThrow();
        for (String name : form.keySet()) {
            for (Object value : OddJson.values()) {
                Map<String, String> odd = new LinkedHashMap<>(form);
                odd.put(name, String.valueOf(value));
                named(subject + ", " + name, value, () -> assertAnswered(subject, Buffer.buffer(FormBody.encode(odd))));
            }
        }
    }

    private static void named(String where, Object value, Runnable check) {
        try {
            check.run();
        } catch (RuntimeException | Error failure) {
            String text = String.valueOf(value);
            throw new AssertionError(
                    where + " holding " + text.substring(0, Math.min(text.length(), 80)) + ": " + failure, failure);
        }
    }

    private static Buffer mutated(Buffer good, List<Mutation> mutations) {
        byte[] bytes = good.getBytes();
        for (Mutation mutation : mutations) {
            bytes = mutation.apply(bytes);
        }
        return Buffer.buffer(bytes);
    }

    // ---- what holds

    /** As it came in, as if it had been verified, and as what an encrypted notification holds. */
    private static void assertAnswered(Subject subject, Buffer body) {
        RawNotification raw = new RawNotification(subject.good.headers(), body, PspFixture.NOW);
        assertThat(subject.adapter.verify(raw)).isNotNull();
        assertSensible(subject.adapter.translate(new Verified(raw, "key")));
        RawNotification inside = new RawNotification(subject.good.headers(), subject.psp.around(body), PspFixture.NOW);
        assertSensible(subject.adapter.translate(new Verified(inside, "key")));
    }

    private static void assertSensible(Translation translation) {
        assertThat(translation).isNotNull();
        if (translation instanceof Translation.Facts news) {
            assertThat(news.eventId()).isNotEmpty();
            assertThat(news.facts()).isNotEmpty().allSatisfy(ParsersNeverThrowTest::assertSensible);
        }
    }

    private static void assertSensible(PaymentFact fact) {
        assertThat(fact.reference()).isNotEmpty();
        if (fact.amount() != null) {
            assertThat(fact.amount().minor()).isNotNegative();
        }
        if (fact.refund() != null && fact.refund().amount() != null) {
            assertThat(fact.refund().amount().minor()).isNotNegative();
        }
    }
}
