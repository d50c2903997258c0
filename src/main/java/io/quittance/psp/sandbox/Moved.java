package io.quittance.psp.sandbox;

import java.time.Instant;
import java.util.Comparator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Money that moved: a row of a settlement file.
 *
 * @param refund what went back; null for the payment itself
 */
record Moved(Trade trade, @Nullable Refund refund) {

    static final Comparator<Moved> BY_TIME = Comparator.comparing(Moved::at);

    static Stream<Moved> of(Trade trade) {
        return trade.paidAt() == null
                ? Stream.empty()
                : Stream.concat(
                        Stream.of(new Moved(trade, null)),
                        trade.refunds().stream().map(refund -> new Moved(trade, refund)));
    }

    boolean isRefund() {
        return refund != null;
    }

    Instant at() {
        return refund == null ? trade.whenPaid() : refund.at();
    }

    /** Less than nothing for a refund. */
    long signedMinor() {
        return refund == null ? trade.terms().amountMinor() : -refund.amountMinor();
    }
}
