package io.quittance.cli;

import io.quittance.app.Gateway;
import io.quittance.config.Config;
import io.quittance.store.Migrations;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Clock;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "serve",
        description = "Serve, with the Postgres and the Redis of the configuration.",
        mixinStandardHelpOptions = true)
final class ServeCommand implements Callable<Integer> {

    /** Starting takes connections and a migration; more than this means that something is stuck. */
    private static final long START_SECONDS_MAX = 60;

    @Option(names = "--config", paramLabel = "FILE", required = true, description = "the configuration, see conf/")
    private Path file = Path.of("conf/quittance.yaml");

    @Override
    public Integer call() throws Exception {
        Config config = Config.load(file, System.getenv(), Config.Mode.SERVE);
        Migrations.run(config.postgres().uri().value());
        Vertx vertx = Gateway.eventLoops();
        try {
            Gateway gateway = Await.of(Gateway.start(vertx, config, Clock.systemUTC()), START_SECONDS_MAX);
            gateway.watch(() -> Config.load(file, System.getenv(), Config.Mode.SERVE));
            System.out.println("quittance serves on http://" + config.http().host() + ":"
                    + config.http().port());
            CountDownLatch asked = new CountDownLatch(1);
            CountDownLatch ended = new CountDownLatch(1);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(asked, ended), "stop"));
            asked.await();
            Await.of(gateway.close(), config.ops().drain().toSeconds() + 1);
            Await.of(vertx.close(), config.ops().drain().toSeconds() + 1);
            ended.countDown();
            return 0;
        } catch (Exception failure) {
            vertx.close();
            throw failure;
        }
    }

    /** The process ends when the hook does: so it waits for the orderly end. */
    static void stop(CountDownLatch asked, CountDownLatch ended) {
        asked.countDown();
        try {
            ended.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
