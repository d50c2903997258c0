package io.quittance.psp.sandbox;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * WeChat Pay v3's notifications (pay.weixin.qq.com/doc/v3: payment and refund notifications): an envelope that is encrypted
 * once and signed afresh for each journey.
 */
final class WechatPayNotices {

    private final SandboxKeys.WechatPay keys;
    private final WechatPayCrypto crypto;

    WechatPayNotices(SandboxKeys.WechatPay keys, WechatPayCrypto crypto) {
        this.keys = keys;
        this.crypto = crypto;
    }

    Optional<Notice> paid(Trade trade, Instant now) {
        JsonObject resource = WechatPayObjects.transaction(keys, trade);
        return Optional.ofNullable(trade.terms().notifyUrl())
                .map(url -> notice(trade, "TRANSACTION.SUCCESS", resource, url, now));
    }

    Notice refunded(Trade trade, Refund refund, String url, Instant now) {
        return notice(trade, "REFUND.SUCCESS", WechatPayObjects.refundNotified(keys, trade, refund), url, now);
    }

    Notice.Signed sign(Notice notice, Instant now) {
        Buffer body = Buffer.buffer(notice.content());
        Map<String, String> headers =
                new HashMap<>(notice.forged() ? crypto.forged(body, now) : crypto.signed(body, now));
        headers.put("Content-Type", "application/json");
        return new Notice.Signed(headers, body);
    }

    private Notice notice(Trade trade, String eventType, JsonObject plain, String url, Instant now) {
        boolean refund = eventType.startsWith("REFUND");
        String originalType = refund ? "refund" : "transaction";
        String eventId = WechatPayObjects.newEventId();
        String nonce = WechatPayObjects.newNonce(WechatPayCrypto.GCM_NONCE_CHARS);
        JsonObject resource = new JsonObject()
                .put("original_type", originalType)
                .put("algorithm", "AEAD_AES_256_GCM")
                .put("ciphertext", crypto.encrypt(plain.encode(), nonce, originalType))
                .put("associated_data", originalType)
                .put("nonce", nonce);
        JsonObject body = new JsonObject()
                .put("id", eventId)
                .put("create_time", WechatPayObjects.rfc3339(now))
                .put("resource_type", "encrypt-resource")
                .put("event_type", eventType)
                .put("summary", refund ? "退款成功" : "支付成功")
                .put("resource", resource);
        return new Notice(eventId, WechatPaySide.PSP, trade.terms().attemptId(), eventType, url, body.encode(), false);
    }
}
