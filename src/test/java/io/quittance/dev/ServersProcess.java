package io.quittance.dev;

import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** A program that runs both servers until it is told to end, for tests that end it. Its argument is the directory. */
final class ServersProcess {

    private ServersProcess() {}

    public static void main(String[] arguments) throws InterruptedException {
        EmbeddedPostgres17 postgres = EmbeddedPostgres17.start(EmbeddedPostgres17.Settings.in(Path.of(arguments[0])));
        EmbeddedRedis redis = EmbeddedRedis.start(0);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            redis.close();
            postgres.close();
        }));
        System.out.println("ready " + postgres.port() + " " + redis.port());
        new CountDownLatch(1).await();
    }
}
