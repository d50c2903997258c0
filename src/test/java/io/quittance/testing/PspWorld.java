package io.quittance.testing;

import io.quittance.psp.PaymentReport;
import io.quittance.psp.PspAdapter.NewPayment;
import io.quittance.psp.PspAdapter.PaymentRef;
import io.quittance.psp.PspAdapter.RefundOrder;
import io.quittance.psp.RefundReport;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * A PSP with books of its own, which answers as badly as real ones do: it forgets to answer after it has done what it was
 * told, and before; it refuses; a payer is faster than its answer. What it does at the n-th call about something depends on
 * the seed and on n alone. Its books say where the money is, whatever anybody else believes.
 */
public final class PspWorld {

    /** How a payment stands in the books. */
    public enum State {
        OPEN,
        PAID,
        FAILED,
        CLOSED
    }

    /**
     * A payment as it stands in the books.
     *
     * @param refundedMinor what has gone back, in minor units
     */
    public record Payment(String attemptId, String orderNo, long amountMinor, State state, long refundedMinor) {}

    private final long seed;
    private final Map<String, Payment> payments = new HashMap<>();
    private final Map<String, List<String>> byOrder = new HashMap<>();
    private final Map<String, RefundReport> refunds = new HashMap<>();
    private final Map<String, Integer> times = new HashMap<>();
    private boolean calm;

    public PspWorld(long seed) {
        this.seed = seed;
    }

    /** This world as an account; as many as are wanted, all with the same books. */
    public ScriptedPsp account() {
        return new ScriptedPsp()
                .onCreate(payment -> Future.succeededFuture(create(payment)))
                .onQuery(payment -> Future.succeededFuture(query(payment)))
                .onClose(payment -> Future.succeededFuture(close(payment)))
                .onRefund(order -> Future.succeededFuture(refund(order)))
                .onQueryRefund(order -> Future.succeededFuture(queryRefund(order)));
    }

    /** From now on every question is answered. */
    public synchronized void calm() {
        calm = true;
    }

    public synchronized List<Payment> payments() {
        return List.copyOf(payments.values());
    }

    /** The attempts of an order that are in the books, oldest first. */
    public synchronized List<Payment> paymentsOf(String orderNo) {
        return byOrder.getOrDefault(orderNo, List.of()).stream()
                .map(attempt -> payments.get(attempt))
                .toList();
    }

    /** The payer pays; with force although it was closed or had failed. Whether the money moved. */
    public synchronized boolean pay(String attemptId, boolean force) {
        Payment payment = payments.get(attemptId);
        if (payment.state() == State.PAID || (payment.state() != State.OPEN && !force)) {
            return false;
        }
        become(payment, State.PAID);
        return true;
    }

    /** Nobody can pay it any more, unless by force. Whether it is so now. */
    public synchronized boolean end(String attemptId, State state) {
        Payment payment = payments.get(attemptId);
        if (payment.state() == State.OPEN) {
            become(payment, state);
        }
        return payments.get(attemptId).state() == state;
    }

    /** Somebody sends money back by the PSP's own console. How much went, in minor units; 0 if nothing was left. */
    public synchronized long refundByHand(String attemptId, long minor) {
        Payment payment = payments.get(attemptId);
        boolean paid = payment.state() == State.PAID;
        long goes = paid ? Math.min(minor, payment.amountMinor() - payment.refundedMinor()) : 0;
        moveBack(payment, goes);
        return goes;
    }

    private PaymentReport create(NewPayment payment) {
        synchronized (this) {
            int drawn = draw("create", payment.orderNo());
            PaymentReport created = PaymentReport.created(
                    "pay-" + payment.attemptId(),
                    new JsonObject(),
                    drawn % 3 == 0 ? payment.expiresAt().minus(Duration.ofMinutes(drawn % 2 == 0 ? 14 : -30)) : null);
            if (drawn >= 92) {
                return PaymentReport.of(PaymentReport.Status.FAILED, null, "refused");
            }
            if (drawn >= 86) {
                return PaymentReport.noAnswer("lost on its way");
            }
            payments.put(
                    payment.attemptId(),
                    new Payment(
                            payment.attemptId(),
                            payment.orderNo(),
                            payment.amount().minor(),
                            drawn >= 70 && drawn < 78 ? State.PAID : State.OPEN,
                            0));
            byOrder.computeIfAbsent(payment.orderNo(), key -> new ArrayList<>()).add(payment.attemptId());
            return drawn >= 78 ? PaymentReport.noAnswer("the answer was lost") : created;
        }
    }

    private synchronized PaymentReport query(PaymentRef asked) {
        if (fails("query", asked.attemptId(), 15)) {
            return PaymentReport.noAnswer("time-out");
        }
        return told(asked.attemptId());
    }

    private synchronized PaymentReport close(PaymentRef asked) {
        if (fails("close before", asked.attemptId(), 8)) {
            return PaymentReport.noAnswer("lost on its way");
        }
        Payment payment = payments.get(asked.attemptId());
        if (payment != null && payment.state() == State.OPEN) {
            become(payment, State.CLOSED);
        }
        return fails("close after", asked.attemptId(), 8)
                ? PaymentReport.noAnswer("the answer was lost")
                : told(asked.attemptId());
    }

    private PaymentReport told(String attemptId) {
        Payment payment = payments.get(attemptId);
        String id = "pay-" + attemptId;
        if (payment == null) {
            return PaymentReport.of(PaymentReport.Status.NOT_FOUND, null, "no such payment");
        }
        return switch (payment.state()) {
            case OPEN -> PaymentReport.of(PaymentReport.Status.PENDING, id, "waiting");
            case PAID ->
                PaymentReport.succeeded(
                        id, new io.quittance.domain.Money(payment.amountMinor(), Bench.PRICE.currency()));
            case FAILED -> PaymentReport.of(PaymentReport.Status.FAILED, id, "failed");
            case CLOSED -> PaymentReport.of(PaymentReport.Status.CLOSED, id, "closed");
        };
    }

    private synchronized RefundReport refund(RefundOrder order) {
        String attempt = order.payment().attemptId();
        if (fails("refund before", order.refundId(), 10)) {
            return RefundReport.noAnswer("lost on its way");
        }
        RefundReport report = Optional.ofNullable(refunds.get(order.refundId()))
                .orElseGet(() -> refundOnce(order, payments.get(attempt)));
        refunds.put(order.refundId(), report);
        return fails("refund after", order.refundId(), 15) ? RefundReport.noAnswer("the answer was lost") : report;
    }

    private RefundReport refundOnce(RefundOrder order, Payment payment) {
        long left = payment.amountMinor() - payment.refundedMinor();
        boolean refused = payment.state() != State.PAID || order.amount().minor() > left;
        if (refused || draw("refuse", payment.orderNo()) < 5) {
            return new RefundReport(RefundReport.Status.FAILED, "re-" + order.refundId(), "refused");
        }
        moveBack(payment, order.amount().minor());
        return new RefundReport(RefundReport.Status.SUCCEEDED, "re-" + order.refundId(), "done");
    }

    private synchronized RefundReport queryRefund(RefundOrder order) {
        if (fails("query refund", order.refundId(), 15)) {
            return RefundReport.noAnswer("time-out");
        }
        return Optional.ofNullable(refunds.get(order.refundId()))
                .orElseGet(() -> new RefundReport(RefundReport.Status.NOT_FOUND, null, "no such refund"));
    }

    private void become(Payment payment, State state) {
        payments.put(
                payment.attemptId(),
                new Payment(
                        payment.attemptId(), payment.orderNo(), payment.amountMinor(), state, payment.refundedMinor()));
    }

    private void moveBack(Payment payment, long minor) {
        payments.put(
                payment.attemptId(),
                new Payment(
                        payment.attemptId(),
                        payment.orderNo(),
                        payment.amountMinor(),
                        payment.state(),
                        payment.refundedMinor() + minor));
    }

    private boolean fails(String call, String about, int percent) {
        return !calm && draw(call, about) < percent;
    }

    /** From 0 to 99, by the seed and how often this was drawn for it. An attempt's id is new in every run: its place is not. */
    private int draw(String call, String about) {
        Payment payment = payments.get(about);
        String name = payment == null
                ? about
                : payment.orderNo() + "/" + byOrder.get(payment.orderNo()).indexOf(about);
        String key = call + " " + name;
        int nth = times.merge(key, 1, Integer::sum);
        return new SplittableRandom(seed ^ ((long) key.hashCode() << 20) ^ nth).nextInt(100);
    }
}
