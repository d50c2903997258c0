package io.quittance.psp.standardwebhooks;

import io.quittance.psp.HmacSha256;
import io.quittance.psp.RawNotification;
import io.quittance.psp.SignedBytes;
import io.quittance.psp.SignedHeaders;
import io.quittance.psp.Verification;
import io.quittance.psp.Verification.Reason;
import io.quittance.psp.Verification.Refused;
import io.quittance.psp.Verification.Verified;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * Checks {@code webhook-id, webhook-timestamp, webhook-signature}, or the same headers under {@code svix-}. The signature
 * is a list, separated by spaces, of {@code v1,<base64 HMAC-SHA256>} and {@code v1a,<base64 ed25519>} over
 * {@code id.timestamp.body}; one that is right suffices (spec/standard-webhooks.md, "Signature scheme").
 */
final class StandardWebhooksSignature {

    /** More than any change of keys needs; each costs up to one check of an ed25519 signature a public key. */
    private static final int SIGNATURES_MAX = 16;

    private static final int ID_CHARS_MAX = 255;

    private static final Names WEBHOOK = Names.of("webhook-");
    private static final Names SVIX = Names.of("svix-");

    private final List<HmacSha256> secrets;
    private final List<PublicKey> publicKeys;
    private final Duration tolerance;

    StandardWebhooksSignature(StandardWebhooksSettings settings) {
        this.secrets = settings.webhookSecrets().stream().map(HmacSha256::new).toList();
        this.publicKeys = settings.webhookPublicKeys();
        this.tolerance = settings.tolerance();
    }

    /** The time is checked last, so that STALE means a wrong clock or a replay and never a forgery. */
    Verification verify(RawNotification raw) {
        boolean webhook = hasAny(raw.headers(), WEBHOOK);
        boolean svix = hasAny(raw.headers(), SVIX);
        if (webhook == svix) {
            return malformed(webhook ? "webhook- and svix- headers are mixed" : "webhook-id is missing");
        }
        Names names = webhook ? WEBHOOK : SVIX;
        Optional<Head> head = head(raw.headers(), names);
        if (head.isEmpty()) {
            return malformed(names.prefix() + "id, timestamp or signature is missing, repeated or not well-formed");
        }
        Optional<String> key = matchingKey(head.get(), raw);
        if (key.isEmpty()) {
            return new Refused(Reason.BAD_SIGNATURE, names.prefix() + "signature: none matches any of the keys");
        }
        long signedAt = SignedHeaders.epochSeconds(head.get().timestamp());
        long ageSeconds = Math.abs(raw.receivedAt().getEpochSecond() - signedAt);
        if (ageSeconds > tolerance.toSeconds()) {
            return new Refused(
                    Reason.STALE, names.prefix() + "timestamp is " + ageSeconds + " s away from the receipt");
        }
        return new Verified(raw, key.get());
    }

    private static boolean hasAny(MultiMap headers, Names names) {
        return headers.contains(names.id())
                || headers.contains(names.timestamp())
                || headers.contains(names.signature());
    }

    /** The event's id; only for a notification that was verified. */
    static String id(RawNotification raw) {
        return SignedHeaders.single(raw.headers(), WEBHOOK.id())
                .or(() -> SignedHeaders.single(raw.headers(), SVIX.id()))
                .orElse("");
    }

    private static Optional<Head> head(MultiMap headers, Names names) {
        String id = SignedHeaders.single(headers, names.id()).orElse("");
        String timestamp = SignedHeaders.single(headers, names.timestamp()).orElse("");
        String[] signatures =
                SignedHeaders.single(headers, names.signature()).orElse("").split(" ", SIGNATURES_MAX + 1);
        List<String> macs = valuesOf("v1,", signatures);
        List<String> ed25519 = valuesOf("v1a,", signatures);
        boolean wellFormed = isId(id)
                && SignedHeaders.epochSeconds(timestamp) >= 0
                && signatures.length <= SIGNATURES_MAX
                && !(macs.isEmpty() && ed25519.isEmpty());
        return wellFormed ? Optional.of(new Head(id, timestamp, macs, ed25519)) : Optional.empty();
    }

    /** Without a dot, which separates what is signed: another id and time could have the same signature otherwise. */
    private static boolean isId(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < '!' || c > '~' || c == '.') {
                return false;
            }
        }
        return !text.isEmpty() && text.length() <= ID_CHARS_MAX;
    }

    /** Other versions are skipped: later ones are not ours to judge. */
    private static List<String> valuesOf(String version, String[] signatures) {
        List<String> values = new ArrayList<>();
        for (String signature : signatures) {
            if (signature.startsWith(version) && signature.length() > version.length()) {
                values.add(signature.substring(version.length()));
            }
        }
        return values;
    }

    private Optional<String> matchingKey(Head head, RawNotification raw) {
        byte[] prefix = (head.id() + "." + head.timestamp() + ".").getBytes(StandardCharsets.US_ASCII);
        SignedBytes signed = sink -> {
            sink.update(prefix, 0, prefix.length);
            raw.bodyInto(sink);
        };
        for (int i = 0; !head.macs().isEmpty() && i < secrets.size(); i++) {
            byte[] expected = Base64.getEncoder().encode(secrets.get(i).code(signed));
            for (String mac : head.macs()) {
                if (MessageDigest.isEqual(expected, mac.getBytes(StandardCharsets.UTF_8))) {
                    return Optional.of("secret " + (i + 1));
                }
            }
        }
        for (int i = 0; i < publicKeys.size(); i++) {
            for (String signature : head.ed25519()) {
                if (isSignedBy(publicKeys.get(i), signature, signed)) {
                    return Optional.of("public key " + (i + 1));
                }
            }
        }
        return Optional.empty();
    }

    private static boolean isSignedBy(PublicKey key, String base64, SignedBytes signed) {
        try {
            byte[] signature = Base64.getDecoder().decode(base64);
            // One signature has one text: a decoder forgives bits that mean nothing.
            if (!Base64.getEncoder().encodeToString(signature).equals(base64)) {
                return false;
            }
            Signature verifier = Signature.getInstance(WebhookKeys.ED25519);
            verifier.initVerify(key);
            signed.into(verifier::update);
            return verifier.verify(signature);
        } catch (IllegalArgumentException | SignatureException e) {
            return false;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the key was tried when it was read", e);
        }
    }

    private static Refused malformed(String problem) {
        return new Refused(Reason.MALFORMED_SIGNATURE, problem);
    }

    /** The headers of one of the two families, with the hashes that they are looked up by. */
    private record Names(String prefix, CharSequence id, CharSequence timestamp, CharSequence signature) {

        static Names of(String prefix) {
            return new Names(
                    prefix,
                    HttpHeaders.createOptimized(prefix + "id"),
                    HttpHeaders.createOptimized(prefix + "timestamp"),
                    HttpHeaders.createOptimized(prefix + "signature"));
        }
    }

    /** The time stays text: it is signed as it is written. */
    private record Head(String id, String timestamp, List<String> macs, List<String> ed25519) {}
}
