package io.quittance.psp.stripe;

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
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Says what Stripe's events mean (docs.stripe.com/api/events). The PaymentIntent is the one source of money news:
 * charge and checkout events say the same again and are not ours.
 */
final class StripeEvents {

    private static final JsonPaths PATHS = JsonPaths.of(
            "/id",
            "/object",
            "/type",
            "/account",
            "/livemode",
            "/data/object/id",
            "/data/object/status",
            "/data/object/currency",
            "/data/object/amount",
            "/data/object/amount_received",
            "/data/object/cancellation_reason",
            "/data/object/failure_reason",
            "/data/object/last_payment_error/code",
            "/data/object/last_payment_error/decline_code",
            "/data/object/metadata/attempt_id",
            "/data/object/metadata/refund_id");

    private final String account;
    private final Optional<Boolean> live;

    StripeEvents(String account, StripeSettings settings) {
        this.account = account;
        this.live = settings.live();
    }

    Translation translate(RawNotification raw) {
        JsonObject event = JsonFields.parse(raw.body(), PATHS);
        if (event == null) {
            return new Malformed("the body is not a JSON object with each member once");
        }
        String id = JsonFields.filled(event, "id");
        String type = JsonFields.filled(event, "type");
        if (id == null || type == null) {
            return new Malformed("id or type is missing");
        }
        Optional<FactKind> payment = paymentKind(type);
        boolean refund = isRefund(type);
        // A thin event ("v2.core.event") holds no object to read.
        if (!"event".equals(JsonFields.text(event, "object")) || (payment.isEmpty() && !refund)) {
            return new NotOurs(id, JsonFields.code(event, "type"));
        }
        JsonObject data = JsonFields.object(event, "data");
        JsonObject object = data == null ? null : JsonFields.object(data, "object");
        if (object == null) {
            return new Malformed("data.object is missing");
        }
        String attemptId = JsonFields.textIn(object, "metadata", "attempt_id");
        if (attemptId == null) {
            return new NotOurs(id, JsonFields.code(event, "type"));
        }
        Evidence evidence = new Evidence(FactSource.NOTIFICATION, StripeAdapter.PSP, account, id, raw.receivedAt());
        return payment.isPresent()
                ? payment(payment.get(), event, object, attemptId, evidence)
                : refund(event, object, attemptId, evidence);
    }

    private Translation payment(
            FactKind kind, JsonObject event, JsonObject intent, String attemptId, Evidence evidence) {
        String intentId = JsonFields.filled(intent, "id");
        if (intentId == null) {
            return new Malformed("data.object.id is missing");
        }
        if (kind != FactKind.PAYMENT_SUCCEEDED) {
            return facts(event, evidence, PaymentFact.payment(kind, attemptId, evidence, intentId, detail(intent)));
        }
        // "amount" is what was asked; only "amount_received" is money.
        Optional<Money> received = StripeAmounts.read(intent, "amount_received");
        if (received.isEmpty()) {
            return new Malformed("amount_received and currency are not an exact amount");
        }
        return facts(event, evidence, PaymentFact.succeeded(attemptId, evidence, intentId, received.get()));
    }

    private Translation refund(JsonObject event, JsonObject refund, String attemptId, Evidence evidence) {
        Optional<FactKind> kind = refundKind(JsonFields.text(refund, "status"));
        String refundId = JsonFields.filled(refund, "id");
        Optional<Money> amount = StripeAmounts.read(refund, "amount");
        if (kind.isEmpty() || refundId == null || amount.isEmpty()) {
            return new Malformed("the refund's id, status or amount is missing or unknown");
        }
        String reference = JsonFields.textIn(refund, "metadata", "refund_id");
        RefundNews news = new RefundNews(reference, refundId, amount.get(), null);
        return facts(event, evidence, PaymentFact.refund(kind.get(), attemptId, evidence, news, refundDetail(refund)));
    }

    private Translation facts(JsonObject event, Evidence evidence, PaymentFact fact) {
        Boolean livemode = JsonFields.bool(event, "livemode");
        String eventId = evidence.eventId();
        if (livemode == null || eventId == null) {
            return new Malformed("livemode is missing");
        }
        PaymentFact checked = fact;
        if (live.isPresent() && !live.get().equals(livemode)) {
            checked = checked.withMismatch(Mismatch.MODE);
        }
        // "account" stands only in events of connected accounts; ours is the one that the endpoint belongs to.
        if (JsonFields.filled(event, "account") != null) {
            checked = checked.withMismatch(Mismatch.ACCOUNT);
        }
        return new Facts(eventId, List.of(checked));
    }

    private static Optional<FactKind> paymentKind(String type) {
        return switch (type) {
            case "payment_intent.succeeded" -> Optional.of(FactKind.PAYMENT_SUCCEEDED);
            case "payment_intent.payment_failed" -> Optional.of(FactKind.PAYMENT_DECLINED);
            // What can be captured is not money yet.
            case "payment_intent.created",
                    "payment_intent.processing",
                    "payment_intent.requires_action",
                    "payment_intent.amount_capturable_updated" -> Optional.of(FactKind.PAYMENT_PENDING);
            case "payment_intent.canceled" -> Optional.of(FactKind.PAYMENT_CLOSED);
            default -> Optional.empty();
        };
    }

    private static boolean isRefund(String type) {
        return switch (type) {
            case "refund.created", "refund.updated", "refund.failed", "charge.refund.updated" -> true;
            default -> false;
        };
    }

    private static Optional<FactKind> refundKind(@Nullable String status) {
        return switch (status == null ? "" : status) {
            case "succeeded" -> Optional.of(FactKind.REFUND_SUCCEEDED);
            case "pending", "requires_action" -> Optional.of(FactKind.REFUND_PENDING);
            case "failed", "canceled" -> Optional.of(FactKind.REFUND_FAILED);
            default -> Optional.empty();
        };
    }

    /** Code words only: the messages beside them may speak of the payer. */
    private static String detail(JsonObject intent) {
        JsonObject error = JsonFields.object(intent, "last_payment_error");
        if (error != null) {
            return JsonFields.code(error, error.containsKey("decline_code") ? "decline_code" : "code");
        }
        boolean canceled = JsonFields.text(intent, "cancellation_reason") != null;
        return JsonFields.code(intent, canceled ? "cancellation_reason" : "status");
    }

    private static String refundDetail(JsonObject refund) {
        boolean failed = JsonFields.text(refund, "failure_reason") != null;
        return JsonFields.code(refund, failed ? "failure_reason" : "status");
    }
}
