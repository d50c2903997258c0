package io.quittance.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.quittance.domain.Evidence;
import io.quittance.domain.FactKind;
import io.quittance.domain.FactSource;
import io.quittance.domain.Ids;
import io.quittance.domain.LatePolicy;
import io.quittance.domain.Money;
import io.quittance.domain.Outcome;
import io.quittance.domain.PaymentFact;
import java.time.Instant;
import java.util.UUID;

/** Everything that can rightly happen to an order, each under an order number that says what. */
final class Histories {

    private static final Money PART = new Money(500, "CNY");

    private final Shop shop;

    private Histories(Shop shop) {
        this.shop = shop;
    }

    static void writeTo(Shop shop) {
        shop.product("tee", "STOCK", 100);
        shop.product("lamp", "UNIQUE", 1);
        shop.product("vase", "UNIQUE", 1);
        shop.product("song", "ON_PAYMENT", 10);
        shop.product("rare", "ON_PAYMENT", 0);
        Histories histories = new Histories(shop);
        histories.open();
        histories.unpaid();
        histories.paid();
        histories.late();
        histories.refunded();
        histories.beforeAPerson();
        histories.notOurs();
    }

    private void open() {
        UUID open = shop.order("OPEN", LatePolicy.REVIVE, "tee");
        UUID attempt = shop.attempt(open);
        // an effect that is no change of state
        expect(shop.told(attempt, FactKind.PAYMENT_PENDING), Outcome.APPLIED);
        expect(shop.asked(attempt, FactKind.PAYMENT_NO_ANSWER), Outcome.APPLIED);
        shop.order("UNTRIED", LatePolicy.REVIVE, "vase");
    }

    private void unpaid() {
        expired("EXPIRED", LatePolicy.REVIVE, "tee");
        UUID failed = shop.order("FAILED", LatePolicy.REVIVE, "tee");
        expect(shop.told(shop.attempt(failed), FactKind.PAYMENT_FAILED), Outcome.APPLIED);
        expect(shop.timeOver(failed), Outcome.APPLIED);
        shop.cancel(shop.order("CANCELLED", LatePolicy.REVIVE, "tee"));
    }

    private void paid() {
        UUID paid = shop.order("PAID", LatePolicy.REVIVE, "tee");
        UUID attempt = shop.attempt(paid);
        expect(shop.paid(attempt), Outcome.APPLIED);
        expect(shop.paid(attempt), Outcome.DUPLICATE);
        shop.sync(paid, "erp-1", "PENDING", "PROCESSING", "FAILED", "PROCESSING", "PROCESSING", "COMPLETED");
        UUID second = shop.order("SECOND", LatePolicy.REVIVE, "tee");
        expect(shop.told(shop.attempt(second), FactKind.PAYMENT_FAILED), Outcome.APPLIED);
        expect(shop.paid(shop.attempt(second)), Outcome.APPLIED);
        shop.sync(second, "erp-2", "PENDING", "PROCESSING", "COMPLETED");
        expect(shop.paid(shop.attempt(shop.order("UNIQUE", LatePolicy.REVIVE, "lamp"))), Outcome.APPLIED);
        expect(shop.paid(shop.attempt(shop.order("ON-PAYMENT", LatePolicy.REVIVE, "song"))), Outcome.APPLIED);
    }

    private void late() {
        expect(shop.paid(expired("REVIVED", LatePolicy.REVIVE, "tee")), Outcome.APPLIED);
        refund(expired("LATE", LatePolicy.REFUND, "tee"));
        expect(shop.paid(expired("LATE-REVIEW", LatePolicy.REVIEW, "tee")), Outcome.APPLIED);
    }

    private void refunded() {
        UUID twice = shop.order("DOUBLE", LatePolicy.REVIVE, "tee");
        UUID first = shop.attempt(twice);
        expect(shop.told(first, FactKind.PAYMENT_CLOSED), Outcome.APPLIED);
        expect(shop.paid(shop.attempt(twice)), Outcome.APPLIED);
        // decided, and not yet sent
        expect(shop.paid(first), Outcome.APPLIED);
        UUID soldOut = shop.attempt(shop.order("SOLD-OUT", LatePolicy.REVIVE, "rare"));
        refund(soldOut);
        UUID rejected = shop.order("REJECTED", LatePolicy.REVIVE, "tee");
        UUID attempt = shop.attempt(rejected);
        expect(shop.paid(attempt), Outcome.APPLIED);
        shop.sync(rejected, null, "PENDING", "PROCESSING", "REJECTED");
        expect(shop.rejected(rejected), Outcome.APPLIED);
        expect(shop.refund(attempt, FactKind.REFUND_SUCCEEDED, shop.refundOf(attempt), Shop.PRICE), Outcome.APPLIED);
        UUID partly = shop.attempt(shop.order("PARTLY", LatePolicy.REVIVE, "tee"));
        expect(shop.paid(partly), Outcome.APPLIED);
        expect(shop.refund(partly, FactKind.REFUND_SUCCEEDED, "theirs", PART), Outcome.APPLIED);
        UUID wentBack = shop.attempt(shop.order("PARTLY-FIRST", LatePolicy.REVIVE, "tee"));
        expect(shop.refund(wentBack, FactKind.REFUND_SUCCEEDED, "sooner", PART), Outcome.APPLIED);
        expect(shop.paid(wentBack), Outcome.APPLIED);
    }

    private void beforeAPerson() {
        UUID misfit = shop.attempt(shop.order("MISFIT", LatePolicy.REVIVE, "tee"));
        expect(shop.paid(misfit, "pay-x", new Money(1, "CNY")), Outcome.MISMATCH);
        UUID again = shop.attempt(shop.order("PAID-AGAIN", LatePolicy.REVIVE, "tee"));
        expect(shop.paid(again), Outcome.APPLIED);
        // an effect that is no change of state, only a question to a person
        expect(shop.paid(again, "pay-y", Shop.PRICE), Outcome.MISMATCH);
        UUID kept = expired("REFUND-FAILED", LatePolicy.REFUND, "tee");
        expect(shop.paid(kept), Outcome.APPLIED);
        expect(shop.refund(kept, FactKind.REFUND_FAILED, shop.refundOf(kept), Shop.PRICE), Outcome.APPLIED);
        UUID silent = shop.attempt(shop.order("SILENT", LatePolicy.REVIVE, "tee"));
        expect(shop.asked(silent, FactKind.PAYMENT_NO_ANSWER), Outcome.APPLIED);
        expect(shop.asked(silent, FactKind.PAYMENT_AGE_LIMIT), Outcome.APPLIED);
    }

    private void notOurs() {
        Evidence evidence = new Evidence(FactSource.NOTIFICATION, "psp", "acme", "event-0", Instant.EPOCH);
        for (String reference : new String[] {Ids.hex(shop.nextId()), "not one of ours"}) {
            expect(shop.learn(PaymentFact.succeeded(reference, evidence, "pay-0", Shop.PRICE)), Outcome.UNMATCHED);
        }
    }

    /** An attempt that was closed, of an order that then ran out of time. */
    private UUID expired(String orderNo, LatePolicy policy, String sku) {
        UUID order = shop.order(orderNo, policy, sku);
        UUID attempt = shop.attempt(order);
        expect(shop.told(attempt, FactKind.PAYMENT_CLOSED), Outcome.APPLIED);
        expect(shop.timeOver(order), Outcome.APPLIED);
        return attempt;
    }

    private void refund(UUID attempt) {
        expect(shop.paid(attempt), Outcome.APPLIED);
        String refund = shop.refundOf(attempt);
        expect(shop.refund(attempt, FactKind.REFUND_STARTED, refund, Shop.PRICE), Outcome.APPLIED);
        expect(shop.refund(attempt, FactKind.REFUND_SUCCEEDED, refund, Shop.PRICE), Outcome.APPLIED);
    }

    private static void expect(Outcome outcome, Outcome expected) {
        assertThat(outcome).isEqualTo(expected);
    }
}
