package io.quittance.loadtest.gatling;

import static io.gatling.javaapi.core.CoreDsl.asLongAs;
import static io.gatling.javaapi.core.CoreDsl.doIf;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.pause;

import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.Session;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;

/** What an order goes through after its attempt was opened. */
final class Journey {

    private static final int TRIES_MAX = 4;
    private static final Duration TRY_AGAIN = Duration.ofSeconds(5);
    private static final Duration READ_AGAIN = Duration.ofMillis(100);
    private static final String READING_SINCE = "reading_since";
    private static final String READ = "read status";

    private final Run run;
    private final Steps steps;

    Journey(Run run, Steps steps) {
        this.run = run;
        this.steps = steps;
    }

    /** The session's notification, again where the gateway asks for it, as a PSP would. */
    ChainBuilder notified() {
        return exec(steps.notification())
                .exec(asLongAs(session -> Steps.isPostponed(session) && session.getInt(Steps.TRIES) < TRIES_MAX)
                        .on(pause(TRY_AGAIN).exec(steps.notification())));
    }

    /** Reads the order until its status is such a one; an order that is not there in time is an error. */
    ChainBuilder readUntil(Predicate<String> wanted, Duration max) {
        return exec(session -> session.set(READING_SINCE, System.nanoTime()))
                .exec(steps.read(READ))
                .exec(asLongAs(session -> !wanted.test(session.getString(Steps.ORDER_STATUS))
                                && System.nanoTime() - session.getLong(READING_SINCE) < max.toNanos())
                        .on(pause(READ_AGAIN).exec(steps.read(READ))))
                .exec(session -> concluded(session, wanted, max));
    }

    private Session concluded(Session session, Predicate<String> wanted, Duration max) {
        String status = session.getString(Steps.ORDER_STATUS);
        if (!wanted.test(status)) {
            run.tally().of("journeys").failed("journey: " + status + " after " + max.toSeconds() + " s");
        }
        return session;
    }

    /** So many of 100 notifications are repetitions: sent a second time. */
    ChainBuilder repeated(int percent) {
        double each = percent / (100.0 - percent);
        return exec(
                doIf(session -> ThreadLocalRandom.current().nextDouble() < each).then(steps.notification()));
    }
}
