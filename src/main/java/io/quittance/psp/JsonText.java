package io.quittance.psp;

import java.util.HexFormat;

/** The characters inside of a JSON string (RFC 8259, section 7), each of which is UTF-8 or an escape. */
final class JsonText {

    private static final int HEX_DIGITS = 4;
    private static final int UNICODE_ESCAPE_BYTES = 2 + HEX_DIGITS;

    private JsonText() {}

    /** How many bytes the character here takes; 0 if no character begins here. The text goes on to the array's end. */
    static int length(byte[] json, int at) {
        byte first = json[at];
        if (first == '\\') {
            return escapeLength(json, at);
        }
        if (first >= 0) {
            return first >= ' ' && first != '"' ? 1 : 0;
        }
        return utf8Length(json, at, first & 0xFF);
    }

    /**
     * The character here, which is known to be one.
     *
     * @return a code point; half of one if that is what an escape writes
     */
    static int character(byte[] json, int at) {
        byte first = json[at];
        if (first == '\\') {
            return escaped(json, at);
        }
        return switch (first >= 0 ? 1 : utf8Length(json, at, first & 0xFF)) {
            case 1 -> first;
            case 2 -> (first & 0x1F) << 6 | low(json, at + 1);
            case 3 -> (first & 0x0F) << 12 | low(json, at + 1) << 6 | low(json, at + 2);
            default -> (first & 0x07) << 18 | low(json, at + 1) << 12 | low(json, at + 2) << 6 | low(json, at + 3);
        };
    }

    private static int escapeLength(byte[] json, int at) {
        if (at + 1 >= json.length) {
            return 0;
        }
        return switch (json[at + 1]) {
            case '"', '\\', '/', 'b', 'f', 'n', 'r', 't' -> 2;
            case 'u' -> at + UNICODE_ESCAPE_BYTES <= json.length && hex(json, at + 2) >= 0 ? UNICODE_ESCAPE_BYTES : 0;
            default -> 0;
        };
    }

    private static int escaped(byte[] json, int at) {
        byte sign = json[at + 1];
        return switch (sign) {
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> hex(json, at + 2);
            default -> sign;
        };
    }

    /** Minus one unless all are hex digits. */
    private static int hex(byte[] json, int from) {
        int value = 0;
        for (int i = from; i < from + HEX_DIGITS; i++) {
            if (!HexFormat.isHexDigit(json[i])) {
                return -1;
            }
            value = value << 4 | HexFormat.fromHexDigit(json[i]);
        }
        return value;
    }

    /**
     * The table of well-formed sequences (Unicode, table 3-7): no longer than needed, no surrogates, nothing beyond
     * U+10FFFF.
     */
    private static int utf8Length(byte[] json, int at, int first) {
        if (first >= 0xC2 && first <= 0xDF) {
            return isBetween(json, at + 1, 0x80, 0xBF) ? 2 : 0;
        }
        if (first >= 0xE0 && first <= 0xEF) {
            int least = first == 0xE0 ? 0xA0 : 0x80;
            int most = first == 0xED ? 0x9F : 0xBF;
            return isBetween(json, at + 1, least, most) && isBetween(json, at + 2, 0x80, 0xBF) ? 3 : 0;
        }
        if (first >= 0xF0 && first <= 0xF4) {
            int least = first == 0xF0 ? 0x90 : 0x80;
            int most = first == 0xF4 ? 0x8F : 0xBF;
            boolean whole = isBetween(json, at + 1, least, most)
                    && isBetween(json, at + 2, 0x80, 0xBF)
                    && isBetween(json, at + 3, 0x80, 0xBF);
            return whole ? 4 : 0;
        }
        return 0;
    }

    private static boolean isBetween(byte[] json, int at, int least, int most) {
        return at < json.length && (json[at] & 0xFF) >= least && (json[at] & 0xFF) <= most;
    }

    private static int low(byte[] json, int at) {
        return json[at] & 0x3F;
    }
}
