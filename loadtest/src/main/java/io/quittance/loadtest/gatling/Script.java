package io.quittance.loadtest.gatling;

import io.gatling.javaapi.core.Simulation;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The scripts, and with how much load each one comes if nothing else is said. */
enum Script {
    BURST(
            BurstSimulation.class,
            new Load(500, 30),
            new Load(100, 10),
            Set.of("duplicates_percent", "reordered_percent")),
    CHECKOUT(CheckoutSimulation.class, new Load(30, 30), new Load(15, 10), Set.of("duplicates_percent")),
    EXPIRY(
            ExpirySimulation.class,
            new Load(20, 30),
            new Load(10, 10),
            Set.of("expires_in_seconds", "jitter_ms", "late_policy")),
    STATUS(
            StatusSimulation.class,
            new Load(300, 30),
            new Load(100, 10),
            Set.of("duplicates_percent", "reordered_percent", "reads_per_second")),
    SOAK(SoakSimulation.class, new Load(10, 600), new Load(10, 60), Set.of("duplicates_percent"));

    /** Notifications or orders a second, and for how many seconds. */
    record Load(int perSecond, int seconds) {}

    private final Class<? extends Simulation> simulation;
    private final Load load;
    private final Load loadShort;
    private final Set<String> parameters;

    Script(Class<? extends Simulation> simulation, Load load, Load loadShort, Set<String> parameters) {
        this.simulation = simulation;
        this.load = load;
        this.loadShort = loadShort;
        this.parameters = parameters;
    }

    static Optional<Script> named(String label) {
        return Arrays.stream(values())
                .filter(script -> script.label().equals(label))
                .findFirst();
    }

    static String labels() {
        return Arrays.stream(values()).map(Script::label).collect(Collectors.joining(", "));
    }

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    Class<? extends Simulation> simulation() {
        return simulation;
    }

    Load load(boolean brief) {
        return brief ? loadShort : load;
    }

    /** Parameters that only some scripts have. */
    Set<String> parameters() {
        return parameters;
    }

    /** Whether its orders wait for their notifications before the measured part begins. */
    boolean prepares() {
        return List.of(BURST, STATUS).contains(this);
    }
}
