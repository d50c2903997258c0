package io.quittance.http;

import java.util.Locale;

/** The part of a Content-Type that says what it is. */
final class MediaType {

    private MediaType() {}

    /** Type and subtype in lower case, without parameters. */
    static String essence(String contentType) {
        int parameters = contentType.indexOf(';');
        String essence = parameters < 0 ? contentType : contentType.substring(0, parameters);
        return essence.strip().toLowerCase(Locale.ROOT);
    }

    /** JSON itself, or a format written in it (RFC 6839). */
    static boolean isJson(String essence) {
        return essence.equals("application/json") || essence.equals("text/json") || essence.endsWith("+json");
    }
}
