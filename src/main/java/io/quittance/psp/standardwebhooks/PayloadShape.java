package io.quittance.psp.standardwebhooks;

import io.quittance.domain.FactKind;
import io.quittance.psp.JsonPaths;
import io.quittance.psp.JsonPaths.Place;
import io.quittance.psp.SettingsReader;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where things stand in a PSP's notifications: the specification leaves the body to the sender. Without settings it is
 *
 * <pre>{@code
 * {"type": "payment.succeeded", "data": {"id": "the PSP's id of the payment", "reference": "the attempt's id",
 *     "amount": {"value": "19.99", "currency": "CNY"}}}
 * {"type": "refund.succeeded", "data": {"id": "the PSP's id of the payment", "reference": "the attempt's id",
 *     "refund": {"id": "the PSP's id of the refund", "reference": "our id of the refund, if it is ours"},
 *     "amount": {"value": "5.00", "currency": "CNY"}}}
 * }</pre>
 *
 * where a refund's amount is what went back with this refund alone. The types are those of {@link #WORDS}.
 *
 * <p>Another shape, such as {@code {"eventType": "charge.paid", "payload": {"charge": {"id": "ch_1", "metadata": {"order":
 * "the attempt's id"}, "amount_minor": 1999, "currency": "cny"}}}}, is said by
 *
 * <pre>{@code
 * fields: {type: /eventType, payment_id: /payload/charge/id, reference: /payload/charge/metadata/order,
 *          amount: [/payload/refund/amount_minor, /payload/charge/amount_minor], currency: /payload/charge/currency,
 *          refund_id: /payload/refund/id, refund_reference: /payload/refund/metadata/refund}
 * types: {charge.paid: payment.succeeded, charge.declined: payment.declined, refund.done: refund.succeeded}
 * amount_unit: minor
 * }</pre>
 *
 * @param pointers for each field where it stands (RFC 6901); of several places the first at which there is something counts
 * @param types what the PSP's own words for its types mean; all other notifications are not ours
 * @param minorUnits whether amounts are whole numbers of ISO 4217's minor unit, rather than decimals in a text
 */
record PayloadShape(Map<Field, List<Place>> pointers, Map<String, FactKind> types, boolean minorUnits) {

    /** Our words for types. */
    static final Map<String, FactKind> WORDS = Map.of(
            "payment.succeeded", FactKind.PAYMENT_SUCCEEDED,
            "payment.failed", FactKind.PAYMENT_FAILED,
            "payment.closed", FactKind.PAYMENT_CLOSED,
            "payment.pending", FactKind.PAYMENT_PENDING,
            "payment.declined", FactKind.PAYMENT_DECLINED,
            "refund.succeeded", FactKind.REFUND_SUCCEEDED,
            "refund.failed", FactKind.REFUND_FAILED,
            "refund.pending", FactKind.REFUND_PENDING);

    /** Far longer than any path, and short enough for the expression that pointers are read with. */
    private static final int POINTER_CHARS_MAX = 255;

    private static final Pattern POINTER = Pattern.compile("(?:/(?:[^/~]|~[01])*)+");

    /** What is read from a notification. */
    enum Field {
        TYPE("type", "/type"),
        PAYMENT_ID("payment_id", "/data/id"),
        REFERENCE("reference", "/data/reference"),
        AMOUNT("amount", "/data/amount/value"),
        CURRENCY("currency", "/data/amount/currency"),
        REFUND_ID("refund_id", "/data/refund/id"),
        REFUND_REFERENCE("refund_reference", "/data/refund/reference");

        private final String key;
        private final String standard;

        Field(String key, String standard) {
            this.key = key;
            this.standard = standard;
        }
    }

    PayloadShape {
        pointers = Map.copyOf(pointers);
        types = Map.copyOf(types);
    }

    /**
     * Reads {@code fields}, an object of pointers or lists of them, in which what is left out keeps its place;
     * {@code types}, an object from the PSP's words to ours, which replaces all of ours; {@code amount_unit}, which is
     * {@code major} or {@code minor}.
     */
    static PayloadShape parse(SettingsReader reader) {
        return new PayloadShape(pointers(reader), types(reader), isMinor(reader));
    }

    /** All places, for reading nothing else. */
    JsonPaths paths() {
        return JsonPaths.of(pointers.values().stream()
                .flatMap(List::stream)
                .map(Place::pointer)
                .toArray(String[]::new));
    }

    /** What stands at a field's place; null if there is nothing. */
    @Nullable Object value(JsonObject payload, Field field) {
        for (Place place : pointers.getOrDefault(field, List.of())) {
            Object value = place.in(payload);
            if (value != null) {
                return value;
            }
        }
        return null;
    }

    private static Map<Field, List<Place>> pointers(SettingsReader reader) {
        JsonObject settings = reader.has("fields") ? reader.object("fields") : new JsonObject();
        Map<Field, List<Place>> pointers = new EnumMap<>(Field.class);
        TreeSet<String> unknown = new TreeSet<>(settings.fieldNames());
        for (Field field : Field.values()) {
            unknown.remove(field.key);
            Object given = settings.getValue(field.key);
            JsonArray places = given instanceof JsonArray several
                    ? several
                    : new JsonArray().add(settings.containsKey(field.key) ? given : field.standard);
            pointers.put(field, pointers(reader, "fields." + field.key, places));
        }
        unknown.forEach(key -> reader.mistake("fields." + key, "is not a known key"));
        return pointers;
    }

    private static List<Place> pointers(SettingsReader reader, String key, JsonArray places) {
        List<Place> pointers = new ArrayList<>();
        for (Object place : places) {
            if (place instanceof String text && isPointer(text)) {
                pointers.add(JsonPaths.place(text));
            }
        }
        if (pointers.isEmpty() || pointers.size() < places.size()) {
            reader.mistake(key, "must be a JSON pointer such as /data/id, or a list of them");
        }
        return pointers;
    }

    private static boolean isPointer(String text) {
        return text.length() <= POINTER_CHARS_MAX && POINTER.matcher(text).matches();
    }

    private static Map<String, FactKind> types(SettingsReader reader) {
        if (!reader.has("types")) {
            return WORDS;
        }
        JsonObject settings = reader.object("types");
        Map<String, FactKind> types = new TreeMap<>();
        for (String word : new TreeSet<>(settings.fieldNames())) {
            FactKind kind = settings.getValue(word) instanceof String ours ? WORDS.get(ours) : null;
            if (kind == null) {
                reader.mistake("types." + word, "must be one of " + new TreeSet<>(WORDS.keySet()));
            } else {
                types.put(word, kind);
            }
        }
        return types;
    }

    private static boolean isMinor(SettingsReader reader) {
        String unit = reader.optionalText("amount_unit");
        boolean minor = "minor".equals(unit);
        if (unit != null && !minor && !"major".equals(unit)) {
            reader.mistake("amount_unit", "must be major or minor");
        }
        return minor;
    }
}
