package io.quittance.psp.alipay;

import io.quittance.psp.InvalidSettings;
import io.quittance.psp.RsaKeys;
import io.quittance.psp.SettingsReader;
import io.vertx.core.json.JsonObject;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One Alipay application.
 *
 * @param gateway for example {@code https://openapi.alipay.com/gateway.do}
 * @param sellerId the seller that notifications must name, if they are checked for one
 * @param alipayPublicKeys Alipay's keys and never the application's own; tried in turn
 */
public record AlipaySettings(
        String gateway,
        String appId,
        @Nullable String sellerId,
        List<PublicKey> alipayPublicKeys,
        PrivateKey appPrivateKey) {

    public AlipaySettings {
        alipayPublicKeys = List.copyOf(alipayPublicKeys);
    }

    /**
     * Reads {@code gateway, app_id, seller_id, alipay_public_keys, app_private_key}.
     *
     * @throws InvalidSettings with every mistake
     */
    public static AlipaySettings parse(JsonObject settings) {
        SettingsReader reader = new SettingsReader(settings);
        String gateway = reader.address("gateway");
        String appId = reader.text("app_id");
        String sellerId = reader.optionalText("seller_id");
        PrivateKey own = reader.parsed("app_private_key", reader.text("app_private_key"), RsaKeys::privateKey);
        List<PublicKey> alipays = new ArrayList<>();
        List<String> texts = reader.texts("alipay_public_keys");
        for (int i = 0; i < texts.size(); i++) {
            String key = "alipay_public_keys[" + i + "]";
            PublicKey read = reader.parsed(key, texts.get(i), RsaKeys::publicKey);
            if (read != null && own != null && RsaKeys.isPair(own, read)) {
                reader.mistake(key, "is the application's own public key; Alipay's is needed");
            }
            if (read != null) {
                alipays.add(read);
            }
        }
        reader.finish();
        if (own == null) {
            throw new IllegalStateException("a key that is missing was not reported");
        }
        return new AlipaySettings(gateway, appId, sellerId, alipays, own);
    }

    @Override
    public String toString() {
        return "AlipaySettings[gateway=" + gateway + ", appId=" + appId + ", alipayPublicKeys="
                + alipayPublicKeys.size() + "]";
    }
}
