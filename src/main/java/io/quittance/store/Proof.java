package io.quittance.store;

import java.util.List;

/**
 * One query that returns what contradicts an invariant, and nothing if all is well.
 *
 * @param invariant I1 to I8
 * @param name what must hold, in a few words
 * @param counterexamples selects {@code order_id} (null if it is about no order) and {@code detail}, a sentence; its
 *     parameters are numbered from $2
 * @param parameters the values from $2 on
 */
record Proof(String invariant, String name, String counterexamples, List<Object> parameters) {

    private static final String BOUNDED = """
            select coalesce(o.order_no, '-') as order_no,
                   c.detail || coalesce(' (merchant ' || o.merchant_id || ')', '') as detail,
                   count(*) over () as total
            from (
            %s
            ) c
            left join orders o on o.id = c.order_id
            order by 1, 2
            limit $1
            """;

    Proof(String invariant, String name, String counterexamples) {
        this(invariant, name, counterexamples, List.of());
    }

    /** At most $1 counterexamples, each with how many there are in all. */
    String sql() {
        return BOUNDED.formatted(counterexamples);
    }
}
