package io.quittance.loadtest.gatling;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

/** What users are given. */
final class Feeds {

    private Feeds() {}

    /** The prepared orders' notifications, each once and in order. */
    static Iterator<Map<String, Object>> shots(Run run) {
        Parameters parameters = run.parameters();
        return new Volley(parameters.duplicatesPercent(), parameters.reorderedPercent())
                .of(run.prepared()).stream()
                        .map(shot -> Map.<String, Object>of(Steps.SHOT, shot))
                        .iterator();
    }

    /** Any of the prepared orders, without end. */
    static Iterator<Map<String, Object>> orders(Run run) {
        List<Placed> orders = run.prepared();
        return Stream.generate(() -> orders.get(ThreadLocalRandom.current().nextInt(orders.size())))
                .map(order -> Map.<String, Object>of(Steps.ORDER_NO, order.orderNo()))
                .iterator();
    }
}
