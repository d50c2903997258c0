package io.quittance.psp.alipay;

import io.quittance.psp.FormFields;
import io.quittance.psp.SignedBytes;
import io.vertx.core.buffer.Buffer;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
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
final class AlipayForm {

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

    private static final byte[] AND = {'&'};
    private static final byte[] EQUALS = {'='};

    private final FormFields fields;
    private final NavigableMap<String, Integer> positions;
    private final Map<String, String> texts;

    private AlipayForm(FormFields fields, NavigableMap<String, Integer> positions, Map<String, String> texts) {
        this.fields = fields;
        this.positions = positions;
        this.texts = texts;
    }

    /**
     * Reads a form.
     *
     * @return empty if it is not one, has a field twice, names no charset that Alipay uses (utf-8 or gbk, in any case),
     *     has bytes that are not of that charset, or more than 1 KiB in one of the fields that we read
     */
    static Optional<AlipayForm> decode(Buffer body) {
        return FormFields.decode(body.getBytes()).flatMap(AlipayForm::of);
    }

    private static Optional<AlipayForm> of(FormFields fields) {
        NavigableMap<String, Integer> positions = new TreeMap<>();
        for (int i = 0; i < fields.count(); i++) {
            ByteBuffer name = fields.name(i);
            if (name.remaining() > AlipayNames.NAME_BYTES_MAX || positions.put(latin1(name), i) != null) {
                return Optional.empty();
            }
        }
        Charset charset = charset(fields, positions.get("charset"));
        return charset == null
                ? Optional.empty()
                : texts(fields, positions, charset).map(texts -> new AlipayForm(fields, positions, texts));
    }

    /** Empty if a field is not text in the charset, also among those that we do not read. */
    private static Optional<Map<String, String>> texts(
            FormFields fields, NavigableMap<String, Integer> positions, Charset charset) {
        Map<String, String> texts = new HashMap<>();
        for (Map.Entry<String, Integer> field : positions.entrySet()) {
            ByteBuffer value = fields.value(field.getValue());
            boolean read = READ_NAMES.contains(field.getKey());
            if (!FormFields.isText(value, charset) || (read && value.remaining() > READ_VALUE_BYTES_MAX)) {
                return Optional.empty();
            }
            if (read) {
                fields.text(value, charset).ifPresent(text -> texts.put(field.getKey(), text));
            }
        }
        return Optional.of(texts);
    }

    /** The text of a field that we read; a missing field is empty, since Alipay leaves out what has no value. */
    String get(String name) {
        return texts.getOrDefault(name, "");
    }

    /**
     * What is signed: {@code name=value} of all fields but sign and sign_type, sorted by name, joined by {@code &}, not
     * encoded (opendocs.alipay.com, "verifying the signature of an asynchronous notice").
     *
     * @param withEmpty Alipay's own libraries disagree about whether fields without a value take part
     */
    SignedBytes signedBytes(boolean withEmpty) {
        return sink -> {
            boolean first = true;
            for (Map.Entry<String, Integer> field : positions.entrySet()) {
                ByteBuffer value = fields.value(field.getValue());
                if (UNSIGNED_NAMES.contains(field.getKey()) || (!withEmpty && !value.hasRemaining())) {
                    continue;
                }
                if (!first) {
                    sink.update(AND, 0, 1);
                }
                first = false;
                into(sink, fields.name(field.getValue()));
                sink.update(EQUALS, 0, 1);
                into(sink, value);
            }
        };
    }

    boolean hasEmptyValue() {
        return positions.entrySet().stream()
                .anyMatch(field ->
                        !fields.value(field.getValue()).hasRemaining() && !UNSIGNED_NAMES.contains(field.getKey()));
    }

    /** Whether the signed text can be cut into other fields. */
    boolean isAmbiguous() {
        for (Map.Entry<String, Integer> field : positions.entrySet()) {
            if (AlipayNames.isAmbiguous(field.getKey(), fields.value(field.getValue()))) {
                return true;
            }
        }
        return false;
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

    /** The charset's name is ASCII, so that it reads the same in either charset. Null if there is none that is known. */
    private static @Nullable Charset charset(FormFields fields, @Nullable Integer position) {
        if (position == null || fields.value(position).remaining() > AlipayNames.NAME_BYTES_MAX) {
            return null;
        }
        return switch (latin1(fields.value(position)).toLowerCase(Locale.ROOT)) {
            case "utf-8" -> StandardCharsets.UTF_8;
            case "gbk" -> GBK;
            default -> null;
        };
    }

    private static String latin1(ByteBuffer bytes) {
        return new String(
                bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining(), StandardCharsets.ISO_8859_1);
    }

    private static void into(SignedBytes.Sink sink, ByteBuffer bytes) throws GeneralSecurityException {
        sink.update(bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
    }
}
