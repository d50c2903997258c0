package io.quittance.cli;

import io.quittance.config.Config;
import io.quittance.store.Database;
import io.quittance.store.Database.PoolLimits;
import io.quittance.store.Invariants;
import io.quittance.store.Invariants.Violation;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.Pool;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "check",
        description = {
            "Prove the promises I1 to I8 on a live database.",
            "Lists each violation with the order's number and ends with 1 if there is any."
        },
        mixinStandardHelpOptions = true)
final class CheckCommand implements Callable<Integer> {

    /** A check of a large database reads all of it. */
    private static final long CHECK_SECONDS_MAX = 3_600;

    @ArgGroup(multiplicity = "1")
    private Where where = new Where();

    static final class Where {
        @Option(names = "--config", paramLabel = "FILE", description = "the configuration that names the database")
        private @Nullable Path file;

        @Option(
                names = "--postgres",
                paramLabel = "URI",
                description = "the database: postgresql://user@host:port/name")
        private @Nullable String uri;
    }

    @Override
    public Integer call() throws Exception {
        String uri = where.uri != null ? where.uri : configured();
        Vertx vertx = Vertx.vertx();
        try {
            Pool pool = Database.pool(vertx, uri, PoolLimits.of("check", 1));
            List<Violation> violations = Await.of(new Invariants(pool).check(), CHECK_SECONDS_MAX);
            System.out.println(Invariants.report(violations));
            return violations.isEmpty() ? 0 : 1;
        } finally {
            vertx.close();
        }
    }

    private String configured() {
        Path file = where.file == null ? Path.of("conf/quittance.yaml") : where.file;
        return Config.load(file, System.getenv(), Config.Mode.SERVE)
                .postgres()
                .uri()
                .value();
    }
}
