package io.quittance.store;

import io.quittance.domain.AttemptStatus;
import io.quittance.domain.Money;
import io.quittance.domain.OrderStatus;
import io.quittance.domain.RefundReason;
import io.quittance.domain.RefundStatus;
import io.quittance.domain.SyncStatus;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An order as its merchant may see it, read in one snapshot.
 *
 * @param syncStatus of its latest conclusion; absent as long as there is none to carry anywhere
 * @param thirdPartyId the target's own id of the order, once it has it
 * @param secondsLeft to pay, at the time of reading, by the database's clock, in seconds; 0 if that time is over. A live
 *     attempt's session end at its PSP counts, where there is one, and expiresAt otherwise
 * @param calledOff whether its merchant wants it called off, whatever came of that
 * @param attempts oldest first
 * @param refunds oldest first
 */
public record OrderView(
        UUID id,
        String orderNo,
        OrderStatus status,
        @Nullable SyncStatus syncStatus,
        @Nullable String thirdPartyId,
        Money amount,
        Instant expiresAt,
        long secondsLeft,
        boolean calledOff,
        List<Attempt> attempts,
        List<Refund> refunds) {

    private static final Set<RefundStatus> OPEN_REFUND = EnumSet.of(
            RefundStatus.REQUESTED, RefundStatus.PROCESSING, RefundStatus.UNKNOWN, RefundStatus.MANUAL_REVIEW);

    private static final Set<SyncStatus> OPEN_SYNC =
            EnumSet.of(SyncStatus.PENDING, SyncStatus.PROCESSING, SyncStatus.FAILED, SyncStatus.REVIEW);

    /** Whether nothing will change unless somebody begins something new; what is before a person may change. */
    public boolean isSettled() {
        return isMoneySettled() && !isSyncOpen();
    }

    /** The same for its payer, who is not concerned by where the news of it is carried unless he waits for goods. */
    public boolean isSettledForPayer() {
        return isMoneySettled() && !(status == OrderStatus.PAID && isSyncOpen());
    }

    /** Whether one of its attempts may still be paid, or is before a person. */
    public boolean hasBlockingAttempt() {
        return attempts.stream().anyMatch(attempt -> attempt.status().blocksOrder());
    }

    /** Whether money came for it after it was closed and nobody has decided yet where that goes. */
    public boolean hasUndecidedMoney() {
        return status.isClosedUnpaid()
                && refunds.isEmpty()
                && attempts.stream().anyMatch(attempt -> attempt.status() == AttemptStatus.SUCCEEDED);
    }

    private boolean isMoneySettled() {
        return status != OrderStatus.PENDING
                && !hasBlockingAttempt()
                && !hasUndecidedMoney()
                && refunds.stream().noneMatch(refund -> OPEN_REFUND.contains(refund.status()));
    }

    private boolean isSyncOpen() {
        return syncStatus != null && OPEN_SYNC.contains(syncStatus);
    }

    /**
     * One attempt to pay the order.
     *
     * @param id 32 lower-case hex characters
     */
    public record Attempt(
            String id,
            String psp,
            String account,
            AttemptStatus status,
            @Nullable String pspPaymentId) {}

    /**
     * Money of the order on its way back.
     *
     * @param id 32 lower-case hex characters
     */
    public record Refund(String id, RefundStatus status, Money amount, RefundReason reason) {}
}
