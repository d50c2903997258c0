package io.quittance.psp;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.util.Optional;

/** What settlement files are before they are tables: bytes, of which there may be too many, or which are no text. */
public final class SettlementBytes {

    /**
     * More bytes than this are not read, neither packed nor unpacked. A row has about 300, so that this is as much as
     * {@link CsvTable#ROWS_MAX}; a bomb of some kilobytes would unpack to any size.
     */
    public static final int BYTES_MAX = 64 << 20;

    private static final String BYTE_ORDER_MARK = "\uFEFF";

    private SettlementBytes() {}

    public static SettlementFormat.Unreadable tooLarge() {
        return new SettlementFormat.Unreadable(0, "the file has more than " + BYTES_MAX + " bytes, packed or unpacked");
    }

    /**
     * Reads to the end of a stream that unpacks something.
     *
     * @param bytesMax empty is returned for more than this
     * @throws IOException if what is packed is damaged
     */
    public static Optional<byte[]> unpack(InputStream packed, int bytesMax) throws IOException {
        byte[] bytes = packed.readNBytes(bytesMax);
        return packed.read() < 0 ? Optional.of(bytes) : Optional.empty();
    }

    /** The text without a byte order mark; empty if there are bytes that the charset does not know. */
    public static Optional<String> text(byte[] bytes, Charset charset) {
        return StrictText.decode(bytes, charset)
                .map(text -> text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text);
    }
}
