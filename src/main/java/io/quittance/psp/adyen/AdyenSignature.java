package io.quittance.psp.adyen;

import io.quittance.psp.HmacSha256;
import io.quittance.psp.RawNotification;
import io.quittance.psp.RsaSha256;
import io.quittance.psp.SignedBytes;
import io.quittance.psp.SignedHeaders;
import io.quittance.psp.Verification;
import io.quittance.psp.Verification.Reason;
import io.quittance.psp.Verification.Refused;
import io.quittance.psp.Verification.Verified;
import java.security.MessageDigest;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Checks Adyen's two kinds of signature (docs.adyen.com/development-resources/webhooks/secure-webhooks):
 * {@code additionalData.hmacSignature} of every item of a standard webhook, over eight of its fields; or, for all other
 * webhooks, the header {@code HmacSignature} over the raw body. Both are base64 of an HMAC-SHA256.
 *
 * <p>There is no time in either: a notification can be sent again for ever, and must have no second effect.
 */
final class AdyenSignature {

    private static final String HEADER = "HmacSignature";

    private final List<HmacSha256> keys;

    AdyenSignature(AdyenSettings settings) {
        this.keys = settings.hmacKeys().stream().map(HmacSha256::new).toList();
    }

    /** Whether it claims to be signed as a whole. Then nothing else counts: it is not a standard webhook. */
    static boolean isSignedAsAWhole(RawNotification raw) {
        return raw.headers().contains(HEADER);
    }

    Verification verify(RawNotification raw) {
        return isSignedAsAWhole(raw) ? verifyWhole(raw) : verifyItems(raw);
    }

    private Verification verifyWhole(RawNotification raw) {
        Optional<byte[]> signature = SignedHeaders.single(raw.headers(), HEADER).flatMap(RsaSha256::decodeSignature);
        if (signature.isEmpty()) {
            return malformed(HEADER + " is empty, repeated or not base64");
        }
        int matching = matchingKey(raw.body().getBytes(), signature.get());
        return matching < 0 ? bad(HEADER) : new Verified(raw, "key " + (matching + 1));
    }

    /** All or nothing: one item that cannot be believed makes the whole body one that Adyen did not send. */
    private Verification verifyItems(RawNotification raw) {
        Optional<AdyenBody> body = AdyenBody.read(raw.body());
        if (body.isEmpty()) {
            return malformed("there is no header " + HEADER + ", and the body is not 1 to " + AdyenBody.ITEMS_MAX
                    + " notificationItems with fields of the right types");
        }
        SortedSet<Integer> matched = new TreeSet<>();
        List<AdyenItem> items = body.get().items();
        for (int i = 0; i < items.size(); i++) {
            AdyenItem item = items.get(i);
            String name = "hmacSignature of item " + (i + 1);
            Optional<byte[]> signature = RsaSha256.decodeSignature(item.signature());
            if (signature.isEmpty()) {
                return malformed(name + " is missing or not base64");
            }
            if (!item.isUnambiguous()) {
                return malformed(name + " may be another item's: a field beside merchantReference holds a colon");
            }
            int matching = matchingKey(item.signedBytes(), signature.get());
            if (matching < 0) {
                return bad(name);
            }
            matched.add(matching + 1);
        }
        String numbers = matched.stream().map(String::valueOf).collect(Collectors.joining(", "));
        return new Verified(raw, (matched.size() == 1 ? "key " : "keys ") + numbers, body.get());
    }

    /** The position of the first key that the signature matches, or minus one. */
    private int matchingKey(byte[] message, byte[] signature) {
        for (int i = 0; i < keys.size(); i++) {
            if (MessageDigest.isEqual(keys.get(i).code(SignedBytes.of(message)), signature)) {
                return i;
            }
        }
        return -1;
    }

    private static Refused malformed(String problem) {
        return new Refused(Reason.MALFORMED_SIGNATURE, problem);
    }

    private static Refused bad(String name) {
        return new Refused(Reason.BAD_SIGNATURE, name + ": none of the keys matches");
    }
}
