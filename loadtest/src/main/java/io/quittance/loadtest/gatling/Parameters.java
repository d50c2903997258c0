package io.quittance.loadtest.gatling;

import io.quittance.loadtest.gatling.Script.Load;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a run was asked for; the table in the load tests' README says what each is.
 *
 * @param brief a short run, to see that all is well
 * @param heap of the embedded gateway, as Java's {@code -Xmx} takes it
 * @param outside the gateway that is there already; empty for an embedded one
 */
record Parameters(
        Script script,
        boolean brief,
        Load load,
        int duplicatesPercent,
        int reorderedPercent,
        int readsPerSecond,
        int expiresInSeconds,
        int jitterMs,
        String latePolicy,
        List<String> psps,
        String heap,
        Optional<Outside> outside) {

    static final String DEFAULT_ACCOUNT = "acme";

    private static final int PER_SECOND_MAX = 100_000;
    private static final int SECONDS_MAX = 604_800;
    private static final int PERCENT_MAX = 80;

    /**
     * A gateway that somebody else has started.
     *
     * @param url without a slash at its end
     * @param keys as dev mode writes them into its {@code sandbox-keys.json}; each can also be a parameter of its own
     */
    record Outside(String url, String account, String merchantKey, String postgresUri, Optional<Path> keys) {}

    /**
     * Takes them from the system properties.
     *
     * @throws InvalidParameters with every mistake
     */
    static Parameters read(Script script, boolean brief, PropertyReader properties) {
        Load usual = script.load(brief);
        Load load = new Load(
                properties.number("per_second", usual.perSecond(), 1, PER_SECOND_MAX),
                properties.number("seconds", usual.seconds(), 1, SECONDS_MAX));
        Parameters read = new Parameters(
                script,
                brief,
                load,
                properties.number("duplicates_percent", 30, 0, PERCENT_MAX),
                properties.number("reordered_percent", 10, 0, PERCENT_MAX),
                properties.number("reads_per_second", brief ? 50 : 200, 1, PER_SECOND_MAX),
                properties.number("expires_in_seconds", 3, 1, SECONDS_MAX),
                properties.number("jitter_ms", 200, 0, 60_000),
                properties.oneOf("late_policy", List.of("REVIVE", "REFUND", "REVIEW")),
                properties.someOf("psps", PspKeys.PSPS),
                properties.matching("heap", "512m", "[1-9][0-9]*[mg]", "a size such as 512m or 2g"),
                outside(properties));
        properties.finish();
        return read;
    }

    /** In one line, for the report. */
    String told() {
        return "%s, %d a second for %d s, %s, %s"
                .formatted(
                        script.label(),
                        load.perSecond(),
                        load.seconds(),
                        String.join(" ", psps),
                        outside.map(Outside::url).orElse("embedded gateway"));
    }

    private static Optional<Outside> outside(PropertyReader properties) {
        String url = properties.text("gateway");
        if (url == null) {
            Stream.concat(Stream.of("account", "merchant_key", "postgres", "keys"), PspKeys.NAMES.stream())
                    .filter(name -> properties.text(name) != null)
                    .forEach(name -> properties.mistake(
                            name, "goes with a gateway that is there already: say also -Dgateway=URL"));
            return Optional.empty();
        }
        if (!isHttp(url)) {
            properties.mistake("gateway", "is \"" + url + "\"; wanted: an address such as http://127.0.0.1:8080");
        }
        if (properties.text("heap") != null) {
            properties.mistake("heap", "is of the embedded gateway: leave it out, or leave out -Dgateway");
        }
        String account = properties.text("account");
        return Optional.of(new Outside(
                url.replaceFirst("/+$", ""),
                account == null ? DEFAULT_ACCOUNT : account,
                properties.required("merchant_key", "the key of a merchant of this gateway: -Dmerchant_key=KEY"),
                properties.required(
                        "postgres",
                        "the gateway's database, where the proof looks: -Dpostgres=postgresql://user@host:5432/name"),
                keys(properties)));
    }

    private static Optional<Path> keys(PropertyReader properties) {
        String file = properties.text("keys");
        if (file != null && !Files.isReadable(Path.of(file))) {
            properties.mistake(
                    "keys",
                    "is " + file + ", which cannot be read; wanted: a file such as dev mode's "
                            + "data/sandbox-keys.json");
            return Optional.empty();
        }
        return Optional.ofNullable(file).map(Path::of);
    }

    private static boolean isHttp(String url) {
        try {
            URI uri = URI.create(url);
            return uri.getHost() != null && List.of("http", "https").contains(uri.getScheme());
        } catch (IllegalArgumentException malformed) {
            return false;
        }
    }
}
