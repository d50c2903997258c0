package io.quittance.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quittance.psp.CallbackUrls;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ResultLinksTest {

    private static final CallbackUrls URLS = new CallbackUrls("https://pay.example/q");

    private final ResultLinks links = new ResultLinks(URLS, secret('a'));

    @Test
    void a_link_leads_to_the_order_of_its_merchant() {
        String link = links.to("acme", "A-1");

        assertThat(link).matches("https://pay\\.example/q/pay/A-1\\?token=acme\\.[A-Za-z0-9_-]{43}");
        assertThat(links.merchantOf(link.substring(link.indexOf('=') + 1), "A-1"))
                .hasValue("acme");
        assertThat(links.to("acme", "A-1")).as("made again").isEqualTo(link);
    }

    @Test
    void a_token_is_the_hmac_of_purpose_merchant_and_order() {
        // printf 'quittance result page 1\nacme\nA-1' | openssl dgst -sha256 -hmac aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa \
        //     -binary | basenc --base64url
        assertThat(links.token("acme", "A-1")).isEqualTo("acme.UpNXwkm_Zj6-BKbt87ua-ci5Bk3tj_3Os8XiraTKpDg");
    }

    @Test
    void a_token_shows_no_other_order_and_no_other_merchants() {
        String token = links.token("acme", "A-1");

        assertThat(links.merchantOf(token, "A-2")).isEmpty();
        assertThat(links.merchantOf(token.replace("acme.", "other."), "A-1")).isEmpty();
        assertThat(links.merchantOf(links.token("other", "A-1"), "A-1")).hasValue("other");
        assertThat(links.token("a", "b-1")).isNotEqualTo(links.token("a-b", "1"));
    }

    @Test
    void a_token_made_with_another_secret_shows_nothing() {
        ResultLinks others = new ResultLinks(URLS, secret('b'));

        assertThat(links.merchantOf(others.token("acme", "A-1"), "A-1")).isEmpty();
    }

    @Test
    void whatever_is_no_token_shows_nothing() {
        String token = links.token("acme", "A-1");
        String hash = token.substring(token.indexOf('.') + 1);
        String[] none = {
            "",
            ".",
            "acme",
            "acme.",
            "." + hash,
            hash,
            token + "=",
            token + "A",
            token.substring(0, token.length() - 1),
            token.toUpperCase(Locale.ROOT),
            " " + token,
            "acme\n." + hash,
            "acme." + "A".repeat(100_000),
            "é".repeat(60) + "." + hash
        };
        for (String text : none) {
            assertThat(links.merchantOf(text, "A-1")).as(text).isEqualTo(Optional.empty());
        }
    }

    @Test
    void a_short_secret_is_refused() {
        assertThatThrownBy(() -> new ResultLinks(URLS, new byte[31])).hasMessageContaining("at least 32 bytes");
    }

    private static byte[] secret(char c) {
        return String.valueOf(c).repeat(32).getBytes(StandardCharsets.UTF_8);
    }
}
