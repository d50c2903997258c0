package io.quittance.psp.adyen;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What we write into Adyen's {@code reference} and find again in {@code merchantReference}: the attempt's id, and for a
 * refund both ids, {@code <attempt>-<refund>}, since a notification about a refund names the payment by nothing else of
 * ours. 65 characters of the 80 that Adyen takes, and no colon, which would make the signed text ambiguous.
 *
 * @param attemptId 32 hex characters
 * @param refundId 32 hex characters; absent if it names a payment
 */
record AdyenReference(String attemptId, @Nullable String refundId) {

    private static final Pattern OURS = Pattern.compile("([0-9a-f]{32})(?:-([0-9a-f]{32}))?");

    /** Empty for every reference that is not one of ours. */
    static Optional<AdyenReference> parse(String text) {
        Matcher matcher = OURS.matcher(text);
        return matcher.matches()
                ? Optional.of(new AdyenReference(matcher.group(1), matcher.group(2)))
                : Optional.empty();
    }

    String text() {
        return refundId == null ? attemptId : attemptId + "-" + refundId;
    }
}
