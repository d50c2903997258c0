package io.quittance.psp.adyen;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Adyen gives its notifications no id: the same event has the same pspReference, eventCode and success, and for a
 * modification the same originalReference; reports with one name differ in their eventDate
 * (docs.adyen.com/development-resources/webhooks/handle-webhook-events, "duplicates").
 */
final class AdyenEventId {

    /** Longer ids, and those of several items, are shown by their hash. */
    private static final int PLAIN_CHARS_MAX = 200;

    private AdyenEventId() {}

    /**
     * The id of a body.
     *
     * @param otherMode whether {@code live} is not what it should be. It is not signed: such a body must not stand in for
     *     the genuine one, which would then be taken for its repetition
     */
    static String of(List<AdyenItem> items, boolean otherMode) {
        String joined = items.stream().map(AdyenEventId::of).collect(Collectors.joining("\n"));
        boolean plain = items.size() == 1 && joined.length() <= PLAIN_CHARS_MAX;
        return (plain ? joined : items.size() + " items " + sha256(joined)) + (otherMode ? " in the other mode" : "");
    }

    private static String of(AdyenItem item) {
        String id = String.join(":", item.pspReference(), item.eventCode(), item.success(), item.originalReference());
        return item.eventCode().equals("REPORT_AVAILABLE") ? id + ":" + item.eventDate() : id;
    }

    private static String sha256(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
