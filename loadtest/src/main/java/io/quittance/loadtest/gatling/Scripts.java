package io.quittance.loadtest.gatling;

import io.gatling.app.Gatling$;
import io.quittance.loadtest.gatling.EmbeddedGateway.Addresses;
import io.quittance.loadtest.gatling.Parameters.Outside;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Plays one script: starts a gateway if none is named, rehearses and prepares, lets Gatling run, and gives the verdict. It
 * ends with 0 if all is well, 1 if something was lost, violated or answered with an error, and 2 if it could not be played.
 */
public final class Scripts {

    private static final int BROKEN = 1;
    private static final int NOT_PLAYED = 2;

    private final Path home;
    private final Parameters parameters;
    private final PropertyReader properties;

    private Scripts(Path home, Parameters parameters, PropertyReader properties) {
        this.home = home;
        this.parameters = parameters;
        this.properties = properties;
    }

    /** Takes the script's name, {@code --short}, and parameters as {@code -Dname=value}. */
    public static void main(String[] arguments) {
        int status;
        try {
            status = play(List.of(arguments));
        } catch (InvalidParameters mistakes) {
            System.err.println(mistakes.getMessage());
            status = NOT_PLAYED;
        } catch (IllegalStateException failure) {
            System.err.println("The run was given up: " + failure.getMessage());
            status = NOT_PLAYED;
        } catch (Exception failure) {
            System.err.println("The run was given up: " + failure);
            status = NOT_PLAYED;
        }
        System.exit(status);
    }

    private static int play(List<String> arguments) {
        List<String> rest = new ArrayList<>(arguments);
        boolean brief = rest.remove("--short");
        List<String> definitions =
                rest.stream().filter(argument -> argument.startsWith("-D")).toList();
        rest.removeAll(definitions);
        Optional<Script> script = rest.size() == 1 ? Script.named(rest.get(0)) : Optional.empty();
        if (script.isEmpty()) {
            System.err.println("usage: loadtest/gatling NAME [--short] [-Dparameter=value ...]\n  NAME is one of "
                    + Script.labels() + "; parameters are in loadtest/README.md");
            return NOT_PLAYED;
        }
        PropertyReader properties = PropertyReader.of(script.get(), definitions);
        Parameters parameters = Parameters.read(script.get(), brief, properties);
        properties.gatlings().forEach(System::setProperty);
        Path home = Path.of(System.getProperty("loadtest.home", "."));
        return new Scripts(home, parameters, properties).play();
    }

    private int play() {
        return parameters.outside().isPresent() ? against(parameters.outside().get()) : againstEmbedded();
    }

    private int against(Outside outside) {
        Site site = new Site(
                outside.url(),
                outside.account(),
                outside.merchantKey(),
                outside.postgresUri(),
                PspKeys.senders(parameters.psps(), properties, outside.keys()));
        return play(site, Optional.empty());
    }

    private int againstEmbedded() {
        System.out.println("starting a gateway with a Postgres and a Redis of its own");
        try (EmbeddedGateway gateway = EmbeddedGateway.start(jar(), parameters.heap())) {
            Addresses at = gateway.addresses();
            Site site = new Site(
                    at.url(),
                    Parameters.DEFAULT_ACCOUNT,
                    at.merchantKey(),
                    at.postgresUri(),
                    PspKeys.senders(parameters.psps(), properties, Optional.of(gateway.keys())));
            return play(site, Optional.of(gateway));
        }
    }

    private int play(Site site, Optional<EmbeddedGateway> gateway) {
        try (Proof proof = new Proof(site.postgresUri(), jar())) {
            Run run = prepared(site, proof);
            run.makeCurrent();
            Path report;
            Optional<String> memory = Optional.empty();
            if (gateway.isPresent()) {
                try (Memory watch = Memory.of(gateway.get().pid())) {
                    report = simulate();
                    memory = Optional.of(watch.told());
                }
                gateway.get().keepLog(report);
            } else {
                report = simulate();
            }
            boolean kept = new Verdict(System.out, run).pronounce(proof);
            memory.ifPresent(told -> System.out.println("gateway's memory: " + told));
            System.out.println("report: " + report.resolve("index.html").toUri());
            return kept ? 0 : BROKEN;
        }
    }

    private Run prepared(Site site, Proof proof) {
        String prefix =
                parameters.script().label() + "-" + Long.toString(Instant.now().toEpochMilli(), 36) + "-";
        Tally tally = new Tally();
        Merchant merchant = new Merchant(site);
        merchant.supply();
        Rehearsal.hold(merchant, proof, prefix + "first-", tally, site);
        List<Placed> orders = List.of();
        if (parameters.script().prepares()) {
            Volley volley = new Volley(parameters.duplicatesPercent(), parameters.reorderedPercent());
            int howMany = volley.ordersFor(Profile.users(parameters.load()));
            System.out.println("placing " + howMany + " orders with attempts");
            orders = merchant.place(prefix, howMany);
        }
        return new Run(parameters, site, prefix, orders, tally);
    }

    /** Where the report is. */
    private Path simulate() {
        Path results = home.resolve("target").resolve("gatling");
        int status = Gatling$.MODULE$.fromArgs(new String[] {
            "--simulation",
            parameters.script().simulation().getName(),
            "--results-folder",
            results.toString(),
            "--run-description",
            parameters.told()
        });
        if (status != 0) {
            throw new IllegalStateException("Gatling ended with status " + status);
        }
        try (Stream<Path> all = Files.list(results)) {
            return all.filter(path -> Files.exists(path.resolve("index.html")))
                    .max(Comparator.comparing(path -> path.toFile().lastModified()))
                    .orElseThrow(() -> new IllegalStateException("Gatling has written no report to " + results));
        } catch (IOException failure) {
            throw new UncheckedIOException("the report cannot be found", failure);
        }
    }

    private Path jar() {
        return home.resolve("../target/quittance.jar").normalize();
    }
}
