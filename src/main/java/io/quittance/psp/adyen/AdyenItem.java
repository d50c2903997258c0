package io.quittance.psp.adyen;

import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * One {@code NotificationRequestItem}. The first eight fields are signed; what is missing or null counts as empty.
 *
 * @param value an integer as text: the JSON has it as a number or as a text, and it is signed in this form
 * @param eventDate not signed
 * @param signature base64; empty if there is none
 */
record AdyenItem(
        String pspReference,
        String originalReference,
        String merchantAccountCode,
        String merchantReference,
        String value,
        String currency,
        String eventCode,
        String success,
        String eventDate,
        String signature) {

    /** Adyen's longest field has 80 characters. */
    private static final int TEXT_CHARS_MAX = 512;

    private static final Pattern INTEGER = Pattern.compile("0|-?[1-9][0-9]{0,17}");

    /** Empty if a field that is read has another type than it must have, or more than 512 characters. */
    static Optional<AdyenItem> read(JsonObject json) {
        Fields item = new Fields(json);
        Fields amount = item.below("amount");
        Fields additional = item.below("additionalData");
        AdyenItem read = new AdyenItem(
                item.text("pspReference"),
                item.text("originalReference"),
                item.text("merchantAccountCode"),
                item.text("merchantReference"),
                amount.integer("value"),
                amount.text("currency"),
                item.text("eventCode"),
                item.text("success"),
                item.text("eventDate"),
                additional.text("hmacSignature"));
        return item.broken || amount.broken || additional.broken ? Optional.empty() : Optional.of(read);
    }

    /** The text that is signed, in UTF-8. Nothing in it is escaped. */
    byte[] signedBytes() {
        return String.join(
                        ":",
                        pspReference,
                        originalReference,
                        merchantAccountCode,
                        merchantReference,
                        value,
                        currency,
                        eventCode,
                        success)
                .getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Whether the signed text can be cut into fields in one way only. One field may hold colons, and then the others are
     * what stands before and after it; with two such fields, another item would have the same signature.
     */
    boolean isUnambiguous() {
        return (pspReference + originalReference + merchantAccountCode + currency + eventCode + success).indexOf(':')
                < 0;
    }

    boolean succeeded() {
        return success.equals("true");
    }

    /** Members of an object; remembers whether one of them was of the wrong type. */
    private static final class Fields {

        private final JsonObject from;
        private boolean broken;

        Fields(JsonObject from) {
            this.from = from;
        }

        Fields below(String name) {
            Object value = from.getValue(name);
            if (value instanceof JsonObject object) {
                return new Fields(object);
            }
            broken |= value != null;
            return new Fields(new JsonObject());
        }

        String text(String name) {
            Object value = from.getValue(name);
            if (value instanceof String text && text.length() <= TEXT_CHARS_MAX) {
                return text;
            }
            broken |= value != null;
            return "";
        }

        String integer(String name) {
            Object value = from.getValue(name);
            boolean whole = value instanceof Integer || value instanceof Long || value instanceof String;
            String text = whole ? value.toString() : "";
            boolean wellFormed = value == null || INTEGER.matcher(text).matches();
            broken |= !wellFormed;
            return text;
        }
    }
}
