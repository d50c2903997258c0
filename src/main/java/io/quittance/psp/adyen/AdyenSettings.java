package io.quittance.psp.adyen;

import io.quittance.psp.HmacSha256;
import io.quittance.psp.InvalidSettings;
import io.quittance.psp.JsonFields;
import io.quittance.psp.SettingsReader;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/**
 * One Adyen merchant account.
 *
 * @param apiBase with the version and without a slash at its end, for example {@code https://checkout-test.adyen.com/v71}
 * @param hmacKeys tried in turn; two while one is replaced, or when two webhooks have one address
 * @param capture when the account takes the money of an authorised payment
 * @param live whether notifications must be of live payments; if absent that is not checked
 */
public record AdyenSettings(
        String apiBase,
        String merchantAccount,
        String apiKey,
        List<SecretKey> hmacKeys,
        Capture capture,
        Optional<Boolean> live) {

    /** What turns an authorised payment into money. */
    public enum Capture {
        /** Adyen captures by itself: an authorisation is as good as money. */
        IMMEDIATE,
        /** Somebody must ask for it: only the capture is money. */
        MANUAL
    }

    public AdyenSettings {
        hmacKeys = List.copyOf(hmacKeys);
    }

    /**
     * Reads {@code api_base, merchant_account, api_key, hmac_keys, capture, live}.
     *
     * @throws InvalidSettings with every mistake
     */
    public static AdyenSettings parse(JsonObject settings) {
        SettingsReader reader = new SettingsReader(settings);
        AdyenSettings parsed = new AdyenSettings(
                reader.address("api_base"),
                reader.text("merchant_account"),
                reader.text("api_key"),
                hmacKeys(settings, reader),
                capture(reader),
                reader.optionalBool("live"));
        if (parsed.merchantAccount.contains(":")) {
            reader.mistake("merchant_account", "must not hold a colon, which separates the signed fields");
        }
        reader.finish();
        return parsed;
    }

    private static List<SecretKey> hmacKeys(JsonObject settings, SettingsReader reader) {
        List<String> texts = reader.texts("hmac_keys");
        JsonArray given = JsonFields.array(settings, "hmac_keys");
        List<SecretKey> keys = new ArrayList<>();
        // Once one of them was left out, the others have no certain position; that one is a mistake already.
        if (given == null || given.size() != texts.size()) {
            return keys;
        }
        for (int i = 0; i < texts.size(); i++) {
            SecretKey key = reader.parsed("hmac_keys[" + i + "]", texts.get(i), AdyenSettings::hmacKey);
            if (key != null) {
                keys.add(key);
            }
        }
        return keys;
    }

    /** Never lets the parser's own message out, which would quote the key. */
    private static SecretKey hmacKey(String hex) {
        try {
            return new SecretKeySpec(HexFormat.of().parseHex(hex), HmacSha256.ALGORITHM);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("is not hex, two digits a byte, as the Customer Area shows the key");
        }
    }

    private static Capture capture(SettingsReader reader) {
        String text = reader.optionalText("capture");
        if (text == null || text.equals("immediate")) {
            return Capture.IMMEDIATE;
        }
        if (!text.equals("manual")) {
            reader.mistake("capture", "must be immediate or manual");
        }
        return Capture.MANUAL;
    }

    @Override
    public String toString() {
        return "AdyenSettings[apiBase=" + apiBase + ", merchantAccount=" + merchantAccount + ", hmacKeys="
                + hmacKeys.size() + ", capture=" + capture + ", live=" + live + "]";
    }
}
