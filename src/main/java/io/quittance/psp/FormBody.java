package io.quittance.psp;

import java.net.URLEncoder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Bodies of type {@code application/x-www-form-urlencoded} (WHATWG URL, section 5), read strictly: what would be read
 * differently by another reader is not read at all, because signatures are computed over the decoded fields.
 */
public final class FormBody {

    private FormBody() {}

    /**
     * Decodes each field exactly once, in the order of the body.
     *
     * @param form is used up, as in {@link FormFields#decode}
     * @return empty for whatever {@link FormFields} does not read, a repeated name, and bytes that the charset does not
     *     know
     */
    public static Optional<Map<String, String>> decode(byte[] form, Charset charset) {
        return FormFields.decode(form).flatMap(fields -> texts(fields, charset));
    }

    /** Encodes the fields in UTF-8, in the order of the map. */
    public static String encode(Map<String, String> fields) {
        return fields.entrySet().stream()
                .map(field -> escape(field.getKey()) + "=" + escape(field.getValue()))
                .collect(Collectors.joining("&"));
    }

    /** One name or value, or one part of a path, escaped. */
    public static String escape(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static Optional<Map<String, String>> texts(FormFields fields, Charset charset) {
        Map<String, String> texts = new LinkedHashMap<>();
        for (int i = 0; i < fields.count(); i++) {
            Optional<String> name = fields.name(i, charset);
            Optional<String> value = fields.value(i, charset);
            if (name.isEmpty() || value.isEmpty() || texts.putIfAbsent(name.get(), value.get()) != null) {
                return Optional.empty();
            }
        }
        return Optional.of(texts);
    }
}
