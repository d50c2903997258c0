package io.quittance.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.standardwebhooks.Webhook;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TargetTest {

    private static final String SECRET = DispatchBench.SECRET;

    @Test
    void signs_as_the_official_library_does() throws Exception {
        String body = "{\"order_no\":\"é-1\"}";

        assertThat(WebhookSignature.sign(Target.secretOf(SECRET), "0af1", 1_769_860_800, Buffer.buffer(body)))
                .isEqualTo(new Webhook(SECRET).sign("0af1", 1_769_860_800, body));
    }

    @Test
    void an_id_with_a_dot_is_not_signed() {
        assertThatThrownBy(() -> WebhookSignature.sign(Target.secretOf(SECRET), "a.b", 1, Buffer.buffer()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void a_target_never_shows_its_secret() {
        Target target = Target.of("erp", "https://erp.example/orders", SECRET, null, false);

        assertThat(target.toString()).contains("erp.example").doesNotContain(SECRET.substring(8));
    }

    @ParameterizedTest
    @ValueSource(strings = {"c2l4dHktZm91ciBieXRlcw==", "whsec_?hidden?", "whsec_aGlkZGVu"})
    void a_malformed_secret_is_refused_without_showing_it(String secret) {
        assertThatThrownBy(() -> Target.of("erp", "https://erp.example/orders", secret, null, false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("target erp: a secret must")
                .hasMessageNotContaining(secret.substring(7));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ftp://erp.example", "erp.example/orders", "http://", "http://a b"})
    void only_web_addresses_are_taken(String url) {
        assertThatThrownBy(() -> Target.of("erp", url, SECRET, null, false))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void a_question_names_its_order_in_percent_encoding() {
        Target target = Target.of("erp", "http://erp/orders", SECRET, "http://erp/orders/{order_no}?exact=1", false);

        assertThat(target.lookupOf("A 1/é?")).contains("http://erp/orders/A%201%2F%C3%A9%3F?exact=1");
        assertThatThrownBy(() -> Target.of("erp", "http://erp/orders", SECRET, "http://erp/orders", false))
                .hasMessageContaining("{order_no}");
    }

    @Test
    void the_wait_grows_to_its_limit_and_is_never_longer() {
        DispatchOptions options = DispatchOptions.defaults();
        long seed = 20_260_131;
        Random random = new Random(seed);

        for (int tries = 1; tries <= 200; tries++) {
            long doubled = options.backoffBase().toMillis() << Math.min(tries - 1, 30);
            long bound = Math.min(options.backoffMax().toMillis(), doubled);
            for (int draw = 0; draw < 50; draw++) {
                assertThat(Courier.backoffMillis(options, tries, random))
                        .as("seed %d, try %d", seed, tries)
                        .isBetween(1L, bound);
            }
        }
    }

    @Test
    void a_lease_that_could_end_before_its_calls_is_refused() {
        DispatchOptions options = DispatchOptions.defaults();

        assertThatThrownBy(() -> new DispatchOptions(
                        1,
                        1,
                        options.connectLimit().plus(options.answerLimit()).multipliedBy(2),
                        options.connectLimit(),
                        options.answerLimit(),
                        1,
                        options.backoffBase(),
                        options.backoffMax(),
                        options.sleepMax(),
                        1,
                        options.breakerWindow(),
                        options.breakerReset()))
                .hasMessageContaining("the lease must be at least");
    }

    /** The breaker would take half a gigabyte for a day, at a target's first failure, while everything waits. */
    @Test
    void a_breaker_that_counts_for_longer_than_it_has_places_for_is_refused() {
        DispatchOptions options = DispatchOptions.defaults();
        Duration longest = DispatchOptions.BREAKER_WINDOW_MAX;

        assertThat(options.withBreaker(5, longest, options.breakerReset()).breakerWindow())
                .isEqualTo(longest);
        assertThatThrownBy(() -> options.withBreaker(5, longest.plusMillis(1), options.breakerReset()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("breakerWindow must be at most PT10M");
    }
}
