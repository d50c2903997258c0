package io.quittance.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.quittance.config.Config.Mode;
import io.quittance.psp.adyen.AdyenSettings;
import io.quittance.psp.standardwebhooks.StandardWebhooksSettings;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SampleConfigTest {

    private static final Path SAMPLE = Path.of("conf/quittance.yaml");
    private static final Map<String, String> ENVIRONMENT = Map.of(
            "ERP_SECRET", "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM=",
            "STRIPE_API_KEY", "sk_x",
            "STRIPE_WEBHOOK_SECRET", "whsec_x");

    @Test
    void the_sample_is_valid_and_shows_the_defaults() {
        Config sample = Config.load(SAMPLE, ENVIRONMENT, Mode.SERVE);
        Config bare = Config.parse("", Path.of(""), Map.of(), Mode.DEV);

        assertThat(sample.http()).isEqualTo(bare.http());
        assertThat(sample.ops()).isEqualTo(bare.ops());
        assertThat(sample.postgres().withUri(ServiceUri.LEFT_OUT)).isEqualTo(bare.postgres());
        assertThat(sample.redis().withUri(ServiceUri.LEFT_OUT)).isEqualTo(bare.redis());
        assertThat(sample.checkout()).isEqualTo(bare.checkout());
        assertThat(sample.engine()).isEqualTo(bare.engine());
        assertThat(sample.timeout()).isEqualTo(bare.timeout());
        assertThat(sample.dispatch()).isEqualTo(bare.dispatch());
        assertThat(sample.refund()).isEqualTo(bare.refund());
        assertThat(sample.recovery()).isEqualTo(bare.recovery());
        assertThat(sample.inquiry()).isEqualTo(bare.inquiry());
    }

    @Test
    void the_sample_has_every_key() throws IOException {
        String yaml = Files.readString(SAMPLE);
        List<String> mistakes = new ArrayList<>();
        Map<String, Integer> written = new LinkedHashMap<>();
        collect(
                "",
                YamlTree.read(
                        yaml.replace("# replica_uri", "replica_uri")
                                .replace("# public_url", "public_url")
                                .replace("# view_token_secret", "view_token_secret"),
                        mistakes::add),
                written);

        assertThat(mistakes).isEmpty();
        assertThat(written.keySet()).containsAll(ConfigReader.keys(yaml, ENVIRONMENT));
    }

    @Test
    void the_account_of_adyen_in_the_sample_is_one_once_it_is_no_comment() throws IOException {
        String yaml = Files.readString(SAMPLE);
        int start = yaml.indexOf("  # - name: adyen");
        int end = yaml.indexOf("  # - name: ", start + 1);
        String entry = yaml.substring(start, end).replaceAll("(?m)^  # ", "  ");
        String uncommented = yaml.substring(0, start) + entry + yaml.substring(end);
        Map<String, String> environment = new HashMap<>(ENVIRONMENT);
        environment.put("ADYEN_API_KEY", "key");
        environment.put("ADYEN_HMAC_KEY", "00ff");

        Config sample = Config.parse(uncommented, Path.of("conf"), environment, Mode.SERVE);

        assertThat(sample.psp())
                .filteredOn(account -> account.name().equals("adyen"))
                .singleElement()
                .satisfies(account -> AdyenSettings.parse(new JsonObject(account.settings())));
    }

    @Test
    void the_sample_of_standard_webhooks_is_valid_once_its_comment_is_taken_away() throws IOException {
        String bare = Files.readString(SAMPLE).replaceAll("(?m)^  # (?=- name: standardwebhooks| +[a-z])", "  ");
        String entry = bare.substring(bare.indexOf("  - name: standardwebhooks"), bare.indexOf("\ncheckout:"));
        Map<String, String> environment = Map.of(
                "PAYMENTS_WEBHOOK_SECRET", "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3",
                "PAYMENTS_PUBLIC_KEY", "whpk_11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=");

        Config config = Config.parse("psp:\n" + entry, Path.of(""), environment, Mode.DEV);

        assertThat(config.psp()).hasSize(1);
        assertThatCode(() -> StandardWebhooksSettings.parse(
                        new JsonObject(config.psp().get(0).settings())))
                .doesNotThrowAnyException();
    }

    private static void collect(String path, Node node, Map<String, Integer> written) {
        written.put(path, node.line());
        if (node instanceof Node.Tree tree) {
            tree.members().forEach((key, below) -> collect(path.isEmpty() ? key : path + "." + key, below, written));
        }
        if (node instanceof Node.Items items) {
            items.nodes().forEach(item -> collect(path + "[]", item, written));
        }
    }
}
