package io.quittance.loadtest.gatling;

import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.pause;
import static io.gatling.javaapi.core.CoreDsl.scenario;

import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.Simulation;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ThreadLocalRandom;

/** Orders whose time ends at the moment of their success notification, a little before it or a little after it. */
public final class ExpirySimulation extends Simulation {

    private static final String EXPIRES_AT = "expires_at";
    private static final Duration UNTIL_CONCLUDED_MAX = Duration.ofSeconds(20);

    public ExpirySimulation() {
        Run run = Run.current();
        Steps steps = new Steps(run);
        Journey journey = new Journey(run, steps);
        Parameters parameters = run.parameters();
        JsonObject terms = new JsonObject()
                .put("expires_in", "PT" + parameters.expiresInSeconds() + "S")
                .put("late_policy", parameters.latePolicy());
        setUp(scenario("expiry race")
                        .exec(steps.order(session -> terms))
                        .exitHereIfFailed()
                        .exec(session ->
                                session.set(EXPIRES_AT, new JsonObject(Steps.body(session)).getString("expires_at")))
                        .exec(steps.attempt())
                        .exec(untilItEnds(parameters.jitterMs()))
                        .exec(journey.notified())
                        .exec(journey.readUntil(status -> !status.equals("PENDING"), UNTIL_CONCLUDED_MAX))
                        .injectOpen(Profile.open(parameters.load())))
                .protocols(steps.protocol());
    }

    private static ChainBuilder untilItEnds(int jitterMs) {
        return exec(pause(session -> {
            long jitter = jitterMs == 0 ? 0 : ThreadLocalRandom.current().nextLong(-jitterMs, jitterMs + 1L);
            Instant at = Instant.parse(session.getString(EXPIRES_AT)).plusMillis(jitter);
            Duration left = Duration.between(Instant.now(), at);
            return left.isNegative() ? Duration.ZERO : left;
        }));
    }
}
