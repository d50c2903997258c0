package io.quittance.psp.sandbox;

import io.vertx.core.json.JsonObject;
import java.math.BigDecimal;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Set;

/** The objects of Adyen's Checkout API that a merchant of payment links reads (docs.adyen.com/api-explorer/Checkout). */
final class AdyenObjects {

    /** Under these names a trade keeps what belongs to its link. */
    static final String LINK_ID = "link_id";

    static final String REFERENCE = "reference";
    static final String DESCRIPTION = "description";
    static final String RETURN_URL = "returnUrl";

    private static final String ALPHABET = "0123456789BCDFGHJKLMNPQRSTVWXZ";
    private static final int ID_CHARS = 16;
    private static final SecureRandom RANDOM = new SecureRandom();

    private static final Set<String> ZERO_DECIMALS = Set.of(
            "CVE", "DJF", "GNF", "IDR", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "VND", "VUV", "XAF", "XOF", "XPF");
    private static final Set<String> THREE_DECIMALS = Set.of("BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND");

    private AdyenObjects() {}

    /** 16 characters, as a pspReference has them. */
    static String newPspReference() {
        StringBuilder id = new StringBuilder(ID_CHARS);
        RANDOM.ints(ID_CHARS, 0, ALPHABET.length()).forEach(i -> id.append(ALPHABET.charAt(i)));
        return id.toString();
    }

    /** @param linkBase what stands before the link's id in its address */
    static JsonObject link(Trade trade, String merchantAccount, String linkBase, Instant now) {
        Trade.Terms terms = trade.terms();
        String id = text(trade, LINK_ID);
        return new JsonObject()
                .put("amount", amount(trade, terms.amountMinor()))
                .put("description", text(trade, DESCRIPTION))
                .put("expiresAt", String.valueOf(terms.expiresAt()))
                .put("id", id)
                .put("merchantAccount", merchantAccount)
                .put("reference", text(trade, REFERENCE))
                .put("returnUrl", text(trade, RETURN_URL))
                .put("reusable", false)
                .put("status", status(trade, now))
                .put("url", linkBase + id);
    }

    static JsonObject refund(Trade trade, Refund refund, String merchantAccount) {
        return new JsonObject()
                .put("amount", amount(trade, refund.amountMinor()))
                .put("merchantAccount", merchantAccount)
                .put("paymentPspReference", trade.terms().pspPaymentId())
                .put("pspReference", refund.pspRefundId())
                .put("reference", refund.refundNo())
                .put("status", "received");
    }

    static JsonObject amount(Trade trade, long minor) {
        return new JsonObject().put("currency", trade.terms().currency()).put("value", minor);
    }

    static Reply error(int status, String code, String message) {
        return Reply.json(
                status,
                new JsonObject()
                        .put("status", status)
                        .put("errorCode", code)
                        .put("message", message)
                        .put("errorType", status == 401 || status == 403 ? "security" : "validation"));
    }

    static String text(Trade trade, String name) {
        return trade.terms().texts().getOrDefault(name, "");
    }

    /** An amount in the major unit, as reports have it. */
    static String major(long minor, String currency) {
        int exponent = ZERO_DECIMALS.contains(currency) ? 0 : THREE_DECIMALS.contains(currency) ? 3 : 2;
        return BigDecimal.valueOf(minor, exponent).toPlainString();
    }

    private static String status(Trade trade, Instant now) {
        return switch (trade.state()) {
            case OPEN -> trade.isExpired(now) ? "expired" : "active";
            case PAID -> "completed";
            case CLOSED -> "expired";
        };
    }
}
