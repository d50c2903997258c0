package io.quittance.psp.alipay;

import io.quittance.psp.FormFields;
import io.quittance.psp.Verification;
import io.vertx.core.buffer.Buffer;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A notification's form, with each field once. What is signed are the fields' bytes as they came, with the escapes taken
 * off; only those that we read become text.
 */
final class AlipayForm implements Verification.Reading {

    private static final Charset GBK = Charset.forName("GBK");
    private static final Set<String> UNSIGNED_NAMES = Set.of("sign", "sign_type");

    private static final Set<String> READ_NAMES = Set.of(
            "app_id",
            "charset",
            "gmt_refund",
            "notify_id",
            "notify_type",
            "out_biz_no",
            "out_trade_no",
            "refund_fee",
            "seller_id",
            "sign",
            "sign_type",
            "total_amount",
            "trade_no",
            "trade_status");

    /** A value that is read, in bytes. The longest is the signature of a key of 4096 bits, with 684. */
    private static final int READ_VALUE_BYTES_MAX = 1024;

    /** The length of the longest charset's name that Alipay uses, in bytes. */
    private static final int CHARSET_BYTES_MAX = 5;

    private final FormFields fields;
    /** By position. */
    private final String[] names;

    private final Map<String, Integer> positions;
    private final Charset charset;

    private AlipayForm(FormFields fields, String[] names, Map<String, Integer> positions, Charset charset) {
        this.fields = fields;
        this.names = names;
        this.positions = positions;
        this.charset = charset;
    }

    /**
     * Reads a form.
     *
     * @return empty if it is not one, has a field twice, names no charset that Alipay uses (utf-8 or gbk, in any case),
     *     has bytes that are not of that charset, or, in one of the fields that we read, more than 1 KiB or a NUL, which
     *     no database keeps as text
     */
    static Optional<AlipayForm> decode(Buffer body) {
        return FormFields.decode(body.getBytes()).flatMap(AlipayForm::of);
    }

    private static Optional<AlipayForm> of(FormFields fields) {
        String[] names = new String[fields.count()];
        Map<String, Integer> positions = new HashMap<>();
        for (int i = 0; i < names.length; i++) {
            int start = fields.nameStart(i);
            int length = fields.valueStart(i) - start;
            if (length > AlipayNames.NAME_BYTES_MAX) {
                return Optional.empty();
            }
            // One byte is one character, whatever the charset: a name that is not ASCII is refused as ambiguous.
            names[i] = new String(fields.bytes(), start, length, StandardCharsets.ISO_8859_1);
            if (positions.put(names[i], i) != null) {
                return Optional.empty();
            }
        }
        Charset charset = charset(fields, positions.get("charset"));
        if (charset == null) {
            return Optional.empty();
        }
        AlipayForm form = new AlipayForm(fields, names, positions, charset);
        return form.isReadable() ? Optional.of(form) : Optional.empty();
    }

    /** Fields that we do not read have to be text too, and may be as long as they like. */
    private boolean isReadable() {
        for (int i = 0; i < names.length; i++) {
            if (!fields.isText(i, charset) || (READ_NAMES.contains(names[i]) && !canBeKept(i))) {
                return false;
            }
        }
        return true;
    }

    private boolean canBeKept(int position) {
        int start = fields.valueStart(position);
        int end = fields.valueEnd(position);
        if (end - start > READ_VALUE_BYTES_MAX) {
            return false;
        }
        for (int i = start; i < end; i++) {
            if (fields.bytes()[i] == 0) {
                return false;
            }
        }
        return true;
    }

    /** The text of a field that we read; a missing field is empty, since Alipay leaves out what has no value. */
    String get(String name) {
        Integer position = positions.get(name);
        return position == null ? "" : fields.value(position, charset).orElse("");
    }

    /**
     * The bytes that are signed: {@code name=value} of all fields but sign and sign_type, sorted by name, joined by
     * {@code &}, not encoded (opendocs.alipay.com, "verifying the signature of an asynchronous notice").
     *
     * @param withEmpty Alipay's own libraries disagree about whether fields without a value take part
     */
    byte[] signedBytes(boolean withEmpty) {
        List<Integer> signed = new ArrayList<>(names.length);
        int length = 0;
        for (int i = 0; i < names.length; i++) {
            if (!UNSIGNED_NAMES.contains(names[i]) && (withEmpty || !isEmpty(i))) {
                signed.add(i);
                length += fields.valueEnd(i) - fields.nameStart(i) + 2;
            }
        }
        signed.sort(Comparator.comparing(i -> names[i]));
        // Behind each name one sign, and behind each value but the last.
        ByteBuffer message = ByteBuffer.allocate(Math.max(0, length - 1));
        for (int i : signed) {
            if (message.position() > 0) {
                message.put((byte) '&');
            }
            int valueStart = fields.valueStart(i);
            message.put(fields.bytes(), fields.nameStart(i), valueStart - fields.nameStart(i));
            message.put((byte) '=');
            message.put(fields.bytes(), valueStart, fields.valueEnd(i) - valueStart);
        }
        return message.array();
    }

    boolean hasEmptyValue() {
        for (int i = 0; i < names.length; i++) {
            if (isEmpty(i) && !UNSIGNED_NAMES.contains(names[i])) {
                return true;
            }
        }
        return false;
    }

    /** Whether the signed text can be cut into other fields. */
    boolean isAmbiguous() {
        for (int i = 0; i < names.length; i++) {
            if (AlipayNames.isAmbiguous(names[i], fields.bytes(), fields.valueStart(i), fields.valueEnd(i))) {
                return true;
            }
        }
        return false;
    }

    private boolean isEmpty(int position) {
        return fields.valueStart(position) == fields.valueEnd(position);
    }

    /** What is signed of a request of ours. */
    static String signedText(Map<String, String> fields, Set<String> leftOut, boolean withEmpty) {
        Predicate<Map.Entry<String, String>> takesPart = field -> !leftOut.contains(field.getKey())
                && (withEmpty || !field.getValue().isEmpty());
        return new TreeMap<>(fields)
                .entrySet().stream()
                        .filter(takesPart)
                        .map(field -> field.getKey() + "=" + field.getValue())
                        .collect(Collectors.joining("&"));
    }

    /** Null if there is none that is known. */
    private static @Nullable Charset charset(FormFields fields, @Nullable Integer position) {
        // The charset's name is ASCII, so that it reads the same in either charset.
        String name = position == null || fields.valueEnd(position) - fields.valueStart(position) > CHARSET_BYTES_MAX
                ? ""
                : fields.value(position, StandardCharsets.ISO_8859_1).orElse("");
        return switch (name.toLowerCase(Locale.ROOT)) {
            case "utf-8" -> StandardCharsets.UTF_8;
            case "gbk" -> GBK;
            default -> null;
        };
    }
}
