package io.quittance.psp.standardwebhooks;

import io.quittance.psp.SettingsReader;
import io.vertx.core.json.JsonObject;
import java.util.TreeSet;

/**
 * The fields of a browser's return, which the specification knows nothing of.
 *
 * @param reference holds the attempt's id
 * @param paymentId holds the PSP's id of the payment
 * @param isByPaymentId whether the attempt's id may be missing; where it never is, the PSP's id need not be kept for this
 */
record ReturnNames(String reference, String paymentId, boolean isByPaymentId) {

    /**
     * Reads {@code return_fields: {reference: reference, payment_id: id}}; these are the defaults. Who names a field for
     * the PSP's id has payers come back with it alone.
     */
    static ReturnNames parse(SettingsReader reader) {
        JsonObject names = reader.has("return_fields") ? reader.object("return_fields") : new JsonObject();
        for (String name : new TreeSet<>(names.fieldNames())) {
            boolean known = name.equals("reference") || name.equals("payment_id");
            if (!known || !(names.getValue(name) instanceof String text) || text.isBlank()) {
                reader.mistake("return_fields." + name, "must be reference or payment_id, with the name of a field");
            }
        }
        return new ReturnNames(
                name(names, "reference", "reference"),
                name(names, "payment_id", "id"),
                names.containsKey("payment_id"));
    }

    private static String name(JsonObject names, String key, String whenMissing) {
        return names.getValue(key) instanceof String text ? text : whenMissing;
    }
}
