package io.quittance.psp.sandbox;

import io.quittance.domain.Ids;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.security.PrivateKey;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Alipay's asynchronous notifications (opendocs.alipay.com: asynchronous notification, verifying by hand): a form, signed
 * with RSA2 over its decoded fields without {@code sign} and {@code sign_type}. {@code notify_id} stays the same over
 * retries, {@code notify_time} does not.
 */
final class AlipayNotices {

    private final SandboxKeys.Alipay keys;

    AlipayNotices(SandboxKeys.Alipay keys) {
        this.keys = keys;
    }

    Optional<Notice> paid(Trade trade) {
        return notice(trade, AlipayObjects.paymentFields(keys, trade));
    }

    Optional<Notice> refunded(Trade trade, Refund refund) {
        return notice(trade, AlipayObjects.refundFields(keys, trade, refund));
    }

    /** The forger signs with a key that nobody should take for Alipay's: the application's own. */
    Notice.Signed sign(Notice notice, Instant now) {
        TreeMap<String, String> fields = new TreeMap<>();
        new JsonObject(notice.content()).forEach(field -> fields.put(field.getKey(), (String) field.getValue()));
        fields.put("charset", "utf-8");
        fields.put("notify_time", AlipayObjects.time(now));
        PrivateKey key = (notice.forged() ? keys.app() : keys.alipay()).getPrivate();
        byte[] base = AlipayRequest.baseString(fields).getBytes(StandardCharsets.UTF_8);
        fields.put("sign_type", "RSA2");
        fields.put("sign", Rsa.sign(key, base));
        return new Notice.Signed(
                Map.of("Content-Type", "application/x-www-form-urlencoded; charset=utf-8"),
                Buffer.buffer(Form.encode(fields, StandardCharsets.UTF_8)));
    }

    private static Optional<Notice> notice(Trade trade, Map<String, String> fields) {
        String url = trade.terms().notifyUrl();
        if (url == null) {
            return Optional.empty();
        }
        String notifyId = Ids.hex(UUID.randomUUID());
        JsonObject content = new JsonObject().put("notify_id", notifyId);
        fields.forEach(content::put);
        String kind = content.getString("trade_status");
        return Optional.of(
                new Notice(notifyId, AlipaySide.PSP, trade.terms().attemptId(), kind, url, content.encode(), false));
    }
}
