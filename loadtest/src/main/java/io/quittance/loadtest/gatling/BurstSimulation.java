package io.quittance.loadtest.gatling;

import static io.gatling.javaapi.core.CoreDsl.scenario;

import io.gatling.javaapi.core.Simulation;

/** Notifications of all PSPs mixed, at a rate that does not wait for answers, for orders that were placed before. */
public final class BurstSimulation extends Simulation {

    public BurstSimulation() {
        Run run = Run.current();
        Steps steps = new Steps(run);
        setUp(scenario("callback burst")
                        .feed(Feeds.shots(run))
                        .exec(steps.notification())
                        .injectOpen(Profile.open(run.parameters().load())))
                .protocols(steps.protocol());
    }
}
