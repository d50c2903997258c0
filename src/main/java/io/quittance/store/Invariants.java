package io.quittance.store;

import io.vertx.core.Future;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Proves I1 to I8 on a live database, by what is written there alone. */
public final class Invariants {

    /** So many counterexamples are listed for one query; how many more there are is only counted. */
    static final int LISTED_MAX = 100;

    /** One snapshot for all queries: a gateway that goes on working beside it cannot look wrong. */
    private static final String ONE_SNAPSHOT = "set transaction isolation level repeatable read read only";

    /** Hash tables and sorts over all orders, one at a time and only for this transaction. */
    private static final String ROOM_TO_SORT = "set local work_mem = '256MB'";

    private static final List<Proof> PROOFS = Stream.of(MoneyProofs.all(), StockProofs.all(), TrailProofs.all())
            .flatMap(List::stream)
            .toList();

    private final Pool pool;

    /** @param pool of the primary or of a replica; one connection is taken for as long as a check lasts */
    public Invariants(Pool pool) {
        this.pool = pool;
    }

    /**
     * What contradicts an invariant.
     *
     * @param invariant I1 to I8
     * @param orderNo the merchant's number of the order; {@code -} if it is about no single order
     * @param detail one sentence
     * @param times for how many violations this line stands: 1, or more where a long list was cut
     */
    public record Violation(String invariant, String orderNo, String detail, long times) {

        public Violation(String invariant, String orderNo, String detail) {
            this(invariant, orderNo, detail, 1);
        }
    }

    /** All violations, in the order of the invariants; empty if every promise was kept. */
    public Future<List<Violation>> check() {
        return pool.withTransaction(Invariants::checkInOneSnapshot);
    }

    private static Future<List<Violation>> checkInOneSnapshot(SqlConnection connection) {
        return connection
                .query(ONE_SNAPSHOT)
                .execute()
                .compose(set -> connection.query(ROOM_TO_SORT).execute())
                .compose(set -> prove(connection));
    }

    /** All violations that this client sees, in whatever transaction it is. */
    static Future<List<Violation>> prove(SqlClient client) {
        Future<List<Violation>> all = Future.succeededFuture(new ArrayList<>());
        for (Proof proof : PROOFS) {
            all = all.compose(found -> counterexamples(client, proof).map(more -> {
                found.addAll(more);
                return found;
            }));
        }
        return all.map(List::copyOf);
    }

    private static Future<List<Violation>> counterexamples(SqlClient client, Proof proof) {
        Tuple parameters = Tuple.of(LISTED_MAX);
        proof.parameters().forEach(parameters::addValue);
        return client.preparedQuery(proof.sql()).execute(parameters).map(rows -> violations(proof, rows));
    }

    private static List<Violation> violations(Proof proof, RowSet<Row> rows) {
        List<Violation> found = new ArrayList<>();
        long total = 0;
        for (Row row : rows) {
            found.add(new Violation(proof.invariant(), row.getString("order_no"), row.getString("detail")));
            total = row.getLong("total");
        }
        long unlisted = total - found.size();
        if (unlisted > 0) {
            String detail = unlisted + " more against: " + proof.name();
            found.add(new Violation(proof.invariant(), "-", detail, unlisted));
        }
        return found;
    }

    /** What a command prints: one line a violation, and in the last line how many there are. */
    public static String report(List<Violation> violations) {
        StringBuilder text = new StringBuilder();
        long total = 0;
        for (Violation violation : violations) {
            text.append(line(violation)).append('\n');
            total += violation.times();
        }
        return text.append("violations: ").append(total).append('\n').toString();
    }

    private static String line(Violation violation) {
        String about = violation.orderNo().equals("-") ? "" : " order " + violation.orderNo();
        return (violation.invariant() + about + ": " + violation.detail()).replaceAll("\\p{Cntrl}", " ");
    }
}
