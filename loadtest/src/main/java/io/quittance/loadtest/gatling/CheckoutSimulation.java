package io.quittance.loadtest.gatling;

import static io.gatling.javaapi.core.CoreDsl.scenario;

import io.gatling.javaapi.core.Simulation;
import io.vertx.core.json.JsonObject;
import java.time.Duration;

/** Each user places an order, opens an attempt, has it notified and reads the status until it is PAID. */
public class CheckoutSimulation extends Simulation {

    private static final Duration UNTIL_PAID_MAX = Duration.ofSeconds(10);

    public CheckoutSimulation() {
        Run run = Run.current();
        Steps steps = new Steps(run);
        Journey journey = new Journey(run, steps);
        setUp(scenario(run.parameters().script().label())
                        .exec(steps.order(session -> new JsonObject()))
                        .exitHereIfFailed()
                        .exec(steps.attempt())
                        .exec(journey.notified())
                        .exec(journey.readUntil("PAID"::equals, UNTIL_PAID_MAX))
                        .exec(journey.repeated(run.parameters().duplicatesPercent()))
                        .injectOpen(Profile.open(run.parameters().load())))
                .protocols(steps.protocol());
    }
}
