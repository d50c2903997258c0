package io.quittance.message;

import java.util.UUID;

/** All addresses on the bus. */
public final class Addresses {

    /** Someone must place an order, open an attempt or keep a product; see the records that name it. */
    public static final String CHECKOUT = "quittance.checkout";

    /** Someone wants to know how a payment stands; see {@link Inquiry}. */
    public static final String INQUIRY = "quittance.inquiry";

    /** Event: a conclusion waits in the outbox. The body is a {@link Nudge}. */
    public static final String CONCLUDED = "quittance.concluded";

    /** Event: a refund waits. The body is a {@link Nudge}. */
    public static final String REFUND_DUE = "quittance.refund-due";

    /** Event: an order's timer was set. The body is a {@link Nudge}. */
    public static final String TIMER_SET = "quittance.timer-set";

    /** Event: an attempt was opened, or a notification found none; the two may belong together. Body: {@link Nudge}. */
    public static final String MATCH_DUE = "quittance.match-due";

    private static final String ENGINE = "quittance.engine.";
    private static final String CHANGED = "quittance.changed.";

    private Addresses() {}

    /** The engine instance of one shard. */
    public static String engine(int shard) {
        return ENGINE + shard;
    }

    /** Event: a commit of this process changed this order. Only a hint; see {@link Bus#changed}. Body: {@link Nudge}. */
    static String changed(UUID orderId) {
        return CHANGED + orderId;
    }

    /** The shard that handles all facts about one attempt or order. */
    static int shardOf(String reference, int shards) {
        return Math.floorMod(reference.hashCode(), shards);
    }

    /** Tells a worker that there is something to do now, so that it need not wait for its timer. */
    public record Nudge(UUID orderId) {}
}
