package io.quittance.loadtest.benchmarks;

import io.quittance.domain.AttemptStatus;
import io.quittance.domain.Audience;
import io.quittance.domain.Decider;
import io.quittance.domain.Evidence;
import io.quittance.domain.FactSource;
import io.quittance.domain.HoldStatus;
import io.quittance.domain.Ids;
import io.quittance.domain.LatePolicy;
import io.quittance.domain.Money;
import io.quittance.domain.OrderStatus;
import io.quittance.domain.PaymentFact;
import io.quittance.domain.Snapshot;
import io.quittance.domain.Snapshot.AttemptState;
import io.quittance.domain.Snapshot.OrderState;
import io.quittance.domain.Snapshot.StockAnswer;
import io.quittance.message.Delivery;
import io.quittance.store.Ruling;
import io.quittance.store.SnapshotStore.Versioned;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * The news that an order was paid, as the engine sees it.
 *
 * @param before the order, with stock on hold and one attempt that waits for its payer
 */
record Paid(Snapshot before, PaymentFact fact, Delivery delivery) {

    private static final Money PRICE = new Money(1_999, "CNY");
    private static final Instant THEN = Instant.parse("2026-03-01T12:00:00Z");
    private static final int BODY_BYTES = 512;

    static Paid of(int number) {
        UUID order = Ids.version7(THEN.toEpochMilli(), number, 1);
        UUID attempt = Ids.version7(THEN.toEpochMilli(), number, 2);
        String event = "msg_" + number;
        Snapshot before = new Snapshot(
                new OrderState(
                        order,
                        OrderStatus.PENDING,
                        PRICE,
                        null,
                        LatePolicy.REFUND,
                        HoldStatus.ACTIVE,
                        false,
                        false,
                        false),
                List.of(new AttemptState(attempt, AttemptStatus.PENDING, "standardwebhooks", "acme", null, null)),
                List.of(),
                List.of(),
                StockAnswer.NOT_ASKED,
                Audience.ofPaid("erp"));
        Evidence evidence = new Evidence(FactSource.NOTIFICATION, "standardwebhooks", "acme", event, THEN);
        PaymentFact fact = PaymentFact.succeeded(Ids.hex(attempt), evidence, "pay_" + number, PRICE);
        Buffer body = Buffer.buffer(new byte[BODY_BYTES]);
        Delivery delivery = new Delivery(
                Ids.version7(THEN.toEpochMilli(), number, 3),
                "standardwebhooks",
                "acme",
                event,
                0,
                THEN,
                "current",
                body);
        return new Paid(before, fact, delivery);
    }

    /** What the engine would write. */
    Ruling ruling() {
        Versioned read = new Versioned(before.order().id(), "(0,1)", "acme", 1, before, List.of("tee/1"));
        return new Ruling(
                Decider.decide(before, fact), fact, delivery, fact.kind().name(), read);
    }
}
