package io.quittance.domain;

import java.util.List;

/** The whole state graph. Code, database proofs and the document {@code states.md} all come from here. */
public final class StateGraph {

    private static final String SUCCESS = "the PSP says that the money moved";
    private static final String LATE_SUCCESS =
            "late: the money did move after all, and the late-payment policy decides";
    private static final String MISFIT = "a success that does not fit the attempt: a person decides";
    private static final String SILENCE = "the PSP gave no answer";
    private static final String REFUSED = "the PSP says that it cannot succeed";
    private static final String CLOSED =
            "closed at the PSP unpaid, or the PSP cannot be asked and told nothing until the grace was over";
    private static final String REVERSED = "a refund failed after it had succeeded";

    private StateGraph() {}

    public static final StateMachine<OrderStatus> ORDER = StateMachine.of("ORDER", OrderStatus.class)
            .startsIn(OrderStatus.PENDING)
            .edge(OrderStatus.PENDING, OrderStatus.PAID, "one attempt paid it in full")
            .edge(OrderStatus.PENDING, OrderStatus.FAILED, "out of time and its last attempt failed, or sold out")
            .edge(OrderStatus.PENDING, OrderStatus.EXPIRED, "out of time, and no attempt can still be paid")
            .edge(OrderStatus.PENDING, OrderStatus.CANCELLED, "called off, and no attempt can still be paid")
            .edge(OrderStatus.EXPIRED, OrderStatus.PAID, "late payment, policy REVIVE, and stock was there")
            .edge(OrderStatus.FAILED, OrderStatus.PAID, "late payment, policy REVIVE, and stock was there")
            .edge(OrderStatus.CANCELLED, OrderStatus.PAID, "late payment, policy REVIVE, and stock was there")
            .edge(OrderStatus.PAID, OrderStatus.PARTIALLY_REFUNDED, "a part went back")
            .edge(OrderStatus.PAID, OrderStatus.REFUNDED, "all went back")
            .edge(OrderStatus.PARTIALLY_REFUNDED, OrderStatus.REFUNDED, "the rest went back")
            .edge(OrderStatus.PARTIALLY_REFUNDED, OrderStatus.PAID, REVERSED)
            .edge(OrderStatus.REFUNDED, OrderStatus.PARTIALLY_REFUNDED, REVERSED)
            .edge(OrderStatus.REFUNDED, OrderStatus.PAID, REVERSED)
            .build();

    public static final StateMachine<AttemptStatus> ATTEMPT = StateMachine.of("ATTEMPT", AttemptStatus.class)
            .startsIn(AttemptStatus.CREATED)
            .edge(AttemptStatus.CREATED, AttemptStatus.PROCESSING, "the call to the PSP begins")
            .edge(AttemptStatus.CREATED, AttemptStatus.PENDING, "the PSP knows it")
            .edge(AttemptStatus.CREATED, AttemptStatus.SUCCEEDED, SUCCESS)
            .edge(AttemptStatus.CREATED, AttemptStatus.FAILED, REFUSED)
            .edge(AttemptStatus.CREATED, AttemptStatus.EXPIRED, CLOSED)
            .edge(AttemptStatus.CREATED, AttemptStatus.UNKNOWN, SILENCE)
            .edge(AttemptStatus.CREATED, AttemptStatus.MANUAL_REVIEW, MISFIT)
            .edge(AttemptStatus.PROCESSING, AttemptStatus.PENDING, "the PSP created it and waits for the payer")
            .edge(AttemptStatus.PROCESSING, AttemptStatus.SUCCEEDED, SUCCESS)
            .edge(AttemptStatus.PROCESSING, AttemptStatus.FAILED, REFUSED)
            .edge(AttemptStatus.PROCESSING, AttemptStatus.EXPIRED, CLOSED)
            .edge(AttemptStatus.PROCESSING, AttemptStatus.UNKNOWN, SILENCE)
            .edge(AttemptStatus.PROCESSING, AttemptStatus.MANUAL_REVIEW, MISFIT)
            .edge(AttemptStatus.PENDING, AttemptStatus.SUCCEEDED, SUCCESS)
            .edge(AttemptStatus.PENDING, AttemptStatus.FAILED, REFUSED)
            .edge(AttemptStatus.PENDING, AttemptStatus.EXPIRED, CLOSED)
            .edge(AttemptStatus.PENDING, AttemptStatus.UNKNOWN, SILENCE)
            .edge(AttemptStatus.PENDING, AttemptStatus.MANUAL_REVIEW, MISFIT + "; or undecided past the age limit")
            .edge(AttemptStatus.UNKNOWN, AttemptStatus.PENDING, "the PSP answers again and it is not decided")
            .edge(AttemptStatus.UNKNOWN, AttemptStatus.SUCCEEDED, SUCCESS)
            .edge(AttemptStatus.UNKNOWN, AttemptStatus.FAILED, REFUSED)
            .edge(AttemptStatus.UNKNOWN, AttemptStatus.EXPIRED, CLOSED)
            .edge(AttemptStatus.UNKNOWN, AttemptStatus.MANUAL_REVIEW, MISFIT + "; or unknown past the age limit")
            .edge(AttemptStatus.FAILED, AttemptStatus.SUCCEEDED, LATE_SUCCESS)
            .edge(AttemptStatus.FAILED, AttemptStatus.MANUAL_REVIEW, MISFIT)
            .edge(AttemptStatus.EXPIRED, AttemptStatus.SUCCEEDED, LATE_SUCCESS)
            .edge(AttemptStatus.EXPIRED, AttemptStatus.MANUAL_REVIEW, MISFIT)
            .edge(AttemptStatus.MANUAL_REVIEW, AttemptStatus.SUCCEEDED, SUCCESS)
            .edge(AttemptStatus.MANUAL_REVIEW, AttemptStatus.FAILED, REFUSED)
            .edge(AttemptStatus.MANUAL_REVIEW, AttemptStatus.EXPIRED, CLOSED)
            .build();

    public static final StateMachine<SyncStatus> SYNC = StateMachine.of("SYNC", SyncStatus.class)
            .startsIn(SyncStatus.PENDING)
            .edge(SyncStatus.PENDING, SyncStatus.PROCESSING, "a dispatcher took the lease")
            .edge(SyncStatus.PROCESSING, SyncStatus.COMPLETED, "the target has it, and its id is kept")
            .edge(SyncStatus.PROCESSING, SyncStatus.FAILED, "not delivered, or nobody knows: there will be another try")
            .edge(SyncStatus.PROCESSING, SyncStatus.REJECTED, "the target refused for good: the order is refunded")
            .edge(SyncStatus.PROCESSING, SyncStatus.PROCESSING, "the lease was lost and another dispatcher took it")
            .edge(SyncStatus.PROCESSING, SyncStatus.REVIEW, "out of tries; or refunded while nobody knows what arrived")
            .edge(SyncStatus.PROCESSING, SyncStatus.WITHDRAWN, "no longer true, and the target never heard it")
            .edge(SyncStatus.WITHDRAWN, SyncStatus.PENDING, "true again: refunded a second time after a reversal")
            .edge(SyncStatus.FAILED, SyncStatus.PROCESSING, "a dispatcher took the lease for another try")
            .build();

    public static final StateMachine<HoldStatus> HOLD = StateMachine.of("HOLD", HoldStatus.class)
            .startsIn(HoldStatus.ACTIVE)
            .startsIn(HoldStatus.CONSUMED)
            .edge(HoldStatus.ACTIVE, HoldStatus.CONSUMED, "the order was paid")
            .edge(HoldStatus.ACTIVE, HoldStatus.RELEASED, "the order was called off, or could not be fulfilled")
            .edge(HoldStatus.ACTIVE, HoldStatus.EXPIRED, "the order ran out of time")
            .build();

    public static final StateMachine<RefundStatus> REFUND = StateMachine.of("REFUND", RefundStatus.class)
            .startsIn(RefundStatus.REQUESTED)
            .startsIn(RefundStatus.SUCCEEDED)
            .edge(RefundStatus.REQUESTED, RefundStatus.PROCESSING, "the PSP is being asked, or has it")
            .edge(RefundStatus.REQUESTED, RefundStatus.SUCCEEDED, "the money went back")
            .edge(RefundStatus.REQUESTED, RefundStatus.FAILED, "refused")
            .edge(RefundStatus.REQUESTED, RefundStatus.UNKNOWN, SILENCE)
            .edge(RefundStatus.REQUESTED, RefundStatus.MANUAL_REVIEW, "undecided past the age limit, or not possible")
            .edge(RefundStatus.PROCESSING, RefundStatus.SUCCEEDED, "the money went back")
            .edge(RefundStatus.PROCESSING, RefundStatus.FAILED, "refused")
            .edge(RefundStatus.PROCESSING, RefundStatus.UNKNOWN, SILENCE)
            .edge(RefundStatus.PROCESSING, RefundStatus.MANUAL_REVIEW, "undecided past the age limit, or not possible")
            .edge(RefundStatus.UNKNOWN, RefundStatus.PROCESSING, "the PSP answers again and is not done")
            .edge(RefundStatus.UNKNOWN, RefundStatus.SUCCEEDED, "the money went back")
            .edge(RefundStatus.UNKNOWN, RefundStatus.FAILED, "refused")
            .edge(RefundStatus.UNKNOWN, RefundStatus.MANUAL_REVIEW, "undecided past the age limit, or not possible")
            .edge(RefundStatus.SUCCEEDED, RefundStatus.FAILED, "the money came back to us")
            .edge(RefundStatus.FAILED, RefundStatus.SUCCEEDED, "the PSP, asked, says that the money went back")
            .edge(RefundStatus.FAILED, RefundStatus.UNKNOWN, "told of a success after a failure: ask which is true")
            .edge(RefundStatus.MANUAL_REVIEW, RefundStatus.SUCCEEDED, "the money went back")
            .edge(RefundStatus.MANUAL_REVIEW, RefundStatus.FAILED, "refused")
            .build();

    /** All machines, in the order in which documents show them. */
    public static List<StateMachine<?>> all() {
        return List.of(ORDER, ATTEMPT, SYNC, HOLD, REFUND);
    }
}
