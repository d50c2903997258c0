package io.quittance.psp;

import io.quittance.psp.JsonPaths.Node;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Reads one document, and keeps of it what some paths name. */
final class JsonReading {

    /** A text that is kept, in bytes as it was written. The longest that we read is an id; PSPs keep those below 256. */
    static final int TEXT_BYTES_MAX = 8 * 1024;

    /** The most digits of a number in a long, with its sign. */
    private static final int LONG_CHARS_MAX = 20;

    /** Stands for what ends the reading; null is a value like others. */
    private static final Object UNREADABLE = new Object();

    /**
     * Stands for what is there and of no use: a number that is not a long, since nothing that is read has a fraction,
     * amounts least of all; and a text that is too long, or that no store takes. No reader of fields wants it.
     */
    private static final Double UNUSABLE = Double.NaN;

    private final byte[] json;
    private final JsonScan scan;
    private final StringBuilder scratch = new StringBuilder();

    private JsonReading(byte[] json) {
        this.json = json;
        this.scan = new JsonScan(json);
    }

    /**
     * The document with what the paths name.
     *
     * @return null for anything but one object in UTF-8; for one with a member twice that is asked for, since two
     *     readers may believe different ones; and for arrays or a nesting beyond the limits
     */
    static @Nullable JsonObject read(byte[] json, JsonPaths paths) {
        JsonReading reading = new JsonReading(json);
        JsonObject document = reading.members(paths.root(), 1);
        return document != null && reading.scan.end() ? document : null;
    }

    private @Nullable JsonObject members(Node wanted, int depth) {
        if (depth > JsonScan.NESTING_MAX || !scan.sign('{')) {
            return null;
        }
        JsonObject kept = new JsonObject();
        if (scan.sign('}')) {
            return kept;
        }
        do {
            int from = scan.next() == '"' ? scan.at() + 1 : 0;
            if (!scan.string()) {
                return null;
            }
            Node member = member(wanted, from, scan.at() - 1);
            if (!scan.sign(':') || !keep(member, kept, depth)) {
                return null;
            }
        } while (scan.sign(','));
        return scan.sign('}') ? kept : null;
    }

    private boolean keep(@Nullable Node member, JsonObject into, int depth) {
        if (member == null) {
            return scan.value(depth);
        }
        if (into.containsKey(member.name())) {
            return false;
        }
        Object value = value(member, depth);
        into.put(member.name(), value);
        return value != UNREADABLE;
    }

    private @Nullable JsonArray elements(Node wanted, int depth) {
        if (depth > JsonScan.NESTING_MAX || !scan.sign('[')) {
            return null;
        }
        JsonArray kept = new JsonArray();
        if (scan.sign(']')) {
            return kept;
        }
        int position = 0;
        do {
            Node element = wanted.element(position);
            if (element == null ? !scan.value(depth) : !add(element, kept, position, depth)) {
                return null;
            }
            position++;
        } while (scan.sign(','));
        return scan.sign(']') ? kept : null;
    }

    /** Elements that nobody reads are null, so that the others keep their numbers. */
    private boolean add(Node element, JsonArray into, int position, int depth) {
        if (position >= JsonPaths.ELEMENTS_MAX) {
            return false;
        }
        while (into.size() < position) {
            into.addNull();
        }
        Object value = value(element, depth);
        into.add(value);
        return value != UNREADABLE;
    }

    private @Nullable Object value(Node wanted, int depth) {
        return switch (scan.next()) {
            case '{' -> orUnreadable(members(wanted, depth + 1));
            case '[' -> orUnreadable(elements(wanted, depth + 1));
            case '"' -> string(wanted.keepsBytes());
            default -> scalar();
        };
    }

    private Object string(boolean asBytes) {
        int from = scan.at() + 1;
        if (!scan.string()) {
            return UNREADABLE;
        }
        int to = scan.at() - 1;
        Object usable = asBytes ? ascii(from, to) : text(from, to);
        return usable == null ? UNUSABLE : usable;
    }

    private @Nullable Object scalar() {
        int from = scan.at();
        if (!scan.scalar()) {
            return UNREADABLE;
        }
        return switch (json[from]) {
            case 't' -> true;
            case 'f' -> false;
            case 'n' -> null;
            default -> scan.plain() ? number(from, scan.at()) : UNUSABLE;
        };
    }

    private Number number(int from, int to) {
        if (to - from > LONG_CHARS_MAX) {
            return UNUSABLE;
        }
        try {
            return Long.valueOf(new String(json, from, to - from, StandardCharsets.ISO_8859_1));
        } catch (NumberFormatException beyondLong) {
            return UNUSABLE;
        }
    }

    private @Nullable Node member(Node of, int from, int to) {
        // Without escapes the name's bytes are compared as they stand.
        if (scan.plain()) {
            return of.member(json, from, to);
        }
        return decode(from, to) ? of.member(scratch) : null;
    }

    /** Null for one that is too long, and for one that no store takes as text: with half a character, or with U+0000. */
    private @Nullable String text(int from, int to) {
        if (to - from > TEXT_BYTES_MAX) {
            return null;
        }
        if (scan.plain()) {
            return new String(json, from, to - from, StandardCharsets.ISO_8859_1);
        }
        return decode(from, to) && isWhole() ? scratch.toString() : null;
    }

    /** Leaves the text in the scratch; false for one that is too long. */
    private boolean decode(int from, int to) {
        if (to - from > TEXT_BYTES_MAX) {
            return false;
        }
        scratch.setLength(0);
        for (int i = from; i < to; i += JsonText.length(json, i)) {
            scratch.appendCodePoint(JsonText.character(json, i));
        }
        return true;
    }

    private boolean isWhole() {
        for (int i = 0; i < scratch.length(); i++) {
            char c = scratch.charAt(i);
            boolean pair = Character.isHighSurrogate(c)
                    && i + 1 < scratch.length()
                    && Character.isLowSurrogate(scratch.charAt(i + 1));
            if (c == 0 || (Character.isSurrogate(c) && !pair)) {
                return false;
            }
            i += pair ? 1 : 0;
        }
        return true;
    }

    /** Null if a character is not ASCII. */
    private byte @Nullable [] ascii(int from, int to) {
        if (scan.plain()) {
            return Arrays.copyOfRange(json, from, to);
        }
        int count = 0;
        for (int i = from; i < to; i += JsonText.length(json, i)) {
            if (JsonText.character(json, i) > 0x7F) {
                return null;
            }
            count++;
        }
        byte[] ascii = new byte[count];
        int at = from;
        for (int i = 0; i < count; i++) {
            ascii[i] = (byte) JsonText.character(json, at);
            at += JsonText.length(json, at);
        }
        return ascii;
    }

    private static Object orUnreadable(@Nullable Object value) {
        return value == null ? UNREADABLE : value;
    }
}
