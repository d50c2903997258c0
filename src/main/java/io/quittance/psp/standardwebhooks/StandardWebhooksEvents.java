package io.quittance.psp.standardwebhooks;

import io.quittance.domain.Evidence;
import io.quittance.domain.FactKind;
import io.quittance.domain.FactSource;
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
import io.quittance.psp.standardwebhooks.PayloadShape.Field;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Says what notifications of a configured shape mean ({@link PayloadShape}). The event's id is the {@code webhook-id}. */
final class StandardWebhooksEvents {

    private static final int ID_CHARS_MAX = 255;

    /** A type that may be shown and logged; anything else may hold a payer's data. */
    private static final Pattern TYPE_WORD = Pattern.compile("[A-Za-z0-9_.:/\\-]{1,64}");

    private final String account;
    private final PayloadShape shape;
    private final JsonPaths paths;

    StandardWebhooksEvents(String account, PayloadShape shape) {
        this.account = account;
        this.shape = shape;
        this.paths = shape.paths();
    }

    Translation translate(RawNotification raw) {
        JsonObject payload = JsonFields.parse(raw.body(), paths);
        if (payload == null) {
            return new Malformed("the body is not a JSON object");
        }
        String eventId = StandardWebhooksSignature.id(raw);
        if (eventId.isEmpty() || !(shape.value(payload, Field.TYPE) instanceof String type)) {
            return new Malformed("webhook-id or type is missing");
        }
        FactKind kind = shape.types().get(type);
        String reference = id(payload, Field.REFERENCE);
        if (kind == null || reference == null) {
            return new NotOurs(eventId, TYPE_WORD.matcher(type).matches() ? type : "unknown");
        }
        Evidence evidence =
                new Evidence(FactSource.NOTIFICATION, StandardWebhooksAdapter.PSP, account, eventId, raw.receivedAt());
        Optional<PaymentFact> fact = kind.isAboutRefund()
                ? refund(kind, payload, reference, evidence)
                : payment(kind, payload, reference, evidence);
        return fact.isPresent()
                ? new Facts(eventId, List.of(fact.get()))
                : new Malformed(
                        kind.isAboutRefund()
                                ? "the refund's ids are missing, or its amount is not exact"
                                : "the payment's id is missing, or its amount is not exact");
    }

    private Optional<PaymentFact> payment(FactKind kind, JsonObject payload, String reference, Evidence evidence) {
        String paymentId = id(payload, Field.PAYMENT_ID);
        if (paymentId == null) {
            return Optional.empty();
        }
        return kind == FactKind.PAYMENT_SUCCEEDED
                ? amount(payload).map(paid -> PaymentFact.succeeded(reference, evidence, paymentId, paid))
                : Optional.of(PaymentFact.payment(kind, reference, evidence, paymentId, null));
    }

    /** Either id will do: the PSP's for one that was made at the PSP, ours for one that was asked for here. */
    private Optional<PaymentFact> refund(FactKind kind, JsonObject payload, String reference, Evidence evidence) {
        String refundId = id(payload, Field.REFUND_ID);
        String ours = id(payload, Field.REFUND_REFERENCE);
        if (refundId == null && ours == null) {
            return Optional.empty();
        }
        if (kind != FactKind.REFUND_SUCCEEDED) {
            RefundNews news = new RefundNews(ours, refundId, null, null);
            return Optional.of(PaymentFact.refund(kind, reference, evidence, news, null));
        }
        return amount(payload)
                .map(back -> new RefundNews(ours, refundId, back, null))
                .map(news -> PaymentFact.refund(kind, reference, evidence, news, null));
    }

    private Optional<Money> amount(JsonObject payload) {
        return StandardWebhooksAmounts.read(
                shape.value(payload, Field.AMOUNT), shape.value(payload, Field.CURRENCY), shape.minorUnits());
    }

    /** Null for anything but a text that can be kept: the database takes neither NUL nor half a character. */
    private @Nullable String id(JsonObject payload, Field field) {
        if (!(shape.value(payload, field) instanceof String text) || text.isEmpty() || text.length() > ID_CHARS_MAX) {
            return null;
        }
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isISOControl(c) || Character.isSurrogate(c)) {
                return null;
            }
        }
        return text;
    }
}
