package io.quittance.psp.sandbox;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** One PSP's server, with its own words for everything. Lives on the sandbox's thread. */
interface PspSide {

    /** Its name in the gateway's configuration, in addresses and as the prefix of its paths. */
    String psp();

    /** The gateway's settings for an account here. */
    JsonObject settings(String sandboxBase);

    /** Answers the merchant's request; whatever it asks for is done before this returns. */
    Reply answer(Call call, Instant now);

    /** What says that a payment was paid; empty if the merchant gave no address for it. */
    Optional<Notice> paid(Trade trade, Instant now);

    /** What else is told on that occasion and must have no effect. */
    default List<Notice> besidesPaid(Trade trade, Instant now) {
        return List.of();
    }

    /** What is told when a try of the payer failed: nothing, at most PSPs. */
    default List<Notice> declined(Trade trade, Instant now) {
        return List.of();
    }

    /** Whether asking tells what was paid. What is never told and cannot be asked about could not be known. */
    default boolean canBeAsked() {
        return true;
    }

    Notice.Signed sign(Notice notice, Instant now);

    /** Whether this answer to a notification ends its retries. */
    boolean isAcknowledged(int status, Buffer body);

    /** The text in a signed notification's body after which one changed byte changes what it says. */
    String tamperMark();
}
