package io.quittance.psp;

import java.io.ByteArrayOutputStream;
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

    /** More fields than any PSP sends; the limit keeps a hostile body cheap. */
    private static final int MAX_FIELDS = 256;

    private FormBody() {}

    /**
     * Decodes each field exactly once, in the order of the body.
     *
     * @return empty for an empty body, a piece without {@code =}, an empty or repeated name, a broken percent escape,
     *     bytes that the charset does not know, or more than 256 fields
     */
    public static Optional<Map<String, String>> decode(byte[] raw, Charset charset) {
        String[] pieces = new String(raw, StandardCharsets.ISO_8859_1).split("&", MAX_FIELDS + 1);
        if (pieces.length > MAX_FIELDS) {
            return Optional.empty();
        }
        Map<String, String> fields = new LinkedHashMap<>();
        for (String piece : pieces) {
            int equals = piece.indexOf('=');
            if (equals <= 0) {
                return Optional.empty();
            }
            Optional<String> name = unescape(piece.substring(0, equals), charset);
            Optional<String> value = unescape(piece.substring(equals + 1), charset);
            if (name.isEmpty() || value.isEmpty() || fields.putIfAbsent(name.get(), value.get()) != null) {
                return Optional.empty();
            }
        }
        return Optional.of(fields);
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

    private static Optional<String> unescape(String latin1, Charset charset) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(latin1.length());
        for (int i = 0; i < latin1.length(); i++) {
            char c = latin1.charAt(i);
            if (c != '%') {
                bytes.write(c == '+' ? ' ' : c);
                continue;
            }
            int code = i + 2 < latin1.length() ? hexByte(latin1.charAt(i + 1), latin1.charAt(i + 2)) : -1;
            if (code < 0) {
                return Optional.empty();
            }
            bytes.write(code);
            i += 2;
        }
        return StrictText.decode(bytes.toByteArray(), charset);
    }

    /** Minus one unless both are hex digits. */
    private static int hexByte(char high, char low) {
        int upper = Character.digit(high, 16);
        int lower = Character.digit(low, 16);
        return upper < 0 || lower < 0 ? -1 : upper << 4 | lower;
    }
}
