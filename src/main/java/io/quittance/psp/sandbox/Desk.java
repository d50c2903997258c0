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

        StripeNotices stripeNotices = new StripeNotices(
                keys.stripe.webhookSecret(), options.chargeEventEvery(), endpoint(StripeSide.PSP, options, shared));
        StandardWebhooksNotices standardNotices = new StandardWebhooksNotices(
                keys.standardWebhooks.webhookSecret(), endpoint(StandardWebhooksSide.PSP, options, shared));
        AlipaySide alipay = new AlipaySide(keys.alipay, shared.ledger, cashier::announce);
        AdyenNotices adyenNotices = new AdyenNotices(keys.adyen, endpoint(AdyenSide.PSP, options, shared));
        AdyenSide adyen = new AdyenSide(keys.adyen, shared.ledger, adyenNotices, cashier::announce);
        sides.put(StripeSide.PSP, new StripeSide(keys.stripe, shared.ledger, stripeNotices, cashier::announce));
        sides.put(AlipaySide.PSP, alipay);
        sides.put(WechatPaySide.PSP, new WechatPaySide(keys.wechatPay, shared.ledger, cashier::announce));
        sides.put(AdyenSide.PSP, adyen);
        sides.put(
                StandardWebhooksSide.PSP,
                new StandardWebhooksSide(keys.standardWebhooks, shared.ledger, standardNotices, cashier::announce));
        return new Desk(sides, alipay, adyen, delivery, cashier);
    }

    /** Where notifications go of a PSP that is told the address beforehand and not in each creation. */
    private static Supplier<String> endpoint(String psp, SandboxOptions options, Shared shared) {
        return () -> shared.notifyBase.get() + "/" + psp + "/" + options.account();
    }
}
