package io.quittance.psp.adyen;

import io.quittance.psp.JsonFields;
import io.quittance.psp.JsonPaths;
import io.quittance.psp.Verification;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A standard webhook's body: {@code {"live":"false","notificationItems":[{"NotificationRequestItem":{...}}]}}
 * (docs.adyen.com/development-resources/webhooks). Adyen signs the items and not the body, so it has to be read before
 * anything is known about who wrote it: it is read within limits, and says nothing that is believed until every item's
 * signature was found right.
 *
 * @param live not signed; empty if the body does not say
 * @param items at least one
 */
record AdyenBody(Optional<Boolean> live, List<AdyenItem> items) implements Verification.Reading {

    /** Adyen's JSON has one item, and never had more than six. */
    static final int ITEMS_MAX = 32;

    private static final JsonPaths PATHS = JsonPaths.of(
            "/live",
            "/notificationItems/*/NotificationRequestItem/pspReference",
            "/notificationItems/*/NotificationRequestItem/originalReference",
            "/notificationItems/*/NotificationRequestItem/merchantAccountCode",
            "/notificationItems/*/NotificationRequestItem/merchantReference",
            "/notificationItems/*/NotificationRequestItem/amount/value",
            "/notificationItems/*/NotificationRequestItem/amount/currency",
            "/notificationItems/*/NotificationRequestItem/eventCode",
            "/notificationItems/*/NotificationRequestItem/success",
            "/notificationItems/*/NotificationRequestItem/eventDate",
            "/notificationItems/*/NotificationRequestItem/additionalData/hmacSignature");

    AdyenBody {
        items = List.copyOf(items);
    }

    /** Empty for whatever is not such a body, or is beyond the limits. */
    static Optional<AdyenBody> read(Buffer body) {
        JsonObject json = JsonFields.parse(body, PATHS);
        JsonArray array = json == null ? null : JsonFields.array(json, "notificationItems");
        if (json == null || array == null || array.isEmpty() || array.size() > ITEMS_MAX) {
            return Optional.empty();
        }
        List<AdyenItem> items = new ArrayList<>(array.size());
        for (int i = 0; i < array.size(); i++) {
            JsonObject wrapped = array.getValue(i) instanceof JsonObject wrapper
                    ? JsonFields.object(wrapper, "NotificationRequestItem")
                    : null;
            Optional<AdyenItem> item = wrapped == null ? Optional.empty() : AdyenItem.read(wrapped);
            if (item.isEmpty()) {
                return Optional.empty();
            }
            items.add(item.get());
        }
        return Optional.of(new AdyenBody(live(json), items));
    }

    private static Optional<Boolean> live(JsonObject json) {
        String text = String.valueOf(json.getValue("live"));
        return text.equals("true") || text.equals("false") ? Optional.of(text.equals("true")) : Optional.empty();
    }
}
