package io.quittance.loadtest.gatling;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Reads parameters, on the command line or from the system properties, and keeps every mistake. */
final class PropertyReader {

    private static final Set<String> COMMON =
            Set.of("per_second", "seconds", "psps", "heap", "gateway", "account", "merchant_key", "postgres", "keys");

    /** Gatling's own. */
    private static final String GATLING = "gatling.";

    private final Map<String, String> given;
    private final List<String> mistakes = new ArrayList<>();

    private PropertyReader(Map<String, String> given) {
        this.given = given;
    }

    /** Takes what was given on the command line and refuses names that mean nothing to this script. */
    static PropertyReader of(Script script, List<String> definitions) {
        Map<String, String> given = new LinkedHashMap<>();
        for (String definition : definitions) {
            String[] parts = definition.substring("-D".length()).split("=", 2);
            given.put(parts[0], parts.length == 2 ? parts[1] : "");
        }
        PropertyReader reader = new PropertyReader(given);
        Set<String> known = new HashSet<>(COMMON);
        known.addAll(script.parameters());
        for (String name : given.keySet()) {
            if (!known.contains(name) && !name.startsWith(GATLING) && !PspKeys.NAMES.contains(name)) {
                reader.mistake(
                        name,
                        "is no parameter of " + script.label() + "; there are "
                                + String.join(", ", new TreeSet<>(known)) + ", and the keys "
                                + String.join(", ", PspKeys.NAMES));
            }
        }
        return reader;
    }

    /** Null if it was not given. */
    String text(String name) {
        String value = given.getOrDefault(name, System.getProperty(name));
        return value == null || value.isBlank() ? null : value.strip();
    }

    /** What Gatling shall find among the system properties. */
    Map<String, String> gatlings() {
        Map<String, String> found = new LinkedHashMap<>(given);
        found.keySet().removeIf(name -> !name.startsWith(GATLING));
        return found;
    }

    String required(String name, String wanted) {
        String value = text(name);
        if (value == null) {
            mistake(name, "is missing; wanted: " + wanted);
            return "";
        }
        return value;
    }

    int number(String name, int usual, int min, int max) {
        String value = text(name);
        if (value == null) {
            return usual;
        }
        if (value.matches("[0-9]{1,9}")) {
            int number = Integer.parseInt(value);
            if (number >= min && number <= max) {
                return number;
            }
        }
        mistake(name, "is \"" + value + "\"; wanted: a whole number from " + min + " to " + max + ", such as " + usual);
        return usual;
    }

    String oneOf(String name, List<String> values) {
        String value = text(name);
        if (value == null || values.contains(value)) {
            return value == null ? values.get(0) : value;
        }
        mistake(name, "is \"" + value + "\"; wanted: one of " + String.join(", ", values));
        return values.get(0);
    }

    /** All of them if it was not given. */
    List<String> someOf(String name, List<String> values) {
        String value = text(name);
        if (value == null) {
            return values;
        }
        List<String> chosen =
                Arrays.stream(value.split(",")).map(String::strip).distinct().toList();
        if (!values.containsAll(chosen)) {
            mistake(name, "is \"" + value + "\"; wanted: some of " + String.join(",", values));
            return values;
        }
        return chosen;
    }

    String matching(String name, String usual, String pattern, String wanted) {
        String value = text(name);
        if (value == null || value.matches(pattern)) {
            return value == null ? usual : value;
        }
        mistake(name, "is \"" + value + "\"; wanted: " + wanted);
        return usual;
    }

    void mistake(String name, String problem) {
        mistakes.add(name + ": " + problem);
    }

    /** @throws InvalidParameters if there is any mistake */
    void finish() {
        if (!mistakes.isEmpty()) {
            throw new InvalidParameters(mistakes);
        }
    }
}
