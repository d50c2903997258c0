package io.quittance.psp.adyen;

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

/** One Adyen merchant account. */
public final class AdyenAdapter implements PspAdapter {

    static final String PSP = "adyen";

    private final String account;
    private final AdyenSignature signature;
    private final AdyenEvents events;
    private final AdyenCalls calls;
    private final AdyenRefunds refunds;
    private final AdyenSettlement settlement;

    /** @param clock tells how old an attempt is, and so whether Adyen still knows its idempotency key */
    public AdyenAdapter(String account, AdyenSettings settings, PspHttp http, Clock clock) {
        AdyenApi api = new AdyenApi(settings, http);
        this.account = account;
        this.signature = new AdyenSignature(settings);
        this.events = new AdyenEvents(account, settings);
        this.calls = new AdyenCalls(settings, api, clock);
        this.refunds = new AdyenRefunds(settings, api);
        this.settlement = new AdyenSettlement(settings.merchantAccount());
    }

    @Override
    public String psp() {
        return PSP;
    }

    @Override
    public String account() {
        return account;
    }

    /** A link that is not found may still be created by a request that is on its way. */
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
        return events.translate(verified);
    }

    /** Any 2xx will do today; older webhooks want the word as well. */
    @Override
    public PspAnswer acknowledge(Acknowledgement acknowledgement) {
        return switch (acknowledgement) {
            case ACCEPTED -> PspAnswer.text(202, "[accepted]");
            case REFUSED -> PspAnswer.empty(401);
            case UNREADABLE -> PspAnswer.empty(400);
            case RETRY_LATER -> PspAnswer.empty(503);
        };
    }

    @Override
    public Returned readReturn(BrowserReturn back) {
        return AdyenReturns.read(back);
    }

    @Override
    public Optional<SettlementFormat> settlement() {
        return Optional.of(settlement);
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

    /** The same call: Adyen knows no other question. */
    @Override
    public Future<RefundReport> queryRefund(RefundOrder refund) {
        return refunds.refund(refund);
    }
}
