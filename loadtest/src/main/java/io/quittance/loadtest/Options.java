package io.quittance.loadtest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What the commands that know one option are told.
 *
 * @param brief whether it is the short form, whose figures are no measurement and are not kept
 * @param results where figures go
 */
public record Options(boolean brief, Path results) {

    /** Reads them; ends the program with status 2 and a line on how it is used if they are wrong. */
    public static Options of(String command, String[] arguments) throws IOException {
        List<String> given = List.of(arguments);
        boolean brief = given.equals(List.of("--short"));
        if (!brief && !given.isEmpty()) {
            System.err.println("usage: " + command + " [--short]");
            System.exit(2);
        }
        return of(brief);
    }

    /** Those of a command that has read its options itself. */
    public static Options of(boolean brief) throws IOException {
        return new Options(brief, Files.createDirectories(home().resolve(brief ? "target" : "results")));
    }

    /** The folder of the load tests. */
    public static Path home() {
        return Path.of(System.getProperty("loadtest.home", "."));
    }
}
