package io.quittance.domain;

import static org.assertj.core.api.Assertions.assertThat;

import io.quittance.domain.PaymentFact.RefundNews;
import io.quittance.domain.Snapshot.AttemptState;
import io.quittance.domain.Snapshot.OrderState;
import io.quittance.domain.Snapshot.RefundState;
import io.quittance.domain.Snapshot.StockAnswer;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Walks through every state that one order with up to two attempts can ever reach, by every fact in every order
 * (duplicates, late ones, contradictions and money of the wrong amount among them), and looks at the promises in each.
 */
class EveryInterleavingTest {

    private static final UUID ORDER = new UUID(1, 1);
    private static final UUID FIRST = new UUID(2, 1);
    private static final UUID SECOND = new UUID(2, 2);
    private static final UUID REFUND = new UUID(3, 1);
    private static final UUID OTHER_REFUND = new UUID(3, 2);
    private static final Money PRICE = new Money(1999, "CNY");
    private static final Money OTHER_SUM = new Money(1, "CNY");
    private static final Instant NOW = Instant.EPOCH;

    private static final Audience WANTS_ALL = new Audience(
            "erp",
            EnumSet.of(
                    OrderStatus.PAID,
                    OrderStatus.FAILED,
                    OrderStatus.EXPIRED,
                    OrderStatus.CANCELLED,
                    OrderStatus.REFUNDED),
            false,
            1);

    /** What takes part beside the success, the pending payment and the end of time. */
    private enum Part {
        /** All other news of payments. */
        PAYMENTS,
        MISFITS,
        CALLING_OFF,
        TOLD_AS_CLOSED,
        OUR_REFUNDS,
        REFUNDS_WANTED,
        REFUNDS_MADE_AT_THE_PSP
    }

    /** Which facts take part. */
    private record Facts(Set<Part> parts) {

        static Facts of(Part... parts) {
            return new Facts(Set.of(parts));
        }

        boolean have(Part part) {
            return parts.contains(part);
        }
    }

    /**
     * Every kind of fact meets every other that it interacts with in one of these. The whole product takes very long:
     * {@code -Dexplore=everything}.
     */
    private static final List<Facts> USUAL = List.of(
            Facts.of(Part.PAYMENTS, Part.MISFITS, Part.CALLING_OFF),
            Facts.of(Part.PAYMENTS, Part.CALLING_OFF, Part.TOLD_AS_CLOSED),
            Facts.of(Part.PAYMENTS, Part.OUR_REFUNDS),
            Facts.of(Part.PAYMENTS, Part.REFUNDS_MADE_AT_THE_PSP),
            Facts.of(Part.OUR_REFUNDS, Part.REFUNDS_WANTED));

    private static final List<Facts> EVERYTHING = List.of(Facts.of(Part.values()));

    private static List<Facts> chosen() {
        return "everything".equals(System.getProperty("explore")) ? EVERYTHING : USUAL;
    }

    private static Stream<Arguments> worlds() {
        List<Arguments> all = new ArrayList<>();
        for (LatePolicy policy : LatePolicy.values()) {
            for (Facts facts : chosen()) {
                all.add(Arguments.of(policy, null, false, facts));
                all.add(Arguments.of(policy, HoldStatus.ACTIVE, false, facts));
                all.add(Arguments.of(policy, null, true, facts));
            }
        }
        return all.stream();
    }

    @ParameterizedTest(name = "policy {0}, hold {1}, stock taken on payment {2}, {3}")
    @MethodSource("worlds")
    void promisesHoldInEveryReachableState(LatePolicy policy, HoldStatus hold, boolean takesOnPayment, Facts chosen) {
        OrderState order =
                new OrderState(ORDER, OrderStatus.PENDING, PRICE, null, policy, hold, takesOnPayment, false, false);
        Snapshot snapshot = new Snapshot(order, List.of(), List.of(), List.of(), StockAnswer.NOT_ASKED);
        World start = new World(snapshot.withAudience(WANTS_ALL), List.of(), 0, 0);
        Set<World> seen = new HashSet<>();
        Deque<World> open = new ArrayDeque<>();
        seen.add(start);
        open.add(start);
        while (!open.isEmpty()) {
            for (World next : everythingThatCanHappen(open.poll(), chosen)) {
                if (seen.add(next)) {
                    Promises.check(next);
                    open.add(next);
                }
            }
        }
        assertThat(seen).extracting(world -> world.snapshot().order().status()).contains(OrderStatus.PAID);
        assertThat(seen.size()).as("reachable states").isGreaterThan(50);
    }

    private static List<World> everythingThatCanHappen(World world, Facts chosen) {
        List<World> next = new ArrayList<>();
        List<AttemptState> attempts = world.snapshot().attempts();
        OrderState order = world.snapshot().order();
        boolean payable = order.status() == OrderStatus.PENDING
                && !order.calledOff()
                && attempts.stream().noneMatch(attempt -> attempt.status().blocksOrder());
        if (payable && attempts.size() < 2) {
            UUID id = attempts.isEmpty() ? FIRST : SECOND;
            next.add(world.withAttempt(new AttemptState(id, AttemptStatus.CREATED, "psp", "acme", null, null)));
        }
        for (PaymentFact fact : facts(world, chosen)) {
            next.addAll(outcomes(world, fact));
        }
        return next;
    }

    private static List<World> outcomes(World world, PaymentFact fact) {
        Decision decision = Decider.decide(world.snapshot(), fact);
        assertThat(Decider.decide(world.snapshot(), fact)).isEqualTo(decision);
        if (decision.outcome() == Outcome.NEEDS_STOCK) {
            List<World> both = new ArrayList<>();
            for (StockAnswer answer : List.of(StockAnswer.TAKEN, StockAnswer.NONE_LEFT)) {
                World asked = world.withStock(answer);
                Decision second = Decider.decide(asked.snapshot(), fact);
                assertThat(second.outcome()).isEqualTo(Outcome.APPLIED);
                both.add(after(asked, fact, second).withStock(StockAnswer.NOT_ASKED));
            }
            return both;
        }
        return List.of(after(world, fact, decision));
    }

    private static World after(World world, PaymentFact fact, Decision decision) {
        Promises.check(world, fact, decision);
        World next = world.apply(decision);
        return fact.kind() == FactKind.PAYMENT_SUCCEEDED
                ? next.told(Ids.parseHex(fact.reference()).orElseThrow())
                : next;
    }

    private static List<PaymentFact> facts(World world, Facts chosen) {
        List<PaymentFact> facts = new ArrayList<>();
        facts.add(
                PaymentFact.bare(FactKind.ORDER_TIME_OVER, Ids.hex(ORDER), Evidence.ours(FactSource.TIMER, NOW), null));
        if (chosen.have(Part.CALLING_OFF)) {
            facts.add(PaymentFact.bare(
                    FactKind.ORDER_CALLED_OFF, Ids.hex(ORDER), Evidence.ours(FactSource.MERCHANT, NOW), null));
        }
        if (chosen.have(Part.TOLD_AS_CLOSED)) {
            facts.add(PaymentFact.bare(
                    FactKind.ORDER_CLOSED_FOR_GOOD, Ids.hex(ORDER), Evidence.ours(FactSource.TIMER, NOW), null));
        }
        if (chosen.have(Part.OUR_REFUNDS) || !chosen.have(Part.REFUNDS_MADE_AT_THE_PSP)) {
            facts.add(PaymentFact.bare(
                    FactKind.FULFILMENT_REJECTED, Ids.hex(ORDER), Evidence.ours(FactSource.TARGET, NOW), null));
        }
        for (AttemptState attempt : world.snapshot().attempts()) {
            facts.addAll(paymentFacts(attempt, chosen));
            if (chosen.have(Part.REFUNDS_MADE_AT_THE_PSP)) {
                facts.addAll(refundsMadeAtPsp(attempt));
            }
        }
        if (chosen.have(Part.REFUNDS_WANTED)) {
            facts.addAll(refundsWanted());
        }
        if (chosen.have(Part.OUR_REFUNDS)) {
            world.snapshot().refunds().forEach(refund -> facts.addAll(refundNews(refund)));
        }
        return facts;
    }

    private static List<PaymentFact> paymentFacts(AttemptState attempt, Facts chosen) {
        String id = Ids.hex(attempt.id());
        String pspId = "pay-" + id.substring(30);
        List<PaymentFact> facts = new ArrayList<>();
        facts.add(PaymentFact.succeeded(id, told("psp"), pspId, PRICE));
        if (chosen.have(Part.MISFITS)) {
            facts.add(PaymentFact.succeeded(id, told("psp"), pspId, OTHER_SUM));
            facts.add(PaymentFact.succeeded(id, told("psp"), "another-payment", PRICE));
        }
        facts.add(PaymentFact.payment(FactKind.PAYMENT_PENDING, id, told("psp"), pspId, null));
        if (!chosen.have(Part.PAYMENTS)) {
            return facts;
        }
        for (FactKind kind : List.of(
                FactKind.PAYMENT_FAILED,
                FactKind.PAYMENT_CLOSED,
                FactKind.PAYMENT_DECLINED,
                FactKind.PAYMENT_NO_ANSWER,
                FactKind.PAYMENT_AGE_LIMIT)) {
            facts.add(PaymentFact.payment(kind, id, told("psp"), null, null));
        }
        return facts;
    }

    /** One PSP tells each refund by itself, and takes it back; the other tells only how much went back in total. */
    private static List<PaymentFact> refundsMadeAtPsp(AttemptState attempt) {
        String id = Ids.hex(attempt.id());
        Money half = new Money(999, "CNY");
        RefundNews one = new RefundNews("half", "half-" + id, half, null);
        return attempt.id().equals(FIRST)
                ? List.of(
                        PaymentFact.refund(FactKind.REFUND_SUCCEEDED, id, told("psp"), one, null),
                        PaymentFact.refund(FactKind.REFUND_FAILED, id, told("psp"), one, null))
                : List.of(
                        PaymentFact.refund(
                                FactKind.REFUND_SUCCEEDED,
                                id,
                                told("psp"),
                                new RefundNews("a", null, null, half),
                                null),
                        PaymentFact.refund(
                                FactKind.REFUND_SUCCEEDED,
                                id,
                                told("psp"),
                                new RefundNews("b", null, null, PRICE),
                                null));
    }

    private static List<PaymentFact> refundNews(RefundState refund) {
        String attempt = Ids.hex(refund.attemptId());
        RefundNews news = new RefundNews(Ids.hex(refund.id()), null, refund.amount(), null);
        List<PaymentFact> facts = new ArrayList<>();
        for (FactKind kind : FactKind.values()) {
            if (kind.isAboutRefund() && kind.subject() == FactKind.Subject.ATTEMPT) {
                facts.add(PaymentFact.refund(kind, attempt, told("psp"), news, null));
            }
        }
        Evidence asked = new Evidence(FactSource.QUERY, "psp", "acme", null, NOW);
        facts.add(PaymentFact.refund(FactKind.REFUND_SUCCEEDED, attempt, asked, news, null));
        return facts;
    }

    /** Two of them are more than the order had. */
    private static List<PaymentFact> refundsWanted() {
        Money most = new Money(1200, "CNY");
        return Stream.of(REFUND, OTHER_REFUND)
                .map(id -> PaymentFact.refund(
                        FactKind.REFUND_WANTED,
                        Ids.hex(ORDER),
                        Evidence.ours(FactSource.MERCHANT, NOW),
                        new RefundNews(Ids.hex(id), null, most, null),
                        null))
                .toList();
    }

    private static Evidence told(String psp) {
        return new Evidence(FactSource.NOTIFICATION, psp, "acme", "event", NOW);
    }
}
