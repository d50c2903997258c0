package io.quittance.testing;

import io.quittance.psp.Acknowledgement;
import io.quittance.psp.BodyFormat;
import io.quittance.psp.BrowserReturn;
import io.quittance.psp.PaymentReport;
import io.quittance.psp.PspAdapter;
import io.quittance.psp.PspAnswer;
import io.quittance.psp.RawNotification;
import io.quittance.psp.RefundReport;
import io.quittance.psp.Returned;
import io.quittance.psp.SettlementFormat;
import io.quittance.psp.Translation;
import io.quittance.psp.Verification;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** A PSP that answers what the test tells it to, and writes down what it was asked. */
public final class ScriptedPsp implements PspAdapter {

    private final String account;
    private final List<String> calls = new CopyOnWriteArrayList<>();
    private volatile Capabilities capabilities = new Capabilities(true, true, true, true);
    private volatile Function<NewPayment, Future<PaymentReport>> create = unscripted("create");
    private volatile Function<PaymentRef, Future<PaymentReport>> query = unscripted("query");
    private volatile Function<PaymentRef, Future<PaymentReport>> close = unscripted("close");
    private volatile Function<RefundOrder, Future<RefundReport>> refund = unscripted("refund");
    private volatile Function<RefundOrder, Future<RefundReport>> queryRefund = unscripted("queryRefund");

    /** The account that a bench opens its attempts at. */
    public ScriptedPsp() {
        this(Bench.ACCOUNT);
    }

    public ScriptedPsp(String account) {
        this.account = account;
    }

    private static <Q, R> Function<Q, Future<R>> unscripted(String call) {
        return asked -> Future.failedFuture(new AssertionError("nobody should have called " + call));
    }

    /** What it was asked so far: the call and the id that it was about. */
    public List<String> calls() {
        return List.copyOf(calls);
    }

    public ScriptedPsp can(Capabilities can) {
        capabilities = can;
        return this;
    }

    public ScriptedPsp onCreate(Function<NewPayment, Future<PaymentReport>> script) {
        create = script;
        return this;
    }

    public ScriptedPsp onQuery(Function<PaymentRef, Future<PaymentReport>> script) {
        query = script;
        return this;
    }

    public ScriptedPsp onQuery(PaymentReport answer) {
        return onQuery(asked -> Future.succeededFuture(answer));
    }

    public ScriptedPsp onClose(Function<PaymentRef, Future<PaymentReport>> script) {
        close = script;
        return this;
    }

    public ScriptedPsp onClose(PaymentReport answer) {
        return onClose(asked -> Future.succeededFuture(answer));
    }

    public ScriptedPsp onRefund(Function<RefundOrder, Future<RefundReport>> script) {
        refund = script;
        return this;
    }

    public ScriptedPsp onRefund(RefundReport answer) {
        return onRefund(asked -> Future.succeededFuture(answer));
    }

    public ScriptedPsp onQueryRefund(Function<RefundOrder, Future<RefundReport>> script) {
        queryRefund = script;
        return this;
    }

    public ScriptedPsp onQueryRefund(RefundReport answer) {
        return onQueryRefund(asked -> Future.succeededFuture(answer));
    }

    @Override
    public String psp() {
        return Bench.PSP;
    }

    @Override
    public String account() {
        return account;
    }

    @Override
    public Capabilities capabilities() {
        return capabilities;
    }

    @Override
    public Verification verify(RawNotification raw) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Translation translate(Verification.Verified verified) {
        throw new UnsupportedOperationException();
    }

    @Override
    public PspAnswer acknowledge(Acknowledgement acknowledgement) {
        throw new UnsupportedOperationException();
    }

    @Override
    public BodyFormat notificationFormat() {
        return BodyFormat.JSON;
    }

    @Override
    public Returned readReturn(BrowserReturn back) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<SettlementFormat> settlement() {
        return Optional.empty();
    }

    @Override
    public Future<PaymentReport> create(NewPayment payment) {
        calls.add("create " + payment.attemptId());
        return create.apply(payment);
    }

    @Override
    public Future<PaymentReport> query(PaymentRef payment) {
        calls.add("query " + payment.attemptId());
        return query.apply(payment);
    }

    @Override
    public Future<PaymentReport> close(PaymentRef payment) {
        calls.add("close " + payment.attemptId());
        return close.apply(payment);
    }

    @Override
    public Future<RefundReport> refund(RefundOrder order) {
        calls.add("refund " + order.refundId());
        return refund.apply(order);
    }

    @Override
    public Future<RefundReport> queryRefund(RefundOrder order) {
        calls.add("queryRefund " + order.refundId());
        return queryRefund.apply(order);
    }
}
