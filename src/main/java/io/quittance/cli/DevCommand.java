package io.quittance.cli;

import io.quittance.dev.DemoScenario;
import io.quittance.dev.DevMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
        name = "dev",
        description = {
            "Everything on one machine: its own Postgres and Redis, a sandbox PSP and target.",
            "Plays a demonstration, prints a summary, then goes on serving."
        },
        mixinStandardHelpOptions = true)
final class DevCommand implements Callable<Integer> {

    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "a configuration with PSPs and targets of its own; postgres and redis may be left out")
    private @Nullable Path configFile;

    @Option(names = "--data", paramLabel = "DIR", description = "where the data is kept (default: ${DEFAULT-VALUE})")
    private Path data = Path.of("data");

    @Option(names = "--scenario", paramLabel = "NAME", description = "demo or none (default: ${DEFAULT-VALUE})")
    private String scenario = "demo";

    @Option(names = "--once", description = "end after the summary; 1 if any promise was broken")
    private boolean once;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description = "the public port, 0 for any (default: ${DEFAULT-VALUE})")
    private int port = 8080;

    @Option(
            names = "--sandbox-port",
            paramLabel = "PORT",
            description = "the sandbox PSP's port, 0 for any (default: ${DEFAULT-VALUE})")
    private int sandboxPort = 8081;

    @Override
    public Integer call() throws Exception {
        boolean demo = wantsDemo();
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> ServeCommand.stop(asked, ended), "stop"));
        Files.createDirectories(data);
        Path log = data.resolve("quittance.log");
        LogFile.use(log);
        System.out.println(
                "starting Postgres, Redis, the gateway and the sandbox; data in " + data + ", log in " + log);
        try (DevMode dev = DevMode.start(new DevMode.Options(data, configFile, port, sandboxPort), System.getenv())) {
            boolean kept = !demo || new DemoScenario(dev, System.out, runName()).play();
            if (once) {
                return kept ? 0 : 1;
            }
            printAddresses(dev);
            asked.await();
            return 0;
        } finally {
            ended.countDown();
        }
    }

    private boolean wantsDemo() {
        if (!scenario.equals("demo") && !scenario.equals("none")) {
            CommandSpec command = spec;
            throw new ParameterException(
                    command == null ? CommandSpec.create().commandLine() : command.commandLine(),
                    "--scenario must be demo or none, was " + scenario);
        }
        return scenario.equals("demo") && configFile == null;
    }

    /** Order numbers differ from run to run, because the data is kept. */
    private static String runName() {
        return "demo" + Long.toString(Instant.now().getEpochSecond(), 36);
    }

    private static void printAddresses(DevMode dev) {
        System.out.println();
        System.out.println("serving until Ctrl-C");
        System.out.println(
                "  merchant API   " + dev.gatewayUrl() + "/v1/   (Authorization: Bearer " + DevMode.API_KEY + ")");
        System.out.println("  contract       " + dev.gatewayUrl() + "/openapi.yaml");
        if (!dev.sandboxUrl().isEmpty()) {
            System.out.println("  sandbox PSP    " + dev.sandboxUrl() + "/   (POST /pay/{attempt id} to pay)");
        }
        System.out.println("  Postgres       " + dev.postgresUri());
    }
}
