package io.quittance.psp.sandbox;

import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * WeChat Pay v3's signatures in both directions and its encryption (pay.weixin.qq.com/doc/v3: signing requests, verifying
 * answers and notifications, AEAD_AES_256_GCM).
 */
final class WechatPayCrypto {

    static final int GCM_NONCE_CHARS = 12;

    private static final int NONCE_CHARS = 32;
    private static final int GCM_TAG_BITS = 128;
    private static final Duration CLOCK_SKEW_MAX = Duration.ofMinutes(5);
    private static final String SCHEMA = "WECHATPAY2-SHA256-RSA2048";
    private static final Pattern AUTHORIZATION_FIELD = Pattern.compile("([a-z_]+)=\"([^\"]*)\"");

    private final SandboxKeys.WechatPay keys;

    WechatPayCrypto(SandboxKeys.WechatPay keys) {
        this.keys = keys;
    }

    /** The headers that sign a body with the platform's key, as of now. */
    Map<String, String> signed(Buffer body, Instant now) {
        return signed(body, now, keys.platform().getPrivate());
    }

    /** The same with a key that nobody should take for the platform's: the merchant's own. */
    Map<String, String> forged(Buffer body, Instant now) {
        return signed(body, now, keys.merchant().getPrivate());
    }

    /**
     * Whether the merchant signed this request: method, path and query as they stood in the request line (so with the
     * sandbox's path prefix), time, nonce and body.
     */
    boolean isSignedByMerchant(Call call, Instant now) {
        String authorization = call.header("Authorization");
        if (!authorization.startsWith(SCHEMA + " ")) {
            return false;
        }
        Map<String, String> fields = new HashMap<>();
        Matcher matcher = AUTHORIZATION_FIELD.matcher(authorization);
        while (matcher.find()) {
            fields.put(matcher.group(1), matcher.group(2));
        }
        String timestamp = fields.getOrDefault("timestamp", "");
        if (!keys.mchId().equals(fields.get("mchid"))
                || !keys.merchantSerial().equals(fields.get("serial_no"))
                || !isRecent(timestamp, now)) {
            return false;
        }
        Buffer message = Buffer.buffer(call.method().name() + "\n" + call.uri() + "\n" + timestamp + "\n"
                        + fields.getOrDefault("nonce_str", "") + "\n")
                .appendBuffer(call.body())
                .appendString("\n");
        return Rsa.verify(keys.merchant().getPublic(), message.getBytes(), fields.getOrDefault("signature", ""));
    }

    /** Base64 of ciphertext and tag. */
    String encrypt(String plain, String nonce, String associatedData) {
        try {
            Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
            cipher.init(
                    Cipher.ENCRYPT_MODE,
                    new SecretKeySpec(keys.apiV3Key().getBytes(StandardCharsets.US_ASCII), "AES"),
                    new GCMParameterSpec(GCM_TAG_BITS, nonce.getBytes(StandardCharsets.US_ASCII)));
            cipher.updateAAD(associatedData.getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(cipher.doFinal(plain.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("cannot encrypt", e);
        }
    }

    private Map<String, String> signed(Buffer body, Instant now, PrivateKey key) {
        String timestamp = Long.toString(now.getEpochSecond());
        String nonce = WechatPayObjects.newNonce(NONCE_CHARS);
        Buffer message = Buffer.buffer(timestamp + "\n" + nonce + "\n")
                .appendBuffer(body)
                .appendString("\n");
        return Map.of(
                "Wechatpay-Timestamp",
                timestamp,
                "Wechatpay-Nonce",
                nonce,
                "Wechatpay-Signature",
                Rsa.sign(key, message.getBytes()),
                "Wechatpay-Serial",
                keys.platformSerial(),
                "Wechatpay-Signature-Type",
                SCHEMA,
                "Request-ID",
                WechatPayObjects.newEventId());
    }

    private static boolean isRecent(String timestamp, Instant now) {
        if (!timestamp.matches("[0-9]{1,12}")) {
            return false;
        }
        Instant at = Instant.ofEpochSecond(Long.parseLong(timestamp));
        return Duration.between(at, now).abs().compareTo(CLOCK_SKEW_MAX) <= 0;
    }
}
