package io.quittance.psp.sandbox;

import java.util.SplittableRandom;

/**
 * What happens to one notification.
 *
 * @param copies how often it is sent, one to three
 * @param atOnce whether the copies travel side by side rather than one after the other
 * @param delayMillis 0 for none
 * @param forgedAmount whether a forgery claims another amount rather than that an unpaid payment was paid
 */
record FaultPlan(
        int copies,
        boolean atOnce,
        boolean heldBack,
        long delayMillis,
        boolean dropped,
        boolean forged,
        boolean forgedAmount,
        boolean tampered) {

    /** The plan of the n-th notification. Every value is always drawn, so one probability does not disturb the others. */
    static FaultPlan of(Faults faults, long n) {
        long seed = new SplittableRandom(faults.seed() * 1_000_003 + n).nextLong();
        SplittableRandom random = new SplittableRandom(seed);
        boolean duplicate = random.nextDouble() < faults.duplicate();
        int copies = 2 + random.nextInt(2);
        boolean atOnce = random.nextBoolean();
        boolean heldBack = random.nextDouble() < faults.reorder();
        boolean delayed = random.nextDouble() < faults.delay();
        long delayMillis = 1 + (long) (random.nextDouble() * faults.delayMax().toMillis());
        boolean dropped = random.nextDouble() < faults.drop();
        boolean forged = random.nextDouble() < faults.forge();
        boolean forgedAmount = random.nextBoolean();
        boolean tampered = random.nextDouble() < faults.tamper();
        return new FaultPlan(
                duplicate ? copies : 1,
                atOnce,
                heldBack,
                delayed ? delayMillis : 0,
                dropped,
                forged,
                forgedAmount,
                tampered);
    }
}
