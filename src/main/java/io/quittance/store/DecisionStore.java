package io.quittance.store;

import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Writes decisions: many orders in one statement, each of them whole or not at all. Only orders whose version is still
 * the one that was read are changed; the log entry of a decision stands or falls with it.
 */
public final class DecisionStore {

    private final long unmatchedReviewAfterMs;
    private final ReturnNaming returns;

    /** @param unmatchedReviewAfterMs how long a notification may wait for its attempt before a person is asked, in ms */
    public DecisionStore(long unmatchedReviewAfterMs, ReturnNaming returns) {
        this.unmatchedReviewAfterMs = unmatchedReviewAfterMs;
        this.returns = returns;
    }

    /**
     * Writes.
     *
     * @param rulings at most one that changes anything for each order
     * @return the orders that were changed; the decisions on all others that wanted a change were made on an old version
     *     and nothing of them is written
     */
    public Future<Set<UUID>> write(SqlClient client, List<Ruling> rulings) {
        Optional<Statement> assembled = assemble(rulings);
        if (assembled.isEmpty()) {
            return Future.succeededFuture(Set.of());
        }
        Statement statement = assembled.get();
        return client.preparedQuery(statement.sql()).execute(statement.values()).map(changed -> {
            Set<UUID> moved = new HashSet<>();
            for (Row row : changed) {
                moved.add(row.getUUID(0));
            }
            return moved;
        });
    }

    /** One statement with all its values. */
    public record Statement(String sql, Tuple values) {}

    /** The statement that writes these; empty if they have nothing to write. */
    public Optional<Statement> assemble(List<Ruling> rulings) {
        RulingRows rows = new RulingRows(unmatchedReviewAfterMs, returns);
        rulings.forEach(rows::add);
        return rows.parts().isEmpty()
                ? Optional.empty()
                : Optional.of(new Statement(Part.statement(rows.parts()), rows.toTuple()));
    }
}
