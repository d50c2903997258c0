package io.quittance.psp.alipay;

import io.quittance.psp.FormBody;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A notification's form, decoded once with the charset that it names.
 *
 * @param charset of the form and of the text that is signed
 */
record AlipayForm(Map<String, String> fields, Charset charset) {

    private static final Charset GBK = Charset.forName("GBK");
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.]{1,64}");

    /** The fields that payment notices and returns are known to have; later ones are signed and ignored. */
    private static final Set<String> KNOWN_NAMES = Set.of(
            "app_id",
            "auth_app_id",
            "body",
            "buyer_id",
            "buyer_logon_id",
            "buyer_pay_amount",
            "charset",
            "fund_bill_list",
            "gmt_close",
            "gmt_create",
            "gmt_payment",
            "gmt_refund",
            "invoice_amount",
            "method",
            "notify_id",
            "notify_time",
            "notify_type",
            "out_biz_no",
            "out_trade_no",
            "passback_params",
            "point_amount",
            "receipt_amount",
            "refund_fee",
            "seller_email",
            "seller_id",
            "sign",
            "sign_type",
            "subject",
            "timestamp",
            "total_amount",
            "trade_no",
            "trade_status",
            "version",
            "voucher_detail_list");

    private static final Set<String> UNSIGNED_NAMES = Set.of("sign", "sign_type");
    private static final Pattern INJECTED_NAME = Pattern.compile("&(" + String.join("|", KNOWN_NAMES) + ")=");

    /** Empty if it is not a form, or names no charset that Alipay uses (utf-8 or gbk, in any case). */
    static Optional<AlipayForm> decode(Buffer body) {
        byte[] raw = body.getBytes();
        // The charset's name is ASCII, so it reads the same in either charset.
        return FormBody.decode(raw, StandardCharsets.ISO_8859_1)
                .flatMap(fields -> charset(fields.getOrDefault("charset", "")))
                .flatMap(charset -> FormBody.decode(raw, charset).map(fields -> new AlipayForm(fields, charset)));
    }

    /** A field's text; a missing field is empty, since Alipay leaves out what has no value. */
    String get(String name) {
        return fields.getOrDefault(name, "");
    }

    /**
     * The bytes that are signed: {@code name=value} of all fields but sign and sign_type, sorted by name, joined by
     * {@code &}, not encoded (opendocs.alipay.com, "verifying the signature of an asynchronous notice").
     *
     * @param withEmpty Alipay's own libraries disagree about whether fields without a value take part
     */
    byte[] signedBytes(boolean withEmpty) {
        return signedText(fields, UNSIGNED_NAMES, withEmpty).getBytes(charset);
    }

    boolean hasEmptyValue() {
        return fields.entrySet().stream()
                .anyMatch(field -> field.getValue().isEmpty() && !UNSIGNED_NAMES.contains(field.getKey()));
    }

    /**
     * Whether the signed text can be cut into other fields: it is joined without escaping, so that a subject
     * {@code x&total_amount=9999} hides a field, and a field hides in a subject.
     */
    boolean isAmbiguous() {
        return fields.entrySet().stream()
                .anyMatch(field -> !NAME.matcher(field.getKey()).matches()
                        || INJECTED_NAME.matcher(field.getValue()).find()
                        || (field.getValue().startsWith("&") && !KNOWN_NAMES.contains(field.getKey())));
    }

    static String signedText(Map<String, String> fields, Set<String> leftOut, boolean withEmpty) {
        Predicate<Map.Entry<String, String>> takesPart = field -> !leftOut.contains(field.getKey())
                && (withEmpty || !field.getValue().isEmpty());
        return new TreeMap<>(fields)
                .entrySet().stream()
                        .filter(takesPart)
                        .map(field -> field.getKey() + "=" + field.getValue())
                        .collect(Collectors.joining("&"));
    }

    private static Optional<Charset> charset(String name) {
        return switch (name.toLowerCase(Locale.ROOT)) {
            case "utf-8" -> Optional.of(StandardCharsets.UTF_8);
            case "gbk" -> Optional.of(GBK);
            default -> Optional.empty();
        };
    }
}
