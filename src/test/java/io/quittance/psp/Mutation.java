package io.quittance.psp;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * One damage to a message, which is the same each time.
 *
 * @param position where, from 0 for the first byte to 1 for the end
 * @param seed decides how much, and which of several things
 */
record Mutation(Kind kind, double position, long seed) {

    /** Longer results are cut off: it is the size that a test allows itself, and no limit of the code. */
    static final int BYTES_MAX = 64 * 1024;

    private static final int SLICE_BYTES_MAX = 64;
    private static final int DEPTH_MAX = 5_000;

    enum Kind {
        FLIP,
        DELETE,
        DUPLICATE,
        SPLICE,
        NEST,
        NUMBER,
        LETTER,
        TEXT,
        PAD,
        CUT
    }

    private static final List<String> NUMBERS = List.of(
            "1e400",
            "-1",
            "-0",
            "0.10",
            "1e999999999",
            "-1E-999999999",
            "9223372036854775808",
            "9".repeat(400),
            "0." + "1".repeat(5_000),
            "007",
            "+1",
            "0x1F",
            "NaN");

    /** Raw bytes as Latin-1: what is no UTF-8 is meant so. */
    private static final List<String> TEXTS = List.of(
            "\u0000",
            "\\u0000",
            "\\ud800",
            "\\udfff\\ud800",
            "\u00ed\u00a0\u0080",
            "\u00ef\u00bb\u00bf",
            "\u00ff\u00fe",
            "\u00c0\u0080",
            "\u00e2\u0080\u00ae",
            "\u00f0\u009f\u0092\u00a9",
            "\u00ef\u00bc\u0091",
            "\"",
            "\\",
            "\r\n",
            "%00",
            "%",
            "&=",
            "null",
            "{\"",
            "}}",
            "]");

    byte[] apply(byte[] in) {
        int at = (int) (position * in.length);
        Random random = new Random(seed);
        byte[] out =
                switch (kind) {
                    case FLIP -> flipped(in, at, random);
                    case DELETE -> joined(in, at, at + slice(random), "");
                    case DUPLICATE -> joined(in, at, at, latin1(in, at, slice(random)));
                    case SPLICE -> joined(in, at, at, latin1(in, random.nextInt(in.length + 1), slice(random)));
                    case NEST -> joined(in, at, at, nest(random));
                    case NUMBER -> number(in, at, one(NUMBERS, random));
                    case LETTER -> letter(in, at, (byte) ('A' + random.nextInt(26)));
                    case TEXT -> joined(in, at, at, one(TEXTS, random));
                    case PAD ->
                        joined(
                                in,
                                at,
                                at,
                                one(List.of(" ", "A", "9", "=&"), random).repeat(random.nextInt(BYTES_MAX)));
                    case CUT -> Arrays.copyOf(in, at);
                };
        return out.length <= BYTES_MAX ? out : Arrays.copyOf(out, BYTES_MAX);
    }

    private static byte[] flipped(byte[] in, int at, Random random) {
        byte[] out = in.clone();
        if (at < out.length) {
            out[at] ^= (byte) (1 << random.nextInt(Byte.SIZE));
        }
        return out;
    }

    /** Puts a number in the place of the next one that is there. */
    private static byte[] number(byte[] in, int at, String number) {
        int from = at;
        while (from < in.length && !isDigit(in[from])) {
            from++;
        }
        int to = from;
        while (to < in.length && isDigit(in[to])) {
            to++;
        }
        return joined(in, from, to, number);
    }

    /** Puts a letter in the place of the next one that is there, in the same case. */
    private static byte[] letter(byte[] in, int at, byte upper) {
        byte[] out = in.clone();
        for (int i = at; i < out.length; i++) {
            if (Character.isLetter(out[i])) {
                out[i] = (byte) (Character.isUpperCase(out[i]) ? upper : upper + 'a' - 'A');
                return out;
            }
        }
        return out;
    }

    private static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }

    private static String nest(Random random) {
        int depth = 1 + random.nextInt(DEPTH_MAX);
        String open = random.nextBoolean() ? "[" : "{\"a\":";
        String close = open.equals("[") ? "]" : "}";
        return open.repeat(depth) + (random.nextBoolean() ? "1" + close.repeat(depth) : "");
    }

    private static int slice(Random random) {
        return 1 + random.nextInt(SLICE_BYTES_MAX);
    }

    private static String one(List<String> list, Random random) {
        return list.get(random.nextInt(list.size()));
    }

    private static String latin1(byte[] in, int from, int length) {
        return new String(in, from, Math.min(length, in.length - from), StandardCharsets.ISO_8859_1);
    }

    private static byte[] joined(byte[] in, int from, int to, String between) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(in.length + between.length());
        out.write(in, 0, from);
        out.writeBytes(between.getBytes(StandardCharsets.ISO_8859_1));
        int rest = Math.min(to, in.length);
        out.write(in, rest, in.length - rest);
        return out.toByteArray();
    }
}
