package io.quittance.domain;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;

/** Identifiers: UUIDs, version 7 (RFC 9562) where they are born here, shown as 32 lower-case hex characters. */
public final class Ids {

    private static final int HEX_CHARS = 32;
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private Ids() {}

    /**
     * A version 7 UUID.
     *
     * @param epochMillis the time of birth, milliseconds since 1970
     * @param random1 random bits, of which 12 are used
     * @param random2 random bits, of which 62 are used
     */
    public static UUID version7(long epochMillis, long random1, long random2) {
        long high = (epochMillis << 16) | 0x7000L | (random1 & 0x0FFFL);
        long low = (random2 & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L;
        return new UUID(high, low);
    }

    /** An id that is always the same for the same owner and purpose: the key of work that must be done once. */
    public static UUID derived(UUID owner, String purpose) {
        byte[] text = purpose.getBytes(StandardCharsets.UTF_8);
        ByteBuffer name = ByteBuffer.allocate(16 + text.length);
        name.putLong(owner.getMostSignificantBits())
                .putLong(owner.getLeastSignificantBits())
                .put(text);
        return UUID.nameUUIDFromBytes(name.array());
    }

    /** 32 lower-case hex characters: short enough for every PSP's merchant order number. */
    public static String hex(UUID id) {
        byte[] hex = new byte[HEX_CHARS];
        for (int i = 0; i < HEX_CHARS / 2; i++) {
            int up = 60 - 4 * i;
            hex[i] = HEX[(int) (id.getMostSignificantBits() >>> up) & 0xF];
            hex[HEX_CHARS / 2 + i] = HEX[(int) (id.getLeastSignificantBits() >>> up) & 0xF];
        }
        return new String(hex, StandardCharsets.ISO_8859_1);
    }

    /** Reads what {@link #hex} wrote; empty for anything else. */
    public static Optional<UUID> parseHex(String text) {
        if (text.length() != HEX_CHARS) {
            return Optional.empty();
        }
        long high = 0;
        long low = 0;
        for (int i = 0; i < HEX_CHARS; i++) {
            int digit = lowerHexDigit(text.charAt(i));
            if (digit < 0) {
                return Optional.empty();
            }
            high = (high << 4) | (low >>> 60);
            low = (low << 4) | digit;
        }
        return Optional.of(new UUID(high, low));
    }

    /** Minus one for anything else. */
    private static int lowerHexDigit(char c) {
        if (c >= '0' && c <= '9') {
            return c - '0';
        }
        return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
    }
}
