package io.quittance.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.quittance.config.Config.Mode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigTest {

    private static final String HASH = "0123456789abcdef".repeat(4);

    private static final String SERVERS = """
            postgres: {uri: "postgresql://app:pg-hidden@db/shop"}
            redis: {uri: "redis://:redis-hidden@cache"}
            """;

    private static final String FULL = SERVERS + """
            merchants:
              - {id: acme, api_key_sha256: [%s], target: erp}
            targets:
              - {name: erp, url: "https://erp.example.com/in", secret: whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM=}
            psp:
              - name: stripe
                account: acme
                api_key: sk_hidden
                webhook_secrets: [whsec_hidden_a, whsec_hidden_b]
                tolerance: PT5M
              - name: wechatpay
                account: acme
                mch_id: 0012
                merchant_serial: 12E4
                platform_keys: {5A: pem-hidden}
            """.formatted(HASH);

    @TempDir
    private Path directory;

    @Test
    void a_short_file_is_enough_and_the_rest_has_defaults() {
        Config config = parse(SERVERS, Map.of());

        assertThat(config.http().port()).isEqualTo(8080);
        assertThat(config.ops().port()).isEqualTo(9090);
        assertThat(config.ops().host()).isEqualTo("127.0.0.1");
        assertThat(config.engine().batchMax()).isEqualTo(128);
        assertThat(config.engine().batchesInFlight()).isEqualTo(2);
        assertThat(config.redis().done()).isEqualTo(Duration.ofDays(3));
        assertThat(config.merchants()).isEmpty();
    }

    @Test
    void everything_in_the_file_is_read_and_numbers_of_accounts_stay_as_written() {
        Config config = parse(FULL, Map.of());

        assertThat(config.postgres().uri().value()).isEqualTo("postgresql://app:pg-hidden@db/shop");
        assertThat(config.merchants()).containsExactly(new Config.Merchant("acme", List.of(HASH), "erp", "REFUND"));
        assertThat(config.targets().get(0).secret().reveal()).startsWith("whsec_");
        assertThat(config.psp().get(0).settings())
                .containsOnlyKeys("api_key", "webhook_secrets", "tolerance")
                .containsEntry("webhook_secrets", List.of("whsec_hidden_a", "whsec_hidden_b"));
        assertThat(config.psp().get(1).settings())
                .containsEntry("mch_id", "0012")
                .containsEntry("merchant_serial", "12E4")
                .containsEntry("platform_keys", Map.of("5A", "pem-hidden"));
    }

    @Test
    void a_target_says_what_it_wants_to_hear_and_a_merchant_what_becomes_of_late_money() {
        Config.Target usual = parse(FULL, Map.of()).targets().get(0);
        assertThat(usual.conclusions()).containsExactly("PAID");
        assertThat(usual.corrections()).isFalse();
        assertThat(usual.finalAfter()).isEqualTo(Duration.ofDays(3));

        Map<String, String> more = Map.of(
                "QUITTANCE_TARGETS_0_CONCLUSIONS_0", "PAID",
                "QUITTANCE_TARGETS_0_CONCLUSIONS_1", "EXPIRED",
                "QUITTANCE_TARGETS_0_CORRECTIONS", "true",
                "QUITTANCE_TARGETS_0_FINAL_AFTER", "PT1H",
                "QUITTANCE_MERCHANTS_0_LATE_POLICY", "REVIVE");
        Config config = parse(FULL, more);
        assertThat(config.targets().get(0).conclusions()).containsExactly("PAID", "EXPIRED");
        assertThat(config.targets().get(0).corrections()).isTrue();
        assertThat(config.targets().get(0).finalAfter()).isEqualTo(Duration.ofHours(1));
        assertThat(config.merchants().get(0).latePolicy()).isEqualTo("REVIVE");

        Map<String, String> wrong = Map.of(
                "QUITTANCE_TARGETS_0_CONCLUSIONS_0", "EXPIRRED",
                "QUITTANCE_MERCHANTS_0_LATE_POLICY", "revive");
        assertThat(mistakes(FULL, wrong))
                .hasSize(3)
                .anySatisfy(text -> assertThat(text).contains("targets[0].conclusions[0]", "EXPIRED"))
                .anySatisfy(text -> assertThat(text).contains("targets[0].conclusions", "PAID"))
                .anySatisfy(text -> assertThat(text).contains("late_policy", "REVIVE, REFUND, REVIEW"));
    }

    @Test
    void the_secret_of_links_is_32_bytes_or_more_and_never_shown() {
        String right = "aGlkZGVuaGlkZGVuaGlkZGVuaGlkZGVuaGlkZGVuMTI=";
        Config config = parse(SERVERS + "http: {view_token_secret: " + right + "}", Map.of());

        assertThat(config.http().viewTokenSecret()).isEqualTo(new Secret(right));
        assertThat(config.toString()).doesNotContain("aGlkZGVu");
        assertThat(parse(SERVERS, Map.of()).http().viewTokenSecret()).isNull();
        for (String wrong : List.of("aGlkZGVu", "aGlkZGVuaGlkZGVuaGlkZGVuaGlkZGVuaGlkZGVuMTI*", "\"\"")) {
            assertThat(mistakes(SERVERS + "http: {view_token_secret: " + wrong + "}", Map.of()))
                    .singleElement()
                    .asString()
                    .contains("view_token_secret")
                    .doesNotContain("aGlkZGVu");
        }
    }

    @Test
    void what_is_shown_holds_no_secret() {
        assertThat(parse(FULL, Map.of()).toString())
                .doesNotContain("hidden", "MDEyMzQ1")
                .contains("postgresql://app:***@db/shop", "redis://:***@cache", "api_key=***", "mch_id=0012");
    }

    @Test
    void the_environment_overrides_any_key_and_adds_elements_at_the_end_of_a_list() {
        Config config = parse(
                FULL,
                Map.of(
                        "QUITTANCE_POSTGRES_URI", "postgresql://env/db",
                        "QUITTANCE_HTTP_PORT", "0",
                        "QUITTANCE_ENGINE_BATCH_MAX", "7",
                        "QUITTANCE_MERCHANTS_0_API_KEY_SHA256_1", "f".repeat(64),
                        "QUITTANCE_PSP_0_API_KEY", "sk_env",
                        "QUITTANCE_PSP_0_WEBHOOK_SECRETS_1", "whsec_env",
                        "QUITTANCE_PSP_1_PLATFORM_KEYS_5A", "pem_env",
                        "QUITTANCE_PSP_2_NAME", "adyen",
                        "QUITTANCE_PSP_2_ACCOUNT", "other",
                        "QUITTANCE_PSP_2_HMAC_KEYS_0", "00ff"));

        assertThat(config.postgres().uri().value()).isEqualTo("postgresql://env/db");
        assertThat(config.http().port()).isZero();
        assertThat(config.engine().batchMax()).isEqualTo(7);
        assertThat(config.merchants().get(0).apiKeySha256()).containsExactly(HASH, "f".repeat(64));
        assertThat(config.psp().get(0).settings())
                .containsEntry("api_key", "sk_env")
                .containsEntry("webhook_secrets", List.of("whsec_hidden_a", "whsec_env"));
        assertThat(config.psp().get(1).settings()).containsEntry("platform_keys", Map.of("5A", "pem_env"));
        assertThat(config.psp().get(2).name()).isEqualTo("adyen");
        assertThat(config.psp().get(2).settings()).containsEntry("hmac_keys", List.of("00ff"));
    }

    @Test
    void a_value_can_come_from_a_variable_or_from_a_file_without_its_last_line_end() throws IOException {
        Files.writeString(directory.resolve("redis-uri"), "redis://from-file\n");

        Config config = parse("""
                postgres: {uri: "${env:PG}"}
                redis: {uri: "${file:redis-uri}"}
                """, Map.of("PG", "postgresql://from-env/db"));

        assertThat(config.postgres().uri().value()).isEqualTo("postgresql://from-env/db");
        assertThat(config.redis().uri().value()).isEqualTo("redis://from-file");
    }

    @Test
    void every_mistake_is_listed_with_its_place_and_the_way_out() {
        List<String> mistakes =
                mistakes("""
                http: {prot: 8080, port: 70000}
                ops: {drain: soon}
                postgres: {uri: "${env:NO_SUCH}"}
                redis: {uri: "${file:no-such}"}
                merchants:
                  - {id: acme, api_key_sha256: [abc], target: epr}
                targets:
                  - {name: erp, url: "http://10.1.2.3/in", secret: short, lookup_url: "https://erp.example.com"}
                engine: {batch_max: 501}
                disptach: {poll: PT1S}
                """, Map.of("QUITTANCE_POSTGRES_URL", "x", "QUITTANCE_HTTP_SERVICE_HOST", "10.0.0.1"));

        assertThat(mistakes)
                .containsExactlyInAnyOrder(
                        "http.prot (line 1): is not a known key; did you mean \"port\"?",
                        "http.port (line 1): must be a whole number from 0 to 65535, was \"70000\"",
                        "ops.drain (line 2): must be an ISO 8601 duration from PT0.1S to PT10M, was \"soon\"",
                        "postgres.uri (line 3): the environment variable NO_SUCH is not set; set it",
                        "redis.uri (line 4): the file no-such cannot be read (NoSuchFileException); create it, or"
                                + " correct its path",
                        "merchants[0].api_key_sha256[0]: must be 64 lower-case hex characters; make them with:"
                                + " printf %s KEY | sha256sum",
                        "merchants[0].target (line 6): names no entry of targets; did you mean \"erp\"?",
                        "targets[0].url (line 8): is on a private address; set allow_private: true if that is meant",
                        "targets[0].secret (line 8): must be whsec_ and the base64 of at least 16 random bytes; make one"
                                + " with: echo whsec_$(openssl rand -base64 32)",
                        "targets[0].lookup_url (line 8): must contain {order_no} where the order's number goes",
                        "engine.batch_max (line 9): must be a whole number from 1 to 500, was \"501\"",
                        "disptach (line 10): is not a known key; did you mean \"dispatch\"?",
                        "the environment variable QUITTANCE_POSTGRES_URL overrides nothing; did you mean"
                                + " \"QUITTANCE_POSTGRES_URI\"?");
    }

    @Test
    void a_missing_server_is_a_mistake_when_serving_and_none_in_dev_mode() {
        assertThat(mistakes("", Map.of()))
                .containsExactly(
                        "postgres.uri: is missing; add it, or set QUITTANCE_POSTGRES_URI",
                        "redis.uri: is missing; add it, or set QUITTANCE_REDIS_URI");

        Config dev = Config.parse("", directory, Map.of(), Mode.DEV);
        assertThat(dev.postgres().uri().isLeftOut()).isTrue();

        Config served = dev.withServers(new ServiceUri("postgresql://own/db"), new ServiceUri("redis://own"));
        assertThat(served.postgres().uri().value()).isEqualTo("postgresql://own/db");
        assertThat(served.redis().uri().value()).isEqualTo("redis://own");
    }

    @Test
    void what_stands_twice_is_refused() {
        List<String> mistakes = mistakes(SERVERS + """
                http: {port: 1}
                http: {port: 2}
                merchants:
                  - {id: acme, api_key_sha256: [%s], target: erp}
                  - {id: acme, api_key_sha256: [%s], target: erp}
                targets:
                  - {name: erp, url: "https://a.example.com", secret: whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM=}
                  - {name: erp, url: "https://b.example.com", secret: whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM=}
                psp:
                  - {name: stripe, account: a}
                  - {name: stripe, account: a}
                  - {name: stripe, account: b}
                """.formatted(HASH, HASH), Map.of());

        assertThat(mistakes)
                .containsExactlyInAnyOrder(
                        "http (line 4): stands there twice, first in line 3; keep one",
                        "merchants[1].id (line 7): is the id of an earlier merchant too; choose another",
                        "merchants[1].api_key_sha256[0]: is listed before; a key belongs to one merchant",
                        "targets[1].name (line 10): is the name of an earlier target too; choose another",
                        "psp[1].account (line 13): is an account of that PSP that stands there already; choose"
                                + " another");
    }

    @Test
    void a_private_address_of_a_psp_needs_permission_which_dev_mode_gives() {
        String file = SERVERS + "psp: [{name: stripe, account: a, api_base: \"http://localhost:1/x\"}]";

        assertThat(mistakes(file, Map.of()))
                .containsExactly("psp[0].api_base (line 3): is on a private address; set allow_private: true if that is"
                        + " meant");
        assertThat(Config.parse(file, directory, Map.of(), Mode.DEV)
                        .psp()
                        .get(0)
                        .allowPrivate())
                .isTrue();
    }

    @Test
    void what_is_not_yaml_is_refused_without_quoting_the_file() {
        assertThat(mistakes(SERVERS + "psp: [{api_key: sk_hidden, ]\n", Map.of()))
                .anyMatch(mistake -> mistake.startsWith("line 3: this is not YAML"))
                .noneMatch(mistake -> mistake.contains("sk_hidden"));
    }

    @Test
    void values_of_the_wrong_shape_are_mistakes_and_not_crashes() {
        assertThat(mistakes(SERVERS + """
                http: 8080
                merchants: {id: acme}
                targets: [erp]
                engine: {shards: [1]}
                ops: {host: &h a, port: 1}
                dispatch: {poll: *h}
                psp: [{name: Str ipe, account: "${env:X} and more"}]
                """, Map.of()))
                .contains(
                        "http (line 3): must be a mapping of keys to values",
                        "merchants (line 4): must be a list",
                        "targets[0] (line 5): must be a mapping of keys to values",
                        "engine.shards (line 6): must be a text that is not empty",
                        "dispatch.poll (line 8): references (*) are not understood; write the value out",
                        "psp[0].account (line 9): a reference must be the whole value, and either ${env:NAME} or"
                                + " ${file:PATH}");
    }

    @Test
    void a_file_that_is_not_there_is_one_clear_mistake() {
        Path file = directory.resolve("none.yaml");

        InvalidConfig failure =
                catchThrowableOfType(InvalidConfig.class, () -> Config.load(file, Map.of(), Mode.SERVE));

        assertThat(failure)
                .hasMessage(file + " has a mistake:\n  - it cannot be read (NoSuchFileException); create it, or give"
                        + " another path");
    }

    private Config parse(String yaml, Map<String, String> environment) {
        return Config.parse(yaml, directory, environment, Mode.SERVE);
    }

    private List<String> mistakes(String yaml, Map<String, String> environment) {
        return catchThrowableOfType(InvalidConfig.class, () -> parse(yaml, environment))
                .mistakes();
    }
}
