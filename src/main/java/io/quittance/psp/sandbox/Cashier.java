package io.quittance.psp.sandbox;

import io.quittance.psp.sandbox.SandboxPayment.State;
import io.quittance.psp.sandbox.Tally.Counted;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the payer does, whether by method call or by HTTP. Lives on the sandbox's thread. */
final class Cashier {

    private final Ledger ledger;
    private final Map<String, PspSide> sides;
    private final Delivery delivery;
    private final Tally tally;

    Cashier(Ledger ledger, Map<String, PspSide> sides, Delivery delivery, Tally tally) {
        this.ledger = ledger;
        this.sides = sides;
        this.delivery = delivery;
        this.tally = tally;
    }

    /**
     * Pays, and does nothing if it is paid already.
     *
     * @param lateToo whether the money moves although the payment is closed or its time is over
     * @throws NotPayable if there is no such payment, or it cannot be paid any more
     */
    void pay(String attemptId, boolean lateToo, Instant now) {
        Trade trade = known(attemptId);
        if (trade.isPaid()) {
            return;
        }
        if (!lateToo) {
            requireOpen(trade, now);
        }
        Trade paid = ledger.pay(trade, now);
        announce(side(paid).paid(paid, now).stream().toList());
        announce(side(paid).besidesPaid(paid, now));
    }

    /**
     * A try of the payer fails; the payment stays open.
     *
     * @throws NotPayable if there is no such payment, or it is not open
     */
    void decline(String attemptId, Instant now) {
        Trade trade = known(attemptId);
        requireOpen(trade, now);
        tally.count(Counted.DECLINED);
        announce(side(trade).declined(trade, now));
    }

    void announce(List<Notice> notices) {
        notices.forEach(notice -> delivery.submit(notice, this::forgery));
    }

    /** The payer's wish cannot be met. */
    static final class NotPayable extends RuntimeException {
        private final boolean unknown;

        NotPayable(String message, boolean unknown) {
            super(message);
            this.unknown = unknown;
        }

        boolean isUnknown() {
            return unknown;
        }
    }

    /** A lie that would bring someone money: an unpaid payment was paid, or a paid one was larger. */
    private Optional<Notice> forgery(Notice original, boolean ofAmount) {
        Instant now = Instant.now();
        Optional<Trade> unpaid = ofAmount ? Optional.empty() : ledger.latestUnpaid(original.psp());
        return unpaid.or(() -> ledger.byAttempt(original.attemptId()).map(Cashier::enlarged))
                .map(victim -> victim.paid(now))
                .flatMap(lie -> side(lie).paid(lie, now))
                .map(Notice::asForged);
    }

    private static Trade enlarged(Trade trade) {
        return trade.withAmount(trade.terms().amountMinor() + 100);
    }

    private Trade known(String attemptId) {
        return ledger.byAttempt(attemptId)
                .orElseThrow(() -> new NotPayable("the sandbox knows no payment " + attemptId, true));
    }

    private static void requireOpen(Trade trade, Instant now) {
        String attemptId = trade.terms().attemptId();
        if (trade.state() != State.OPEN) {
            throw new NotPayable("payment " + attemptId + " is " + trade.state(), false);
        }
        if (trade.isExpired(now)) {
            throw new NotPayable("the time to pay " + attemptId + " is over", false);
        }
    }

    private PspSide side(Trade trade) {
        PspSide side = sides.get(trade.terms().psp());
        if (side == null) {
            throw new IllegalStateException("no side for " + trade.terms().psp());
        }
        return side;
    }
}
