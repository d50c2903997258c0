package io.quittance.testing;

import io.quittance.checkout.CheckoutOptions;
import io.quittance.checkout.CheckoutVerticle;
import io.quittance.message.Backoff;
import io.quittance.psp.CallbackUrls;
import io.quittance.psp.PspAdapter;
import io.quittance.psp.Psps;
import io.quittance.redis.Leases;
import io.quittance.refund.RefundOptions;
import io.quittance.refund.RefundVerticle;
import io.quittance.store.CheckoutStore;
import io.quittance.store.CheckoutStore.AttemptLimits;
import io.quittance.store.RefundStore;
import io.quittance.store.TimerStore;
import io.quittance.timeout.TimeoutOptions;
import io.quittance.timeout.TimeoutVerticle;
import java.time.Clock;
import java.time.Duration;
import java.util.List;

/** Workers for a bench, with limits that suit tests. */
public final class Workers {

    public static final CallbackUrls URLS = new CallbackUrls("https://gateway.example");

    /** Nobody looks after an attempt that is being opened unless a test says so. */
    public static final AttemptLimits ATTEMPTS = new AttemptLimits(60_000, 20);

    /** How much later than an order's end a session may end. */
    public static final Duration SESSION_AFTER_MAX = Duration.ofHours(2);

    private Workers() {}

    public static CheckoutVerticle checkout(BenchProcess process, PspAdapter... accounts) {
        return checkout(process, new CheckoutOptions(URLS, ATTEMPTS, SESSION_AFTER_MAX, 30_000), accounts);
    }

    public static CheckoutVerticle checkout(BenchProcess process, CheckoutOptions options, PspAdapter... accounts) {
        return new CheckoutVerticle(
                process.bus(),
                new Psps(List.of(accounts)),
                new CheckoutStore(process.pool()),
                new TimerStore(process.pool()),
                options,
                Clock.systemUTC());
    }

    /** A tracker that comes back soon. */
    public static TimeoutOptions eager(int callsPerSecond) {
        return new TimeoutOptions(
                URLS, 40, 40, callsPerSecond, 60_000, 5_000, 60_000, 3_600_000, SESSION_AFTER_MAX, new Backoff(10, 50));
    }

    public static RefundVerticle refunds(BenchProcess process, PspAdapter... accounts) {
        RefundOptions options =
                new RefundOptions(URLS, 50, 60_000, 5_000, Duration.ofDays(1).toMillis(), new Backoff(10, 50));
        return new RefundVerticle(
                process.bus(),
                new RefundStore(process.pool()),
                new Psps(List.of(accounts)),
                options,
                Clock.systemUTC());
    }

    /**
     * A timeout tracker.
     *
     * @param leasePrefix the same for trackers that are to share their leases
     */
    public static TimeoutVerticle tracker(
            BenchProcess process, String leasePrefix, TimeoutOptions options, PspAdapter... accounts) {
        return new TimeoutVerticle(
                process.bus(),
                new TimerStore(process.pool()),
                new Psps(List.of(accounts)),
                new Leases(process.link(), leasePrefix),
                options,
                Clock.systemUTC());
    }
}
