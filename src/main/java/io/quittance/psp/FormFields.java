package io.quittance.psp;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a form (WHATWG URL, section 5) as bytes, with each escape taken off once, in the order of the body.
 * They are cut before anything is decoded, so that no value can become two fields, and only what is asked for becomes
 * text. For one thread.
 */
public final class FormFields {

    /** More fields than any PSP sends; the limit keeps a hostile body cheap. */
    static final int FIELDS_MAX = 256;

    /** A text with anything beyond ASCII, in bytes: decoding takes several times as much. */
    static final int WIDE_TEXT_BYTES_MAX = 8 * 1024;

    /** How much is decoded at a time at first. */
    private static final int SCRATCH_CHARS = 128;

    private final byte[] bytes;

    /** Where name 0, value 0, name 1, value 1 and so on begin, and at last where the last value ends. */
    private final int[] cuts;

    private final ByteBuffer input;
    private CharBuffer scratch = CharBuffer.allocate(SCRATCH_CHARS);
    private @Nullable CharsetDecoder decoder;

    private FormFields(byte[] bytes, int[] cuts) {
        this.input = ByteBuffer.wrap(bytes);
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

    /** All names and values, one behind the other. Not a copy: it is only read. */
    public byte[] bytes() {
        return bytes;
    }

    /** Where the name begins; it ends where the value begins. */
    public int nameStart(int field) {
        return cuts[2 * field];
    }

    public int valueStart(int field) {
        return cuts[2 * field + 1];
    }

    public int valueEnd(int field) {
        return cuts[2 * field + 2];
    }

    /** Whether a value is text in this charset. It takes no memory to speak of, however long it is. */
    public boolean isText(int field, Charset charset) {
        int from = valueStart(field);
        int to = valueEnd(field);
        if (isAscii(from, to)) {
            return true;
        }
        CharsetDecoder decoder = decoder(charset);
        input.limit(to).position(from);
        CoderResult result;
        do {
            result = decoder.decode(input, scratch.clear(), true);
        } while (result.isOverflow());
        return !result.isError();
    }

    /** The text of a name, under the same conditions as that of a value. */
    public Optional<String> name(int field, Charset charset) {
        return text(nameStart(field), valueStart(field), charset);
    }

    /**
     * The text of a value.
     *
     * @param charset one in which ASCII is written as ASCII
     * @return empty if a byte is none of the charset, and for more than 8 KiB with anything beyond ASCII
     */
    public Optional<String> value(int field, Charset charset) {
        return text(valueStart(field), valueEnd(field), charset);
    }

    private Optional<String> text(int from, int to, Charset charset) {
        if (isAscii(from, to)) {
            return Optional.of(new String(bytes, from, to - from, StandardCharsets.ISO_8859_1));
        }
        if (to - from > WIDE_TEXT_BYTES_MAX) {
            return Optional.empty();
        }
        if (scratch.capacity() < to - from) {
            scratch = CharBuffer.allocate(Math.max(to - from, 2 * scratch.capacity()));
        }
        input.limit(to).position(from);
        CoderResult result = decoder(charset).decode(input, scratch.clear(), true);
        return result.isError() ? Optional.empty() : Optional.of(scratch.flip().toString());
    }

    /** Takes the escapes off in place: what is written never overtakes what is read. */
    private boolean cut() {
        byte[] form = bytes;
        int write = 0;
        int cut = 1;
        boolean inName = true;
        for (int read = 0; read < form.length; read++) {
            byte b = form[read];
            if (b == '&' || (b == '=' && inName)) {
                boolean emptyName = inName && write == cuts[cut - 1];
                if (emptyName || inName == (b == '&')) {
                    return false;
                }
                cuts[cut++] = write;
                inName = !inName;
                continue;
            }
            if (b == '%') {
                int code = read + 2 < form.length ? hexByte(form[read + 1], form[read + 2]) : -1;
                if (code < 0) {
                    return false;
                }
                b = (byte) code;
                read += 2;
            } else if (b == '+') {
                b = ' ';
            }
            form[write++] = b;
        }
        cuts[cuts.length - 1] = write;
        return !inName;
    }

    /** Minus one unless both are hex digits. */
    private static int hexByte(byte high, byte low) {
        return HexFormat.isHexDigit(high) && HexFormat.isHexDigit(low)
                ? HexFormat.fromHexDigit(high) << 4 | HexFormat.fromHexDigit(low)
                : -1;
    }

    private boolean isAscii(int from, int to) {
        for (int i = from; i < to; i++) {
            if (bytes[i] < 0) {
                return false;
            }
        }
        return true;
    }

    /** One decoder for all fields, since a form is nearly always read in one charset. */
    private CharsetDecoder decoder(Charset charset) {
        CharsetDecoder known = decoder;
        if (known != null && known.charset().equals(charset)) {
            return known.reset();
        }
        decoder = charset.newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        return decoder;
    }
}
