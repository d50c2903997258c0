package io.quittance.loadtest.strategies;

import io.quittance.domain.Change;
import io.quittance.domain.Decision;
import io.quittance.domain.HoldStatus;
import io.quittance.domain.Ids;
import io.quittance.domain.PaymentFact;
import io.quittance.message.Delivery;
import io.quittance.message.Submission;
import io.quittance.store.SnapshotStore.Versioned;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.time.ZoneOffset;
import java.util.UUID;

/**
 * Writes one decision row by row, as a program without batches does: the same rows that the gateway's engine writes, each
 * kind with a statement of its own.
 */
final class RowWriter {

    private static final String ATTEMPT = """
            update attempts set status = $2, psp_payment_id = coalesce(psp_payment_id, $3),
                                received_minor = $4, received_currency = $5
            where id = $1
            """;
    private static final String ORDER = """
            update orders set version = version + 1, status = $2,
                              effective_attempt_id = coalesce(effective_attempt_id, $3),
                              concluded_at = coalesce(concluded_at, now())
            where id = $1
            """;
    private static final String HOLD = "update holds set status = $3 where order_id = $1 and status = $2";
    private static final String STOCK_BACK = """
            update products p set available = p.available + h.quantity
            from holds h where h.order_id = $1 and p.merchant_id = h.merchant_id and p.sku = h.sku
            """;
    private static final String OUTBOX =
            "insert into outbox (order_id, conclusion, target, status) values ($1, $2, $3, 'PENDING')";
    private static final String REFUND = """
            insert into refunds (id, order_id, attempt_id, status, amount_minor, currency, reason)
            values ($1, $2, $3, 'REQUESTED', $4, $5, $6)
            """;
    private static final String LOG = """
            insert into callbacks (id, received_at, psp, account, event_id, part, reference, kind, outcome, reason,
                                   key_label, body)
            values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
            """;
    private static final String AUDIT = """
            insert into audit_entries (order_id, actor, fact, callback_id, reason, steps)
            values ($1, $2, $3, $4, $5, $6)
            """;

    private RowWriter() {}

    /** One statement after the other, on the client that is given. */
    static Future<Void> write(SqlClient client, Submission submission, Versioned read, Decision decision) {
        Future<Void> written = Future.succeededFuture();
        Trail trail = new Trail();
        for (Change change : decision.changes()) {
            written = written.compose(done -> row(client, read, change, trail));
        }
        return written.compose(done -> audit(client, submission, read.orderId(), decision, trail))
                .compose(done -> log(client, submission, decision));
    }

    /** The log entry alone: of a notification that changed nothing. */
    static Future<Void> log(SqlClient client, Submission submission, Decision decision) {
        Delivery delivery = submission.delivery();
        if (delivery == null) {
            return Future.succeededFuture();
        }
        PaymentFact fact = submission.fact();
        Tuple row = Tuple.tuple()
                .addUUID(delivery.id())
                .addOffsetDateTime(delivery.receivedAt().atOffset(ZoneOffset.UTC))
                .addString(delivery.psp())
                .addString(delivery.account())
                .addString(delivery.eventId())
                .addShort((short) delivery.part())
                .addString(fact == null ? null : fact.reference())
                .addString(fact == null ? submission.eventType() : fact.kind().name())
                .addString(decision.outcome().name())
                .addString(decision.reason())
                .addString(delivery.keyLabel())
                .addBuffer(decision.changesAnything() ? delivery.body() : null);
        return client.preparedQuery(LOG).execute(row).mapEmpty();
    }

    private static Future<Void> row(SqlClient client, Versioned read, Change change, Trail trail) {
        UUID order = read.orderId();
        if (change instanceof Change.AttemptMoved moved) {
            trail.add(
                    "ATTEMPT",
                    Ids.hex(moved.attemptId()),
                    moved.from().name(),
                    moved.to().name());
            return run(
                    client,
                    ATTEMPT,
                    Tuple.of(
                            moved.attemptId(),
                            moved.to().name(),
                            moved.pspPaymentId(),
                            moved.received() == null ? null : moved.received().minor(),
                            moved.received() == null ? null : moved.received().currency()));
        }
        if (change instanceof Change.AttemptIdentified known) {
            return run(
                    client,
                    "update attempts set psp_payment_id = $2 where id = $1",
                    Tuple.of(known.attemptId(), known.pspPaymentId()));
        }
        if (change instanceof Change.OrderMoved moved) {
            trail.add("ORDER", "", moved.from().name(), moved.to().name());
            return run(client, ORDER, Tuple.of(order, moved.to().name(), moved.effectiveAttemptId()));
        }
        if (change instanceof Change.HoldMoved moved) {
            trail.add(
                    "HOLD",
                    "/" + Workload.sku(order) + "/1",
                    moved.from().name(),
                    moved.to().name());
            return moved.to() == HoldStatus.CONSUMED
                    ? Future.succeededFuture()
                    : run(
                                    client,
                                    HOLD,
                                    Tuple.of(
                                            order,
                                            moved.from().name(),
                                            moved.to().name()))
                            .compose(done -> run(client, STOCK_BACK, Tuple.of(order)));
        }
        if (change instanceof Change.ConclusionQueued queued) {
            trail.add("SYNC", "", null, "PENDING");
            String target = read.snapshot().audience().target();
            return run(client, OUTBOX, Tuple.of(order, queued.conclusion().name(), target));
        }
        if (change instanceof Change.RefundRequested asked) {
            trail.add("REFUND", Ids.hex(asked.refundId()), null, "REQUESTED");
            return run(
                    client,
                    REFUND,
                    Tuple.of(
                            asked.refundId(),
                            order,
                            asked.attemptId(),
                            asked.amount().minor(),
                            asked.amount().currency(),
                            asked.reason().name()));
        }
        throw new IllegalStateException("the workload does not lead to " + change);
    }

    private static Future<Void> audit(
            SqlClient client, Submission submission, UUID order, Decision decision, Trail trail) {
        if (trail.steps.isEmpty()) {
            return Future.succeededFuture();
        }
        Delivery delivery = submission.delivery();
        PaymentFact fact = submission.fact();
        Tuple row = Tuple.tuple()
                .addUUID(order)
                .addString(delivery == null ? "timer" : delivery.psp() + "/" + delivery.account())
                .addString(
                        fact == null ? "" : fact.kind() + " " + fact.evidence().source())
                .addUUID(delivery == null ? null : delivery.id())
                .addString(decision.reason())
                .addJsonArray(trail.steps);
        return run(client, AUDIT, row);
    }

    private static Future<Void> run(SqlClient client, String sql, Tuple values) {
        return client.preparedQuery(sql).execute(values).mapEmpty();
    }

    /** What is to be said of all the rows that were written; the order's own id is left out of ids, as the engine does. */
    private static final class Trail {
        private final JsonArray steps = new JsonArray();

        void add(String entity, String id, String from, String to) {
            steps.add(JsonArray.of(entity, id, from, to));
        }
    }
}
