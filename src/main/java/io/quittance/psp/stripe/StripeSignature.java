package io.quittance.psp.stripe;

import io.quittance.psp.HmacSha256;
import io.quittance.psp.RawNotification;
import io.quittance.psp.SignedBytes;
import io.quittance.psp.SignedHeaders;
import io.quittance.psp.Verification;
import io.quittance.psp.Verification.Reason;
import io.quittance.psp.Verification.Refused;
import io.quittance.psp.Verification.Verified;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * Checks {@code Stripe-Signature: t=<unix seconds>,v1=<hex>[,v1=<hex>...][,v0=<hex>]}, where v1 is the HMAC-SHA256 of
 * {@code t.body} under the secret's text, {@code whsec_} included (docs.stripe.com/webhooks/signature).
 */
final class StripeSignature {

    private static final String HEADER = "Stripe-Signature";

    private final List<HmacSha256> secrets;
    private final Duration tolerance;

    StripeSignature(StripeSettings settings) {
        this.secrets =
                settings.webhookSecrets().stream().map(StripeSignature::hmac).toList();
        this.tolerance = settings.tolerance();
    }

    /** The time is checked last, so that STALE means a wrong clock or a replay and never a forgery. */
    Verification verify(RawNotification raw) {
        Optional<String> header = SignedHeaders.single(raw.headers(), HEADER);
        if (header.isEmpty()) {
            return malformed("is missing or repeated");
        }
        Optional<Parsed> parsed = parse(header.get());
        if (parsed.isEmpty()) {
            return malformed("is not of the form t=...,v1=...");
        }
        byte[] prefix = (parsed.get().time() + ".").getBytes(StandardCharsets.US_ASCII);
        int matching = matchingSecret(parsed.get().signatures(), sink -> {
            sink.update(prefix, 0, prefix.length);
            raw.bodyInto(sink);
        });
        if (matching < 0) {
            return new Refused(Reason.BAD_SIGNATURE, HEADER + ": no v1 matches any of the secrets");
        }
        long signedAt = SignedHeaders.epochSeconds(parsed.get().time());
        long ageSeconds = Math.abs(raw.receivedAt().getEpochSecond() - signedAt);
        if (ageSeconds > tolerance.toSeconds()) {
            return new Refused(Reason.STALE, HEADER + ": t is " + ageSeconds + " s away from the receipt");
        }
        return new Verified(raw, "secret " + (matching + 1));
    }

    static HmacSha256 hmac(String secret) {
        return HmacSha256.of(secret.getBytes(StandardCharsets.UTF_8));
    }

    /** Lower-case hex of the MAC. */
    static String hmacHex(HmacSha256 secret, SignedBytes message) {
        return HexFormat.of().formatHex(secret.code(message));
    }

    /** The position of the first secret that a signature matches, or minus one. */
    private int matchingSecret(List<String> signatures, SignedBytes message) {
        for (int i = 0; i < secrets.size(); i++) {
            byte[] expected = hmacHex(secrets.get(i), message).getBytes(StandardCharsets.US_ASCII);
            for (String signature : signatures) {
                if (MessageDigest.isEqual(expected, signature.getBytes(StandardCharsets.UTF_8))) {
                    return i;
                }
            }
        }
        return -1;
    }

    /** Schemes other than v1 are skipped: v0 is a test scheme, and later ones are not ours to judge. */
    private static Optional<Parsed> parse(String header) {
        String time = "";
        List<String> signatures = new ArrayList<>();
        for (String item : header.split(",", -1)) {
            int equals = item.indexOf('=');
            String scheme = equals < 0 ? "" : item.substring(0, equals);
            String value = item.substring(equals + 1);
            if (scheme.isEmpty() || value.isEmpty() || ("t".equals(scheme) && !time.isEmpty())) {
                return Optional.empty();
            }
            if ("t".equals(scheme)) {
                time = value;
            }
            if ("v1".equals(scheme)) {
                signatures.add(value);
            }
        }
        boolean complete = SignedHeaders.epochSeconds(time) >= 0 && !signatures.isEmpty();
        return complete ? Optional.of(new Parsed(time, signatures)) : Optional.empty();
    }

    private static Refused malformed(String problem) {
        return new Refused(Reason.MALFORMED_SIGNATURE, HEADER + " " + problem);
    }

    /** The time stays text: it is signed as it is written. */
    private record Parsed(String time, List<String> signatures) {}
}
