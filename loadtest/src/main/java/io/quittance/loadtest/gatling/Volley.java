package io.quittance.loadtest.gatling;

import io.quittance.loadtest.sender.News.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;

/**
 * In which order the notifications of many orders come: a success for each; so many of 100 are repetitions, beside the first
 * one or a little later; and after so many of 100 successes comes a "pending" that is out of order.
 */
final class Volley {

    /** How far behind the success another notification of its order comes at most, in orders. */
    private static final int DISTANCE_MAX = 200;

    private static final double SPARE = 1.02;
    private static final int ORDERS_SPARE = 20;
    private static final long SEED = 20_261_129;

    private final double repetitionsAnOrder;
    private final double pendingAnOrder;

    Volley(int duplicatesPercent, int reorderedPercent) {
        this.pendingAnOrder = reorderedPercent / 100.0;
        this.repetitionsAnOrder = (1 + pendingAnOrder) * duplicatesPercent / (100.0 - duplicatesPercent);
    }

    /** Orders enough for so many notifications, although chance and PSPs that tell of no "pending" make fewer of them. */
    int ordersFor(int notifications) {
        return (int) Math.ceil(SPARE * notifications / (1 + repetitionsAnOrder)) + ORDERS_SPARE;
    }

    private record Timed(double at, Shot shot) {}

    List<Shot> of(List<Placed> orders) {
        SplittableRandom random = new SplittableRandom(SEED);
        List<Timed> all = new ArrayList<>();
        for (int i = 0; i < orders.size(); i++) {
            Placed order = orders.get(i);
            Shot success = order.tells(Kind.SUCCEEDED);
            all.add(new Timed(i, success));
            for (double left = repetitionsAnOrder; left > 0 && random.nextDouble() < left; left--) {
                all.add(new Timed(i + behind(random), success));
            }
            if (random.nextDouble() < pendingAnOrder && order.sender().tells(Kind.PENDING)) {
                all.add(new Timed(i + random.nextInt(1, DISTANCE_MAX), order.tells(Kind.PENDING)));
            }
        }
        all.sort(Comparator.comparingDouble(Timed::at));
        return all.stream().map(Timed::shot).toList();
    }

    /** Half of the repetitions come beside the first one. */
    private static double behind(SplittableRandom random) {
        return random.nextBoolean() ? 0.5 : random.nextInt(1, DISTANCE_MAX);
    }
}
