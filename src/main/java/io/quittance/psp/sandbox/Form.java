package io.quittance.psp.sandbox;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/** {@code application/x-www-form-urlencoded}, in bodies and in query strings. */
final class Form {

    private Form() {}

    /**
     * Reads a form. A name that ends with {@code []} may be repeated; its last value is kept.
     *
     * @throws IllegalArgumentException if an escape is broken or another name is repeated
     */
    static Map<String, String> parse(String text, Charset charset) {
        Map<String, String> fields = new LinkedHashMap<>();
        int start = 0;
        while (start < text.length()) {
            int end = text.indexOf('&', start);
            end = end < 0 ? text.length() : end;
            addField(fields, text.substring(start, end), charset);
            start = end + 1;
        }
        return fields;
    }

    /** A query string in UTF-8; without any field if it is malformed. */
    static Map<String, String> query(String text) {
        try {
            return parse(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return Map.of();
        }
    }

    /** All values of a list, in order: {@code name[]} repeated, or {@code name[0], name[1]}. */
    static List<String> list(String text, String name, Charset charset) {
        List<String> values = new ArrayList<>();
        for (String field : text.split("&", -1)) {
            int equals = field.indexOf('=');
            String key = URLDecoder.decode(equals < 0 ? field : field.substring(0, equals), charset);
            if (equals >= 0 && key.startsWith(name + "[") && key.endsWith("]")) {
                values.add(URLDecoder.decode(field.substring(equals + 1), charset));
            }
        }
        return values;
    }

    static String encode(Map<String, String> fields, Charset charset) {
        StringJoiner form = new StringJoiner("&");
        fields.forEach(
                (name, value) -> form.add(URLEncoder.encode(name, charset) + "=" + URLEncoder.encode(value, charset)));
        return form.toString();
    }

    private static void addField(Map<String, String> fields, String field, Charset charset) {
        if (field.isEmpty()) {
            return;
        }
        int equals = field.indexOf('=');
        String name = URLDecoder.decode(equals < 0 ? field : field.substring(0, equals), charset);
        String value = equals < 0 ? "" : URLDecoder.decode(field.substring(equals + 1), charset);
        boolean repeated = fields.put(name, value) != null;
        if (repeated && !name.endsWith("[]")) {
            throw new IllegalArgumentException("repeated: " + name);
        }
    }
}
