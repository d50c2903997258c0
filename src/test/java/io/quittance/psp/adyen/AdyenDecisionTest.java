package io.quittance.psp.adyen;

import static io.quittance.psp.PspFixture.ATTEMPT;
import static io.quittance.psp.PspFixture.REFUND;
import static io.quittance.psp.adyen.AdyenFixture.KEY;
import static io.quittance.psp.adyen.AdyenFixture.PAYMENT;
import static io.quittance.psp.adyen.AdyenFixture.item;
import static io.quittance.psp.adyen.AdyenFixture.modification;
import static org.assertj.core.api.Assertions.assertThat;

import io.quittance.FaultOfOthers;
import io.quittance.domain.AttemptStatus;
import io.quittance.domain.Change;
import io.quittance.domain.Decider;
import io.quittance.domain.Decision;
import io.quittance.domain.Ids;
import io.quittance.domain.LatePolicy;
import io.quittance.domain.Money;
import io.quittance.domain.OrderStatus;
import io.quittance.domain.Outcome;
import io.quittance.domain.PaymentFact;
import io.quittance.domain.RefundReason;
import io.quittance.domain.RefundStatus;
import io.quittance.domain.ReviewReason;
import io.quittance.domain.Snapshot;
import io.quittance.domain.Snapshot.AttemptState;
import io.quittance.domain.Snapshot.OrderState;
import io.quittance.domain.Snapshot.RefundState;
import io.quittance.domain.Snapshot.StockAnswer;
import io.quittance.psp.PspAdapter;
import io.quittance.psp.Translation;
import io.quittance.psp.Verification.Verified;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What Adyen's notifications do to an order: the adapter and the Decider together. */
class AdyenDecisionTest {

    private static final UUID ATTEMPT_ID = Ids.parseHex(ATTEMPT).orElseThrow();
    private static final UUID REFUND_ID = Ids.parseHex(REFUND).orElseThrow();
    private static final Money PRICE = new Money(1_999, "EUR");
    private static final Snapshot WAITING = snapshot(OrderStatus.PENDING, AttemptStatus.PENDING, null);
    private static final Snapshot PAID = snapshot(OrderStatus.PAID, AttemptStatus.SUCCEEDED, PAYMENT);

    private final PspAdapter adapter = new AdyenFixture().adapter("https://api.example", null);

    /** Bug log 61: [A false, B true]. */
    @Test
    void after_a_declined_try_another_one_pays() {
        JsonObject declined = item("AUTHORISATION", false).put("pspReference", "8800000000000001");
        Decision first = decide(WAITING, declined);
        assertThat(first.outcome()).isEqualTo(Outcome.NOTED);
        assertThat(first.changes()).isEmpty();
        Decision second = decide(WAITING, item("AUTHORISATION", true));
        assertThat(second.outcome()).isEqualTo(Outcome.APPLIED);
        assertThat(second.changes())
                .contains(new Change.OrderMoved(OrderStatus.PENDING, OrderStatus.PAID, ATTEMPT_ID))
                .contains(new Change.AttemptMoved(
                        ATTEMPT_ID, AttemptStatus.PENDING, AttemptStatus.SUCCEEDED, PAYMENT, PRICE));
    }

    /** Bug log 61: [B true, A false], [B true, OFFER_CLOSED A]. */
    @FaultOfOthers(value = "Adyen/adyen-shopware6 PR#451", symptom = "a failed try cancelled what another one had paid")
    @Test
    void news_of_other_tries_change_nothing_of_what_is_paid() {
        for (JsonObject late :
                List.of(item("AUTHORISATION", false), item("OFFER_CLOSED", true), item("PENDING", true))) {
            assertThat(decide(PAID, late.put("pspReference", "8800000000000001"))
                            .changes())
                    .isEmpty();
        }
    }

    /** Bug log 56 and 66: a repetition has no effect, and its capture neither; a second payment has a person look. */
    @Test
    void one_payment_told_often_is_one_payment_and_another_one_is_seen() {
        assertThat(decide(PAID, item("AUTHORISATION", true)).outcome()).isEqualTo(Outcome.DUPLICATE);
        assertThat(decide(PAID, modification("CAPTURE", true)).outcome()).isEqualTo(Outcome.DUPLICATE);
        Decision second = decide(PAID, item("AUTHORISATION", true).put("pspReference", "8800000000000002"));
        assertThat(second.changes())
                .singleElement()
                .isInstanceOfSatisfying(Change.ReviewOpened.class, review -> assertThat(review.reason())
                        .isEqualTo(ReviewReason.SECOND_PAYMENT));
    }

    @Test
    void an_offer_that_ends_does_not_keep_its_pspreference_from_a_late_payment() {
        Decision closed = decide(WAITING, item("OFFER_CLOSED", true).put("pspReference", "8800000000000001"));
        assertThat(closed.changes())
                .containsExactly(
                        new Change.AttemptMoved(ATTEMPT_ID, AttemptStatus.PENDING, AttemptStatus.EXPIRED, null, null));
    }

    /** Bug log 63. */
    @FaultOfOthers(value = "adyen-magento2#2589", symptom = "a capture that failed later went unnoticed")
    @Test
    void a_capture_that_failed_is_put_before_a_person_once_and_the_order_stays_as_it_is() {
        Decision lost = decide(PAID, modification("CAPTURE_FAILED", true));
        assertThat(lost.outcome()).isEqualTo(Outcome.MISMATCH);
        assertThat(lost.changes()).singleElement().isInstanceOf(Change.ReviewOpened.class);
    }

    @Test
    void a_paid_order_whose_payment_was_cancelled_is_refunded_in_full() {
        List<PaymentFact> facts = facts(modification("CANCELLATION", true));
        assertThat(Decider.decide(PAID, facts.get(0)).outcome()).isEqualTo(Outcome.STALE);
        assertThat(Decider.decide(PAID, facts.get(1)).changes())
                .contains(new Change.OrderMoved(OrderStatus.PAID, OrderStatus.REFUNDED, null));
    }

    @Test
    void a_payment_that_was_cancelled_before_we_heard_of_it_pays_nothing() {
        RefundState gone = new RefundState(
                REFUND_ID, ATTEMPT_ID, RefundStatus.SUCCEEDED, PRICE, RefundReason.MADE_AT_PSP, "8825658961765251");
        Snapshot cancelled = withRefund(snapshot(OrderStatus.EXPIRED, AttemptStatus.EXPIRED, null), gone);
        Decision late = decide(cancelled, item("AUTHORISATION", true));
        assertThat(late.changes())
                .containsExactly(new Change.AttemptMoved(
                        ATTEMPT_ID, AttemptStatus.EXPIRED, AttemptStatus.SUCCEEDED, PAYMENT, PRICE));
    }

    /** Bug log 63: REFUND true, then REFUND_FAILED. */
    @FaultOfOthers(value = "adyen-magento2#2589", symptom = "a refund that failed later went unnoticed")
    @Test
    void a_refund_of_ours_is_done_by_its_notification_and_can_fail_afterwards() {
        JsonObject refunded = modification("REFUND", true).put("merchantReference", ATTEMPT + "-" + REFUND);
        RefundState asked = refund(RefundStatus.PROCESSING);
        assertThat(decide(withRefund(PAID, asked), refunded).changes())
                .contains(new Change.RefundMoved(
                        REFUND_ID, RefundStatus.PROCESSING, RefundStatus.SUCCEEDED, "8825658961765251"));
        JsonObject failed = refunded.copy().put("eventCode", "REFUND_FAILED");
        assertThat(decide(withRefund(PAID, refund(RefundStatus.SUCCEEDED)), failed)
                        .changes())
                .contains(new Change.RefundMoved(
                        REFUND_ID, RefundStatus.SUCCEEDED, RefundStatus.FAILED, "8825658961765251"))
                .anyMatch(change ->
                        change instanceof Change.ReviewOpened review && review.reason() == ReviewReason.REFUND_FAILED);
    }

    @Test
    void a_refund_made_in_the_customer_area_is_recorded() {
        JsonObject byHand = modification("REFUND", true);
        byHand.getJsonObject("amount").put("value", 500);
        assertThat(decide(PAID, byHand).changes())
                .anyMatch(change -> change instanceof Change.RefundRecorded recorded
                        && recorded.amount().equals(new Money(500, "EUR")))
                .contains(new Change.OrderMoved(OrderStatus.PAID, OrderStatus.PARTIALLY_REFUNDED, null));
    }

    private Decision decide(Snapshot snapshot, JsonObject item) {
        List<PaymentFact> facts = facts(item);
        assertThat(facts).hasSize(1);
        return Decider.decide(snapshot, facts.get(0));
    }

    private List<PaymentFact> facts(JsonObject item) {
        JsonObject body = AdyenFixture.body(AdyenFixture.signed(item, KEY));
        Verified verified = (Verified) adapter.verify(AdyenFixture.raw(body));
        return ((Translation.Facts) adapter.translate(verified)).facts();
    }

    private static RefundState refund(RefundStatus status) {
        return new RefundState(REFUND_ID, ATTEMPT_ID, status, PRICE, RefundReason.LATE_PAYMENT, null);
    }

    private static Snapshot withRefund(Snapshot snapshot, RefundState refund) {
        return new Snapshot(
                snapshot.order(), snapshot.attempts(), List.of(refund), snapshot.reviews(), snapshot.stock());
    }

    private static Snapshot snapshot(OrderStatus order, AttemptStatus attempt, @Nullable String payment) {
        UUID effective = order == OrderStatus.PAID ? ATTEMPT_ID : null;
        Money received = attempt == AttemptStatus.SUCCEEDED ? PRICE : null;
        return new Snapshot(
                new OrderState(REFUND_ID, order, PRICE, effective, LatePolicy.REVIVE, null, false, false, false),
                List.of(new AttemptState(ATTEMPT_ID, attempt, "adyen", "acme", payment, received)),
                List.of(),
                List.of(),
                StockAnswer.NOT_ASKED);
    }
}
