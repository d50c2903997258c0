package io.quittance.psp.sandbox;

import io.quittance.psp.sandbox.Cashier.NotPayable;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.Optional;

/** The payer's side for people with a browser or curl: pay, decline, look. Errors are {@code {"error": text}}. */
final class PayerDoor {

    private final Cashier cashier;
    private final Ledger ledger;

    PayerDoor(Cashier cashier, Ledger ledger) {
        this.cashier = cashier;
        this.ledger = ledger;
    }

    Reply answer(Call call, Instant now) {
        String path = call.path();
        if (call.isGet() && path.equals("/")) {
            return Reply.json(200, index());
        }
        if (call.isGet() && path.startsWith("/payments/")) {
            String attemptId = path.substring("/payments/".length());
            return shown(attemptId).orElseGet(() -> error(404, "the sandbox knows no payment " + attemptId));
        }
        if (call.isPost() && path.startsWith("/pay/")) {
            String attemptId = path.substring("/pay/".length());
            return done(attemptId, () -> cashier.pay(attemptId, false, now));
        }
        if (call.isPost() && path.startsWith("/decline/")) {
            String attemptId = path.substring("/decline/".length());
            return done(attemptId, () -> cashier.decline(attemptId, now));
        }
        return error(404, "nothing is here; GET / says what is");
    }

    private Reply done(String attemptId, Runnable wish) {
        try {
            wish.run();
        } catch (NotPayable e) {
            return error(e.isUnknown() ? 404 : 409, "" + e.getMessage());
        }
        return shown(attemptId).orElseGet(() -> Reply.empty(204));
    }

    private Optional<Reply> shown(String attemptId) {
        return ledger.byAttempt(attemptId).map(Trade::shown).map(payment -> Reply.json(200, json(payment)));
    }

    private static JsonObject json(SandboxPayment payment) {
        return new JsonObject()
                .put("psp", payment.psp())
                .put("attempt_id", payment.attemptId())
                .put("psp_payment_id", payment.pspPaymentId())
                .put("state", payment.state().name())
                .put("amount_minor", payment.amountMinor())
                .put("currency", payment.currency())
                .put("refunded_minor", payment.refundedMinor());
    }

    private static Reply error(int status, String text) {
        return Reply.json(status, new JsonObject().put("error", text));
    }

    private static JsonObject index() {
        return new JsonObject()
                .put("what", "a sandbox payment service provider; no money moves here")
                .put(
                        "payer",
                        new JsonArray()
                                .add("POST /pay/{attempt id}")
                                .add("POST /decline/{attempt id}")
                                .add("GET /payments/{attempt id}"))
                .put(
                        "psps",
                        new JsonObject()
                                .put("stripe", "/stripe/v1")
                                .put("alipay", "/alipay/gateway.do")
                                .put("wechatpay", "/wechatpay/v3")
                                .put("adyen", "/adyen/v71")
                                .put("standardwebhooks", "/standardwebhooks/payments"));
    }
}
