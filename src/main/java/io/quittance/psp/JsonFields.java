package io.quittance.psp;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Reads JSON from outside without ever throwing: null stands for a member that is missing, or of another type than
 * asked for. Unknown members are no error, since PSPs add some at any time.
 */
public final class JsonFields {

    private static final int CODE_CHARS_MAX = 64;

    private JsonFields() {}

    /**
     * What the paths name of a document, read without making anything of the rest: for bodies that anybody may send.
     *
     * @return null for anything but one JSON object, for one that says a member twice which is asked for, and for one
     *     that nests deeper than 64 levels or has more than 256 elements in an array that is asked for
     */
    public static @Nullable JsonObject parse(Buffer body, JsonPaths paths) {
        return JsonReading.read(body.getBytes(), paths);
    }

    /** As {@link #parse(Buffer, JsonPaths)}. */
    public static @Nullable JsonObject parse(byte[] body, JsonPaths paths) {
        return JsonReading.read(body, paths);
    }

    /**
     * All of a document. It costs several times the document's size in memory: for answers to our own calls, which are
     * bounded where they are received.
     *
     * @return null for anything but one JSON object
     */
    public static @Nullable JsonObject parse(Buffer body) {
        try {
            return Json.decodeValue(body) instanceof JsonObject object ? object : null;
        } catch (DecodeException e) {
            return null;
        }
    }

    public static @Nullable String text(JsonObject from, String name) {
        return from.getValue(name) instanceof String text ? text : null;
    }

    /** A text that is not empty. */
    public static @Nullable String filled(JsonObject from, String name) {
        String text = text(from, name);
        return text == null || text.isEmpty() ? null : text;
    }

    /** A number written without fraction and exponent that fits in a long; never a text that looks like one. */
    public static @Nullable Long integer(JsonObject from, String name) {
        Object value = from.getValue(name);
        return value instanceof Integer || value instanceof Long ? ((Number) value).longValue() : null;
    }

    /** A text with a byte for each character, whether or not it was asked for as bytes. */
    public static byte @Nullable [] bytes(JsonObject from, String name) {
        // getValue would write the bytes as base64.
        Object value = from.getMap().get(name);
        if (value instanceof byte[] bytes) {
            return bytes;
        }
        return value instanceof String text ? text.getBytes(StandardCharsets.US_ASCII) : null;
    }

    public static @Nullable Boolean bool(JsonObject from, String name) {
        return from.getValue(name) instanceof Boolean bool ? bool : null;
    }

    public static @Nullable JsonObject object(JsonObject from, String name) {
        return from.getValue(name) instanceof JsonObject object ? object : null;
    }

    public static @Nullable JsonArray array(JsonObject from, String name) {
        return from.getValue(name) instanceof JsonArray array ? array : null;
    }

    /** An object's member, through objects: null as soon as one is missing. */
    public static @Nullable String textIn(JsonObject from, String object, String name) {
        JsonObject inner = object(from, object);
        return inner == null ? null : filled(inner, name);
    }

    /**
     * A code word of the PSP that may be shown and logged.
     *
     * @return {@code unknown} for whatever is not a short word: free text may hold a payer's data
     */
    public static String code(@Nullable JsonObject from, String name) {
        String text = from == null ? null : text(from, name);
        return text != null && isCode(text) ? text : "unknown";
    }

    private static boolean isCode(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
            if (!letter && !(c >= '0' && c <= '9') && c != '_' && c != '.' && c != '-') {
                return false;
            }
        }
        return !text.isEmpty() && text.length() <= CODE_CHARS_MAX;
    }
}
