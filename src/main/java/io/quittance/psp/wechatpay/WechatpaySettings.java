package io.quittance.psp.wechatpay;

import io.quittance.psp.InvalidSettings;
import io.quittance.psp.RsaKeys;
import io.quittance.psp.SettingsReader;
import io.vertx.core.json.JsonObject;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * One WeChat Pay merchant number with one application.
 *
 * @param apiBase without a slash at its end, for example {@code https://api.mch.weixin.qq.com}
 * @param apiV3Key decrypts notifications
 * @param merchantSerial the serial number of the merchant's own certificate, which signs requests
 * @param platformKeys WeChat Pay's keys by serial: the hex serial of a platform certificate, or {@code PUB_KEY_ID_...};
 *     serials are names and never numbers
 */
public record WechatpaySettings(
        String apiBase,
        String mchId,
        String appId,
        SecretKeySpec apiV3Key,
        String merchantSerial,
        PrivateKey merchantPrivateKey,
        Map<String, PublicKey> platformKeys) {

    private static final int API_V3_KEY_BYTES = 32;

    public WechatpaySettings {
        platformKeys = Map.copyOf(platformKeys);
    }

    /**
     * Reads {@code api_base, mch_id, app_id, api_v3_key, merchant_serial, merchant_private_key, platform_keys}.
     *
     * @throws InvalidSettings with every mistake
     */
    public static WechatpaySettings parse(JsonObject settings) {
        SettingsReader reader = new SettingsReader(settings);
        String apiBase = reader.address("api_base");
        String mchId = reader.text("mch_id");
        String appId = reader.text("app_id");
        byte[] apiV3Key = reader.text("api_v3_key").getBytes(StandardCharsets.UTF_8);
        if (apiV3Key.length != 0 && apiV3Key.length != API_V3_KEY_BYTES) {
            reader.mistake("api_v3_key", "must have exactly " + API_V3_KEY_BYTES + " bytes");
        }
        String serial = reader.text("merchant_serial");
        PrivateKey own =
                reader.parsed("merchant_private_key", reader.text("merchant_private_key"), RsaKeys::privateKey);
        Map<String, PublicKey> platformKeys = platformKeys(reader, own);
        reader.finish();
        if (own == null) {
            throw new IllegalStateException("a key that is missing was not reported");
        }
        return new WechatpaySettings(
                apiBase, mchId, appId, new SecretKeySpec(apiV3Key, "AES"), serial, own, platformKeys);
    }

    private static Map<String, PublicKey> platformKeys(SettingsReader reader, @Nullable PrivateKey own) {
        JsonObject texts = reader.object("platform_keys");
        Map<String, PublicKey> keys = new LinkedHashMap<>();
        for (String serial : new TreeSet<>(texts.fieldNames())) {
            String key = "platform_keys." + serial;
            if (!(texts.getValue(serial) instanceof String text) || text.isBlank()) {
                reader.mistake(key, "must be a certificate or a public key in PEM");
                continue;
            }
            PublicKey read = reader.parsed(key, text, pem -> platformKey(serial, pem));
            if (read != null && own != null && RsaKeys.isPair(own, read)) {
                reader.mistake(key, "is the merchant's own key; WeChat Pay's is needed");
            }
            if (read != null) {
                keys.put(serial, read);
            }
        }
        return keys;
    }

    private static PublicKey platformKey(String serial, String pem) {
        if (!RsaKeys.isCertificate(pem)) {
            return RsaKeys.publicKey(pem);
        }
        BigInteger number = RsaKeys.certificate(pem).getSerialNumber();
        if (!number.toString(16).equalsIgnoreCase(serial.replaceFirst("^0+", ""))) {
            throw new IllegalArgumentException("is a certificate with another serial number");
        }
        return RsaKeys.publicKey(pem);
    }

    @Override
    public String toString() {
        return "WechatpaySettings[apiBase=" + apiBase + ", mchId=" + mchId + ", appId=" + appId + ", merchantSerial="
                + merchantSerial + ", platformKeys=" + platformKeys.keySet() + "]";
    }
}
