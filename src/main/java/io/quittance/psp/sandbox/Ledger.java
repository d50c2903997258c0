package io.quittance.psp.sandbox;

import io.quittance.psp.sandbox.SandboxPayment.State;
import io.quittance.psp.sandbox.Tally.Counted;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** The sandbox's books. Written on the sandbox's thread, read from any. */
final class Ledger {

    /** Further creations are refused: a development tool must not grow without end. */
    static final int PAYMENTS_MAX = 1_000_000;

    private final Map<String, Trade> byAttempt = new ConcurrentHashMap<>();
    private final Map<String, String> attemptByPspId = new ConcurrentHashMap<>();
    private final Map<String, String> latestByPsp = new ConcurrentHashMap<>();
    private final Tally tally;

    Ledger(Tally tally) {
        this.tally = tally;
    }

    boolean isFull() {
        return byAttempt.size() >= PAYMENTS_MAX;
    }

    /** Adds a payment whose attempt is not in the books yet. */
    Trade open(Trade.Terms terms) {
        Trade trade = Trade.opened(terms);
        if (byAttempt.putIfAbsent(terms.attemptId(), trade) != null) {
            throw new IllegalStateException("already in the books: " + terms.attemptId());
        }
        attemptByPspId.put(terms.pspPaymentId(), terms.attemptId());
        latestByPsp.put(terms.psp(), terms.attemptId());
        tally.count(Counted.CREATED);
        return trade;
    }

    Optional<Trade> byAttempt(String attemptId) {
        return Optional.ofNullable(byAttempt.get(attemptId));
    }

    /** Finds by the PSP's id of a payment or of a refund. */
    Optional<Trade> byPspId(String pspId) {
        return Optional.ofNullable(attemptByPspId.get(pspId)).flatMap(this::byAttempt);
    }

    /** Makes a trade known under a further key of {@link #byPspId}. */
    void alsoFindBy(String key, Trade trade) {
        attemptByPspId.put(key, trade.terms().attemptId());
    }

    /** All payments at this PSP, in no order. */
    Stream<Trade> ofPsp(String psp) {
        return byAttempt.values().stream().filter(trade -> trade.terms().psp().equals(psp));
    }

    /** The payment opened last at this PSP, if nobody has paid it. */
    Optional<Trade> latestUnpaid(String psp) {
        return Optional.ofNullable(latestByPsp.get(psp))
                .flatMap(this::byAttempt)
                .filter(trade -> trade.state() == State.OPEN);
    }

    /**
     * What moved at a PSP, in the order of time.
     *
     * @param from inclusive
     * @param to exclusive
     */
    List<Moved> moved(String psp, Instant from, Instant to) {
        return byAttempt.values().stream()
                .filter(trade -> trade.terms().psp().equals(psp))
                .flatMap(Moved::of)
                .filter(moved -> !moved.at().isBefore(from) && moved.at().isBefore(to))
                .sorted(Moved.BY_TIME)
                .toList();
    }

    Trade pay(Trade trade, Instant now) {
        tally.count(Counted.PAID);
        return replace(trade.paid(now));
    }

    Trade close(Trade trade) {
        tally.count(Counted.CLOSED);
        return replace(trade.closed());
    }

    Trade refund(Trade trade, Refund refund) {
        tally.count(Counted.REFUNDED);
        attemptByPspId.put(refund.pspRefundId(), trade.terms().attemptId());
        return replace(trade.with(refund));
    }

    private Trade replace(Trade trade) {
        byAttempt.put(trade.terms().attemptId(), trade);
        return trade;
    }
}
