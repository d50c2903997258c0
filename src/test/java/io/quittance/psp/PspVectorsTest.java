package io.quittance.psp;

import static org.assertj.core.api.Assertions.assertThat;

import io.quittance.psp.adyen.AdyenVectors;
import io.quittance.psp.alipay.AlipayVectors;
import io.quittance.psp.standardwebhooks.StandardWebhooksVectors;
import io.quittance.psp.stripe.StripeVectors;
import io.quittance.psp.wechatpay.WechatpayVectors;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs the PSPs' published test vectors, which are not part of this repository: the folder is the system property
 * {@code psp.vectors}, by default {@code ../shared/psp/vectors}. Without it the tests with vectors of our own cover the
 * same cases.
 */
class PspVectorsTest {

    private static final Path FOLDER = Path.of(System.getProperty("psp.vectors", "../shared/psp/vectors"));
    private static final List<String> PSPS = List.of("stripe", "alipay", "wechatpay", "adyen", "standard-webhooks");

    /** What event types look like in the table of the format notes beside the vectors, by PSP in the order of its columns. */
    private static final Map<String, Pattern> EVENT_TYPES = new TreeMap<>(Map.of(
            "alipay", Pattern.compile("(?<![.\\w])(?:WAIT|TRADE)_[A-Z_]+"),
            "wechatpay", Pattern.compile("\\b(?:TRANSACTION|REFUND)\\.[A-Z]+"),
            "stripe", Pattern.compile("\\b[a-z_]+(?:\\.[a-z_]+)+(?![.*])"),
            "adyen", Pattern.compile("(?<![.\\w])[A-Z_]{6,}+(?! offers)")));

    private static final List<String> COLUMNS = List.of("", "normalised", "alipay", "wechatpay", "stripe", "adyen");

    private static final Map<String, String> NOT_APPLICABLE = Map.of("paypal", "there is no adapter for PayPal");

    @Test
    void every_folder_of_vectors_is_run_or_has_a_reason_why_not() throws IOException {
        if (!Files.isDirectory(FOLDER)) {
            return;
        }
        try (Stream<Path> entries = Files.list(FOLDER)) {
            assertThat(entries.filter(Files::isDirectory)
                            .map(folder -> folder.getFileName().toString())
                            .filter(name -> !NOT_APPLICABLE.containsKey(name)))
                    .containsExactlyInAnyOrderElementsOf(PSPS);
        }
    }

    @Test
    void every_event_type_of_the_format_notes_is_tried_by_the_contract() throws IOException {
        Path notes = FOLDER.resolveSibling("formats.md");
        if (!Files.isRegularFile(notes)) {
            return;
        }
        String table = Files.readString(notes).split("\n---\n", 2)[0];
        for (Map.Entry<String, Pattern> psp : EVENT_TYPES.entrySet()) {
            List<String> tried = PspAdapterContractTest.events()
                    .filter(event -> event.adapter().psp().equals(psp.getKey()))
                    .map(event -> event.name().split(" ", 2)[0])
                    .toList();
            Set<String> named = table.lines()
                    .filter(line -> line.startsWith("| "))
                    .map(line -> line.split("\\|", -1)[COLUMNS.indexOf(psp.getKey())])
                    .flatMap(cell -> psp.getValue().matcher(cell).results().map(MatchResult::group))
                    .collect(Collectors.toCollection(TreeSet::new));
            assertThat(named).as(psp.getKey()).isNotEmpty();
            assertThat(tried).as(psp.getKey()).containsAll(named);
        }
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("vectors")
    void every_published_vector_has_the_verdict_that_was_published_with_it(Path file) throws IOException {
        JsonObject vector = read(file);
        switch (vector.getString("psp")) {
            case "stripe" -> StripeVectors.check(vector);
            case "alipay" -> AlipayVectors.check(vector, file.resolveSibling(""));
            case "wechatpay" -> WechatpayVectors.check(vector, file.resolveSibling(""));
            case "adyen" -> AdyenVectors.check(vector);
            case "standard-webhooks" -> StandardWebhooksVectors.check(vector);
            default -> throw new AssertionError("a vector of another PSP: " + file.getFileName());
        }
    }

    static Stream<Named<Path>> vectors() throws IOException {
        if (!Files.isDirectory(FOLDER)) {
            System.out.println("No published vectors at " + FOLDER + ": only our own are run.");
            return Stream.empty();
        }
        Stream.Builder<Named<Path>> found = Stream.builder();
        for (String psp : PSPS) {
            try (Stream<Path> files = Files.list(FOLDER.resolve(psp))) {
                // A ".body.json" is the body of the vector beside it.
                files.filter(file -> file.toString().endsWith(".json")
                                && !file.toString().endsWith(".body.json"))
                        .sorted()
                        .forEach(file -> found.add(Named.of(psp + "/" + file.getFileName(), file)));
            }
        }
        return found.build();
    }

    private static JsonObject read(Path file) throws IOException {
        return new JsonObject(Files.readString(file));
    }
}
