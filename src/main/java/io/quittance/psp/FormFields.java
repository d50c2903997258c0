package io.quittance.psp;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The fields of a form (WHATWG URL, section 5) as bytes, with each escape taken off once, in the order of the body.
 * They are cut before anything is decoded, so that no value can become two fields, and only what is asked for becomes
 * text.
 */
public final class FormFields {

    /** More fields than any PSP sends; the limit keeps a hostile body cheap. */
    static final int FIELDS_MAX = 256;

    /** A text with anything beyond ASCII, in bytes: decoding takes several times as much. */
    static final int WIDE_TEXT_BYTES_MAX = 8 * 1024;

    private final byte[] bytes;
    /** Where name 0, value 0, name 1, value 1 and so on begin, and at last where the last value ends. */
    private final int[] cuts;

    private CharBuffer scratch = CharBuffer.allocate(0);

    private FormFields(byte[] bytes, int[] cuts) {
        this.bytes = bytes;
        this.cuts = cuts;
    }

    /**
     * Cuts a form.
     *
     * @param form is used up: the fields live in this array
     * @return empty for an empty body, a piece without {@code =}, an empty name, a broken escape, or more than 256 fields
     */
    public static Optional<FormFields> decode(byte[] form) {
        int count = 1;
        for (byte b : form) {
            count += b == '&' ? 1 : 0;
        }
        if (count > FIELDS_MAX) {
            return Optional.empty();
        }
        FormFields fields = new FormFields(form, new int[2 * count + 1]);
        return fields.cut() ? Optional.of(fields) : Optional.empty();
    }

    public int count() {
        return cuts.length / 2;
    }

    /** The name's bytes. */
    public ByteBuffer name(int field) {
        return ByteBuffer.wrap(bytes, cuts[2 * field], cuts[2 * field + 1] - cuts[2 * field]);
    }

    /** The value's bytes. */
    public ByteBuffer value(int field) {
        return ByteBuffer.wrap(bytes, cuts[2 * field + 1], cuts[2 * field + 2] - cuts[2 * field + 1]);
    }

    /** Whether all bytes are characters of this charset. It takes no memory to speak of, however many there are. */
    public static boolean isText(ByteBuffer bytes, Charset charset) {
        if (isAscii(bytes)) {
            return true;
        }
        ByteBuffer in = bytes.duplicate();
        CharBuffer thrownAway = CharBuffer.allocate(256);
        CharsetDecoder decoder = strict(charset);
        CoderResult result;
        do {
            thrownAway.clear();
            result = decoder.decode(in, thrownAway, true);
        } while (result.isOverflow());
        return !result.isError();
    }

    /**
     * The text of a name or a value.
     *
     * @param charset one in which ASCII is written as ASCII
     * @return empty if a byte is none of the charset, and for more than 8 KiB with anything beyond ASCII
     */
    public Optional<String> text(ByteBuffer bytes, Charset charset) {
        if (isAscii(bytes)) {
            int from = bytes.arrayOffset() + bytes.position();
            return Optional.of(new String(bytes.array(), from, bytes.remaining(), StandardCharsets.ISO_8859_1));
        }
        if (bytes.remaining() > WIDE_TEXT_BYTES_MAX) {
            return Optional.empty();
        }
        if (scratch.capacity() < bytes.remaining()) {
            scratch = CharBuffer.allocate(Math.max(bytes.remaining(), 2 * scratch.capacity()));
        }
        CoderResult result = strict(charset).decode(bytes.duplicate(), scratch.clear(), true);
        return result.isError() ? Optional.empty() : Optional.of(scratch.flip().toString());
    }

    /** Takes the escapes off in place: what is written never overtakes what is read. */
    private boolean cut() {
        int write = 0;
        int cut = 1;
        for (int read = 0; read < bytes.length; read++) {
            byte b = bytes[read];
            boolean inName = cut % 2 == 1;
            if (b == '&' || (b == '=' && inName)) {
                boolean emptyName = inName && write == cuts[cut - 1];
                if (emptyName || (b == '&' && inName)) {
                    return false;
                }
                cuts[cut++] = write;
                continue;
            }
            if (b == '%') {
                int code = read + 2 < bytes.length ? hexByte(bytes[read + 1], bytes[read + 2]) : -1;
                if (code < 0) {
                    return false;
                }
                bytes[write++] = (byte) code;
                read += 2;
                continue;
            }
            bytes[write++] = b == '+' ? (byte) ' ' : b;
        }
        cuts[cuts.length - 1] = write;
        return cut == cuts.length - 1;
    }

    /** Minus one unless both are hex digits. */
    private static int hexByte(byte high, byte low) {
        int upper = high < 0 ? -1 : Character.digit((char) high, 16);
        int lower = low < 0 ? -1 : Character.digit((char) low, 16);
        return upper < 0 || lower < 0 ? -1 : upper << 4 | lower;
    }

    private static boolean isAscii(ByteBuffer bytes) {
        byte[] array = bytes.array();
        int to = bytes.arrayOffset() + bytes.limit();
        for (int i = bytes.arrayOffset() + bytes.position(); i < to; i++) {
            if (array[i] < 0) {
                return false;
            }
        }
        return true;
    }

    private static CharsetDecoder strict(Charset charset) {
        return charset.newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
    }
}
