package io.quittance.domain;

import static org.assertj.core.api.Assertions.assertThat;

import io.quittance.domain.PaymentFact.RefundNews;
import io.quittance.domain.Snapshot.AttemptState;
import io.quittance.domain.Snapshot.OrderState;
import io.quittance.domain.Snapshot.RefundState;
import io.quittance.domain.Snapshot.ReviewState;
import io.quittance.domain.Snapshot.StockAnswer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every fact has an answer in every state, also in states that cannot be reached: a row that a person or a bug has
 * changed must not stop the queue behind it.
 */
class DeciderTotalityTest {

    private static final UUID ORDER = new UUID(1, 1);
    private static final UUID ATTEMPT = new UUID(2, 1);
    private static final UUID OTHER = new UUID(2, 2);
    private static final UUID REFUND = new UUID(3, 1);
    private static final Money PRICE = new Money(1999, "CNY");
    private static final Money PART = new Money(500, "CNY");
    private static final Money FOREIGN = new Money(1999, "USD");
    private static final List<ReviewState> ALL_REVIEWS = Arrays.stream(ReviewReason.values())
            .map(reason -> new ReviewState(ATTEMPT, reason))
            .toList();

    static Stream<Arguments> combinations() {
        return Arrays.stream(OrderStatus.values()).flatMap(order -> Arrays.stream(AttemptStatus.values())
                .flatMap(attempt -> Arrays.stream(FactKind.values()).map(kind -> Arguments.of(order, attempt, kind))));
    }

    @ParameterizedTest(name = "order {0}, attempt {1}, {2}")
    @MethodSource("combinations")
    void a_fact_has_an_answer_in_every_state(OrderStatus order, AttemptStatus attempt, FactKind kind) {
        List<PaymentFact> facts = facts(kind);
        for (Snapshot snapshot : snapshots(order, attempt)) {
            for (PaymentFact fact : facts) {
                answer(snapshot, fact);
            }
        }
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(FactKind.class)
    void a_fact_about_nothing_of_ours_matches_nothing(FactKind kind) {
        Snapshot snapshot =
                snapshots(OrderStatus.PENDING, AttemptStatus.PENDING).get(0);
        String other = Ids.hex(kind.subject() == FactKind.Subject.ORDER ? ATTEMPT : ORDER);
        for (String reference : List.of(other, Ids.hex(new UUID(9, 9)), "", "none of ours")) {
            for (PaymentFact fact : facts(kind, reference)) {
                assertThat(Decider.decide(snapshot, fact).outcome()).isEqualTo(Outcome.UNMATCHED);
            }
        }
    }

    /** Millions of times, so that words are only made when they are needed. */
    private static void answer(Snapshot snapshot, PaymentFact fact) {
        Decision decision;
        try {
            decision = Decider.decide(snapshot, fact);
        } catch (RuntimeException | AssertionError thrown) {
            throw new AssertionError(fact + " told to " + snapshot, thrown);
        }
        boolean changing = decision.outcome() == Outcome.APPLIED || decision.outcome() == Outcome.MISMATCH;
        if (decision.reason().isBlank() || decision.changesAnything() != changing) {
            throw new AssertionError(decision + " on " + fact + " told to " + snapshot);
        }
    }

    private static List<Snapshot> snapshots(OrderStatus orderStatus, AttemptStatus attemptStatus) {
        List<Snapshot> all = new ArrayList<>();
        List<AttemptState> attempts = attempts(attemptStatus);
        for (OrderState order : orders(orderStatus)) {
            for (List<RefundState> refunds : refunds()) {
                for (StockAnswer stock : StockAnswer.values()) {
                    all.add(new Snapshot(order, attempts, refunds, List.of(), stock));
                }
                all.add(new Snapshot(order, attempts, refunds, ALL_REVIEWS, StockAnswer.NOT_ASKED));
                all.add(new Snapshot(order, attempts.subList(0, 1), refunds, List.of(), StockAnswer.NOT_ASKED));
            }
        }
        return all;
    }

    private static List<OrderState> orders(OrderStatus status) {
        List<OrderState> all = new ArrayList<>();
        for (UUID effective : Arrays.asList(null, ATTEMPT)) {
            for (LatePolicy policy : LatePolicy.values()) {
                for (HoldStatus hold : Arrays.asList(null, HoldStatus.ACTIVE, HoldStatus.EXPIRED)) {
                    all.add(new OrderState(
                            ORDER, status, PRICE, effective, policy, hold, hold == HoldStatus.EXPIRED, false, false));
                }
            }
            all.add(new OrderState(ORDER, status, PRICE, effective, LatePolicy.REVIVE, null, true, true, false));
        }
        all.add(new OrderState(
                ORDER, status, PRICE, OTHER, LatePolicy.REVIVE, HoldStatus.CONSUMED, false, false, false));
        all.add(new OrderState(ORDER, status, PRICE, null, LatePolicy.REVIVE, HoldStatus.ACTIVE, false, true, false));
        all.add(new OrderState(ORDER, status, PRICE, null, LatePolicy.REVIVE, HoldStatus.EXPIRED, false, false, true));
        return all;
    }

    private static List<AttemptState> attempts(AttemptStatus status) {
        Money received = status == AttemptStatus.SUCCEEDED ? PRICE : null;
        return List.of(
                new AttemptState(ATTEMPT, status, "psp", "acme", null, received),
                new AttemptState(OTHER, AttemptStatus.PENDING, "psp", "acme", "pay-2", null));
    }

    private static List<List<RefundState>> refunds() {
        List<List<RefundState>> all = new ArrayList<>();
        all.add(List.of());
        for (RefundStatus status : RefundStatus.values()) {
            all.add(List.of(new RefundState(REFUND, ATTEMPT, status, PART, RefundReason.MADE_AT_PSP, "re-1")));
        }
        UUID ours = Refunds.refundId(ATTEMPT, RefundReason.FULFILMENT_FAILED);
        all.add(List.of(
                new RefundState(REFUND, ATTEMPT, RefundStatus.SUCCEEDED, PRICE, RefundReason.MADE_AT_PSP, "re-1"),
                new RefundState(ours, ATTEMPT, RefundStatus.FAILED, PRICE, RefundReason.FULFILMENT_FAILED, null)));
        return all;
    }

    private static List<PaymentFact> facts(FactKind kind) {
        return facts(kind, Ids.hex(kind.subject() == FactKind.Subject.ORDER ? ORDER : ATTEMPT));
    }

    private static List<PaymentFact> facts(FactKind kind, String reference) {
        Evidence told = new Evidence(FactSource.NOTIFICATION, "psp", "acme", "event", Instant.EPOCH);
        if (!kind.isAboutRefund()) {
            return payments(kind, reference, told);
        }
        Evidence asked = new Evidence(FactSource.QUERY, "psp", "acme", null, Instant.EPOCH);
        List<PaymentFact> all = new ArrayList<>();
        for (RefundNews news : news()) {
            all.add(PaymentFact.refund(kind, reference, told, news, null));
            all.add(PaymentFact.refund(kind, reference, asked, news, null));
        }
        return all;
    }

    private static List<PaymentFact> payments(FactKind kind, String reference, Evidence evidence) {
        List<PaymentFact> all = new ArrayList<>();
        for (Money amount : Arrays.asList(null, PRICE, PART, FOREIGN)) {
            PaymentFact fact = fact(kind, reference, evidence, "pay-1", amount);
            all.add(fact);
            all.add(fact.withMismatch(Mismatch.MODE));
        }
        all.add(fact(kind, reference, evidence, null, PRICE));
        return all;
    }

    private static PaymentFact fact(
            FactKind kind, String reference, Evidence evidence, @Nullable String paymentId, @Nullable Money amount) {
        return new PaymentFact(kind, reference, evidence, paymentId, amount, null, null, null);
    }

    private static List<RefundNews> news() {
        return List.of(
                new RefundNews(null, null, null, null),
                new RefundNews(Ids.hex(REFUND), null, PART, null),
                new RefundNews(Ids.hex(REFUND), "re-1", PRICE, null),
                new RefundNews("theirs", "re-2", PRICE, null),
                new RefundNews("theirs", "re-3", null, PRICE),
                new RefundNews("theirs", "re-4", FOREIGN, null));
    }
}
