package io.quittance.loadtest.strategies;

import io.quittance.message.Submission;
import io.quittance.message.Submission.Verdict;
import io.vertx.core.Future;

/** One way to protect an order against its own notifications, fact by fact. */
interface Strategy {

    /** Applies what was learned; succeeds once it is committed. */
    Future<Verdict> apply(Submission submission);
}
