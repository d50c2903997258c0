package io.quittance.loadtest.gatling;

import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.nothingFor;
import static io.gatling.javaapi.core.CoreDsl.scenario;

import io.gatling.javaapi.core.OpenInjectionStep;
import io.gatling.javaapi.core.PopulationBuilder;
import io.gatling.javaapi.core.Simulation;
import io.quittance.loadtest.gatling.Script.Load;
import java.time.Duration;
import java.util.stream.Stream;

/** What merchants who read the status of orders feel of a burst: reads alone first, then as many beside it. */
public final class StatusSimulation extends Simulation {

    private static final String ALONE = "read status, alone";
    private static final String BESIDE = "read status, beside the burst";

    public StatusSimulation() {
        Run run = Run.current();
        Steps steps = new Steps(run);
        Load load = run.parameters().load();
        Duration quiet = Duration.ofSeconds(load.seconds());
        double reads = run.parameters().readsPerSecond();
        PopulationBuilder burst = scenario("callback burst")
                .feed(Feeds.shots(run))
                .exec(steps.notification())
                .injectOpen(Stream.concat(Stream.of(nothingFor(quiet)), Stream.of(Profile.open(load)))
                        .toArray(OpenInjectionStep[]::new));
        PopulationBuilder alone = scenario(ALONE)
                .feed(Feeds.orders(run))
                .exec(steps.read(ALONE))
                .injectOpen(constantUsersPerSec(reads).during(quiet));
        PopulationBuilder beside = scenario(BESIDE)
                .feed(Feeds.orders(run))
                .exec(steps.read(BESIDE))
                .injectOpen(
                        nothingFor(quiet),
                        constantUsersPerSec(reads).during(Duration.ofSeconds(Profile.seconds(load))));
        setUp(burst, alone, beside).protocols(steps.protocol());
    }
}
