package io.quittance.config;

import io.quittance.config.Config.Http;
import io.quittance.config.Config.Mode;
import io.quittance.config.Config.Ops;
import io.quittance.config.Config.Postgres;
import io.quittance.config.Config.Redis;
import io.quittance.config.Config.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads the file and the environment into a {@link Config}, and checks what can be checked without asking anybody. */
final class ConfigReader {

    /** As long as the hash that it keys. */
    private static final int VIEW_TOKEN_SECRET_BYTES_MIN = 32;

    /** Live streams and answers that take long are silent for less. */
    private static final Duration IDLE_MIN = Duration.ofSeconds(30);

    private final Section root;
    private final Mode mode;

    private ConfigReader(Section root, Mode mode) {
        this.root = root;
        this.mode = mode;
    }

    static Config load(Path file, Map<String, String> environment, Mode mode) {
        String yaml;
        try {
            yaml = Files.readString(file);
        } catch (IOException unreadable) {
            throw new InvalidConfig(
                    file.toString(),
                    List.of("it cannot be read (" + unreadable.getClass().getSimpleName()
                            + "); create it, or give another path"));
        }
        Path parent = file.toAbsolutePath().getParent();
        return parse(file.toString(), yaml, parent == null ? Path.of("") : parent, environment, mode);
    }

    static Config parse(String source, String yaml, Path directory, Map<String, String> environment, Mode mode) {
        Sources sources = new Sources(environment, directory);
        Config read = read(sources, yaml, mode);
        if (!sources.mistakes().isEmpty()) {
            throw new InvalidConfig(source, sources.mistakes());
        }
        return read;
    }

    /** Every key that there is, with {@code []} for the elements of a list. */
    static Set<String> keys(String yaml, Map<String, String> environment) {
        Sources sources = new Sources(environment, Path.of(""));
        read(sources, yaml, Mode.SERVE);
        return new TreeSet<>(sources.pathsAsked());
    }

    private static Config read(Sources sources, String yaml, Mode mode) {
        Section root = new Section(sources, "", Sources.PREFIX, YamlTree.read(yaml, sources::mistake));
        Config config = new ConfigReader(root, mode).read();
        root.finish();
        sources.finish(root.known());
        return config;
    }

    private Config read() {
        Http http = http(root.section("http"));
        Ops ops = ops(root.section("ops"), http.port());
        Postgres postgres = postgres(root.section("postgres"));
        Redis redis = redis(root.section("redis"));
        PartiesReader parties = new PartiesReader(root, mode);
        List<Target> targets = parties.targets();
        return new Config(
                http,
                ops,
                postgres,
                redis,
                parties.merchants(targets),
                parties.pspAccounts(),
                targets,
                Limits.Checkout.read(root.section("checkout")),
                Limits.Engine.read(root.section("engine")),
                Limits.Timeout.read(root.section("timeout")),
                Limits.Dispatch.read(root.section("dispatch")),
                Limits.Refund.read(root.section("refund")),
                Limits.Recovery.read(root.section("recovery")),
                Limits.Inquiry.read(root.section("inquiry")));
    }

    private static Http http(Section section) {
        Http read = new Http(
                section.text("host", "0.0.0.0"),
                section.integer("port", 8080, 0, 65_535),
                section.optionalText("public_url"),
                viewTokenSecret(section),
                section.integer("body_bytes_max", 1 << 20, 1_024, 16 << 20),
                section.integer("in_flight_max", 2_000, 1, 100_000),
                section.duration("idle_timeout", Duration.ofSeconds(60), IDLE_MIN, Duration.ofHours(1)),
                section.integer("event_streams_max", 1_000, 0, 100_000));
        section.finish();
        return read;
    }

    private static @Nullable Secret viewTokenSecret(Section section) {
        String secret = section.optionalText("view_token_secret");
        if (secret == null) {
            return null;
        }
        if (!isSecret(secret)) {
            section.mistake(
                    "view_token_secret",
                    "must be the base64 of at least " + VIEW_TOKEN_SECRET_BYTES_MIN
                            + " random bytes; make one with: openssl rand -base64 32");
        }
        return new Secret(secret);
    }

    private static boolean isSecret(String base64) {
        try {
            return Base64.getDecoder().decode(base64).length >= VIEW_TOKEN_SECRET_BYTES_MIN;
        } catch (IllegalArgumentException notBase64) {
            return false;
        }
    }

    private static Ops ops(Section section, int httpPort) {
        Ops read = new Ops(
                section.text("host", "127.0.0.1"),
                section.integer("port", 9090, 0, 65_535),
                section.duration("drain", Duration.ofSeconds(20), Duration.ofMillis(100), Duration.ofMinutes(10)),
                section.duration("reload_poll", Duration.ofSeconds(5), Duration.ofMillis(10), Duration.ofHours(1)));
        if (read.port() == httpPort && httpPort != 0) {
            section.mistake("port", "must differ from http.port, because it must not be public");
        }
        section.finish();
        return read;
    }

    private Postgres postgres(Section section) {
        String replica = section.optionalText("replica_uri");
        if (replica != null) {
            checkScheme(section, "replica_uri", replica, "postgresql://user:password@host:port/database");
        }
        Postgres read = new Postgres(
                serverUri(section, "postgresql://user:password@host:port/database"),
                replica == null ? null : new ServiceUri(replica),
                section.integer("engine_connections", 2, 1, 64),
                section.integer("work_connections", 8, 1, 512),
                section.integer("pipelining", 64, 1, 1_024),
                section.duration(
                        "connect_timeout", Duration.ofSeconds(5), Duration.ofMillis(50), Duration.ofMinutes(1)));
        section.finish();
        return read;
    }

    private Redis redis(Section section) {
        Redis read = new Redis(
                serverUri(section, "redis://:password@host:port"),
                section.integer("connections", 4, 1, 256),
                section.duration("call_timeout", Duration.ofMillis(200), Duration.ofMillis(5), Duration.ofSeconds(10)),
                section.integer("breaker_failures", 5, 1, 1_000),
                section.duration("breaker_reset", Duration.ofSeconds(2), Duration.ofMillis(50), Duration.ofMinutes(5)),
                section.duration("in_flight", Duration.ofSeconds(5), Duration.ofMillis(500), Duration.ofMinutes(1)),
                section.duration("done", Duration.ofDays(3), Duration.ofMinutes(1), Duration.ofDays(30)));
        section.finish();
        return read;
    }

    private ServiceUri serverUri(Section section, String shape) {
        if (mode == Mode.DEV) {
            String given = section.optionalText("uri");
            if (given == null) {
                return ServiceUri.LEFT_OUT;
            }
            checkScheme(section, "uri", given, shape);
            return new ServiceUri(given);
        }
        String given = section.text("uri");
        if (!given.isEmpty()) {
            checkScheme(section, "uri", given, shape);
        }
        return new ServiceUri(given);
    }

    private static void checkScheme(Section section, String key, String uri, String shape) {
        String scheme = shape.substring(0, shape.indexOf("://"));
        // "postgres" and "rediss" are the other spellings that the clients take.
        Set<String> accepted = scheme.equals("redis") ? Set.of("redis", "rediss") : Set.of("postgresql", "postgres");
        int end = uri.indexOf("://");
        if (end < 0 || !accepted.contains(uri.substring(0, end))) {
            section.mistake(key, "must look like " + shape);
        }
    }
}
