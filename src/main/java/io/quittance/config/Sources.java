package io.quittance.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Where values come from besides the tree itself: the environment and the files that values point to. */
final class Sources {

    static final String PREFIX = "QUITTANCE";

    private static final Pattern REFERENCE = Pattern.compile("\\$\\{(env|file):([^}]+)}");
    /** What Kubernetes puts into the environment for a Service whose name begins with "quittance". */
    private static final Pattern SERVICE_LINK =
            Pattern.compile(".*_(SERVICE_HOST|SERVICE_PORT(_.*)?|PORT(_\\d+_(TCP|UDP)(_PROTO|_PORT|_ADDR)?)?)");

    private final Map<String, String> environment;
    private final Path directory;
    private final List<String> mistakes = new ArrayList<>();
    private final Set<String> variablesAsked = new LinkedHashSet<>();
    private final Set<String> pathsAsked = new LinkedHashSet<>();

    /** @param directory what the path in {@code ${file:PATH}} is relative to */
    Sources(Map<String, String> environment, Path directory) {
        this.environment = Map.copyOf(environment);
        this.directory = directory;
    }

    List<String> mistakes() {
        return mistakes;
    }

    /** Every key that somebody read, with the index of a list element left out. */
    Set<String> pathsAsked() {
        return pathsAsked;
    }

    void mistake(String problem) {
        mistakes.add(problem);
    }

    /** The value of a variable that overrides a key; remembers that the variable means something. */
    @Nullable String override(String path, String variable) {
        pathsAsked.add(path.replaceAll("\\[\\d+]", "[]"));
        variablesAsked.add(variable);
        return environment.get(variable);
    }

    /** The variables below a prefix that nobody has asked for yet, in order. */
    List<String> unasked(String variablePrefix) {
        return environment.keySet().stream()
                .filter(name -> name.startsWith(variablePrefix) && !variablesAsked.contains(name))
                .sorted()
                .toList();
    }

    boolean hasAny(String variablePrefix) {
        return environment.keySet().stream().anyMatch(name -> name.startsWith(variablePrefix));
    }

    /** Replaces {@code ${env:NAME}} and {@code ${file:PATH}}; broken if there is no such variable or file. */
    Node resolve(String path, Node.Text text) {
        Matcher reference = REFERENCE.matcher(text.value());
        if (reference.matches()) {
            String name = reference.group(2);
            return reference.group(1).equals("env") ? fromVariable(path, name, text) : fromFile(path, name, text);
        }
        if (reference.reset().find() || text.value().startsWith("${")) {
            mistake(path + where(text)
                    + ": a reference must be the whole value, and either ${env:NAME} or ${file:PATH}");
            return new Node.Broken(text.line());
        }
        return text;
    }

    private Node fromVariable(String path, String name, Node.Text text) {
        String value = environment.get(name);
        if (value == null) {
            mistake(path + where(text) + ": the environment variable " + name + " is not set; set it");
            return new Node.Broken(text.line());
        }
        return new Node.Text(value, text.line());
    }

    private Node fromFile(String path, String name, Node.Text text) {
        try {
            // Editors and "echo" end a file with a line end that is no part of a secret.
            String value = Files.readString(directory.resolve(name)).replaceFirst("[\\r\\n]+\\z", "");
            return new Node.Text(value, text.line());
        } catch (IOException unreadable) {
            mistake(path + where(text) + ": the file " + name + " cannot be read ("
                    + unreadable.getClass().getSimpleName() + "); create it, or correct its path");
            return new Node.Broken(text.line());
        }
    }

    /** Complains about variables that look like overrides of a section and override nothing. */
    void finish(Set<String> sections) {
        for (String section : sections) {
            for (String name : unasked(Section.variable(PREFIX, section) + "_")) {
                if (!SERVICE_LINK.matcher(name).matches()) {
                    mistake("the environment variable " + name + " overrides nothing"
                            + Spelling.didYouMean(name, variablesAsked));
                }
            }
        }
    }

    static String where(Node node) {
        return node.line() == 0 ? "" : " (line " + node.line() + ")";
    }
}
