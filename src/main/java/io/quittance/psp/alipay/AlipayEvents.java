package io.quittance.psp.alipay;

import io.quittance.domain.Evidence;
import io.quittance.domain.FactKind;
import io.quittance.domain.FactSource;
import io.quittance.domain.Mismatch;
import io.quittance.domain.Money;
import io.quittance.domain.PaymentFact;
import io.quittance.domain.PaymentFact.RefundNews;
import io.quittance.psp.Translation;
import io.quittance.psp.Translation.Facts;
import io.quittance.psp.Translation.Malformed;
import io.quittance.psp.Translation.NotOurs;
import io.quittance.psp.Verification.Verified;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Says what {@code trade_status_sync} notices mean. A refund has no notice of its own: the payment's notice is sent
 * again with the refund's fields, TRADE_SUCCESS for a part and TRADE_CLOSED for all of the money.
 */
final class AlipayEvents {

    private final String account;
    private final AlipaySettings settings;

    AlipayEvents(String account, AlipaySettings settings) {
        this.account = account;
        this.settings = settings;
    }

    Translation translate(Verified verified) {
        Optional<AlipayForm> read = verified.reading() instanceof AlipayForm form
                ? Optional.of(form)
                : AlipayForm.decode(verified.raw().body());
        return read.map(form -> translate(form, verified.raw().receivedAt()))
                .orElseGet(() -> new Malformed("the body is not a form in utf-8 or gbk with each field once"));
    }

    private Translation translate(AlipayForm form, Instant receivedAt) {
        String notifyId = form.get("notify_id");
        if (notifyId.isEmpty() || form.get("notify_type").isEmpty()) {
            return new Malformed("notify_id or notify_type is missing");
        }
        if (!"trade_status_sync".equals(form.get("notify_type"))) {
            return new NotOurs(notifyId, form.get("notify_type"));
        }
        if (form.get("out_trade_no").isEmpty() || form.get("trade_no").isEmpty()) {
            return new Malformed("out_trade_no or trade_no is missing");
        }
        Evidence evidence = new Evidence(FactSource.NOTIFICATION, AlipayAdapter.PSP, account, notifyId, receivedAt);
        return switch (form.get("trade_status")) {
            case "TRADE_SUCCESS", "TRADE_FINISHED" ->
                speaksOfRefund(form) ? refund(form, evidence) : success(form, evidence);
            case "TRADE_CLOSED" ->
                speaksOfRefund(form) ? refund(form, evidence) : other(FactKind.PAYMENT_CLOSED, form, evidence);
            case "WAIT_BUYER_PAY" -> other(FactKind.PAYMENT_PENDING, form, evidence);
            default -> new Malformed("trade_status is missing or unknown");
        };
    }

    /** A refund_fee of nothing is no refund. */
    private static boolean speaksOfRefund(AlipayForm form) {
        if (!form.get("gmt_refund").isEmpty()) {
            return true;
        }
        String fee = form.get("refund_fee");
        return !fee.isEmpty()
                && AlipayAmounts.read(fee).map(money -> money.minor() > 0).orElse(true);
    }

    private Translation success(AlipayForm form, Evidence evidence) {
        Optional<Money> amount = AlipayAmounts.read(form.get("total_amount"));
        if (amount.isEmpty()) {
            return new Malformed("total_amount is not an amount in yuan");
        }
        return facts(
                form,
                evidence,
                PaymentFact.succeeded(form.get("out_trade_no"), evidence, form.get("trade_no"), amount.get()));
    }

    private Translation refund(AlipayForm form, Evidence evidence) {
        String fee = form.get("refund_fee");
        Optional<Money> total = AlipayAmounts.read(fee);
        if (total.isEmpty() && !fee.isEmpty()) {
            return new Malformed("refund_fee is not an amount in yuan");
        }
        // refund_fee is all that was refunded so far, not what this refund gave back.
        RefundNews news = new RefundNews(blankToNull(form.get("out_biz_no")), null, null, total.orElse(null));
        return facts(
                form,
                evidence,
                PaymentFact.refund(
                        FactKind.REFUND_SUCCEEDED, form.get("out_trade_no"), evidence, news, form.get("trade_status")));
    }

    private Translation other(FactKind kind, AlipayForm form, Evidence evidence) {
        return facts(
                form,
                evidence,
                PaymentFact.payment(
                        kind, form.get("out_trade_no"), evidence, form.get("trade_no"), form.get("trade_status")));
    }

    /** The signature says that Alipay said it, and nothing about whose application and shop it is about. */
    private Translation facts(AlipayForm form, Evidence evidence, PaymentFact fact) {
        boolean ours = settings.appId().equals(form.get("app_id"))
                && (settings.sellerId() == null || settings.sellerId().equals(form.get("seller_id")));
        String eventId = String.valueOf(evidence.eventId());
        return new Facts(eventId, List.of(ours ? fact : fact.withMismatch(Mismatch.ACCOUNT)));
    }

    private static @Nullable String blankToNull(String text) {
        return text.isEmpty() ? null : text;
    }
}
