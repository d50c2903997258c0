package io.quittance.psp.wechatpay;

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

/** One WeChat Pay merchant number with one application. */
public final class WechatpayAdapter implements PspAdapter {

    static final String PSP = "wechatpay";

    private final String account;
    private final WechatpaySignature signature;
    private final WechatpayEvents events;
    private final WechatpayCalls calls;
    private final WechatpayRefunds refunds;

    public WechatpayAdapter(String account, WechatpaySettings settings, PspHttp http, Clock clock) {
        WechatpayRequest request = new WechatpayRequest(settings, http, clock);
        this.account = account;
        this.signature = new WechatpaySignature(settings.platformKeys());
        this.events = new WechatpayEvents(account, settings);
        this.calls = new WechatpayCalls(settings, request);
        this.refunds = new WechatpayRefunds(request);
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
        return BodyFormat.JSON;
    }

    @Override
    public Verification verify(RawNotification raw) {
        return signature.verify(raw);
    }

    @Override
    public Translation translate(Verification.Verified verified) {
        return events.translate(verified.raw());
    }

    /** The status alone decides: a 200 that says FAIL would count as a success. */
    @Override
    public PspAnswer acknowledge(Acknowledgement acknowledgement) {
        return switch (acknowledgement) {
            case ACCEPTED -> PspAnswer.empty(204);
            case REFUSED -> failure(401, "not verified");
            case UNREADABLE -> failure(400, "not readable");
            case RETRY_LATER -> failure(503, "try again later");
        };
    }

    @Override
    public Returned readReturn(BrowserReturn back) {
        return WechatpayReturns.read(back);
    }

    @Override
    public Optional<SettlementFormat> settlement() {
        return Optional.of(new WechatpaySettlement());
    }

    @Override
    public Future<PaymentReport> create(NewPayment payment) {
        return calls.create(payment);
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

    private static PspAnswer failure(int status, String message) {
        return PspAnswer.json(status, "{\"code\":\"FAIL\",\"message\":\"" + message + "\"}");
    }
}
