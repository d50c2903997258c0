package io.quittance.store;

import io.quittance.domain.AttemptStatus;
import io.quittance.domain.Money;
import io.quittance.domain.OrderStatus;
import io.quittance.domain.RefundReason;
import io.quittance.domain.RefundStatus;
import io.quittance.domain.SyncStatus;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An order as its merchant may see it, read in one snapshot.
 *
 * @param syncStatus of its latest conclusion; absent as long as there is none to carry anywhere
 * @param thirdPartyId the target's own id of the order, once it has it
 * @param attempts oldest first
 * @param refunds oldest first
 */
public record OrderView(
        String orderNo,
        OrderStatus status,
        @Nullable SyncStatus syncStatus,
        @Nullable String thirdPartyId,
        Money amount,
        Instant expiresAt,
        List<Attempt> attempts,
        List<Refund> refunds) {

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
