package io.quittance.config;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One mapping of the file. Every read names a key, its range and its default; a mistake is put on the list and a
 * placeholder returned, so that reading goes on to the next mistake.
 */
final class Section {

    private final Sources sources;
    private final String path;
    private final String variable;
    private final Node.Tree tree;
    private final Set<String> known = new LinkedHashSet<>();

    Section(Sources sources, String path, String variable, Node.Tree tree) {
        this.sources = sources;
        this.path = path;
        this.variable = variable;
        this.tree = tree;
    }

    /** The variable that overrides a key: upper case, with an underscore wherever the path has a dot. */
    static String variable(String prefix, String key) {
        return prefix + "_" + key.toUpperCase(Locale.ROOT).replace('-', '_');
    }

    String path(String key) {
        return path.isEmpty() ? key : path + "." + key;
    }

    void mistake(String key, String problem) {
        Node node = tree.members().get(key);
        sources.mistake(path(key) + (node == null ? "" : Sources.where(node)) + ": " + problem);
    }

    /** A text that must be there. */
    String text(String key) {
        Node node = node(key);
        if (node == null || node instanceof Node.Nothing) {
            mistake(key, "is missing; add it, or set " + variable(variable, key));
            return "";
        }
        String value = asText(key, node);
        return value == null ? "" : value;
    }

    String text(String key, String whenMissing) {
        String value = optionalText(key);
        return value == null ? whenMissing : value;
    }

    @Nullable String optionalText(String key) {
        return asText(key, node(key));
    }

    private @Nullable String asText(String key, @Nullable Node node) {
        if (node instanceof Node.Text text && !text.value().isBlank()) {
            return text.value();
        }
        if (node instanceof Node.Text || node instanceof Node.Items || node instanceof Node.Tree) {
            mistake(key, "must be a text that is not empty");
        }
        return null;
    }

    int integer(String key, int whenMissing, int min, int max) {
        String text = optionalText(key);
        if (text == null) {
            return whenMissing;
        }
        try {
            int value = Integer.parseInt(text.strip());
            if (value >= min && value <= max) {
                return value;
            }
        } catch (NumberFormatException notANumber) {
            // reported below like a number out of range
        }
        mistake(key, "must be a whole number from " + min + " to " + max + ", was \"" + text + "\"" + linkHint(text));
        return whenMissing;
    }

    /** An ISO 8601 duration, for example {@code PT0.5S}, {@code PT30M} or {@code P3D}. */
    Duration duration(String key, Duration whenMissing, Duration min, Duration max) {
        String text = optionalText(key);
        if (text == null) {
            return whenMissing;
        }
        try {
            Duration value = Duration.parse(text.strip());
            if (value.compareTo(min) >= 0 && value.compareTo(max) <= 0) {
                return value;
            }
        } catch (DateTimeParseException malformed) {
            // reported below like a duration out of range
        }
        mistake(key, "must be an ISO 8601 duration from " + min + " to " + max + ", was \"" + text + "\"");
        return whenMissing;
    }

    boolean flag(String key, boolean whenMissing) {
        String text = optionalText(key);
        if (text == null || text.equals("true") || text.equals("false")) {
            return text == null ? whenMissing : text.equals("true");
        }
        mistake(key, "must be true or false, was \"" + text + "\"");
        return whenMissing;
    }

    /** A list of texts; empty if it is left out. */
    List<String> texts(String key) {
        List<Node> nodes = items(key);
        List<String> texts = new ArrayList<>();
        String name = variable(variable, key);
        for (int i = 0; i < nodes.size() || sources.hasAny(name + "_" + i); i++) {
            String itemPath = path(key) + "[" + i + "]";
            String override = sources.override(itemPath, name + "_" + i);
            Node written = i < nodes.size() ? nodes.get(i) : new Node.Nothing(0);
            Node node = override == null ? written : new Node.Text(override, 0);
            Node resolved = node instanceof Node.Text text ? sources.resolve(itemPath, text) : node;
            if (resolved instanceof Node.Text text && !text.value().isBlank()) {
                texts.add(text.value());
            } else if (!(resolved instanceof Node.Broken)) {
                sources.mistake(itemPath + Sources.where(node) + ": must be a text that is not empty");
            }
        }
        return texts;
    }

    /** A mapping; an empty one if it is left out. */
    Section section(String key) {
        Node node = written(key);
        if (node instanceof Node.Text || node instanceof Node.Items) {
            mistake(key, "must be a mapping of keys to values");
        }
        Node.Tree below = node instanceof Node.Tree found ? found : Node.Tree.EMPTY;
        return new Section(sources, path(key), variable(variable, key), below);
    }

    /** A list of mappings; the environment can add further ones at its end. */
    List<Section> sections(String key) {
        List<Node> nodes = items(key);
        List<Section> sections = new ArrayList<>();
        String name = variable(variable, key);
        for (int i = 0; i < nodes.size() || sources.hasAny(name + "_" + i + "_"); i++) {
            Node node = i < nodes.size() ? nodes.get(i) : Node.Tree.EMPTY;
            if (!(node instanceof Node.Tree)) {
                sources.mistake(
                        path(key) + "[" + i + "]" + Sources.where(node) + ": must be a mapping of keys to values");
            }
            Node.Tree below = node instanceof Node.Tree found ? found : Node.Tree.EMPTY;
            sections.add(new Section(sources, path(key) + "[" + i + "]", name + "_" + i, below));
        }
        return sections;
    }

    /** Everything that was not read yet, for a reader outside this room. */
    Map<String, Object> rest() {
        Map<String, Object> rest = new FreeForm(sources, path, variable).read(tree, known);
        known.addAll(rest.keySet());
        known.addAll(tree.members().keySet());
        return rest;
    }

    /** Complains about keys that nobody read. */
    void finish() {
        for (String key : tree.members().keySet()) {
            if (!known.contains(key)) {
                mistake(key, "is not a known key" + Spelling.didYouMean(key, known));
            }
        }
    }

    Set<String> known() {
        return known;
    }

    private List<Node> items(String key) {
        Node node = written(key);
        if (node instanceof Node.Text || node instanceof Node.Tree) {
            mistake(key, "must be a list");
        }
        return node instanceof Node.Items items ? items.nodes() : List.of();
    }

    private @Nullable Node written(String key) {
        known.add(key);
        return tree.members().get(key);
    }

    /** The value from the environment, or else from the file, with its reference resolved. */
    private @Nullable Node node(String key) {
        Node written = written(key);
        String override = sources.override(path(key), variable(variable, key));
        Node node = override == null ? written : new Node.Text(override, 0);
        return node instanceof Node.Text text ? sources.resolve(path(key), text) : node;
    }

    private static String linkHint(String text) {
        return text.startsWith("tcp://")
                ? " (Kubernetes set it for a Service of that name: set enableServiceLinks to false)"
                : "";
    }
}
