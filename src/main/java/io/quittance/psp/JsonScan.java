package io.quittance.psp;

import java.util.Arrays;

/**
 * Goes over a JSON text (RFC 8259) in UTF-8 without making anything of it, so that what nobody reads takes no memory.
 * Each step moves behind what it is named after, or says false: then the text is not JSON, and the place has no meaning.
 */
final class JsonScan {

    /** Objects and arrays inside each other. The deepest that a PSP sends are fewer than ten. */
    static final int NESTING_MAX = 64;

    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};
    private static final byte[] TRUE = {'t', 'r', 'u', 'e'};
    private static final byte[] FALSE = {'f', 'a', 'l', 's', 'e'};
    private static final byte[] NULL = {'n', 'u', 'l', 'l'};

    private final byte[] json;
    private int at;
    private boolean plain;

    /** Stands at the start, behind a byte order mark, which may be ignored (RFC 8259, section 8.1). */
    JsonScan(byte[] json) {
        this.json = json;
        word(BYTE_ORDER_MARK);
    }

    /** The place, in bytes from the start. */
    int at() {
        return at;
    }

    /** Whether the last string was ASCII without escapes, or the last number without fraction and exponent. */
    boolean plain() {
        return plain;
    }

    /** The first byte of what comes next, behind white space; 0 at the end. */
    int next() {
        int i = at;
        while (i < json.length && isSpace(json[i])) {
            i++;
        }
        at = i;
        return i < json.length ? json[i] : 0;
    }

    private static boolean isSpace(byte b) {
        return b == ' ' || b == '\n' || b == '\r' || b == '\t';
    }

    /** Whether nothing but white space is left. */
    boolean end() {
        next();
        return at == json.length;
    }

    /** One of the signs of structure, if it comes next. */
    boolean sign(char wanted) {
        boolean found = next() == wanted;
        at += found ? 1 : 0;
        return found;
    }

    /**
     * Any value.
     *
     * @param depth how many objects and arrays it stands in
     */
    boolean value(int depth) {
        return switch (next()) {
            case '{' -> members(depth + 1);
            case '[' -> elements(depth + 1);
            case '"' -> string();
            default -> scalar();
        };
    }

    private boolean members(int depth) {
        if (depth > NESTING_MAX || !sign('{')) {
            return false;
        }
        if (sign('}')) {
            return true;
        }
        do {
            if (!string() || !sign(':') || !value(depth)) {
                return false;
            }
        } while (sign(','));
        return sign('}');
    }

    private boolean elements(int depth) {
        if (depth > NESTING_MAX || !sign('[')) {
            return false;
        }
        if (sign(']')) {
            return true;
        }
        do {
            if (!value(depth)) {
                return false;
            }
        } while (sign(','));
        return sign(']');
    }

    boolean string() {
        if (!sign('"')) {
            return false;
        }
        plain = true;
        int i = at;
        while (i < json.length) {
            byte b = json[i];
            if (b == '"') {
                at = i + 1;
                return true;
            }
            if (b >= ' ' && b != '\\') {
                i++;
                continue;
            }
            int length = JsonText.length(json, i);
            if (length == 0) {
                return false;
            }
            plain = false;
            i += length;
        }
        return false;
    }

    /** A number, or true, false or null. */
    boolean scalar() {
        return switch (next()) {
            case 't' -> word(TRUE);
            case 'f' -> word(FALSE);
            case 'n' -> word(NULL);
            default -> number();
        };
    }

    private boolean number() {
        plain = true;
        skip('-', '-');
        boolean zero = skip('0', '0');
        if (!zero && !digits()) {
            return false;
        }
        if (skip('.', '.')) {
            plain = false;
            if (!digits()) {
                return false;
            }
        }
        if (skip('e', 'E')) {
            plain = false;
            skip('+', '-');
            return digits();
        }
        return true;
    }

    /** One or more. A nought in front of others was passed before, so that it ends the number. */
    private boolean digits() {
        int start = at;
        while (at < json.length && json[at] >= '0' && json[at] <= '9') {
            at++;
        }
        return at > start;
    }

    private boolean skip(char one, char other) {
        boolean found = at < json.length && (json[at] == one || json[at] == other);
        at += found ? 1 : 0;
        return found;
    }

    private boolean word(byte[] wanted) {
        int to = at + wanted.length;
        boolean found = to <= json.length && Arrays.equals(json, at, to, wanted, 0, wanted.length);
        at += found ? wanted.length : 0;
        return found;
    }
}
