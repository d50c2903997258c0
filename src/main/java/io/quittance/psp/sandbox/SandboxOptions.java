package io.quittance.psp.sandbox;

import java.time.Duration;

/**
 * How a sandbox behaves.
 *
 * @param account the account's name in the gateway's configuration and notification addresses
 * @param notifyBase where the notifications of Stripe, Adyen and Standard Webhooks go, to which {@code /stripe/<account>}
 *     and the like is added, for example {@code http://127.0.0.1:8080/v1/notify}; Alipay and WeChat Pay are told in each
 *     creation
 * @param retryFirst the wait before the first retry of a notification; it doubles with each further one
 * @param retriesMax how often an unacknowledged notification is sent again
 * @param answerLimit how long the gateway may take to answer a notification
 * @param chargeEventEvery each n-th Stripe payment also brings a charge.succeeded, which says nothing new; 0 for never
 */
public record SandboxOptions(
        String account,
        String notifyBase,
        Duration retryFirst,
        int retriesMax,
        Duration answerLimit,
        int chargeEventEvery,
        Faults faults,
        SandboxKeys keys) {

    public SandboxOptions {
        if (retryFirst.toMillis() < 1 || answerLimit.toMillis() < 1) {
            throw new IllegalArgumentException("retryFirst and answerLimit must be at least a millisecond");
        }
        if (retriesMax < 0 || chargeEventEvery < 0) {
            throw new IllegalArgumentException("retriesMax and chargeEventEvery must not be negative");
        }
    }

    /**
     * New keys and no faults; 8 retries after 500 ms, 1 s, 2 s and so on (two minutes in all, so that a gateway may be
     * restarted meanwhile); 5 s for an answer, which is WeChat Pay's limit.
     */
    public static SandboxOptions of(String account, String notifyBase) {
        return new SandboxOptions(
                account,
                notifyBase,
                Duration.ofMillis(500),
                8,
                Duration.ofSeconds(5),
                10,
                Faults.none(),
                SandboxKeys.generate());
    }

    public SandboxOptions withKeys(SandboxKeys other) {
        return new SandboxOptions(
                account, notifyBase, retryFirst, retriesMax, answerLimit, chargeEventEvery, faults, other);
    }

    public SandboxOptions withFaults(Faults other) {
        return new SandboxOptions(
                account, notifyBase, retryFirst, retriesMax, answerLimit, chargeEventEvery, other, keys);
    }

    public SandboxOptions withRetries(Duration first, int max) {
        return new SandboxOptions(account, notifyBase, first, max, answerLimit, chargeEventEvery, faults, keys);
    }

    public SandboxOptions withAnswerLimit(Duration limit) {
        return new SandboxOptions(account, notifyBase, retryFirst, retriesMax, limit, chargeEventEvery, faults, keys);
    }

    public SandboxOptions withChargeEventEvery(int n) {
        return new SandboxOptions(account, notifyBase, retryFirst, retriesMax, answerLimit, n, faults, keys);
    }
}
