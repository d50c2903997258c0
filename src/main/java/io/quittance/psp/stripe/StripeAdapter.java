package io.quittance.psp.stripe;

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

/** One Stripe account. */
public final class StripeAdapter implements PspAdapter {

    static final String PSP = "stripe";

    private final String account;
    private final StripeSignature signature;
    private final StripeEvents events;
    private final StripeCalls calls;
    private final StripeRefunds refunds;

    /** @param clock not used: Stripe's calls carry no time; it is here because all adapters are built alike */
    public StripeAdapter(String account, StripeSettings settings, PspHttp http, Clock clock) {
        this.account = account;
        this.signature = new StripeSignature(settings);
        this.events = new StripeEvents(account, settings);
        this.calls = new StripeCalls(settings, http);
        this.refunds = new StripeRefunds(calls);
    }

    @Override
    public String psp() {
        return PSP;
    }

    @Override
    public String account() {
        return account;
    }

    /** A PaymentIntent has no end of its own, so that one which is not found may still have been created. */
    @Override
    public Capabilities capabilities() {
        return new Capabilities(true, true, true, false);
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

    /** Stripe reads the status alone: any 2xx ends the deliveries of an event. */
    @Override
    public PspAnswer acknowledge(Acknowledgement acknowledgement) {
        return switch (acknowledgement) {
            case ACCEPTED -> PspAnswer.empty(200);
            case REFUSED -> PspAnswer.empty(401);
            case UNREADABLE -> PspAnswer.empty(400);
            case RETRY_LATER -> PspAnswer.empty(503);
        };
    }

    @Override
    public Returned readReturn(BrowserReturn back) {
        return StripeReturns.read(back);
    }

    @Override
    public boolean isReturnedByPaymentId() {
        return true;
    }

    @Override
    public Optional<SettlementFormat> settlement() {
        return Optional.of(new StripeSettlement());
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
}
