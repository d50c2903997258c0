package io.quittance.http;

import io.quittance.domain.LatePolicy;
import java.time.Duration;
import java.util.Map;

/**
 * What merchants may ask for when they place an order.
 *
 * @param itemsMax kinds of items an order
 * @param timeDefault how long an order waits for its payment if the merchant does not say
 * @param timeMin the shortest that a merchant may say
 * @param timeMax the longest that a merchant may say
 * @param latePolicies by merchant, for orders that do not say one; REFUND for a merchant that is not in it
 */
public record OrderTerms(
        int itemsMax, Duration timeDefault, Duration timeMin, Duration timeMax, Map<String, LatePolicy> latePolicies) {

    public OrderTerms {
        latePolicies = Map.copyOf(latePolicies);
        boolean ordered = timeMin.compareTo(timeDefault) <= 0 && timeDefault.compareTo(timeMax) <= 0;
        if (itemsMax < 1 || timeMin.isNegative() || timeMin.isZero() || !ordered) {
            throw new IllegalArgumentException("an order needs items and time: 0 < timeMin <= timeDefault <= timeMax");
        }
    }

    LatePolicy latePolicyOf(String merchantId) {
        return latePolicies.getOrDefault(merchantId, LatePolicy.REFUND);
    }
}
