package io.quittance.checkout;

import io.quittance.domain.LatePolicy;
import io.quittance.message.Checkout.Item;
import io.quittance.message.Checkout.Strategy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * What is done to many orders, drawn from a seed: the same seed gives the same actions in the same order.
 *
 * @param products how each is kept, and how many there are
 */
record RandomSchedule(Map<String, Stock> products, List<Plan> orders, List<Action> actions) {

    private static final int SEATS = 20;
    private static final List<LatePolicy> POLICIES = List.of(LatePolicy.values());
    private static final int ACTIONS_AN_ORDER = 16;

    /** So many orders are worked on at a time; then they are left, and what is under way with them ends by itself. */
    private static final int AT_A_TIME = 12;

    record Stock(Strategy strategy, long supplied) {}

    /** An order that will be placed. */
    record Plan(String orderNo, List<Item> items, LatePolicy latePolicy) {}

    /**
     * One thing that happens.
     *
     * @param order whom it happens to
     * @param draw decides the rest, from 0 up
     */
    record Action(Kind kind, int order, int draw) {}

    /** What happens, and how often in relation to the others. */
    enum Kind {
        PLACE(4),
        PLACE_WITH_OTHER_CONTENT(2),
        OPEN_ATTEMPT(16),
        PAY_AND_TELL(10),
        PAY_IN_SILENCE(4),
        PAY_WHAT_IS_CLOSED(4),
        TELL_AGAIN(8),
        TELL_AS_ANOTHER_EVENT(3),
        TELL_A_WRONG_AMOUNT(2),
        DECLINE(2),
        FAIL_AND_TELL(4),
        CLOSE_AND_TELL(3),
        END_THE_ORDERS_TIME(6),
        END_THE_SESSION(4),
        CALL_OFF(3),
        REFUND(6),
        REFUND_BY_HAND(3),
        REJECT(3);

        private final int weight;

        Kind(int weight) {
            this.weight = weight;
        }

        private static Kind draw(SplittableRandom random) {
            int left = random.nextInt(
                    Arrays.stream(values()).mapToInt(kind -> kind.weight).sum());
            for (Kind kind : values()) {
                left -= kind.weight;
                if (left < 0) {
                    return kind;
                }
            }
            throw new AssertionError("the weights do not add up");
        }
    }

    static RandomSchedule of(long seed, int orders) {
        SplittableRandom random = new SplittableRandom(seed);
        Map<String, Stock> products = new LinkedHashMap<>();
        for (int i = 0; i < SEATS; i++) {
            products.put("seat " + i, new Stock(Strategy.UNIQUE, 1));
        }
        products.put("tee", new Stock(Strategy.STOCK, 40));
        products.put("cup", new Stock(Strategy.STOCK, 5));
        products.put("print", new Stock(Strategy.ON_PAYMENT, 6));
        List<Plan> plans = new ArrayList<>();
        for (int i = 0; i < orders; i++) {
            plans.add(new Plan("order " + i, items(random), POLICIES.get(random.nextInt(POLICIES.size()))));
        }
        return new RandomSchedule(products, plans, actions(random, orders));
    }

    private static List<Item> items(SplittableRandom random) {
        List<Item> items = new ArrayList<>();
        if (random.nextInt(5) < 3) {
            items.add(new Item("seat " + random.nextInt(SEATS), 1));
        }
        if (random.nextInt(5) == 0) {
            items.add(new Item("print", 1));
        }
        if (random.nextInt(6) == 0) {
            items.add(new Item("cup", 1 + random.nextInt(2)));
        }
        if (items.isEmpty() || random.nextInt(4) == 0) {
            items.add(new Item("tee", 1 + random.nextInt(3)));
        }
        return items;
    }

    /** Each order is placed when it is first drawn; from then on anything may happen to it. */
    private static List<Action> actions(SplittableRandom random, int orders) {
        List<Action> actions = new ArrayList<>();
        boolean[] placed = new boolean[orders];
        int total = orders * ACTIONS_AN_ORDER;
        for (int i = 0; i < total; i++) {
            int first = (int) ((long) i * Math.max(1, orders - AT_A_TIME) / total);
            int order = first + random.nextInt(Math.min(AT_A_TIME, orders - first));
            Kind kind = placed[order] ? Kind.draw(random) : Kind.PLACE;
            placed[order] = true;
            actions.add(new Action(kind, order, random.nextInt(1_000_000)));
        }
        return List.copyOf(actions);
    }
}
