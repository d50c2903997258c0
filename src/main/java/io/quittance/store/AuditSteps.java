package io.quittance.store;

/**
 * The steps of an audit entry: a JSON array of arrays, each of entity, its id, state before and state after. The entry has
 * its order's id, and so it is left out of the ids of steps: one that is empty is the order's, and one that begins with a
 * slash goes behind it. The view {@code audit} shows them whole.
 */
final class AuditSteps {

    /** The order's own id. */
    static final String ORDER_ID = "";

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
    static String holdId(String held) {
        return "/" + held;
    }

    /** The same in SQL, by the name of a row that has the columns sku and round. */
    static String holdIdOf(String row) {
        return "'/' || %1$s.sku || '/' || %1$s.round".formatted(row);
    }
}
