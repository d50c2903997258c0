package io.quittance.psp.sandbox;

import io.quittance.domain.Ids;
import io.quittance.domain.Money;
import io.quittance.psp.JsonFields;
import io.quittance.psp.sandbox.SandboxPayment.State;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * A PSP that signs after Standard Webhooks. The specification has no calls, so these are the sandbox's own, for the
 * merchant's checkout and its staff; nobody has to authenticate:
 *
 * <ul>
 *   <li>{@code POST /payments} with {@code {"reference": attempt id, "amount": {"value": "19.99", "currency": "CNY"}}} makes
 *       a payment that the payer can pay. The same again gives the same payment.
 *   <li>{@code POST /payments/{id}/close} closes it unpaid.
 *   <li>{@code POST /payments/{id}/refunds} with {@code {"reference": our refund's id if it has one, "amount": {...}}} sends
 *       money back.
 * </ul>
 *
 * <p>All of them answer with the payment; errors are {@code {"error": text}}.
 */
final class StandardWebhooksSide implements PspSide {

    static final String PSP = "standardwebhooks";

    private static final String PAYMENTS = "/payments";

    private final SandboxKeys.StandardWebhooks keys;
    private final Ledger ledger;
    private final StandardWebhooksNotices notices;
    private final Consumer<List<Notice>> outbox;

    StandardWebhooksSide(
            SandboxKeys.StandardWebhooks keys,
            Ledger ledger,
            StandardWebhooksNotices notices,
            Consumer<List<Notice>> outbox) {
        this.keys = keys;
        this.ledger = ledger;
        this.notices = notices;
        this.outbox = outbox;
    }

    @Override
    public String psp() {
        return PSP;
    }

    @Override
    public JsonObject settings(String sandboxBase) {
        return new JsonObject().put("webhook_secrets", new JsonArray().add(keys.webhookSecret()));
    }

    @Override
    public boolean canBeAsked() {
        return false;
    }

    @Override
    public Reply answer(Call call, Instant now) {
        JsonObject body = call.body().length() == 0 ? new JsonObject() : JsonFields.parse(call.body());
        if (body == null) {
            return error(400, "the body is not a JSON object");
        }
        String path = call.path();
        if (call.isPost() && path.equals(PAYMENTS)) {
            return create(body, now);
        }
        for (String verb : new String[] {"/close", "/refunds"}) {
            if (call.isPost() && path.startsWith(PAYMENTS + "/") && path.endsWith(verb)) {
                String id = path.substring(PAYMENTS.length() + 1, path.length() - verb.length());
                return ledger.byPspId(id)
                        .filter(trade -> trade.terms().psp().equals(PSP))
                        .map(trade -> verb.equals("/close") ? close(trade, now) : refund(trade, body, now))
                        .orElseGet(() -> error(404, "there is no such payment"));
            }
        }
        return error(404, "only POST " + PAYMENTS + " and below it /{id}/close and /{id}/refunds are here");
    }

    private Reply create(JsonObject body, Instant now) {
        String reference = JsonFields.filled(body, "reference");
        Optional<Money> amount = amount(body);
        if (reference == null || amount.isEmpty()) {
            return error(422, "reference or amount is missing, or the amount is not above zero");
        }
        Trade.Terms terms = new Trade.Terms(
                PSP,
                reference,
                newId("pay_"),
                amount.get().minor(),
                amount.get().currency(),
                null,
                now,
                null,
                Map.of());
        Optional<Trade> known = ledger.byAttempt(reference);
        if (known.isPresent()) {
            return known.get().terms().sameAs(terms)
                    ? Reply.json(200, StandardWebhooksNotices.payment(known.get()))
                    : error(409, "another payment has this reference");
        }
        return ledger.isFull()
                ? error(429, "the sandbox keeps no more payments")
                : Reply.json(201, StandardWebhooksNotices.payment(ledger.open(terms)));
    }

    private Reply close(Trade trade, Instant now) {
        if (trade.state() != State.OPEN) {
            return error(409, "the payment is " + trade.state().name().toLowerCase(Locale.ROOT));
        }
        Trade closed = ledger.close(trade);
        outbox.accept(List.of(notices.about(closed, "payment.closed", now)));
        return Reply.json(200, StandardWebhooksNotices.payment(closed));
    }

    private Reply refund(Trade trade, JsonObject body, Instant now) {
        Optional<Money> amount = amount(body);
        if (amount.isEmpty() || !amount.get().currency().equals(trade.terms().currency())) {
            return error(422, "the amount is missing, not above zero, or in another currency");
        }
        String reference = JsonFields.filled(body, "reference");
        if (reference != null && trade.refund(reference).isPresent()) {
            return Reply.json(200, StandardWebhooksNotices.payment(trade));
        }
        if (!trade.isPaid() || amount.get().minor() > trade.refundableMinor()) {
            return error(409, "so much cannot go back");
        }
        String id = newId("ref_");
        Map<String, String> texts = reference == null ? Map.of() : Map.of("reference", reference);
        Refund refund =
                new Refund(reference == null ? id : reference, id, amount.get().minor(), now, texts);
        Trade refunded = ledger.refund(trade, refund);
        outbox.accept(List.of(notices.refunded(refunded, refund, now)));
        return Reply.json(201, StandardWebhooksNotices.payment(refunded));
    }

    private static Optional<Money> amount(JsonObject body) {
        JsonObject amount = JsonFields.object(body, "amount");
        String value = amount == null ? null : JsonFields.filled(amount, "value");
        String currency = amount == null ? null : JsonFields.filled(amount, "currency");
        return value == null || currency == null ? Optional.empty() : positive(value, currency);
    }

    private static Optional<Money> positive(String value, String currency) {
        try {
            return Optional.of(Money.ofDecimal(value, currency, Money.isoExponent(currency)))
                    .filter(money -> money.minor() > 0);
        } catch (ArithmeticException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    static String newId(String prefix) {
        return prefix + Ids.hex(UUID.randomUUID());
    }

    private static Reply error(int status, String text) {
        return Reply.json(status, new JsonObject().put("error", text));
    }

    @Override
    public Optional<Notice> paid(Trade trade, Instant now) {
        return Optional.of(notices.about(trade, "payment.succeeded", now));
    }

    @Override
    public List<Notice> declined(Trade trade, Instant now) {
        return List.of(notices.about(trade, "payment.declined", now));
    }

    @Override
    public Notice.Signed sign(Notice notice, Instant now) {
        return notices.sign(notice, now);
    }

    @Override
    public boolean isAcknowledged(int status, Buffer body) {
        return status >= 200 && status < 300;
    }

    @Override
    public String tamperMark() {
        return "\"value\":\"";
    }
}
