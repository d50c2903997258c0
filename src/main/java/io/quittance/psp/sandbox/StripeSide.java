package io.quittance.psp.sandbox;

import static io.quittance.psp.sandbox.StripeObjects.error;
import static io.quittance.psp.sandbox.StripeObjects.newId;
import static io.quittance.psp.sandbox.StripeObjects.stateError;

import io.quittance.domain.Ids;
import io.quittance.psp.sandbox.SandboxPayment.State;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Stripe's API (docs.stripe.com/api): payment intents, refunds and reports, authenticated by a bearer key, with idempotency
 * keys.
 *
 * <p>Which attempt a payment belongs to is read from the metadata, under {@code attempt_id} or else from any value of 32
 * hex characters; failing that from the idempotency key.
 */
final class StripeSide implements PspSide {

    static final String PSP = "stripe";

    private static final String INVALID = "invalid_request_error";
    private static final Set<String> REFUND_REASONS = Set.of("duplicate", "fraudulent", "requested_by_customer");

    private final SandboxKeys.Stripe keys;
    private final Ledger ledger;
    private final StripeNotices notices;
    private final Consumer<List<Notice>> outbox;
    private final StripeReports reports;
    private final StripeIdempotency idempotency = new StripeIdempotency();

    StripeSide(SandboxKeys.Stripe keys, Ledger ledger, StripeNotices notices, Consumer<List<Notice>> outbox) {
        this.keys = keys;
        this.ledger = ledger;
        this.notices = notices;
        this.outbox = outbox;
        this.reports = new StripeReports(ledger);
    }

    @Override
    public String psp() {
        return PSP;
    }

    @Override
    public JsonObject settings(String sandboxBase) {
        return new JsonObject()
                .put("api_base", sandboxBase + "/stripe")
                .put("api_key", keys.apiKey())
                .put("webhook_secrets", new JsonArray().add(keys.webhookSecret()));
    }

    @Override
    public Reply answer(Call call, Instant now) {
        if (!call.header("Authorization").equals("Bearer " + keys.apiKey())) {
            return error(401, INVALID, null, "Invalid API Key provided");
        }
        Map<String, String> form;
        try {
            String text = call.isPost() ? call.body().toString() : call.query();
            form = Form.parse(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return error(400, INVALID, null, "Invalid request: " + e.getMessage());
        }
        if (call.isPost()) {
            return idempotency.once(call, form, () -> post(call, form, now));
        }
        if (call.isGet() && StripeReports.isAbout(call.path())) {
            return reports.get(call, now).orElseGet(() -> missing("report run or file", call.path()));
        }
        return call.isGet() ? get(call.path(), form) : unrecognized(call);
    }

    private Reply post(Call call, Map<String, String> form, Instant now) {
        String path = call.path();
        if (path.equals("/v1/payment_intents")) {
            return create(call, form, now);
        }
        if (path.equals(StripeReports.RUNS)) {
            return reports.run(call, form, now);
        }
        if (path.startsWith("/v1/payment_intents/") && path.endsWith("/cancel")) {
            String id = path.substring("/v1/payment_intents/".length(), path.length() - "/cancel".length());
            return intent(id).map(trade -> cancel(trade, now)).orElseGet(() -> missing("payment_intent", id));
        }
        if (path.equals("/v1/refunds")) {
            String id = form.getOrDefault("payment_intent", "");
            return intent(id)
                    .map(trade -> refund(trade, call, form, now))
                    .orElseGet(() -> missing("payment_intent", id));
        }
        return unrecognized(call);
    }

    private Reply get(String path, Map<String, String> query) {
        if (path.equals("/v1/refunds")) {
            return listRefunds(query.getOrDefault("payment_intent", ""));
        }
        if (path.startsWith("/v1/payment_intents/")) {
            String id = path.substring("/v1/payment_intents/".length());
            return intent(id)
                    .map(trade -> Reply.json(200, StripeObjects.paymentIntent(trade)))
                    .orElseGet(() -> missing("payment_intent", id));
        }
        if (path.startsWith("/v1/refunds/")) {
            String id = path.substring("/v1/refunds/".length());
            return ledger.byPspId(id)
                    .flatMap(trade -> refundOf(trade, id))
                    .map(body -> Reply.json(200, body))
                    .orElseGet(() -> missing("refund", id));
        }
        return error(404, INVALID, null, "Unrecognized request URL");
    }

    private Reply create(Call call, Map<String, String> form, Instant now) {
        long amount = positive(form.getOrDefault("amount", ""));
        String currency = form.getOrDefault("currency", "").toUpperCase(Locale.ROOT);
        if (amount <= 0) {
            return error(400, INVALID, "parameter_invalid_integer", "Invalid amount: it must be a positive integer");
        }
        if (!currency.matches("[A-Z]{3}")) {
            return error(400, INVALID, "parameter_missing", "Invalid or missing currency");
        }
        if (ledger.isFull()) {
            return error(429, INVALID, "rate_limit", "The sandbox keeps no more payments");
        }
        String id = newId("pi_");
        Trade trade = ledger.open(new Trade.Terms(
                PSP, attemptId(call, form, id), id, amount, currency, null, now, null, Map.copyOf(form)));
        return Reply.json(200, StripeObjects.paymentIntent(trade));
    }

    private Reply cancel(Trade trade, Instant now) {
        if (trade.state() != State.OPEN) {
            return stateError(
                    trade,
                    "You cannot cancel this PaymentIntent because it has a status of "
                            + StripeObjects.status(trade.state()) + ".");
        }
        Trade closed = ledger.close(trade);
        outbox.accept(List.of(notices.canceled(closed, now)));
        return Reply.json(200, StripeObjects.paymentIntent(closed));
    }

    private Reply refund(Trade trade, Call call, Map<String, String> form, Instant now) {
        if (!trade.isPaid()) {
            return stateError(trade, "This PaymentIntent does not have a successful charge to refund.");
        }
        String reason = form.get("reason");
        if (reason != null && !REFUND_REASONS.contains(reason)) {
            return error(400, INVALID, null, "Invalid reason: must be one of " + REFUND_REASONS);
        }
        String wanted = form.get("amount");
        long amount = wanted == null ? trade.refundableMinor() : positive(wanted);
        if (trade.refundableMinor() == 0) {
            return error(400, INVALID, "charge_already_refunded", "The charge has already been refunded.");
        }
        if (amount <= 0 || amount > trade.refundableMinor()) {
            return error(400, INVALID, "amount_too_large", "Refund amount is not within the unrefunded amount");
        }
        String id = newId("re_");
        String key = call.header(StripeIdempotency.HEADER);
        Refund refund = new Refund(key.isEmpty() ? id : key, id, amount, now, Map.copyOf(form));
        Trade refunded = ledger.refund(trade, refund);
        outbox.accept(notices.refunded(refunded, refund, now));
        return Reply.json(200, StripeObjects.refund(refunded, refund));
    }

    private Reply listRefunds(String intentId) {
        JsonArray data = new JsonArray();
        intent(intentId)
                .ifPresent(trade -> trade.refunds().forEach(refund -> data.add(StripeObjects.refund(trade, refund))));
        return Reply.json(
                200,
                new JsonObject()
                        .put("object", "list")
                        .put("data", data)
                        .put("has_more", false)
                        .put("url", "/v1/refunds"));
    }

    private Optional<Trade> intent(String id) {
        return ledger.byPspId(id).filter(trade -> trade.terms().pspPaymentId().equals(id));
    }

    private static Optional<JsonObject> refundOf(Trade trade, String id) {
        return trade.refunds().stream()
                .filter(refund -> refund.pspRefundId().equals(id))
                .findFirst()
                .map(refund -> StripeObjects.refund(trade, refund));
    }

    /** A second payment of an attempt is kept under its own id. */
    private String attemptId(Call call, Map<String, String> form, String intentId) {
        String named = form.getOrDefault("metadata[attempt_id]", "");
        String attemptId = named.isEmpty()
                ? form.entrySet().stream()
                        .filter(field -> field.getKey().startsWith("metadata["))
                        .map(Map.Entry::getValue)
                        .filter(value -> Ids.parseHex(value).isPresent())
                        .findFirst()
                        .orElse(call.header(StripeIdempotency.HEADER))
                : named;
        boolean usable = !attemptId.isEmpty() && ledger.byAttempt(attemptId).isEmpty();
        return usable ? attemptId : intentId;
    }

    private static Reply missing(String what, String id) {
        return error(404, INVALID, "resource_missing", "No such " + what + ": '" + id + "'");
    }

    private static Reply unrecognized(Call call) {
        return error(404, INVALID, null, "Unrecognized request URL (" + call.method() + ": " + call.path() + ")");
    }

    /** 0 for whatever is not a positive number that Stripe takes, of at most 12 digits. */
    private static long positive(String text) {
        return text.matches("[0-9]{1,12}") ? Long.parseLong(text) : 0;
    }

    @Override
    public Optional<Notice> paid(Trade trade, Instant now) {
        return Optional.of(notices.paid(trade, now));
    }

    @Override
    public List<Notice> besidesPaid(Trade trade, Instant now) {
        return notices.besidesPaid(trade, now);
    }

    @Override
    public List<Notice> declined(Trade trade, Instant now) {
        return List.of(notices.declined(trade, now));
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
        return "\"amount\":";
    }
}
