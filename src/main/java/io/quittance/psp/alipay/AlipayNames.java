package io.quittance.psp.alipay;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The names of fields, and where they can hide: the signed text is joined without escaping. */
final class AlipayNames {

    /** The longest name that is taken for one. */
    static final int NAME_BYTES_MAX = 64;

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

    /** The same as bytes, by their length. */
    private static final Map<Integer, byte[][]> KNOWN_BYTES = KNOWN_NAMES.stream()
            .map(name -> name.getBytes(StandardCharsets.US_ASCII))
            .collect(Collectors.groupingBy(
                    name -> name.length,
                    Collectors.collectingAndThen(Collectors.toList(), names -> names.toArray(byte[][]::new))));

    private static final byte[][] NONE = {};

    private AlipayNames() {}

    /** Whether it is of the form that all names have: {@code [A-Za-z0-9_.]{1,64}}. */
    static boolean isName(String text) {
        if (text.isEmpty() || text.length() > NAME_BYTES_MAX) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if (!isNameCharacter(text.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    /**
     * Whether the signed text can be cut into other fields at this one: a subject {@code x&total_amount=9999} hides a
     * field, and a field hides in a subject.
     *
     * @param from where the value begins in the bytes
     * @param to where it ends
     */
    static boolean isAmbiguous(String name, byte[] bytes, int from, int to) {
        if (!isName(name)) {
            return true;
        }
        if (from < to && bytes[from] == '&' && !KNOWN_NAMES.contains(name)) {
            return true;
        }
        for (int i = from; i < to; i++) {
            if (bytes[i] == '&' && hidesKnownName(bytes, i + 1, to)) {
                return true;
            }
        }
        return false;
    }

    /** Whether a known name with its {@code =} begins here. */
    private static boolean hidesKnownName(byte[] bytes, int from, int to) {
        int end = from;
        while (end < to && end - from <= NAME_BYTES_MAX && isNameCharacter(bytes[end])) {
            end++;
        }
        if (end == to || bytes[end] != '=') {
            return false;
        }
        for (byte[] known : KNOWN_BYTES.getOrDefault(end - from, NONE)) {
            if (Arrays.equals(known, 0, known.length, bytes, from, end)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isNameCharacter(int c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
    }
}
