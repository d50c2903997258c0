package io.quittance.psp;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads one account's settings and collects every mistake before it throws one. What it returns after a mistake is a
 * placeholder: call {@link #finish} before using any of it. Messages name keys and never quote values.
 */
public final class SettingsReader {

    /** Keys of the entry around the settings, which are not the adapter's. */
    private static final Set<String> FOREIGN = Set.of("name", "account", "allow_private");

    private final JsonObject settings;
    private final Set<String> known = new HashSet<>(FOREIGN);
    private final List<String> mistakes = new ArrayList<>();

    public SettingsReader(JsonObject settings) {
        this.settings = settings;
    }

    /** Whether the key is there at all, for those that may be left out. */
    public boolean has(String key) {
        return settings.containsKey(key);
    }

    /** A text that must be there, without spaces around it. */
    public String text(String key) {
        String text = optionalText(key);
        if (text == null && !settings.containsKey(key)) {
            mistake(key, "is missing");
        }
        return text == null ? "" : text;
    }

    public @Nullable String optionalText(String key) {
        known.add(key);
        Object value = settings.getValue(key);
        if (value == null && !settings.containsKey(key)) {
            return null;
        }
        if (value instanceof String text && isClean(text)) {
            return text;
        }
        mistake(key, "must be a text, not empty and without spaces around it");
        return null;
    }

    /** An absolute http or https address without query; a slash at its end is taken off. */
    public String address(String key) {
        String text = text(key);
        if (!text.isEmpty() && !isAddress(text)) {
            mistake(key, "must be an absolute http or https address without query and fragment");
        }
        return text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
    }

    /** A list of texts with at least one in it. */
    public List<String> texts(String key) {
        known.add(key);
        if (!(settings.getValue(key) instanceof JsonArray array) || array.isEmpty()) {
            mistake(key, "must be a list with at least one text");
            return List.of();
        }
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < array.size(); i++) {
            if (array.getValue(i) instanceof String text && isClean(text)) {
                texts.add(text);
            } else {
                mistake(key + "[" + i + "]", "must be a text, not empty and without spaces around it");
            }
        }
        return texts;
    }

    /** An object whose members are read by the caller; empty after a mistake. */
    public JsonObject object(String key) {
        known.add(key);
        JsonObject object = JsonFields.object(settings, key);
        if (object == null || object.isEmpty()) {
            mistake(key, "must be an object with at least one member");
            return new JsonObject();
        }
        return object;
    }

    /** {@code true} or {@code false}, also as a text, since the environment has nothing else. */
    public Optional<Boolean> optionalBool(String key) {
        known.add(key);
        Object value = settings.getValue(key);
        String text = String.valueOf(value);
        if (text.equals("true") || text.equals("false")) {
            return Optional.of(text.equals("true"));
        }
        if (settings.containsKey(key)) {
            mistake(key, "must be true or false");
        }
        return Optional.empty();
    }

    /** A positive ISO 8601 duration. */
    public Duration duration(String key, Duration whenMissing) {
        String text = optionalText(key);
        if (text == null) {
            return whenMissing;
        }
        try {
            Duration duration = Duration.parse(text);
            if (duration.compareTo(Duration.ZERO) > 0) {
                return duration;
            }
        } catch (DateTimeParseException e) {
            // reported below like a duration that is not positive
        }
        mistake(key, "must be a positive ISO 8601 duration such as PT5M");
        return whenMissing;
    }

    /** Reads something with a parser that throws IllegalArgumentException with a message fit to follow the key. */
    public <T> @Nullable T parsed(String key, String text, Function<String, T> parser) {
        if (text.isEmpty()) {
            return null;
        }
        try {
            return parser.apply(text);
        } catch (IllegalArgumentException e) {
            mistake(key, String.valueOf(e.getMessage()));
            return null;
        }
    }

    public void mistake(String key, String problem) {
        mistakes.add(key + " " + problem);
    }

    /**
     * Must be called last.
     *
     * @throws InvalidSettings if there was any mistake, a key that nothing read among them
     */
    public void finish() {
        settings.fieldNames().stream()
                .filter(key -> !known.contains(key))
                .sorted()
                .forEach(key -> mistake(key, "is not a known key"));
        if (!mistakes.isEmpty()) {
            throw new InvalidSettings(mistakes);
        }
    }

    /** A stray line end in a secret makes every signature wrong; around PEM it does nothing. */
    private static boolean isClean(String text) {
        return !text.isBlank() && (text.equals(text.strip()) || text.startsWith("-----BEGIN "));
    }

    private static boolean isAddress(String text) {
        try {
            URI uri = new URI(text);
            boolean http = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
            return http && uri.getHost() != null && uri.getRawQuery() == null && uri.getRawFragment() == null;
        } catch (URISyntaxException e) {
            return false;
        }
    }
}
