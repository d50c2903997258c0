package io.quittance.psp.stripe;

import io.quittance.psp.InvalidSettings;
import io.quittance.psp.SettingsReader;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * One Stripe account.
 *
 * @param apiBase without a slash at its end, for example {@code https://api.stripe.com}
 * @param webhookSecrets tried in turn; several while one is rolled, or when several endpoints have one address
 * @param tolerance how far a signature's time may lie from the receipt, in both directions
 */
public record StripeSettings(String apiBase, String apiKey, List<String> webhookSecrets, Duration tolerance) {

    /** Stripe's own libraries use the same. */
    private static final Duration DEFAULT_TOLERANCE = Duration.ofMinutes(5);

    public StripeSettings {
        webhookSecrets = List.copyOf(webhookSecrets);
    }

    /**
     * Reads {@code api_base, api_key, webhook_secrets, tolerance}.
     *
     * @throws InvalidSettings with every mistake
     */
    public static StripeSettings parse(JsonObject settings) {
        SettingsReader reader = new SettingsReader(settings);
        StripeSettings parsed = new StripeSettings(
                reader.address("api_base"),
                reader.text("api_key"),
                reader.texts("webhook_secrets"),
                reader.duration("tolerance", DEFAULT_TOLERANCE));
        if (parsed.apiKey.startsWith("pk_")) {
            reader.mistake("api_key", "is a publishable key; the secret or a restricted key is needed");
        }
        reader.finish();
        return parsed;
    }

    /** Whether the key is for live money; empty if its form does not tell. */
    Optional<Boolean> live() {
        if (apiKey.startsWith("sk_live_") || apiKey.startsWith("rk_live_")) {
            return Optional.of(true);
        }
        boolean test = apiKey.startsWith("sk_test_") || apiKey.startsWith("rk_test_");
        return test ? Optional.of(false) : Optional.empty();
    }

    @Override
    public String toString() {
        return "StripeSettings[apiBase=" + apiBase + ", webhookSecrets=" + webhookSecrets.size() + ", tolerance="
                + tolerance + "]";
    }
}
