package io.quittance.psp.wechatpay;

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

/** Says what notifications mean: payments are only told when they succeed, refunds however they end. */
final class WechatpayEvents {

    private static final JsonPaths PATHS = JsonPaths.of(
                    "/id", "/event_type", "/resource/algorithm", "/resource/associated_data", "/resource/nonce")
            .andBytes("/resource/ciphertext");

    private static final JsonPaths PLAIN_PATHS = JsonPaths.of(
            "/mchid",
            "/appid",
            "/out_trade_no",
            "/transaction_id",
            "/trade_state",
            "/combine_out_trade_no",
            "/out_refund_no",
            "/refund_id",
            "/refund_status",
            "/amount/total",
            "/amount/refund",
            "/amount/currency");

    private final String account;
    private final WechatpaySettings settings;

    WechatpayEvents(String account, WechatpaySettings settings) {
        this.account = account;
        this.settings = settings;
    }

    Translation translate(RawNotification raw) {
        JsonObject event = JsonFields.parse(raw.body(), PATHS);
        if (event == null) {
            return new Malformed("the body is not a JSON object with each member once");
        }
        String id = JsonFields.filled(event, "id");
        String type = JsonFields.filled(event, "event_type");
        if (id == null || type == null) {
            return new Malformed("id or event_type is missing");
        }
        if (kind(type).isEmpty()) {
            return new NotOurs(id, JsonFields.code(event, "event_type"));
        }
        JsonObject resource = JsonFields.object(event, "resource");
        Optional<byte[]> opened =
                resource == null ? Optional.empty() : WechatpayCipher.open(settings.apiV3Key(), resource);
        if (opened.isEmpty()) {
            return new Malformed("resource does not open under api_v3_key");
        }
        JsonObject plain = JsonFields.parse(opened.get(), PLAIN_PATHS);
        if (plain == null) {
            return new Malformed("resource is not a JSON object with each member once");
        }
        // One notice about many payments at once: we never create those.
        if (plain.containsKey("combine_out_trade_no")) {
            return new NotOurs(id, JsonFields.code(event, "event_type"));
        }
        Evidence evidence = new Evidence(FactSource.NOTIFICATION, WechatpayAdapter.PSP, account, id, raw.receivedAt());
        FactKind kind = kind(type).get();
        return kind == FactKind.PAYMENT_SUCCEEDED ? payment(id, plain, evidence) : refund(id, kind, plain, evidence);
    }

    private Translation payment(String eventId, JsonObject plain, Evidence evidence) {
        String reference = JsonFields.filled(plain, "out_trade_no");
        String transactionId = JsonFields.filled(plain, "transaction_id");
        // payer_total is smaller when a coupon paid a part; the order was for total.
        Optional<Money> total = WechatpayAmounts.read(plain, "total");
        if (reference == null || transactionId == null) {
            return new Malformed("out_trade_no or transaction_id is missing");
        }
        if (!"SUCCESS".equals(JsonFields.text(plain, "trade_state"))) {
            return new Malformed("trade_state is not SUCCESS");
        }
        if (total.isEmpty()) {
            return new Malformed("amount.total and amount.currency are not an exact amount");
        }
        PaymentFact fact = PaymentFact.succeeded(reference, evidence, transactionId, total.get());
        boolean ours = isOurMerchant(plain) && settings.appId().equals(JsonFields.text(plain, "appid"));
        return new Facts(eventId, List.of(ours ? fact : fact.withMismatch(Mismatch.ACCOUNT)));
    }

    private Translation refund(String eventId, FactKind kind, JsonObject plain, Evidence evidence) {
        String reference = JsonFields.filled(plain, "out_trade_no");
        String refundId = JsonFields.filled(plain, "refund_id");
        Optional<Money> amount = WechatpayAmounts.read(plain, "refund");
        if (reference == null || refundId == null) {
            return new Malformed("out_trade_no or refund_id is missing");
        }
        if (amount.isEmpty()) {
            return new Malformed("amount.refund is not an exact amount");
        }
        boolean succeeded = "SUCCESS".equals(JsonFields.text(plain, "refund_status"));
        if (succeeded != (kind == FactKind.REFUND_SUCCEEDED)) {
            return new Malformed("refund_status contradicts event_type");
        }
        RefundNews news = new RefundNews(JsonFields.filled(plain, "out_refund_no"), refundId, amount.get(), null);
        PaymentFact fact = PaymentFact.refund(kind, reference, evidence, news, JsonFields.code(plain, "refund_status"));
        return new Facts(eventId, List.of(isOurMerchant(plain) ? fact : fact.withMismatch(Mismatch.ACCOUNT)));
    }

    private boolean isOurMerchant(JsonObject plain) {
        return settings.mchId().equals(JsonFields.text(plain, "mchid"));
    }

    private static Optional<FactKind> kind(String eventType) {
        return switch (eventType) {
            case "TRANSACTION.SUCCESS" -> Optional.of(FactKind.PAYMENT_SUCCEEDED);
            case "REFUND.SUCCESS" -> Optional.of(FactKind.REFUND_SUCCEEDED);
            case "REFUND.ABNORMAL", "REFUND.CLOSED" -> Optional.of(FactKind.REFUND_FAILED);
            default -> Optional.empty();
        };
    }
}
