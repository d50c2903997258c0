package io.quittance.psp.standardwebhooks;

import io.quittance.psp.InvalidSettings;
import io.quittance.psp.SettingsReader;
import io.vertx.core.json.JsonObject;
import java.security.PublicKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import javax.crypto.spec.SecretKeySpec;

/**
 * One account at a PSP that signs after Standard Webhooks.
 *
 * @param webhookSecrets for signatures of version v1, tried in turn; several while one is changed
 * @param webhookPublicKeys for signatures of version v1a, tried in turn
 * @param tolerance how far a signature's time may lie from the receipt, in both directions
 * @param shape where things stand in the notifications
 * @param returnNames the fields of a browser's return
 */
public record StandardWebhooksSettings(
        List<SecretKeySpec> webhookSecrets,
        List<PublicKey> webhookPublicKeys,
        Duration tolerance,
        PayloadShape shape,
        ReturnNames returnNames) {

    /** The specification's libraries use the same. */
    private static final Duration DEFAULT_TOLERANCE = Duration.ofMinutes(5);

    public StandardWebhooksSettings {
        webhookSecrets = List.copyOf(webhookSecrets);
        webhookPublicKeys = List.copyOf(webhookPublicKeys);
    }

    /**
     * Reads {@code webhook_secrets} ({@code whsec_} and base64) and {@code webhook_public_keys} ({@code whpk_} and
     * base64), of which one must be there; {@code tolerance}; {@code fields, types, amount_unit} for payloads of another
     * shape than ours ({@link PayloadShape}); {@code return_fields} ({@link ReturnNames}).
     *
     * @throws InvalidSettings with every mistake
     */
    public static StandardWebhooksSettings parse(JsonObject settings) {
        SettingsReader reader = new SettingsReader(settings);
        if (!reader.has("webhook_secrets") && !reader.has("webhook_public_keys")) {
            reader.mistake("webhook_secrets", "or webhook_public_keys must be there");
        }
        StandardWebhooksSettings parsed = new StandardWebhooksSettings(
                keys(reader, "webhook_secrets", WebhookKeys::secret),
                keys(reader, "webhook_public_keys", WebhookKeys::publicKey),
                reader.duration("tolerance", DEFAULT_TOLERANCE),
                PayloadShape.parse(reader),
                ReturnNames.parse(reader));
        reader.finish();
        return parsed;
    }

    private static <K> List<K> keys(SettingsReader reader, String key, Function<String, K> parser) {
        List<K> keys = new ArrayList<>();
        List<String> texts = reader.has(key) ? reader.texts(key) : List.of();
        for (int i = 0; i < texts.size(); i++) {
            K read = reader.parsed(key + "[" + i + "]", texts.get(i), parser);
            if (read != null) {
                keys.add(read);
            }
        }
        return keys;
    }

    @Override
    public String toString() {
        return "StandardWebhooksSettings[webhookSecrets=" + webhookSecrets.size() + ", webhookPublicKeys="
                + webhookPublicKeys.size() + ", tolerance=" + tolerance + "]";
    }
}
