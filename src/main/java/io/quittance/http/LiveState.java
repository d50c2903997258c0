package io.quittance.http;

import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;

/**
 * What a stream says of an order at one moment.
 *
 * @param id the same for the same content, so that nothing is told twice
 * @param data JSON on one line
 * @param last whether nothing will follow
 */
record LiveState(String id, String data, boolean last) {

    /** Far from every chance of two states of one order with one id. */
    private static final int ID_BYTES = 12;

    /** What runs by itself at its reader's and so is no change. */
    private static final String CLOCK = "seconds_left";

    static LiveState of(JsonObject json, boolean last) {
        JsonObject content = json.copy();
        content.remove(CLOCK);
        byte[] hash = Digests.sha256(content.encode().getBytes(StandardCharsets.UTF_8));
        String id = Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(hash, ID_BYTES));
        return new LiveState(id, json.encode(), last);
    }
}
