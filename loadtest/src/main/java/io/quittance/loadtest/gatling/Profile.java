package io.quittance.loadtest.gatling;

import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.rampUsersPerSec;

import io.gatling.javaapi.core.OpenInjectionStep;
import io.quittance.loadtest.gatling.Script.Load;

/** An open profile: a short rise, then the full rate. */
final class Profile {

    private static final int RISE_SECONDS_MAX = 10;
    private static final int RISE_SHARE = 5;

    /** Gatling rounds, and ends a run whose feed is empty too early. */
    private static final int USERS_SPARE = 20;

    private Profile() {}

    static OpenInjectionStep[] open(Load load) {
        int rise = riseSeconds(load);
        OpenInjectionStep full = constantUsersPerSec(load.perSecond()).during(load.seconds());
        return rise == 0
                ? new OpenInjectionStep[] {full}
                : new OpenInjectionStep[] {
                    rampUsersPerSec(1).to(load.perSecond()).during(rise), full
                };
    }

    /** How many users come in all, or a few more. */
    static int users(Load load) {
        return load.perSecond() * load.seconds() + (load.perSecond() + 1) * riseSeconds(load) / 2 + USERS_SPARE;
    }

    /** How long it takes in all. */
    static int seconds(Load load) {
        return load.seconds() + riseSeconds(load);
    }

    private static int riseSeconds(Load load) {
        return Math.min(RISE_SECONDS_MAX, load.seconds() / RISE_SHARE);
    }
}
