package io.quittance.psp.standardwebhooks;

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
import io.vertx.core.json.JsonObject;
import java.time.Clock;
import java.util.Optional;

/**
 * One account at a PSP that signs after Standard Webhooks. There is nothing to call: the merchant's own checkout creates
 * the payment at the PSP and gives it the attempt's id as its reference.
 */
public final class StandardWebhooksAdapter implements PspAdapter {

    static final String PSP = "standardwebhooks";

    private static final String NO_CALLS = "Standard Webhooks has no calls: this account only tells";

    private final String account;
    private final StandardWebhooksSignature signature;
    private final StandardWebhooksEvents events;
    private final StandardWebhooksReturns returns;

    /**
     * Nothing is called, so that neither of the last two is used: all adapters are built alike.
     *
     * @param http not used
     * @param clock not used
     */
    public StandardWebhooksAdapter(String account, StandardWebhooksSettings settings, PspHttp http, Clock clock) {
        this.account = account;
        this.signature = new StandardWebhooksSignature(settings);
        this.events = new StandardWebhooksEvents(account, settings.shape());
        this.returns = new StandardWebhooksReturns(settings.returnNames());
    }

    @Override
    public String psp() {
        return PSP;
    }

    @Override
    public String account() {
        return account;
    }

    @Override
    public Capabilities capabilities() {
        return new Capabilities(false, false, false, false);
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

    /** Any 2xx ends the deliveries. 410 would make the PSP switch the whole endpoint off and is never sent. */
    @Override
    public PspAnswer acknowledge(Acknowledgement acknowledgement) {
        return switch (acknowledgement) {
            case ACCEPTED -> PspAnswer.empty(204);
            case REFUSED -> PspAnswer.empty(401);
            case UNREADABLE -> PspAnswer.empty(400);
            case RETRY_LATER -> PspAnswer.empty(503);
        };
    }

    @Override
    public Returned readReturn(BrowserReturn back) {
        return returns.read(back);
    }

    @Override
    public boolean isReturnedByPaymentId() {
        return returns.isByPaymentId();
    }

    @Override
    public Optional<SettlementFormat> settlement() {
        return Optional.empty();
    }

    /** Calls nobody, and has nothing for the payer's device. The PSP's id becomes known with its first notification. */
    @Override
    public Future<PaymentReport> create(NewPayment payment) {
        return Future.succeededFuture(PaymentReport.created(null, new JsonObject(), null));
    }

    @Override
    public Future<PaymentReport> query(PaymentRef payment) {
        return Future.succeededFuture(PaymentReport.noAnswer(NO_CALLS));
    }

    @Override
    public Future<PaymentReport> close(PaymentRef payment) {
        return Future.succeededFuture(PaymentReport.noAnswer(NO_CALLS));
    }

    @Override
    public Future<RefundReport> refund(RefundOrder refund) {
        return Future.succeededFuture(RefundReport.noAnswer(NO_CALLS));
    }

    @Override
    public Future<RefundReport> queryRefund(RefundOrder refund) {
        return Future.succeededFuture(RefundReport.noAnswer(NO_CALLS));
    }
}
