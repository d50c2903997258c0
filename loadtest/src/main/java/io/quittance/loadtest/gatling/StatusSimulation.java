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

/**
 * What merchants who read the status of orders feel of a burst: reads alone first, then as many beside it. Before both,
 * some reads that do not count keep the start of the programs out of the first.
 */
public final class StatusSimulation extends Simulation {

    private static final Duration WARM_UP = Duration.ofSeconds(5);
    private static final String ALONE = "read status, alone";
    private static final String BESIDE = "read status, beside the burst";

    public StatusSimulation() {
        Run run = Run.current();
        Steps steps = new Steps(run);
        Load load = run.parameters().load();
        Duration alone = Duration.ofSeconds(load.seconds());
        Duration quiet = WARM_UP.plus(alone);
        double reads = run.parameters().readsPerSecond();
        PopulationBuilder burst = scenario("callback burst")
                .feed(Feeds.shots(run))
                .exec(steps.notification())
                .injectOpen(Stream.concat(Stream.of(nothingFor(quiet)), Stream.of(Profile.open(load)))
                        .toArray(OpenInjectionStep[]::new));
        PopulationBuilder first = scenario("warm-up")
                .feed(Feeds.orders(run))
                .exec(steps.readUncounted())
                .injectOpen(constantUsersPerSec(reads).during(WARM_UP));
        PopulationBuilder undisturbed = scenario(ALONE)
                .feed(Feeds.orders(run))
                .exec(steps.read(ALONE))
                .injectOpen(nothingFor(WARM_UP), constantUsersPerSec(reads).during(alone));
        PopulationBuilder beside = scenario(BESIDE)
                .feed(Feeds.orders(run))
                .exec(steps.read(BESIDE))
                .injectOpen(
                        nothingFor(quiet),
                        constantUsersPerSec(reads).during(Duration.ofSeconds(Profile.seconds(load))));
        setUp(first, burst, undisturbed, beside).protocols(steps.protocol());
    }
}
