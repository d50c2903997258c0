package io.quittance.loadtest.sender;

import io.quittance.loadtest.sender.News.Kind;
import java.nio.charset.StandardCharsets;
import java.security.PrivateKey;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * WeChat Pay v3's payment notifications (pay.weixin.qq.com/doc/v3): the payment is sealed with AES-256-GCM, and the whole
 * is signed with RSA over {@code time, nonce, body}. It tells of successes only.
 *
 * @param apiV3Key 32 characters: seals
 * @param platformSerial names the key that signs
 */
public record WechatpaySender(
        String mchId, String appId, String apiV3Key, String platformSerial, PrivateKey platformKey) implements Sender {

    private static final int NONCE_CHARS = 12;
    private static final ZoneOffset CHINA = ZoneOffset.ofHours(8);

    /** Arguments: event, time, filler, ciphertext, nonce. */
    private static final String BODY = """
            {"id":"%s","create_time":"%s",\
            "resource_type":"encrypt-resource","event_type":"TRANSACTION.SUCCESS","summary":"%s",\
            "resource":{"original_type":"transaction","algorithm":"AEAD_AES_256_GCM","ciphertext":"%s",\
            "associated_data":"transaction","nonce":"%s"}}""";

    /** Arguments: merchant, application, attempt, payment, time, amount, amount, currency, currency. */
    private static final String PLAIN = """
            {"mchid":"%s","appid":"%s","out_trade_no":"%s",\
            "transaction_id":"%s","trade_type":"NATIVE","trade_state":"SUCCESS",\
            "trade_state_desc":"支付成功","bank_type":"OTHERS","attach":"","success_time":"%s",\
            "payer":{"openid":"oUpF8uMuAJO_M2pxb1Q9zNjWeS6o"},\
            "amount":{"total":%d,"payer_total":%d,"currency":"%s","payer_currency":"%s"}}""";

    @Override
    public String psp() {
        return "wechatpay";
    }

    @Override
    public boolean tells(Kind kind) {
        return kind == Kind.SUCCEEDED;
    }

    @Override
    public Notification sign(News news, Instant now) {
        String id = news.eventId("EV-");
        // By the event, so that a repetition is sealed to the same bytes, as WeChat Pay's is.
        String nonce = id.substring(id.length() - NONCE_CHARS);
        String at = time(news.at());
        String plain = PLAIN.formatted(
                mchId,
                appId,
                news.attempt(),
                news.payment(),
                at,
                news.amountMinor(),
                news.amountMinor(),
                news.currency(),
                news.currency());
        String sealed = Signing.aesGcm(apiV3Key, nonce, "transaction", plain);
        String body = BODY.formatted(id, at, news.filler(), sealed, nonce);
        String time = Long.toString(now.getEpochSecond());
        byte[] message = (time + "\n" + nonce + "\n" + body + "\n").getBytes(StandardCharsets.UTF_8);
        byte[] signature = Signing.rsa(platformKey, message);
        Map<String, String> headers = new HashMap<>();
        headers.put("Content-Type", "application/json");
        headers.put("Wechatpay-Timestamp", time);
        headers.put("Wechatpay-Nonce", nonce);
        headers.put("Wechatpay-Signature", Signing.base64(signature));
        headers.put("Wechatpay-Serial", platformSerial);
        headers.put("Wechatpay-Signature-Type", "WECHATPAY2-SHA256-RSA2048");
        return new Notification(id, headers, body, Optional.of(new Notification.Rsa(message, signature)));
    }

    @Override
    public boolean isAcknowledged(int status, String body) {
        return status == 200 || status == 204;
    }

    private static String time(Instant at) {
        OffsetDateTime seconds = at.truncatedTo(ChronoUnit.SECONDS).atOffset(CHINA);
        return DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(seconds);
    }

    @Override
    public String toString() {
        return "WechatpaySender[" + mchId + "]";
    }
}
