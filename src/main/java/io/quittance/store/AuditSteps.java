package io.quittance.store;

import io.quittance.domain.Ids;
import java.util.UUID;

/** The steps of an audit entry: a JSON array of arrays, each of entity, its id, state before and state after. */
final class AuditSteps {

    private AuditSteps() {}

    /** An entry's only step, in SQL. All are expressions of type text. */
    static String only(String entity, String id, String before, String after) {
        return "jsonb_build_array(" + step(entity, id, before, after) + ")";
    }

    /** One of several. */
    static String step(String entity, String id, String before, String after) {
        return "jsonb_build_array(%s, %s, %s, %s)".formatted(entity, id, before, after);
    }

    /** The id of a hold; {@code held} is its product and round with a slash between them. */
    static String holdId(UUID orderId, String held) {
        return Ids.hex(orderId) + "/" + held;
    }

    /** The same in SQL, by the name of a row that has the columns order_id, sku and round. */
    static String holdIdOf(String row) {
        return "replace(%1$s.order_id::text, '-', '') || '/' || %1$s.sku || '/' || %1$s.round".formatted(row);
    }
}
