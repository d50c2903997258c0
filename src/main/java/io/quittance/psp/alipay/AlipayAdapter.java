package io.quittance.psp.alipay;

import io.quittance.psp.Acknowledgement;
import io.quittance.psp.BodyFormat;
import io.quittance.psp.BrowserReturn;
import io.quittance.psp.PaymentReport;
import io.quittance.psp.PspAdapter;
import io.quittance.psp.PspAnswer;
import io.quittance.psp.PspHttp;
import io.quittance.psp.RawNotification;
import io.quittance.psp.RefundReport;
import io.quittance.psp.Returned;
import io.quittance.psp.SettlementFormat;
import io.quittance.psp.Translation;
import io.quittance.psp.Verification;
import io.vertx.core.Future;
import java.time.Clock;
import java.util.Optional;

/** One Alipay application. */
public final class AlipayAdapter implements PspAdapter {

    static final String PSP = "alipay";

    private final String account;
    private final AlipaySignature signature;
    private final AlipayEvents events;
    private final AlipayReturns returns;
    private final AlipayCalls calls;
    private final AlipayRefunds refunds;

    public AlipayAdapter(String account, AlipaySettings settings, PspHttp http, Clock clock) {
        AlipayRequest request = new AlipayRequest(settings, http, clock);
        this.account = account;
        this.signature = new AlipaySignature(settings);
        this.events = new AlipayEvents(account, settings);
        this.returns = new AlipayReturns(signature, settings);
        this.calls = new AlipayCalls(request);
        this.refunds = new AlipayRefunds(request);
    }

    @Override
    public String psp() {
        return PSP;
    }

    @Override
    public String account() {
        return account;
    }

    /** Each payment ends at time_expire, so that a trade which is not found after it will never come into being. */
    @Override
    public Capabilities capabilities() {
        return new Capabilities(true, true, true, true);
    }

    @Override
    public BodyFormat notificationFormat() {
        return BodyFormat.FORM;
    }

    @Override
    public Verification verify(RawNotification raw) {
        return signature.verify(raw);
    }

    @Override
    public Translation translate(Verification.Verified verified) {
        return events.translate(verified);
    }

    /** Alipay reads the body: exactly these seven bytes end the repetitions. */
    @Override
    public PspAnswer acknowledge(Acknowledgement acknowledgement) {
        return switch (acknowledgement) {
            case ACCEPTED -> PspAnswer.text(200, "success");
            case REFUSED -> PspAnswer.text(401, "fail");
            case UNREADABLE -> PspAnswer.text(400, "fail");
            case RETRY_LATER -> PspAnswer.text(503, "fail");
        };
    }

    @Override
    public Returned readReturn(BrowserReturn back) {
        return returns.read(back);
    }

    @Override
    public Optional<SettlementFormat> settlement() {
        return Optional.of(new AlipaySettlement());
    }

    @Override
    public Future<PaymentReport> create(NewPayment payment) {
        return Future.succeededFuture(calls.create(payment));
    }

    @Override
    public Future<PaymentReport> query(PaymentRef payment) {
        return calls.query(payment);
    }

    @Override
    public Future<PaymentReport> close(PaymentRef payment) {
        return calls.close(payment);
    }

    @Override
    public Future<RefundReport> refund(RefundOrder refund) {
        return refunds.refund(refund);
    }

    @Override
    public Future<RefundReport> queryRefund(RefundOrder refund) {
        return refunds.query(refund);
    }
}
