package io.quittance.domain;

import io.quittance.domain.Snapshot.AttemptState;
import io.quittance.domain.Snapshot.OrderState;
import io.quittance.domain.Snapshot.RefundState;
import io.quittance.domain.Snapshot.ReviewState;
import io.quittance.domain.Snapshot.StockAnswer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a store is supposed to make of decisions, as plainly as it can be said, together with what a PSP has told so
 * far. Every write checks that it starts from what is there.
 *
 * @param paidAtPsp the attempts that a PSP has reported as paid, whatever was made of it
 * @param conclusions how often it was queued that the order is paid
 * @param sold how many pieces this order has for good; it wants one
 */
record World(Snapshot snapshot, List<UUID> paidAtPsp, int conclusions, int sold) {

    World apply(Decision decision) {
        World world = this;
        for (Change change : decision.changes()) {
            world = world.apply(change);
        }
        return world;
    }

    World told(UUID attemptId) {
        if (paidAtPsp.contains(attemptId)) {
            return this;
        }
        List<UUID> more = new ArrayList<>(paidAtPsp);
        more.add(attemptId);
        more.sort(null);
        return new World(snapshot, List.copyOf(more), conclusions, sold);
    }

    World withAttempt(AttemptState attempt) {
        List<AttemptState> attempts = new ArrayList<>(snapshot.attempts());
        attempts.add(attempt);
        return with(snapshot.order(), attempts, snapshot.refunds(), snapshot.reviews());
    }

    private World apply(Change change) {
        OrderState order = snapshot.order();
        if (change instanceof Change.AttemptMoved moved) {
            return with(order, replaceAttempt(moved), snapshot.refunds(), snapshot.reviews());
        }
        if (change instanceof Change.AttemptIdentified known) {
            AttemptState old = snapshot.attempt(known.attemptId()).orElseThrow();
            expect(old.pspPaymentId() == null, "the PSP's id is set once");
            AttemptState now = new AttemptState(
                    old.id(), old.status(), old.psp(), old.account(), known.pspPaymentId(), old.received());
            return with(order, replace(snapshot.attempts(), old, now), snapshot.refunds(), snapshot.reviews());
        }
        if (change instanceof Change.OrderMoved moved) {
            expect(order.status() == moved.from(), "the order is " + order.status() + ", not " + moved.from());
            expect(
                    moved.effectiveAttemptId() == null || order.effectiveAttemptId() == null,
                    "the paying attempt is set once");
            return with(
                    order(order, moved.to(), moved.effectiveAttemptId(), order.hold()),
                    snapshot.attempts(),
                    snapshot.refunds(),
                    snapshot.reviews());
        }
        if (change instanceof Change.HoldMoved moved) {
            expect(order.hold() == moved.from(), "the hold is " + order.hold() + ", not " + moved.from());
            World world = with(
                    order(order, order.status(), null, moved.to()),
                    snapshot.attempts(),
                    snapshot.refunds(),
                    snapshot.reviews());
            return moved.to() == HoldStatus.CONSUMED ? world.sell() : world;
        }
        if (change instanceof Change.StockSold) {
            expect(snapshot.stock() == StockAnswer.TAKEN, "stock is sold only after it was taken");
            World world = with(
                    order(order, order.status(), null, order.hold() == null ? null : HoldStatus.CONSUMED),
                    snapshot.attempts(),
                    snapshot.refunds(),
                    snapshot.reviews());
            return world.sell();
        }
        if (change instanceof Change.ConclusionQueued queued) {
            expect(order.status() == queued.conclusion(), "told is what the order became");
            int paid = queued.conclusion() == OrderStatus.PAID ? 1 : 0;
            return new World(snapshot, paidAtPsp, conclusions + paid, sold);
        }
        if (change instanceof Change.CallOffNoted) {
            expect(!order.calledOff(), "an order is called off once");
            return with(marked(order, true, order.closedForGood()));
        }
        if (change instanceof Change.ClosedForGood) {
            expect(!order.closedForGood(), "an order is closed for good once");
            return with(marked(order, order.calledOff(), true));
        }
        return applyMoneyBack(change);
    }

    private World with(OrderState order) {
        return with(order, snapshot.attempts(), snapshot.refunds(), snapshot.reviews());
    }

    private static OrderState marked(OrderState old, boolean calledOff, boolean closedForGood) {
        return new OrderState(
                old.id(),
                old.status(),
                old.amount(),
                old.effectiveAttemptId(),
                old.latePolicy(),
                old.hold(),
                old.takesOnPayment(),
                calledOff,
                closedForGood);
    }

    private World applyMoneyBack(Change change) {
        List<RefundState> refunds = new ArrayList<>(snapshot.refunds());
        List<ReviewState> reviews = new ArrayList<>(snapshot.reviews());
        String currency = snapshot.order().amount().currency();
        if (change instanceof Change.RefundRequested asked) {
            expect(refunds.stream().noneMatch(r -> r.id().equals(asked.refundId())), "a refund is asked for once");
            expect(asked.amount().currency().equals(currency), "a refund is in the order's currency");
            refunds.add(new RefundState(
                    asked.refundId(), asked.attemptId(), RefundStatus.REQUESTED, asked.amount(), asked.reason(), null));
        } else if (change instanceof Change.RefundRecorded made) {
            expect(refunds.stream().noneMatch(r -> r.id().equals(made.refundId())), "a refund is recorded once");
            refunds.add(new RefundState(
                    made.refundId(),
                    made.attemptId(),
                    RefundStatus.SUCCEEDED,
                    made.amount(),
                    RefundReason.MADE_AT_PSP,
                    made.pspRefundId()));
        } else if (change instanceof Change.RefundMoved moved) {
            RefundState old = refunds.stream()
                    .filter(r -> r.id().equals(moved.refundId()))
                    .findFirst()
                    .orElseThrow();
            expect(old.status() == moved.from(), "the refund is " + old.status() + ", not " + moved.from());
            refunds = replace(
                    refunds,
                    old,
                    new RefundState(
                            old.id(), old.attemptId(), moved.to(), old.amount(), old.reason(), old.pspRefundId()));
        } else if (change instanceof Change.ReviewOpened opened) {
            ReviewState review = new ReviewState(opened.attemptId(), opened.reason());
            expect(!reviews.contains(review), "a review item is opened once");
            reviews.add(review);
        } else {
            expect(change instanceof Change.AttentionNeeded, "unknown change " + change);
        }
        refunds.sort((a, b) -> a.id().compareTo(b.id()));
        reviews.sort((a, b) -> a.toString().compareTo(b.toString()));
        return with(snapshot.order(), snapshot.attempts(), refunds, reviews);
    }

    private List<AttemptState> replaceAttempt(Change.AttemptMoved moved) {
        AttemptState old = snapshot.attempt(moved.attemptId()).orElseThrow();
        expect(old.status() == moved.from(), "the attempt is " + old.status() + ", not " + moved.from());
        String pspPaymentId = old.pspPaymentId() != null ? old.pspPaymentId() : moved.pspPaymentId();
        AttemptState now =
                new AttemptState(old.id(), moved.to(), old.psp(), old.account(), pspPaymentId, moved.received());
        return replace(snapshot.attempts(), old, now);
    }

    private World sell() {
        return new World(snapshot, paidAtPsp, conclusions, sold + 1);
    }

    private World with(
            OrderState order, List<AttemptState> attempts, List<RefundState> refunds, List<ReviewState> reviews) {
        Snapshot next = new Snapshot(
                order,
                List.copyOf(attempts),
                List.copyOf(refunds),
                List.copyOf(reviews),
                snapshot.stock(),
                snapshot.audience());
        return new World(next, paidAtPsp, conclusions, sold);
    }

    World withStock(StockAnswer answer) {
        return new World(snapshot.withStock(answer), paidAtPsp, conclusions, sold);
    }

    private static OrderState order(
            OrderState old, OrderStatus status, @Nullable UUID effective, @Nullable HoldStatus hold) {
        UUID paidBy = effective != null ? effective : old.effectiveAttemptId();
        return new OrderState(
                old.id(),
                status,
                old.amount(),
                paidBy,
                old.latePolicy(),
                hold,
                old.takesOnPayment(),
                old.calledOff(),
                old.closedForGood());
    }

    private static <T> List<T> replace(List<T> list, T old, T now) {
        List<T> copy = new ArrayList<>(list);
        copy.set(copy.indexOf(old), now);
        return copy;
    }

    private static void expect(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }
}
