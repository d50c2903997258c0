package io.quittance.checkout;

import io.quittance.domain.Evidence;
import io.quittance.domain.FactKind;
import io.quittance.domain.FactSource;
import io.quittance.domain.Ids;
import io.quittance.domain.Outcome;
import io.quittance.domain.PaymentFact;
import io.quittance.domain.PaymentFact.RefundNews;
import io.quittance.message.Bus;
import io.quittance.message.Checkout.CallOff;
import io.quittance.message.Checkout.WantRefund;
import io.quittance.message.Checkout.WishAnswer;
import io.quittance.message.Submission.Verdict;
import io.quittance.store.CheckoutStore;
import io.vertx.core.Future;
import java.time.Clock;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What a merchant wants of an order that stands. It goes through the one door as a fact, and the rules decide. */
final class Wishes {

    private final Bus bus;
    private final CheckoutStore store;
    private final Clock clock;

    Wishes(Bus bus, CheckoutStore store, Clock clock) {
        this.bus = bus;
        this.store = store;
        this.clock = clock;
    }

    Future<WishAnswer> callOff(CallOff wish) {
        return forOrder(wish.merchantId(), wish.orderNo(), order -> {
            PaymentFact fact = PaymentFact.bare(
                    FactKind.ORDER_CALLED_OFF, Ids.hex(order), evidence(), "merchant " + wish.merchantId());
            return bus.submit(fact).map(verdict -> answer(verdict, null));
        });
    }

    Future<WishAnswer> refund(WantRefund wish) {
        return forOrder(wish.merchantId(), wish.orderNo(), order -> {
            String refund = Ids.hex(refundId(order, wish.refundNo()));
            RefundNews news = new RefundNews(refund, null, wish.amount(), null);
            PaymentFact fact = PaymentFact.refund(
                    FactKind.REFUND_WANTED, Ids.hex(order), evidence(), news, "merchant " + wish.merchantId());
            return bus.submit(fact).map(verdict -> answer(verdict, refund));
        });
    }

    /** The same number is the same refund, here and at the PSP. */
    static UUID refundId(UUID orderId, String refundNo) {
        return Ids.derived(orderId, "merchant refund:" + refundNo);
    }

    private Future<WishAnswer> forOrder(String merchantId, String orderNo, Function<UUID, Future<WishAnswer>> wish) {
        return store.find(merchantId, orderNo).compose(found -> found.map(wish)
                .orElseGet(() -> Future.succeededFuture(new WishAnswer.NoSuchOrder())));
    }

    private static WishAnswer answer(Verdict verdict, @Nullable String refundId) {
        return verdict.outcome() == Outcome.REFUSED
                ? new WishAnswer.Refused(verdict.reason())
                : new WishAnswer.Granted(verdict.outcome() == Outcome.APPLIED, refundId);
    }

    private Evidence evidence() {
        return Evidence.ours(FactSource.MERCHANT, clock.instant());
    }
}
