package io.quittance.store;

import io.quittance.domain.Audience;
import io.quittance.domain.Change;
import io.quittance.domain.Decision;
import io.quittance.domain.Evidence;
import io.quittance.domain.Ids;
import io.quittance.domain.Money;
import io.quittance.domain.Outcome;
import io.quittance.domain.PaymentFact;
import io.quittance.domain.RefundReason;
import io.quittance.domain.RefundStatus;
import io.quittance.message.Delivery;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Tuple;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Rulings turned into the array parameters of {@link DecisionStore#WRITE}, in the order of its numbers. */
final class RulingColumns {

    private final List<Column<?>> all = new ArrayList<>();

    private final Column<UUID> orderId = uuids();
    private final Column<Integer> orderVersion = column(Integer[]::new);
    private final Column<String> orderStatus = texts();
    private final Column<UUID> orderEffective = uuids();

    private final Column<UUID> attemptOrder = uuids();
    private final Column<UUID> attemptId = uuids();
    private final Column<String> attemptStatus = texts();
    private final Column<String> attemptPspId = texts();
    private final Column<Long> attemptReceived = column(Long[]::new);
    private final Column<String> attemptCurrency = texts();

    private final Column<UUID> holdOrder = uuids();
    private final Column<String> holdBefore = texts();
    private final Column<String> holdAfter = texts();
    private final Column<String> holdActor = texts();
    private final Column<String> holdFact = texts();
    private final Column<UUID> holdCallback = uuids();
    private final Column<String> holdReason = texts();

    private final Column<UUID> refundOrder = uuids();
    private final Column<UUID> refundId = uuids();
    private final Column<UUID> refundAttempt = uuids();
    private final Column<String> refundStatus = texts();
    private final Column<Long> refundAmount = column(Long[]::new);
    private final Column<String> refundCurrency = texts();
    private final Column<String> refundReason = texts();
    private final Column<String> refundPspId = texts();

    private final Column<UUID> refundMoveOrder = uuids();
    private final Column<UUID> refundMoveId = uuids();
    private final Column<String> refundMoveStatus = texts();
    private final Column<String> refundMovePspId = texts();
    private final Column<Boolean> refundMoveWake = column(Boolean[]::new);

    private final Column<UUID> reviewOrder = uuids();
    private final Column<UUID> reviewAttempt = uuids();
    private final Column<String> reviewReason = texts();
    private final Column<String> reviewDetail = texts();

    private final Column<UUID> outboxOrder = uuids();
    private final Column<String> outboxTarget = texts();

    private final Column<UUID> timerOrder = uuids();

    private final Column<UUID> logOrder = uuids();
    private final Column<UUID> logId = uuids();
    private final Column<OffsetDateTime> logReceived = column(OffsetDateTime[]::new);
    private final Column<String> logPsp = texts();
    private final Column<String> logAccount = texts();
    private final Column<String> logEvent = texts();
    private final Column<Short> logPart = column(Short[]::new);
    private final Column<String> logReference = texts();
    private final Column<String> logKind = texts();
    private final Column<String> logOutcome = texts();
    private final Column<String> logReason = texts();
    private final Column<String> logKey = texts();
    private final Column<Buffer> logBody = column(Buffer[]::new);

    private final Column<UUID> parkedId = uuids();
    private final Column<Short> parkedPart = column(Short[]::new);
    private final Column<String> parkedReference = texts();
    private final Column<UUID> parkedAttempt = uuids();
    private final Column<String> parkedFact = texts();
    private final Column<OffsetDateTime> parkedReceived = column(OffsetDateTime[]::new);

    private final List<Column<?>> beforeLimit = List.copyOf(all);

    private final Column<UUID> auditOrder = uuids();
    private final Column<String> auditEntity = texts();
    private final Column<String> auditEntityId = texts();
    private final Column<String> auditBefore = texts();
    private final Column<String> auditAfter = texts();
    private final Column<String> auditActor = texts();
    private final Column<String> auditFact = texts();
    private final Column<UUID> auditCallback = uuids();
    private final Column<String> auditReason = texts();

    private final Column<Boolean> orderCalledOff = column(Boolean[]::new);
    private final Column<Boolean> orderClosedForGood = column(Boolean[]::new);

    private final Column<String> outboxConclusion = texts();
    private final Column<Long> outboxWaitMs = column(Long[]::new);
    private final Column<String> outboxActor = texts();
    private final Column<String> outboxFact = texts();
    private final Column<UUID> outboxCallback = uuids();
    private final Column<String> outboxReason = texts();

    Tuple toTuple(long unmatchedReviewAfterMs) {
        Tuple tuple = Tuple.tuple();
        beforeLimit.forEach(column -> tuple.addValue(column.toArray()));
        tuple.addLong(unmatchedReviewAfterMs);
        all.subList(beforeLimit.size(), all.size()).forEach(column -> tuple.addValue(column.toArray()));
        return tuple;
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
        Trail trail = Trail.of(ruling, read.orderId());
        String status = null;
        UUID effective = null;
        boolean calledOff = false;
        boolean closedForGood = false;
        for (Change change : ruling.decision().changes()) {
            if (change instanceof Change.OrderMoved moved) {
                status = moved.to().name();
                effective = moved.effectiveAttemptId() != null ? moved.effectiveAttemptId() : effective;
                audit(trail, "ORDER", Ids.hex(read.orderId()), moved.from().name(), status);
            } else if (change instanceof Change.CallOffNoted) {
                calledOff = true;
            } else if (change instanceof Change.ClosedForGood) {
                closedForGood = true;
            } else {
                add(change, ruling, trail);
            }
        }
        orderId.add(read.orderId());
        orderVersion.add(read.version());
        orderStatus.add(status);
        orderEffective.add(effective);
        orderCalledOff.add(calledOff);
        orderClosedForGood.add(closedForGood);
    }

    private void add(Change change, Ruling ruling, Trail trail) {
        if (change instanceof Change.AttemptMoved moved) {
            addAttempt(trail, moved.attemptId(), moved.to().name(), moved.pspPaymentId(), moved.received());
            audit(
                    trail,
                    "ATTEMPT",
                    Ids.hex(moved.attemptId()),
                    moved.from().name(),
                    moved.to().name());
        } else if (change instanceof Change.AttemptIdentified known) {
            addAttempt(trail, known.attemptId(), "PENDING", known.pspPaymentId(), null);
        } else if (change instanceof Change.HoldMoved moved) {
            addHold(trail, moved);
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
            reviewOrder.add(trail.orderId());
            reviewAttempt.add(opened.attemptId());
            reviewReason.add(opened.reason().name());
            reviewDetail.add(opened.detail());
        } else if (change instanceof Change.ConclusionQueued queued) {
            addConclusion(trail, queued, audienceOf(ruling));
        } else if (change instanceof Change.AttentionNeeded) {
            timerOrder.add(trail.orderId());
        } else if (!(change instanceof Change.StockSold)) {
            // stock is sold by the statement that takes it, in the same transaction
            throw new IllegalStateException("no column for " + change.getClass().getSimpleName());
        }
    }

    private void addAttempt(
            Trail trail, UUID id, String status, @Nullable String pspPaymentId, @Nullable Money received) {
        attemptOrder.add(trail.orderId());
        attemptId.add(id);
        attemptStatus.add(status);
        attemptPspId.add(pspPaymentId);
        attemptReceived.add(received == null ? null : received.minor());
        attemptCurrency.add(received == null ? null : received.currency());
    }

    private void addHold(Trail trail, Change.HoldMoved moved) {
        holdOrder.add(trail.orderId());
        holdBefore.add(moved.from().name());
        holdAfter.add(moved.to().name());
        holdActor.add(trail.actor());
        holdFact.add(trail.fact());
        holdCallback.add(trail.callbackId());
        holdReason.add(trail.reason());
    }

    private void addConclusion(Trail trail, Change.ConclusionQueued queued, Audience audience) {
        outboxOrder.add(trail.orderId());
        outboxTarget.add(audience.target());
        outboxConclusion.add(queued.conclusion().name());
        outboxWaitMs.add(queued.waitMs());
        outboxActor.add(trail.actor());
        outboxFact.add(trail.fact());
        outboxCallback.add(trail.callbackId());
        outboxReason.add(trail.reason());
    }

    private static Audience audienceOf(Ruling ruling) {
        return Objects.requireNonNull(ruling.read(), "a change of no order")
                .snapshot()
                .audience();
    }

    private void addRefund(
            Trail trail,
            UUID id,
            UUID attempt,
            RefundStatus status,
            Money amount,
            RefundReason reason,
            @Nullable String pspRefundId) {
        refundOrder.add(trail.orderId());
        refundId.add(id);
        refundAttempt.add(attempt);
        refundStatus.add(status.name());
        refundAmount.add(amount.minor());
        refundCurrency.add(amount.currency());
        refundReason.add(reason.name());
        refundPspId.add(pspRefundId);
        audit(trail, "REFUND", Ids.hex(id), null, status.name());
    }

    private void addRefundMove(Trail trail, Change.RefundMoved moved) {
        refundMoveOrder.add(trail.orderId());
        refundMoveId.add(moved.refundId());
        refundMoveStatus.add(moved.to().name());
        refundMovePspId.add(moved.pspRefundId());
        // a settled refund that is in doubt again has no worker that holds it
        refundMoveWake.add(moved.from() == RefundStatus.FAILED && moved.to() == RefundStatus.UNKNOWN);
        audit(
                trail,
                "REFUND",
                Ids.hex(moved.refundId()),
                moved.from().name(),
                moved.to().name());
    }

    private void addLog(Ruling ruling, Delivery delivery, @Nullable UUID guarded) {
        Decision decision = ruling.decision();
        PaymentFact fact = ruling.fact();
        OffsetDateTime received = delivery.receivedAt().atOffset(ZoneOffset.UTC);
        logOrder.add(guarded);
        logId.add(delivery.id());
        logReceived.add(received);
        logPsp.add(delivery.psp());
        logAccount.add(delivery.account());
        logEvent.add(delivery.eventId());
        logPart.add((short) delivery.part());
        logReference.add(fact == null ? null : fact.reference());
        logKind.add(fact == null ? ruling.eventType() : fact.kind().name());
        logOutcome.add(decision.outcome().name());
        logReason.add(decision.reason());
        logKey.add(delivery.keyLabel());
        logBody.add(decision.outcome() == Outcome.DUPLICATE ? null : delivery.body());
        if (decision.outcome() == Outcome.UNMATCHED && fact != null) {
            parkedId.add(delivery.id());
            parkedPart.add((short) delivery.part());
            parkedReference.add(fact.reference());
            parkedAttempt.add(Ids.parseHex(fact.reference()).orElse(null));
            parkedFact.add(FactJson.write(fact).encode());
            parkedReceived.add(received);
        }
    }

    private void audit(Trail trail, String entity, String entityId, @Nullable String before, String after) {
        auditOrder.add(trail.orderId());
        auditEntity.add(entity);
        auditEntityId.add(entityId);
        auditBefore.add(before);
        auditAfter.add(after);
        auditActor.add(trail.actor());
        auditFact.add(trail.fact());
        auditCallback.add(trail.callbackId());
        auditReason.add(trail.reason());
    }

    private Column<UUID> uuids() {
        return column(UUID[]::new);
    }

    private Column<String> texts() {
        return column(String[]::new);
    }

    private <T> Column<T> column(java.util.function.IntFunction<T[]> array) {
        Column<T> column = new Column<>(array);
        all.add(column);
        return column;
    }

    /** Who, why and from which fact: the same for all audit entries of one decision. */
    record Trail(
            UUID orderId,
            String actor,
            String fact,
            @Nullable UUID callbackId,
            String reason) {

        static Trail of(Ruling ruling, UUID orderId) {
            PaymentFact fact = ruling.fact();
            if (fact == null) {
                throw new IllegalStateException("a change without a fact");
            }
            Delivery delivery = ruling.delivery();
            return new Trail(
                    orderId,
                    actor(fact.evidence()),
                    factText(fact),
                    delivery == null ? null : delivery.id(),
                    ruling.decision().reason());
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
    }
}
