package io.quittance.psp.sandbox;

import io.vertx.core.Vertx;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** Everything that lives on the sandbox's thread, put together. */
record Desk(Map<String, PspSide> sides, AlipaySide alipay, AdyenSide adyen, Delivery delivery, Cashier cashier) {

    /** What outlives the thread and may be read and changed from others. */
    record Shared(Ledger ledger, Tally tally, SentLog sent, FaultSource faults, Supplier<String> notifyBase) {}

    static Desk open(Vertx vertx, SandboxOptions options, Shared shared) {
        Map<String, PspSide> sides = new LinkedHashMap<>();
        Delivery delivery = new Delivery(vertx, shared.faults, sides, options, shared.tally, shared.sent);
        Cashier cashier = new Cashier(shared.ledger, sides, delivery, shared.tally);
        SandboxKeys keys = options.keys();

        Supplier<String> stripeEndpoint =
                () -> shared.notifyBase.get() + "/" + StripeSide.PSP + "/" + options.account();
        StripeNotices stripeNotices =
                new StripeNotices(keys.stripe.webhookSecret(), options.chargeEventEvery(), stripeEndpoint);
        AlipaySide alipay = new AlipaySide(keys.alipay, shared.ledger, cashier::announce);
        Supplier<String> adyenEndpoint = () -> shared.notifyBase.get() + "/" + AdyenSide.PSP + "/" + options.account();
        AdyenNotices adyenNotices = new AdyenNotices(keys.adyen, adyenEndpoint);
        AdyenSide adyen = new AdyenSide(keys.adyen, shared.ledger, adyenNotices, cashier::announce);
        sides.put(StripeSide.PSP, new StripeSide(keys.stripe, shared.ledger, stripeNotices, cashier::announce));
        sides.put(AlipaySide.PSP, alipay);
        sides.put(WechatPaySide.PSP, new WechatPaySide(keys.wechatPay, shared.ledger, cashier::announce));
        sides.put(AdyenSide.PSP, adyen);
        return new Desk(sides, alipay, adyen, delivery, cashier);
    }
}
