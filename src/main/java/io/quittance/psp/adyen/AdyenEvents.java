package io.quittance.psp.adyen;

import io.quittance.domain.Evidence;
import io.quittance.domain.FactKind;
import io.quittance.domain.FactSource;
import io.quittance.domain.Mismatch;
import io.quittance.domain.Money;
import io.quittance.domain.PaymentFact;
import io.quittance.domain.PaymentFact.RefundNews;
import io.quittance.psp.JsonFields;
import io.quittance.psp.JsonPaths;
import io.quittance.psp.RawNotification;
import io.quittance.psp.Translation;
import io.quittance.psp.Translation.Facts;
import io.quittance.psp.Translation.Malformed;
import io.quittance.psp.Translation.NotOurs;
import io.quittance.psp.Verification.Verified;
import io.quittance.psp.adyen.AdyenSettings.Capture;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Says what Adyen's standard webhooks mean (docs.adyen.com/development-resources/webhooks/webhook-types). Only the eight
 * signed fields say anything about money; {@code reason} is never looked at, since it may hold a payer's card data.
 *
 * <p>Only money names a payment. Each try of a payer has a pspReference of its own, so that a declined, pending or
 * abandoned one must not become the attempt's: the payment that succeeds after it would look like a stranger's.
 *
 * <p>Disputes are not ours.
 */
final class AdyenEvents {

    private static final JsonPaths OTHER_PATHS = JsonPaths.of("/type");
    private static final Pattern PSP_REFERENCE = Pattern.compile("[A-Za-z0-9._-]{1,64}");

    private final String account;
    private final AdyenSettings settings;

    AdyenEvents(String account, AdyenSettings settings) {
        this.account = account;
        this.settings = settings;
    }

    Translation translate(Verified verified) {
        RawNotification raw = verified.raw();
        if (AdyenSignature.isSignedAsAWhole(raw)) {
            return otherWebhook(raw);
        }
        Optional<AdyenBody> read =
                verified.reading() instanceof AdyenBody body ? Optional.of(body) : AdyenBody.read(raw.body());
        return read.map(body -> translate(body, raw.receivedAt()))
                .orElseGet(() -> new Malformed("the body is not notificationItems"));
    }

    private Translation translate(AdyenBody body, Instant receivedAt) {
        boolean otherMode = body.live().isPresent()
                && settings.live().isPresent()
                && !body.live().equals(settings.live());
        String eventId = AdyenEventId.of(body.items(), otherMode);
        Evidence evidence = new Evidence(FactSource.NOTIFICATION, AdyenAdapter.PSP, account, eventId, receivedAt);
        List<PaymentFact> facts = new ArrayList<>();
        for (AdyenItem item : body.items()) {
            List<PaymentFact> news = AdyenReference.parse(item.merchantReference())
                    .map(ours -> checked(item, otherMode, facts(item, ours, evidence)))
                    .orElse(List.of());
            if (!news.isEmpty() && !isWellFormed(item)) {
                return new Malformed("pspReference, originalReference or success is not of its form");
            }
            facts.addAll(news);
        }
        return facts.isEmpty() ? new NotOurs(eventId, codes(body)) : new Facts(eventId, facts);
    }

    /** Management, platform and report webhooks: real, and never about a payment of ours. */
    private static Translation otherWebhook(RawNotification raw) {
        JsonObject body = JsonFields.parse(raw.body(), OTHER_PATHS);
        return body == null
                ? new Malformed("the body is not a JSON object")
                : new NotOurs(null, JsonFields.code(body, "type"));
    }

    private static boolean isWellFormed(AdyenItem item) {
        boolean original = item.originalReference().isEmpty()
                || PSP_REFERENCE.matcher(item.originalReference()).matches();
        boolean outcome = item.success().equals("true") || item.success().equals("false");
        return original && outcome && PSP_REFERENCE.matcher(item.pspReference()).matches();
    }

    /**
     * What does not come from our account or mode is at most a success to be looked at by a person. That {@code live} is
     * not signed does no harm: changing it takes something away and never gives anything.
     */
    private List<PaymentFact> checked(AdyenItem item, boolean otherMode, List<PaymentFact> facts) {
        boolean otherAccount = !item.merchantAccountCode().equals(settings.merchantAccount());
        if (!otherAccount && !otherMode) {
            return facts;
        }
        Mismatch mismatch = otherAccount ? Mismatch.ACCOUNT : Mismatch.MODE;
        return facts.stream()
                .filter(fact -> fact.kind() == FactKind.PAYMENT_SUCCEEDED)
                .map(fact -> fact.withMismatch(mismatch))
                .toList();
    }

    private List<PaymentFact> facts(AdyenItem item, AdyenReference ours, Evidence evidence) {
        boolean immediate = settings.capture() == Capture.IMMEDIATE;
        return switch (item.eventCode()) {
            case "AUTHORISATION" -> List.of(authorisation(item, ours, evidence));
            case "PENDING" -> List.of(payment(FactKind.PAYMENT_PENDING, item, ours, evidence));
            case "CAPTURE" ->
                List.of(
                        item.succeeded()
                                ? paid(item, item.originalReference(), ours, evidence)
                                : captureRefused(item, ours, evidence));
            case "CAPTURE_FAILED" -> List.of(moneyLost(item, ours, evidence));
            case "CANCELLATION", "TECHNICAL_CANCEL" ->
                item.succeeded() ? cancelled(item, ours, evidence, immediate) : List.of();
            case "CANCEL_OR_REFUND" ->
                item.succeeded()
                        ? cancelled(item, ours, evidence, true)
                        : List.of(refund(FactKind.REFUND_FAILED, item, ours, evidence));
            // A payer who left one method may still pay the link by another: that is a late payment then.
            case "EXPIRE", "OFFER_CLOSED" -> List.of(payment(FactKind.PAYMENT_CLOSED, item, ours, evidence));
            case "REFUND" ->
                List.of(refund(
                        item.succeeded() ? FactKind.REFUND_SUCCEEDED : FactKind.REFUND_FAILED, item, ours, evidence));
            case "REFUND_FAILED", "REFUNDED_REVERSED" -> List.of(refund(FactKind.REFUND_FAILED, item, ours, evidence));
            default -> List.of();
        };
    }

    /** After a refused try, the payer may pay by another one with another pspReference. */
    private PaymentFact authorisation(AdyenItem item, AdyenReference ours, Evidence evidence) {
        if (!item.succeeded()) {
            return payment(FactKind.PAYMENT_DECLINED, item, ours, evidence);
        }
        return settings.capture() == Capture.IMMEDIATE
                ? paid(item, item.pspReference(), ours, evidence)
                : payment(FactKind.PAYMENT_PENDING, item, ours, evidence);
    }

    /** Where captures are asked for, a refused one can be asked for again; otherwise the money was thought to be here. */
    private PaymentFact captureRefused(AdyenItem item, AdyenReference ours, Evidence evidence) {
        return settings.capture() == Capture.MANUAL
                ? payment(FactKind.PAYMENT_DECLINED, item, ours, evidence)
                : moneyLost(item, ours, evidence);
    }

    /**
     * Money that was reported is not there. Adyen may still capture it again, so that it is neither refunded nor failed:
     * a person must decide. What the domain has for that is a success of another amount, here of nothing.
     */
    private static PaymentFact moneyLost(AdyenItem item, AdyenReference ours, Evidence evidence) {
        Money nothing = AdyenAmounts.read(item.value(), item.currency())
                .map(amount -> new Money(0, amount.currency()))
                .orElse(null);
        return new PaymentFact(
                FactKind.PAYMENT_SUCCEEDED,
                ours.attemptId(),
                evidence,
                filled(item.originalReference()),
                nothing,
                Mismatch.AMOUNT,
                null,
                item.eventCode());
    }

    /**
     * An authorised payment that was undone for good. If nothing was paid, it is closed. If it was paid (by the account's
     * immediate capture, whose news may also come later), the payer has the money back: that is a refund without us.
     */
    private static List<PaymentFact> cancelled(
            AdyenItem item, AdyenReference ours, Evidence evidence, boolean mayBePaid) {
        PaymentFact closed = payment(FactKind.PAYMENT_CLOSED, item, ours, evidence);
        return mayBePaid && !item.originalReference().isEmpty()
                ? List.of(closed, refund(FactKind.REFUND_SUCCEEDED, item, ours, evidence))
                : List.of(closed);
    }

    /** An amount that cannot be read exactly makes it a success without an amount, which a person must look at. */
    private static PaymentFact paid(AdyenItem item, String payment, AdyenReference ours, Evidence evidence) {
        Money amount = AdyenAmounts.read(item.value(), item.currency()).orElse(null);
        return PaymentFact.succeeded(ours.attemptId(), evidence, filled(payment), amount);
    }

    private static PaymentFact payment(FactKind kind, AdyenItem item, AdyenReference ours, Evidence evidence) {
        return PaymentFact.payment(kind, ours.attemptId(), evidence, null, item.eventCode());
    }

    /** A refund whose amount cannot be read is not done: in the end a person looks at it. */
    private static PaymentFact refund(FactKind kind, AdyenItem item, AdyenReference ours, Evidence evidence) {
        Money amount = AdyenAmounts.read(item.value(), item.currency()).orElse(null);
        boolean unreadable = kind == FactKind.REFUND_SUCCEEDED && amount == null;
        RefundNews news = new RefundNews(ours.refundId(), item.pspReference(), amount, null);
        return PaymentFact.refund(
                unreadable ? FactKind.REFUND_NO_ANSWER : kind, ours.attemptId(), evidence, news, item.eventCode());
    }

    private static @Nullable String filled(String text) {
        return text.isEmpty() ? null : text;
    }

    /** What happened, for the log. */
    private static String codes(AdyenBody body) {
        return body.items().stream()
                .map(item -> JsonFields.code(new JsonObject().put("eventCode", item.eventCode()), "eventCode"))
                .distinct()
                .collect(Collectors.joining(","));
    }
}
