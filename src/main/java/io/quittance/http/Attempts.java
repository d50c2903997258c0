package io.quittance.http;

import io.quittance.domain.AttemptStatus;
import io.quittance.domain.OrderStatus;
import io.quittance.message.Bus;
import io.quittance.message.Checkout.AttemptAnswer;
import io.quittance.message.Checkout.OpenAttempt;
import io.quittance.message.Unavailable;
import io.quittance.psp.Psps;
import io.quittance.store.OrderView;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.stream.Collectors;

/** POST /v1/orders/{order_no}/attempts. */
final class Attempts {

    private final Bus bus;
    private final Psps psps;
    private final Idempotency idempotency;

    Attempts(Bus bus, Psps psps, Idempotency idempotency) {
        this.bus = bus;
        this.psps = psps;
        this.idempotency = idempotency;
    }

    Future<Answer> open(Call call) {
        Members body = call.members();
        String psp = body.text("psp", Forms.ANY, "a PSP's name, such as stripe");
        String account = body.text("account", Forms.ANY, "the name of an account at the PSP");
        body.nothingElse();
        if (!body.mistakes().isEmpty()) {
            return Future.succeededFuture(Problem.INVALID.answer("The attempt has mistakes.", body.mistakes()));
        }
        if (psps.find(psp, account).isEmpty()) {
            return Future.succeededFuture(unknownAccount());
        }
        OpenAttempt request = new OpenAttempt(call.merchantId(), call.parameter("order_no"), psp, account);
        return idempotency
                .once(call, () -> bus.ask(request).map(answer -> tell(request, answer)))
                .recover(failure -> failure instanceof Unavailable
                        ? Future.succeededFuture(unknown())
                        : Future.failedFuture(failure));
    }

    /** The PSP may have been called before whatever went away did. */
    private static Answer unknown() {
        return Problem.UNAVAILABLE
                .answer("It is not known whether a payment was begun. Do not pay again: send the same request again, or"
                        + " look at the order.")
                .retryAfter(Endpoint.RETRY_AFTER_SECONDS);
    }

    private Answer unknownAccount() {
        String configured = psps.all().stream()
                .map(adapter -> adapter.psp() + "/" + adapter.account())
                .collect(Collectors.joining(", "));
        Mistake mistake = new Mistake("psp, account", "are not configured together; wanted: one of " + configured);
        return Problem.UNKNOWN_ACCOUNT.answer("No such account is configured.", List.of(mistake));
    }

    private static Answer tell(OpenAttempt request, AttemptAnswer answer) {
        if (answer instanceof AttemptAnswer.NoSuchOrder) {
            return Problem.NOT_FOUND.answer("You have no order of this number.");
        }
        if (answer instanceof AttemptAnswer.NotPayable closed) {
            boolean pending = closed.status() == OrderStatus.PENDING;
            return Problem.NOT_PAYABLE.answer(
                    "The order is " + closed.status()
                            + (pending ? ", but its time is over or it was called off." : "."),
                    List.of(),
                    new JsonObject().put("order_status", closed.status().name()));
        }
        if (answer instanceof AttemptAnswer.AlreadyLive live) {
            JsonObject attempt = new JsonObject()
                    .put("id", live.attemptId())
                    .put("status", live.status().name());
            return Problem.ATTEMPT_LIVE.answer(
                    "Attempt " + live.attemptId() + " is " + live.status()
                            + "; a second one may only be opened when it cannot be paid any more."
                            + OrderMessage.DO_NOT_PAY_AGAIN,
                    List.of(),
                    new JsonObject().put("attempt", attempt));
        }
        if (answer instanceof AttemptAnswer.TooMany limit) {
            return Problem.ATTEMPTS_EXHAUSTED.answer("An order may have " + limit.attemptsMax()
                    + " attempts (checkout.attempts_max), and this one has had them. Call it off with POST /v1/orders/"
                    + request.orderNo() + "/cancel, and place a new order for another try.");
        }
        return opened(request, (AttemptAnswer.Opened) answer);
    }

    private static Answer opened(OpenAttempt request, AttemptAnswer.Opened opened) {
        JsonObject body = OrderJson.attempt(new OrderView.Attempt(
                        opened.attemptId(), request.psp(), request.account(), opened.status(), opened.pspPaymentId()))
                .put("pay", opened.pay())
                .put("message", OrderMessage.ofAttempt(opened.status()));
        if (opened.sessionEnds() != null) {
            body.put("expires_at", opened.sessionEnds().toString());
        }
        return Answer.json(isUndecided(opened.status()) ? 202 : 201, body);
    }

    /** The PSP was called or is about to be, and nothing is known of it. */
    private static boolean isUndecided(AttemptStatus status) {
        return status == AttemptStatus.UNKNOWN || status == AttemptStatus.CREATED || status == AttemptStatus.PROCESSING;
    }
}
