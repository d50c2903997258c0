package io.quittance.psp.sandbox;

import io.quittance.domain.Ids;
import io.quittance.psp.sandbox.SandboxPayment.State;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Stripe's API objects, with the fields that a merchant of one-off payments reads (docs.stripe.com/api: PaymentIntent,
 * Charge, Refund, Event, Error).
 */
final class StripeObjects {

    /** The version whose shapes these are. */
    static final String API_VERSION = "2025-11-17.clover";

    private static final String METADATA_PREFIX = "metadata[";
    private static final int ID_CHARS = 24;

    private StripeObjects() {}

    static String newId(String prefix) {
        return prefix + Ids.hex(UUID.randomUUID()).substring(0, ID_CHARS);
    }

    static JsonObject paymentIntent(Trade trade) {
        Trade.Terms terms = trade.terms();
        return new JsonObject()
                .put("id", terms.pspPaymentId())
                .put("object", "payment_intent")
                .put("amount", terms.amountMinor())
                .put("amount_capturable", 0)
                .put("amount_received", trade.isPaid() ? terms.amountMinor() : 0)
                .put("canceled_at", null)
                .put("capture_method", "automatic")
                .put("client_secret", terms.pspPaymentId() + "_secret_" + chargeSuffix(trade))
                .put("created", terms.createdAt().getEpochSecond())
                .put("currency", terms.currency().toLowerCase(Locale.ROOT))
                .put("description", terms.texts().get("description"))
                .put("last_payment_error", null)
                .put("latest_charge", trade.isPaid() ? chargeId(trade) : null)
                .put("livemode", false)
                .put("metadata", metadata(terms.texts()))
                .put("payment_method_types", new JsonArray().add("card"))
                .put("status", status(trade.state()));
    }

    static JsonObject charge(Trade trade) {
        Trade.Terms terms = trade.terms();
        return new JsonObject()
                .put("id", chargeId(trade))
                .put("object", "charge")
                .put("amount", terms.amountMinor())
                .put("amount_captured", terms.amountMinor())
                .put("amount_refunded", trade.refundedMinor())
                .put("captured", true)
                .put("created", trade.whenPaid().getEpochSecond())
                .put("currency", terms.currency().toLowerCase(Locale.ROOT))
                .put("livemode", false)
                .put("metadata", metadata(terms.texts()))
                .put("paid", true)
                .put("payment_intent", terms.pspPaymentId())
                .put("refunded", trade.refundableMinor() == 0)
                .put("status", "succeeded");
    }

    static JsonObject refund(Trade trade, Refund refund) {
        return new JsonObject()
                .put("id", refund.pspRefundId())
                .put("object", "refund")
                .put("amount", refund.amountMinor())
                .put("charge", chargeId(trade))
                .put("created", refund.at().getEpochSecond())
                .put("currency", trade.terms().currency().toLowerCase(Locale.ROOT))
                .put("metadata", metadata(refund.texts()))
                .put("payment_intent", trade.terms().pspPaymentId())
                .put("reason", refund.texts().get("reason"))
                .put("status", "succeeded");
    }

    static JsonObject declineError() {
        return new JsonObject()
                .put("type", "card_error")
                .put("code", "card_declined")
                .put("decline_code", "generic_decline")
                .put("message", "Your card was declined.");
    }

    static JsonObject event(String eventId, String type, JsonObject object, Instant now) {
        return new JsonObject()
                .put("id", eventId)
                .put("object", "event")
                .put("api_version", API_VERSION)
                .put("created", now.getEpochSecond())
                .put("data", new JsonObject().put("object", object))
                .put("livemode", false)
                .put("pending_webhooks", 1)
                .put("request", new JsonObject().put("id", null).put("idempotency_key", null))
                .put("type", type);
    }

    static Reply error(int status, String type, @Nullable String code, String message) {
        return Reply.json(status, new JsonObject().put("error", errorBody(type, code, message)));
    }

    /** The error of an action that the payment's state forbids; it shows the payment, as Stripe's does. */
    static Reply stateError(Trade trade, String message) {
        JsonObject error = errorBody("invalid_request_error", "payment_intent_unexpected_state", message)
                .put("payment_intent", paymentIntent(trade));
        return Reply.json(400, new JsonObject().put("error", error));
    }

    static String status(State state) {
        return switch (state) {
            case OPEN -> "requires_payment_method";
            case PAID -> "succeeded";
            case CLOSED -> "canceled";
        };
    }

    private static JsonObject errorBody(String type, @Nullable String code, String message) {
        JsonObject error = new JsonObject().put("type", type).put("message", message);
        return code == null ? error : error.put("code", code);
    }

    static String chargeId(Trade trade) {
        return "ch_" + chargeSuffix(trade);
    }

    private static String chargeSuffix(Trade trade) {
        return trade.terms().pspPaymentId().substring("pi_".length());
    }

    private static JsonObject metadata(Map<String, String> texts) {
        JsonObject metadata = new JsonObject();
        texts.forEach((name, value) -> {
            if (name.startsWith(METADATA_PREFIX) && name.endsWith("]")) {
                metadata.put(name.substring(METADATA_PREFIX.length(), name.length() - 1), value);
            }
        });
        return metadata;
    }
}
