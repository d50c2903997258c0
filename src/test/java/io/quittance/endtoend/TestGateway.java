package io.quittance.endtoend;

import io.quittance.app.Gateway;
import io.quittance.config.Config;
import io.quittance.testing.Services;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;

/** A gateway in this JVM, with its stage. */
final class TestGateway implements AutoCloseable {

    private final Stage stage;
    private final Gateway gateway;

    private TestGateway(Stage stage, Gateway gateway) {
        this.stage = stage;
        this.gateway = gateway;
    }

    static TestGateway start() {
        return start(Services.redisUri());
    }

    static TestGateway start(String redisUri) {
        Stage stage = Stage.set(redisUri);
        try {
            Config config = Config.parse(stage.config().encode(), Path.of(""), Map.of(), Config.Mode.SERVE);
            return new TestGateway(stage, Stage.await(Gateway.start(stage.vertx(), config, Clock.systemUTC())));
        } catch (RuntimeException failure) {
            stage.close();
            throw failure;
        }
    }

    Stage stage() {
        return stage;
    }

    /** The gateway first, then those whom it talks to. */
    @Override
    public void close() {
        try {
            Stage.await(gateway.close());
        } finally {
            stage.close();
        }
    }
}
