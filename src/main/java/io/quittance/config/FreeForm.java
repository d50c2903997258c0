package io.quittance.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads settings whose keys this room does not know, into texts, lists and maps of texts, with the environment laid over
 * them: {@code QUITTANCE_PSP_0_API_KEY} is {@code api_key}, {@code QUITTANCE_PSP_0_WEBHOOK_SECRETS_1} the second of the
 * list {@code webhook_secrets}, {@code QUITTANCE_PSP_0_PLATFORM_KEYS_4A5B} the member of a map that stands in the file.
 */
final class FreeForm {

    private static final Pattern LIST_ELEMENT = Pattern.compile("(.+)_(\\d{1,3})");

    private final Sources sources;
    private final String path;
    private final String variable;

    FreeForm(Sources sources, String path, String variable) {
        this.sources = sources;
        this.path = path;
        this.variable = variable;
    }

    Map<String, Object> read(Node.Tree tree, Set<String> except) {
        Map<String, Object> read = new LinkedHashMap<>();
        tree.members().forEach((key, node) -> {
            if (!except.contains(key) && !(node instanceof Node.Nothing)) {
                read.put(key, plain(path + "." + key, node));
            }
        });
        for (String name : sources.unasked(variable + "_")) {
            String value = sources.override(path + ".*", name);
            if (value != null) {
                overlay(read, name.substring(variable.length() + 1), resolved(name, value));
            }
        }
        return read;
    }

    private Object plain(String at, Node node) {
        if (node instanceof Node.Text text) {
            return sources.resolve(at, text) instanceof Node.Text resolved ? resolved.value() : "";
        }
        if (node instanceof Node.Items items) {
            List<Object> list = new ArrayList<>();
            for (Node item : items.nodes()) {
                list.add(plain(at + "[" + list.size() + "]", item));
            }
            return list;
        }
        if (node instanceof Node.Tree tree) {
            Map<String, Object> map = new LinkedHashMap<>();
            tree.members().forEach((key, value) -> map.put(key, plain(at + "." + key, value)));
            return map;
        }
        return "";
    }

    private String resolved(String name, String value) {
        return sources.resolve(name, new Node.Text(value, 0)) instanceof Node.Text text ? text.value() : "";
    }

    private void overlay(Map<String, Object> settings, String suffix, String value) {
        for (Map.Entry<String, Object> setting : settings.entrySet()) {
            String prefix = setting.getKey().toUpperCase(Locale.ROOT) + "_";
            if (suffix.startsWith(prefix) && setting.getValue() instanceof Map<?, ?> members) {
                setting.setValue(withMember(members, suffix.substring(prefix.length()), value));
                return;
            }
        }
        Matcher element = LIST_ELEMENT.matcher(suffix);
        if (element.matches()) {
            String key = element.group(1).toLowerCase(Locale.ROOT);
            List<?> list = settings.get(key) instanceof List<?> present ? present : List.of();
            settings.put(key, withElement(key, list, Integer.parseInt(element.group(2)), value));
            return;
        }
        settings.put(suffix.toLowerCase(Locale.ROOT), value);
    }

    private static Map<String, Object> withMember(Map<?, ?> members, String name, String value) {
        Map<String, Object> copy = new LinkedHashMap<>();
        members.forEach((key, member) -> copy.put(String.valueOf(key), member));
        String key = copy.keySet().stream()
                .filter(present -> present.equalsIgnoreCase(name))
                .findFirst()
                .orElse(name);
        copy.put(key, value);
        return copy;
    }

    private List<Object> withElement(String key, List<?> list, int index, String value) {
        List<Object> copy = new ArrayList<>(list);
        if (index < copy.size()) {
            copy.set(index, value);
        } else if (index == copy.size()) {
            copy.add(value);
        } else {
            sources.mistake(path + "." + key + ": the environment sets element " + index + ", but there are only "
                    + copy.size() + " before it");
        }
        return copy;
    }
}
