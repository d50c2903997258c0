package io.quittance.store;

import io.quittance.domain.Change;
import io.quittance.domain.Decision;
import io.quittance.domain.Evidence;
import io.quittance.domain.HoldStatus;
import io.quittance.domain.Ids;
import io.quittance.domain.Money;
import io.quittance.domain.OrderStatus;
import io.quittance.domain.Outcome;
import io.quittance.domain.PaymentFact;
import io.quittance.domain.RefundReason;
import io.quittance.domain.RefundStatus;
import io.quittance.domain.Snapshot.AttemptState;
import io.quittance.message.Delivery;
import io.vertx.core.json.Json;
import io.vertx.sqlclient.Tuple;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Rulings turned into the rows that the parts of the statement take. */
final class RulingRows {

    private final Map<Part, List<@Nullable Object[]>> rows = new EnumMap<>(Part.class);
    private final long unmatchedReviewAfterMs;
    private final ReturnNaming returns;

    /** @param unmatchedReviewAfterMs how long a notification may wait for its attempt before a person is asked, in ms */
    RulingRows(long unmatchedReviewAfterMs, ReturnNaming returns) {
        this.unmatchedReviewAfterMs = unmatchedReviewAfterMs;
        this.returns = returns;
    }

    /** Those that there is something to do in. */
    Set<Part> parts() {
        return rows.keySet();
    }

    Tuple toTuple() {
        Tuple tuple = Tuple.tuple();
        rows.forEach((part, of) -> {
            for (int column = 0; column < part.columns().size(); column++) {
                tuple.addValue(part.columns().get(column).column(of, column));
            }
        });
        return tuple;
    }

    private void put(Part part, @Nullable Object... row) {
        rows.computeIfAbsent(part, none -> new ArrayList<>()).add(row);
    }

    void add(Ruling ruling) {
        SnapshotStore.Versioned read = ruling.read();
        UUID guarded = null;
        if (read != null && ruling.decision().changesAnything()) {
            guarded = read.orderId();
            addChanges(ruling, read);
        }
        Delivery delivery = ruling.delivery();
        if (delivery != null) {
            addLog(ruling, delivery, guarded);
        }
    }

    private void addChanges(Ruling ruling, SnapshotStore.Versioned read) {
        Trail trail = new Trail(read.orderId());
        String status = null;
        UUID effective = null;
        boolean calledOff = false;
        boolean closedForGood = false;
        for (Change change : ruling.decision().changes()) {
            if (change instanceof Change.OrderMoved moved) {
                status = moved.to().name();
                effective = moved.effectiveAttemptId() != null ? moved.effectiveAttemptId() : effective;
                trail.step("ORDER", AuditSteps.ORDER_ID, moved.from().name(), status);
            } else if (change instanceof Change.CallOffNoted) {
                calledOff = true;
            } else if (change instanceof Change.ClosedForGood) {
                closedForGood = true;
            } else {
                add(change, read, trail);
            }
        }
        put(Part.ORDERS, read.orderId(), read.place(), read.version(), status, effective, calledOff, closedForGood);
        if (trail.goesOn()) {
            addTrail(ruling, trail);
        }
    }

    private void add(Change change, SnapshotStore.Versioned read, Trail trail) {
        if (change instanceof Change.AttemptMoved moved) {
            addAttempt(read, moved.attemptId(), moved.to().name(), moved.pspPaymentId(), moved.received());
            trail.step(
                    "ATTEMPT",
                    Ids.hex(moved.attemptId()),
                    moved.from().name(),
                    moved.to().name());
        } else if (change instanceof Change.AttemptIdentified known) {
            addAttempt(read, known.attemptId(), "PENDING", known.pspPaymentId(), null);
        } else if (change instanceof Change.HoldMoved moved) {
            addHold(trail, moved, read);
        } else if (change instanceof Change.RefundRequested asked) {
            addRefund(
                    trail,
                    asked.refundId(),
                    asked.attemptId(),
                    RefundStatus.REQUESTED,
                    asked.amount(),
                    asked.reason(),
                    null);
        } else if (change instanceof Change.RefundRecorded made) {
            addRefund(
                    trail,
                    made.refundId(),
                    made.attemptId(),
                    RefundStatus.SUCCEEDED,
                    made.amount(),
                    RefundReason.MADE_AT_PSP,
                    made.pspRefundId());
        } else if (change instanceof Change.RefundMoved moved) {
            addRefundMove(trail, moved);
        } else if (change instanceof Change.ReviewOpened opened) {
            put(
                    Part.REVIEWS,
                    trail.orderId(),
                    opened.attemptId(),
                    opened.reason().name(),
                    opened.detail());
        } else if (change instanceof Change.ConclusionQueued queued) {
            addConclusion(trail, queued, read);
        } else if (change instanceof Change.AttentionNeeded) {
            put(Part.TIMERS, trail.orderId());
        } else if (!(change instanceof Change.StockSold)) {
            // stock is sold by the statement that takes it, in the same transaction
            throw new IllegalStateException("no column for " + change.getClass().getSimpleName());
        }
    }

    private void addAttempt(
            SnapshotStore.Versioned read,
            UUID id,
            String status,
            @Nullable String pspPaymentId,
            @Nullable Money received) {
        Long minor = received == null ? null : received.minor();
        String currency = received == null ? null : received.currency();
        String returned = pspPaymentId != null && isReturnedByPaymentId(read, id) ? pspPaymentId : null;
        put(Part.ATTEMPTS, read.orderId(), id, status, pspPaymentId, returned, minor, currency);
    }

    private boolean isReturnedByPaymentId(SnapshotStore.Versioned read, UUID attempt) {
        for (AttemptState state : read.snapshot().attempts()) {
            if (state.id().equals(attempt)) {
                return returns.isByPaymentId(state.psp(), state.account());
            }
        }
        throw new IllegalStateException("a change of an attempt that was not read");
    }

    /** Holds come and go with the order's version, so that those that were read are those that will be moved. */
    private void addHold(Trail trail, Change.HoldMoved moved, SnapshotStore.Versioned read) {
        for (String held : read.held()) {
            String id = AuditSteps.holdId(held);
            trail.step("HOLD", id, moved.from().name(), moved.to().name());
        }
        // the holds of a paid order are consumed without being told so
        if (moved.to() != HoldStatus.CONSUMED) {
            put(Part.HOLDS, trail.orderId(), moved.from().name(), moved.to().name());
            put(Part.STOCK_BACK);
        }
    }

    private void addConclusion(Trail trail, Change.ConclusionQueued queued, SnapshotStore.Versioned read) {
        boolean first = read.snapshot().order().status() == OrderStatus.PENDING;
        String target = read.snapshot().audience().target();
        String conclusion = queued.conclusion().name();
        put(first ? Part.OUTBOX : Part.OUTBOX_AGAIN, trail.orderId(), target, conclusion, queued.waitMs());
        if (first) {
            trail.step("SYNC", OutboxStore.trailId(queued.conclusion()), null, "PENDING");
        } else {
            trail.hasStepOfTheStatement();
        }
    }

    private void addRefund(
            Trail trail,
            UUID id,
            UUID attempt,
            RefundStatus status,
            Money amount,
            RefundReason reason,
            @Nullable String pspRefundId) {
        put(
                Part.REFUNDS,
                trail.orderId(),
                id,
                attempt,
                status.name(),
                amount.minor(),
                amount.currency(),
                reason.name(),
                pspRefundId);
        trail.step("REFUND", Ids.hex(id), null, status.name());
    }

    private void addRefundMove(Trail trail, Change.RefundMoved moved) {
        // a settled refund that is in doubt again has no worker that holds it
        boolean wake = moved.from() == RefundStatus.FAILED && moved.to() == RefundStatus.UNKNOWN;
        String after = moved.to().name();
        put(Part.REFUND_MOVES, trail.orderId(), moved.refundId(), after, moved.pspRefundId(), wake);
        trail.step(
                "REFUND",
                Ids.hex(moved.refundId()),
                moved.from().name(),
                moved.to().name());
    }

    private void addLog(Ruling ruling, Delivery delivery, @Nullable UUID guarded) {
        Decision decision = ruling.decision();
        PaymentFact fact = ruling.fact();
        OffsetDateTime received = delivery.receivedAt().atOffset(ZoneOffset.UTC);
        put(
                Part.LOG,
                guarded,
                delivery.id(),
                received,
                delivery.psp(),
                delivery.account(),
                delivery.eventId(),
                (short) delivery.part(),
                fact == null ? null : fact.reference(),
                fact == null ? ruling.eventType() : fact.kind().name(),
                decision.outcome().name(),
                decision.reason(),
                delivery.keyLabel(),
                decision.outcome() == Outcome.DUPLICATE ? null : delivery.body());
        if (decision.outcome() == Outcome.UNMATCHED && fact != null) {
            put(
                    Part.PARKED,
                    delivery.id(),
                    (short) delivery.part(),
                    fact.reference(),
                    Ids.parseHex(fact.reference()).orElse(null),
                    FactJson.write(fact).encode(),
                    received,
                    unmatchedReviewAfterMs);
        }
    }

    private void addTrail(Ruling ruling, Trail trail) {
        PaymentFact fact = ruling.fact();
        if (fact == null) {
            throw new IllegalStateException("a change without a fact");
        }
        Delivery delivery = ruling.delivery();
        put(
                Part.AUDIT,
                trail.orderId(),
                actor(fact.evidence()),
                factText(fact),
                delivery == null ? null : delivery.id(),
                ruling.decision().reason(),
                trail.toJson());
    }

    static String factText(PaymentFact fact) {
        Evidence evidence = fact.evidence();
        String text = fact.kind() + " " + evidence.source();
        return evidence.eventId() == null ? text : text + " " + evidence.eventId();
    }

    static String actor(Evidence evidence) {
        return switch (evidence.source()) {
            case NOTIFICATION, QUERY, CALL -> evidence.psp() + "/" + evidence.account();
            case TIMER -> "timer";
            case TARGET -> "target";
            case MERCHANT -> "merchant";
        };
    }

    /** The steps of one decision, as JSON. */
    private static final class Trail {

        private final UUID orderId;
        private final StringBuilder steps = new StringBuilder("[");
        private boolean goesOn;
        private boolean statementHasStep;

        Trail(UUID orderId) {
            this.orderId = orderId;
        }

        UUID orderId() {
            return orderId;
        }

        void step(String entity, String id, @Nullable String before, String after) {
            goesOn = true;
            steps.append(steps.length() == 1 ? "[\"" : ",[\"").append(entity).append("\",");
            append(id);
            steps.append(',');
            if (before == null) {
                steps.append("null");
            } else {
                steps.append('"').append(before).append('"');
            }
            steps.append(",\"").append(after).append("\"]");
        }

        /** A product's name is part of a hold's id, and the database takes any. */
        private void append(String id) {
            for (int i = 0; i < id.length(); i++) {
                char c = id.charAt(i);
                if (c < ' ' || c > '~' || c == '"' || c == '\\') {
                    steps.append(Json.encode(id));
                    return;
                }
            }
            steps.append('"').append(id).append('"');
        }

        /** There is a step that only the statement finds out; it puts one into an entry. */
        void hasStepOfTheStatement() {
            if (statementHasStep) {
                throw new IllegalStateException("a decision with two conclusions");
            }
            statementHasStep = true;
            goesOn = true;
        }

        boolean goesOn() {
            return goesOn;
        }

        String toJson() {
            return steps + "]";
        }
    }
}
