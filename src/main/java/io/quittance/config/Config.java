package io.quittance.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The whole configuration, checked. Showing it shows no secret. */
public record Config(
        Http http,
        Ops ops,
        Postgres postgres,
        Redis redis,
        List<Merchant> merchants,
        List<PspAccount> psp,
        List<Target> targets,
        Limits.Checkout checkout,
        Limits.Engine engine,
        Limits.Timeout timeout,
        Limits.Dispatch dispatch,
        Limits.Refund refund,
        Limits.Recovery recovery,
        Limits.Inquiry inquiry) {

    /** Which command reads the file. */
    public enum Mode {
        /** Everything must be there. */
        SERVE,
        /** Postgres and Redis may be left out, and private addresses are allowed unless the file says otherwise. */
        DEV
    }

    /**
     * Reads a file.
     *
     * @param environment {@code System.getenv()}
     * @throws InvalidConfig with every mistake
     */
    public static Config load(Path file, Map<String, String> environment, Mode mode) {
        return ConfigReader.load(file, environment, mode);
    }

    /**
     * Reads a text, for example an empty one in dev mode without a file.
     *
     * @param directory what {@code ${file:PATH}} is relative to
     * @throws InvalidConfig with every mistake
     */
    public static Config parse(String yaml, Path directory, Map<String, String> environment, Mode mode) {
        return ConfigReader.parse("The configuration", yaml, directory, environment, mode);
    }

    /** The same, with the addresses of the servers that dev mode brings in place of those that were left out. */
    public Config withServers(ServiceUri postgresUri, ServiceUri redisUri) {
        Postgres withPostgres = postgres.uri().isLeftOut() ? postgres.withUri(postgresUri) : postgres;
        Redis withRedis = redis.uri().isLeftOut() ? redis.withUri(redisUri) : redis;
        return new Config(
                http,
                ops,
                withPostgres,
                withRedis,
                merchants,
                psp,
                targets,
                checkout,
                engine,
                timeout,
                dispatch,
                refund,
                recovery,
                inquiry);
    }

    /**
     * The public port.
     *
     * @param host the address to listen on; all by default
     * @param port 8080 by default; 0 for any free one
     * @param publicUrl where PSPs and payers reach this gateway, without a slash at the end; null for http://127.0.0.1
     *     and the port
     * @param viewTokenSecret signs the links to result pages: base64 of 32 bytes or more; null for a random one, with
     *     which links end at a restart and only this process knows its own
     * @param bodyBytesMax the largest body that is read; 1 MiB, far more than any notification
     * @param inFlightMax requests at once; the next one is answered with 503; 2000, because more would only wait
     * @param idleTimeout after so long without a byte a connection is closed; 60 s
     * @param eventStreamsMax live streams (SSE) of pages and merchants at once; 1000
     */
    public record Http(
            String host,
            int port,
            @Nullable String publicUrl,
            @Nullable Secret viewTokenSecret,
            int bodyBytesMax,
            int inFlightMax,
            Duration idleTimeout,
            int eventStreamsMax) {}

    /**
     * The management port, which must never be public.
     *
     * @param host the address to listen on; 127.0.0.1 by default, so that nobody publishes it by accident
     * @param port 9090 by default; 0 for any free one
     * @param drain how long a shutdown waits for work that is under way; 20 s, less than Kubernetes' 30 s
     * @param reloadPoll how often the configuration is looked at for changed keys and accounts; 5 s
     */
    public record Ops(String host, int port, Duration drain, Duration reloadPoll) {}

    /**
     * The database.
     *
     * @param uri {@code postgresql://user:password@host:port/database}
     * @param replicaUri a replica for reads that may be late; null for none
     * @param engineConnections connections a shard of the engine; 2, one a batch in flight
     * @param workConnections connections for everything else; 8
     * @param pipelining statements under way on one connection; 64
     * @param connectTimeout how long anybody waits for a connection; 5 s
     */
    public record Postgres(
            ServiceUri uri,
            @Nullable ServiceUri replicaUri,
            int engineConnections,
            int workConnections,
            int pipelining,
            Duration connectTimeout) {

        Postgres withUri(ServiceUri other) {
            return new Postgres(other, replicaUri, engineConnections, workConnections, pipelining, connectTimeout);
        }
    }

    /**
     * Redis, which makes things cheaper and never decides.
     *
     * @param uri {@code redis://:password@host:port/number}
     * @param connections at most so many; 4
     * @param callTimeout after so long a call counts as failed; 200 ms, because the database can do without
     * @param breakerFailures after so many failures in a row it is left alone; 5
     * @param breakerReset for so long; 2 s
     * @param inFlight how long a notification stays marked as being worked on; 5 s
     * @param done how long it stays marked as done; 72 h, longer than PSPs repeat one
     */
    public record Redis(
            ServiceUri uri,
            int connections,
            Duration callTimeout,
            int breakerFailures,
            Duration breakerReset,
            Duration inFlight,
            Duration done) {

        Redis withUri(ServiceUri other) {
            return new Redis(other, connections, callTimeout, breakerFailures, breakerReset, inFlight, done);
        }
    }

    /**
     * Who may place orders.
     *
     * @param apiKeySha256 SHA-256 of each valid API key, 64 lower-case hex characters
     * @param target the name of the target that gets this merchant's conclusions
     * @param latePolicy what becomes of money that comes for an order which is closed, unless the order says otherwise:
     *     REVIVE, REFUND or REVIEW; REFUND by default, because it promises nothing
     */
    public record Merchant(String id, List<String> apiKeySha256, String target, String latePolicy) {

        static final List<String> LATE_POLICIES = List.of("REVIVE", "REFUND", "REVIEW");
    }

    /**
     * An account at a PSP.
     *
     * @param name the PSP's name, which chooses the adapter
     * @param allowPrivate whether its addresses may be private ones
     * @param settings what the adapter reads: texts, and lists and maps of them
     */
    public record PspAccount(String name, String account, boolean allowPrivate, Map<String, Object> settings) {

        private static final Pattern SECRET_KEY = Pattern.compile("key|secret|password");

        @Override
        public String toString() {
            return "PspAccount[name=" + name + ", account=" + account + ", allowPrivate=" + allowPrivate + ", settings="
                    + shown(settings) + "]";
        }

        private static Map<String, Object> shown(Map<?, ?> settings) {
            Map<String, Object> shown = new TreeMap<>();
            settings.forEach((key, value) -> shown.put(String.valueOf(key), shown(String.valueOf(key), value)));
            return shown;
        }

        private static Object shown(String key, Object value) {
            if (isSecret(key)) {
                return Secret.REDACTED;
            }
            return value instanceof Map<?, ?> members ? shown(members) : value;
        }

        private static boolean isSecret(String key) {
            return SECRET_KEY.matcher(key.toLowerCase(Locale.ROOT)).find();
        }
    }

    /**
     * A system that acts on conclusions.
     *
     * @param url where they are sent
     * @param secret signs them: {@code whsec_} and base64 (Standard Webhooks)
     * @param lookupUrl where it can be asked for an order, with {@code {order_no}} in it; null if it cannot
     * @param allowPrivate whether its addresses may be private ones
     * @param conclusions what it wants to hear: PAID, and any of FAILED, EXPIRED, CANCELLED and REFUNDED; PAID alone by
     *     default
     * @param corrections whether it may be told that an order was closed, and later that it was paid after all
     * @param finalAfter how long it waits for a conclusion that late news could change; 3 days, longer than PSPs repeat a
     *     notification
     */
    public record Target(
            String name,
            String url,
            Secret secret,
            @Nullable String lookupUrl,
            boolean allowPrivate,
            List<String> conclusions,
            boolean corrections,
            Duration finalAfter) {

        static final List<String> CONCLUSIONS = List.of("PAID", "FAILED", "EXPIRED", "CANCELLED", "REFUNDED");
        static final Duration FINAL_AFTER = Duration.ofDays(3);
        static final Duration FINAL_AFTER_MAX = Duration.ofDays(90);
    }
}
