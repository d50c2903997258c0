package io.quittance.http;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Reads the members of a JSON object and notes every mistake, so that all are told at once. A member with a mistake is
 * read as an empty value; whoever reads looks at {@link #mistakes()} before using anything.
 */
final class Members {

    /** Unknown members named in one answer; a body full of them must not make an answer as large. */
    private static final int UNKNOWN_TOLD_MAX = 10;

    private static final int NAME_TOLD_CHARS_MAX = 40;

    private final JsonNode object;
    private final String path;
    private final List<Mistake> mistakes;
    private final Set<String> known = new HashSet<>();

    Members(JsonNode object) {
        this(object, "", new ArrayList<>());
    }

    private Members(JsonNode object, String path, List<Mistake> mistakes) {
        this.object = object;
        this.path = path;
        this.mistakes = mistakes;
    }

    /** What was wrong so far, in this object and all that were read out of it. */
    List<Mistake> mistakes() {
        return List.copyOf(mistakes);
    }

    void mistake(String name, String problem) {
        mistakes.add(new Mistake(path + name, problem));
    }

    boolean has(String name) {
        known.add(name);
        return object.hasNonNull(name);
    }

    /** A string of a form; {@code wanted} says in words what the form is. */
    String text(String name, Pattern form, String wanted) {
        JsonNode member = member(name, wanted);
        if (member.isMissingNode()) {
            return "";
        }
        if (!member.isTextual()) {
            mistake(name, "is " + kind(member) + "; wanted: " + wanted);
            return "";
        }
        if (!form.matcher(member.textValue()).matches()) {
            mistake(name, "does not have the right form; wanted: " + wanted);
            return "";
        }
        return member.textValue();
    }

    /** A whole number. */
    long whole(String name, long min, long max) {
        String wanted = "a whole number from " + min + " to " + max;
        JsonNode member = member(name, wanted);
        if (member.isMissingNode()) {
            return 0;
        }
        if (!member.isIntegralNumber()) {
            mistake(name, "is " + kind(member) + "; wanted: " + wanted);
            return 0;
        }
        if (!member.canConvertToLong() || member.longValue() < min || member.longValue() > max) {
            mistake(name, "is out of range; wanted: " + wanted);
            return 0;
        }
        return member.longValue();
    }

    /** One of the names of an enum. */
    <E extends Enum<E>> Optional<E> oneOf(String name, Class<E> type) {
        String wanted = "one of " + Arrays.toString(type.getEnumConstants());
        JsonNode member = member(name, wanted);
        if (member.isMissingNode()) {
            return Optional.empty();
        }
        for (E constant : type.getEnumConstants()) {
            if (constant.name().equals(member.textValue())) {
                return Optional.of(constant);
            }
        }
        mistake(name, (member.isTextual() ? "is none of them" : "is " + kind(member)) + "; wanted: " + wanted);
        return Optional.empty();
    }

    /** An object, whose mistakes are noted here. */
    Optional<Members> object(String name, String wanted) {
        JsonNode member = member(name, wanted);
        if (member.isMissingNode()) {
            return Optional.empty();
        }
        return asObject(member, name, wanted);
    }

    /** A list of objects, whose mistakes are noted here. */
    List<Members> objects(String name, int max, String wanted) {
        JsonNode member = member(name, wanted);
        if (member.isMissingNode()) {
            return List.of();
        }
        if (!member.isArray()) {
            mistake(name, "is " + kind(member) + "; wanted: " + wanted);
            return List.of();
        }
        if (member.size() > max) {
            mistake(name, "has " + member.size() + " entries; wanted: at most " + max);
            return List.of();
        }
        List<Members> objects = new ArrayList<>();
        for (int i = 0; i < member.size(); i++) {
            asObject(member.get(i), name + "[" + i + "]", wanted).ifPresent(objects::add);
        }
        return objects;
    }

    /** Call it last: what was not asked for is a mistake, because its sender thinks that it means something. */
    void nothingElse() {
        List<String> unknown = new ArrayList<>();
        object.fieldNames().forEachRemaining(name -> {
            if (!known.contains(name)) {
                unknown.add(name);
            }
        });
        String wanted = "only " + String.join(", ", known.stream().sorted().toList());
        unknown.stream()
                .limit(UNKNOWN_TOLD_MAX)
                .forEach(name -> mistake(shown(name), "is not known; wanted: " + wanted));
    }

    private Optional<Members> asObject(JsonNode member, String name, String wanted) {
        if (!member.isObject()) {
            mistake(name, "is " + kind(member) + "; wanted: " + wanted);
            return Optional.empty();
        }
        return Optional.of(new Members(member, path + name + ".", mistakes));
    }

    /** A missing node, noted as a mistake, if there is none; null is none. */
    private JsonNode member(String name, String wanted) {
        known.add(name);
        JsonNode member = object.path(name);
        if (member.isNull()) {
            mistake(name, "is null; wanted: " + wanted);
            return member.path("absent");
        }
        if (member.isMissingNode()) {
            mistake(name, "is missing; wanted: " + wanted);
        }
        return member;
    }

    private static String kind(JsonNode node) {
        return switch (node.getNodeType()) {
            case ARRAY -> "a list";
            case OBJECT -> "an object";
            case STRING -> "a string";
            case NUMBER -> node.isIntegralNumber() ? "a whole number" : "a number with decimals";
            case BOOLEAN -> "true or false";
            case BINARY, MISSING, NULL, POJO -> "null";
        };
    }

    /** A name as sent, cut, without what could forge a line of a log or a screen. */
    private static String shown(String name) {
        String cut = name.length() <= NAME_TOLD_CHARS_MAX ? name : name.substring(0, NAME_TOLD_CHARS_MAX) + "...";
        return cut.replaceAll("[^\\x20-\\x7E]", "?");
    }
}
