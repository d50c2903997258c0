package io.quittance.psp.sandbox;

import static io.quittance.psp.sandbox.AdyenObjects.error;
import static io.quittance.psp.sandbox.AdyenObjects.newPspReference;

import io.quittance.psp.sandbox.SandboxPayment.State;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Adyen's Checkout API, version 71: payment links and refunds, authenticated by {@code X-API-Key}; and the download of a
 * Settlement details report, for which a report user has a name and a password.
 *
 * <p>A payment has a pspReference from the start here and shows it once it is paid, as only a payment has one. A refund is
 * received first; whether it was possible says its notification.
 */
final class AdyenSide implements PspSide {

    static final String PSP = "adyen";

    private static final String API = "/v71";
    private static final String LINKS = API + "/paymentLinks";
    private static final String PAYMENTS = API + "/payments/";
    private static final String PAGES = "/link/";
    private static final int BATCH = 1;
    private static final String REPORT = "/reports/settlement_detail_report_batch_" + BATCH + ".csv";
    private static final int REFERENCE_CHARS_MAX = 80;
    private static final Duration LINK_LIFE_MAX = Duration.ofDays(70);
    private static final String LINK_KEY = "link:";

    private final SandboxKeys.Adyen keys;
    private final Ledger ledger;
    private final AdyenNotices notices;
    private final Consumer<List<Notice>> outbox;
    private final AdyenIdempotency idempotency = new AdyenIdempotency();

    AdyenSide(SandboxKeys.Adyen keys, Ledger ledger, AdyenNotices notices, Consumer<List<Notice>> outbox) {
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
        return new JsonObject()
                .put("api_base", sandboxBase + "/" + PSP + API)
                .put("merchant_account", keys.merchantAccount())
                .put("api_key", keys.apiKey())
                .put("hmac_keys", new JsonArray().add(keys.hmacKey()))
                .put("live", false);
    }

    @Override
    public Reply answer(Call call, Instant now) {
        if (call.isGet() && call.path().equals(REPORT)) {
            return report(call, now);
        }
        if (call.isGet() && call.path().startsWith(PAGES)) {
            return page(call.path().substring(PAGES.length()), now);
        }
        if (!call.header("X-API-Key").equals(keys.apiKey())) {
            return error(401, "000", "HTTP Status Response - Unauthorized");
        }
        if (call.isGet() && call.path().startsWith(LINKS + "/")) {
            return onLink(call, trade -> link(trade, 200, call, now));
        }
        JsonObject body;
        try {
            body = call.body().toJsonObject();
        } catch (DecodeException | ClassCastException e) {
            return error(400, "702", "The body is not a JSON object");
        }
        if (call.method().equals(HttpMethod.PATCH) && call.path().startsWith(LINKS + "/")) {
            return onLink(call, trade -> expire(trade, body, call, now));
        }
        return call.isPost() ? idempotency.once(call, () -> post(call, body, now)) : noSuchAddress();
    }

    /**
     * The payer opens a link.
     *
     * @throws Cashier.NotPayable if there is no such link, or it is no longer active
     */
    void open(String linkId, Instant now) {
        Trade trade =
                byLink(linkId).orElseThrow(() -> new Cashier.NotPayable("Adyen has no payment link " + linkId, true));
        if (trade.state() != State.OPEN || trade.isExpired(now)) {
            throw new Cashier.NotPayable("the payment link " + linkId + " is not active", false);
        }
    }

    /** The id in a link's address; empty for any other path. */
    static Optional<String> linkId(@Nullable String path) {
        String prefix = "/" + PSP + PAGES;
        return path != null && path.startsWith(prefix)
                ? Optional.of(path.substring(prefix.length()))
                : Optional.empty();
    }

    private Reply post(Call call, JsonObject body, Instant now) {
        String path = call.path();
        if (path.equals(LINKS)) {
            return create(call, body, now);
        }
        if (path.startsWith(PAYMENTS) && path.endsWith("/refunds")) {
            String payment = path.substring(PAYMENTS.length(), path.length() - "/refunds".length());
            return refund(payment, body, now);
        }
        return noSuchAddress();
    }

    private Reply create(Call call, JsonObject body, Instant now) {
        if (!keys.merchantAccount().equals(text(body, "merchantAccount"))) {
            return error(403, "901", "Invalid Merchant Account");
        }
        String reference = text(body, "reference");
        if (reference.isEmpty() || reference.length() > REFERENCE_CHARS_MAX) {
            return error(422, "130", "Required field 'reference' is not provided or too long");
        }
        JsonObject amount = object(body, "amount");
        long value = whole(amount);
        String currency = text(amount, "currency");
        if (value <= 0 || !currency.matches("[A-Z]{3}")) {
            return error(422, "137", "Invalid amount specified");
        }
        Instant expiresAt = instant(text(body, "expiresAt"));
        if (expiresAt == null || !expiresAt.isAfter(now) || expiresAt.isAfter(now.plus(LINK_LIFE_MAX))) {
            return error(422, "14_0425", "Invalid expiresAt: it must lie ahead, by at most 70 days");
        }
        if (ledger.isFull()) {
            return error(429, "905", "The sandbox keeps no more payments");
        }
        String linkId = "PL" + newPspReference();
        Map<String, String> texts = Map.of(
                AdyenObjects.LINK_ID,
                linkId,
                AdyenObjects.REFERENCE,
                reference,
                AdyenObjects.DESCRIPTION,
                text(body, "description"),
                AdyenObjects.RETURN_URL,
                text(body, "returnUrl"));
        // A second link with the same reference is kept under its own id.
        String attemptId = ledger.byAttempt(reference).isEmpty() ? reference : linkId;
        Trade trade = ledger.open(
                new Trade.Terms(PSP, attemptId, newPspReference(), value, currency, null, now, expiresAt, texts));
        ledger.alsoFindBy(LINK_KEY + linkId, trade);
        return link(trade, 201, call, now);
    }

    private Reply expire(Trade trade, JsonObject body, Call call, Instant now) {
        if (!text(body, "status").equals("expired")) {
            return error(422, "702", "status can only be set to expired");
        }
        if (trade.state() != State.OPEN || trade.isExpired(now)) {
            return error(422, "14_0410", "The payment link is not active");
        }
        return link(ledger.close(trade), 200, call, now);
    }

    private Reply refund(String payment, JsonObject body, Instant now) {
        if (!keys.merchantAccount().equals(text(body, "merchantAccount"))) {
            return error(403, "901", "Invalid Merchant Account");
        }
        Optional<Trade> found = ledger.byPspId(payment)
                .filter(trade -> trade.terms().pspPaymentId().equals(payment))
                .filter(Trade::isPaid);
        if (found.isEmpty()) {
            return error(422, "167", "Original pspReference required for this operation");
        }
        Trade trade = found.get();
        JsonObject amount = object(body, "amount");
        long wanted = whole(amount);
        if (wanted <= 0 || !trade.terms().currency().equals(text(amount, "currency"))) {
            return error(422, "137", "Invalid amount specified");
        }
        Refund refund = new Refund(text(body, "reference"), newPspReference(), wanted, now, Map.of());
        boolean possible = wanted <= trade.refundableMinor();
        Trade after = possible ? ledger.refund(trade, refund) : trade;
        outbox.accept(List.of(notices.refunded(after, refund, possible, now)));
        return Reply.json(201, AdyenObjects.refund(after, refund, keys.merchantAccount()));
    }

    private Reply report(Call call, Instant now) {
        String login = keys.reportUser() + ":" + keys.reportPassword();
        String expected = "Basic " + Base64.getEncoder().encodeToString(login.getBytes(StandardCharsets.UTF_8));
        if (!call.header("Authorization").equals(expected)) {
            return Reply.empty(401).with(Map.of("WWW-Authenticate", "Basic realm=\"reports\""));
        }
        Buffer file = new AdyenReport(keys.merchantAccount(), BATCH).of(ledger.ofPsp(PSP), now);
        return new Reply(200, Map.of("Content-Type", "text/csv; charset=utf-8"), file);
    }

    /** What a person sees who opens a link in the browser. */
    private Reply page(String linkId, Instant now) {
        return byLink(linkId)
                .map(trade -> Reply.text(
                        200,
                        "text/plain; charset=utf-8",
                        trade.state() == State.OPEN && !trade.isExpired(now)
                                ? "No money moves here. To pay: POST /pay/"
                                        + trade.terms().attemptId() + "\n"
                                : "This link is not active.\n"))
                .orElseGet(() -> Reply.text(404, "text/plain; charset=utf-8", "There is no such link.\n"));
    }

    private Reply onLink(Call call, Function<Trade, Reply> work) {
        return byLink(call.path().substring((LINKS + "/").length()))
                .map(work)
                .orElseGet(() -> error(404, "14_0408", "There is no such payment link"));
    }

    private Reply link(Trade trade, int status, Call call, Instant now) {
        String linkBase = "http://" + call.header("Host") + "/" + PSP + PAGES;
        return Reply.json(status, AdyenObjects.link(trade, keys.merchantAccount(), linkBase, now));
    }

    private Optional<Trade> byLink(String linkId) {
        return ledger.byPspId(LINK_KEY + linkId);
    }

    private static Reply noSuchAddress() {
        return error(404, "702", "There is no such address");
    }

    private static String text(JsonObject body, String key) {
        return body.getValue(key) instanceof String text ? text : "";
    }

    private static JsonObject object(JsonObject body, String key) {
        return body.getValue(key) instanceof JsonObject object ? object : new JsonObject();
    }

    /** 0 if it is not a whole number. */
    private static long whole(JsonObject amount) {
        Object value = amount.getValue("value");
        return value instanceof Integer || value instanceof Long ? ((Number) value).longValue() : 0;
    }

    private static @Nullable Instant instant(String text) {
        try {
            return OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeException e) {
            return null;
        }
    }

    @Override
    public Optional<Notice> paid(Trade trade, Instant now) {
        return Optional.of(notices.paid(trade, now));
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
        return "\"value\":";
    }

    /** Of a link, but not of its payment: Adyen goes on for 30 days until the notification about that is acknowledged. */
    @Override
    public boolean canBeAsked() {
        return false;
    }
}
