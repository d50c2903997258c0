package io.quittance.http;

import io.quittance.domain.AttemptStatus;
import io.quittance.domain.Money;
import io.quittance.domain.OrderStatus;
import io.quittance.domain.RefundReason;
import io.quittance.domain.RefundStatus;
import io.quittance.domain.SyncStatus;
import io.quittance.store.OrderView;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

/** Order A-1 of 19.99 CNY, in whatever state a test needs it. */
record Sample(
        OrderStatus status,
        SyncStatus sync,
        long secondsLeft,
        boolean calledOff,
        String paymentId,
        List<AttemptStatus> attempts,
        List<OrderView.Refund> refunds) {

    static final UUID ID = UUID.fromString("0199c0de-0000-7000-8000-00000000000a");
    static final Money PRICE = new Money(1999, "CNY");
    static final Instant EXPIRES_AT = Instant.parse("2026-01-31T12:30:00Z");

    static Sample of(OrderStatus status) {
        long left = status == OrderStatus.PENDING ? 1_800 : 0;
        return new Sample(status, null, left, false, "pay-1", List.of(), List.of());
    }

    Sample attempts(AttemptStatus... now) {
        return new Sample(status, sync, secondsLeft, calledOff, paymentId, List.of(now), refunds);
    }

    Sample sync(SyncStatus now) {
        return new Sample(status, now, secondsLeft, calledOff, paymentId, attempts, refunds);
    }

    Sample secondsLeft(long now) {
        return new Sample(status, sync, now, calledOff, paymentId, attempts, refunds);
    }

    Sample calledOff(boolean now) {
        return new Sample(status, sync, secondsLeft, now, paymentId, attempts, refunds);
    }

    /** The PSP's id of each attempt. */
    Sample paymentId(String now) {
        return new Sample(status, sync, secondsLeft, calledOff, now, attempts, refunds);
    }

    Sample refunds(RefundReason reason, RefundStatus... now) {
        List<OrderView.Refund> of = Arrays.stream(now)
                .map(refund -> new OrderView.Refund(FakePsp.REFERENCE, refund, PRICE, reason))
                .toList();
        return new Sample(status, sync, secondsLeft, calledOff, paymentId, attempts, of);
    }

    OrderView view() {
        return view("A-1", EXPIRES_AT);
    }

    OrderView view(String orderNo, Instant expiresAt) {
        List<OrderView.Attempt> shown = attempts.stream()
                .map(attempt -> new OrderView.Attempt(FakePsp.REFERENCE, "fake", "acme", attempt, paymentId))
                .toList();
        return new OrderView(ID, orderNo, status, sync, null, PRICE, expiresAt, secondsLeft, calledOff, shown, refunds);
    }
}
