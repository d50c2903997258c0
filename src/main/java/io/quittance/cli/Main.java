package io.quittance.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The program. */
@Command(
        name = "quittance",
        description = "The payment-callback gateway: one durable, final conclusion per order.",
        subcommands = {DevCommand.class, ServeCommand.class, CheckCommand.class, CommandLine.HelpCommand.class},
        versionProvider = Main.Version.class,
        mixinStandardHelpOptions = true)
public final class Main {

    private Main() {}

    public static void main(String[] arguments) {
        System.setProperty("vertx.disableDnsResolver", "true");
        CommandLine program = new CommandLine(new Main());
        program.setExecutionExceptionHandler((failure, command, parsed) -> {
            command.getErr().println(command.getColorScheme().errorText(Failures.explain(failure)));
            return 2;
        });
        System.exit(program.execute(arguments));
    }

    /** The version of the jar, or what runs from the sources. */
    static final class Version implements CommandLine.IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = Main.class.getPackage().getImplementationVersion();
            return new String[] {"quittance " + (version == null ? "(from the sources)" : version)};
        }
    }
}
