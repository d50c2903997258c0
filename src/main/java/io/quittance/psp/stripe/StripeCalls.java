package io.quittance.psp.stripe;

import io.quittance.domain.Mismatch;
import io.quittance.domain.Money;
import io.quittance.psp.FormBody;
import io.quittance.psp.JsonFields;
import io.quittance.psp.PaymentReport;
import io.quittance.psp.PaymentReport.Status;
import io.quittance.psp.PspAdapter.NewPayment;
import io.quittance.psp.PspAdapter.PaymentRef;
import io.quittance.psp.PspHttp;
import io.quittance.psp.PspHttp.Answer;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Creates, asks about and cancels PaymentIntents (docs.stripe.com/api/payment_intents). */
final class StripeCalls {

    /** Pinned, so that the account's default cannot change what we read. */
    private static final String API_VERSION = "2025-11-17.clover";

    private final StripeSettings settings;
    private final PspHttp http;

    StripeCalls(StripeSettings settings, PspHttp http) {
        this.settings = settings;
        this.http = http;
    }

    Future<PaymentReport> create(NewPayment payment) {
        return send(payment, answer -> created(answer, payment.attemptId()));
    }

    /**
     * Without Stripe's id it repeats the creation, which the idempotency key makes a question, and then asks for the
     * present state: a repeated creation is answered with the state of the first time.
     */
    Future<PaymentReport> query(PaymentRef payment) {
        String id = payment.pspPaymentId();
        if (id == null) {
            return send(payment.original(), answer -> repeated(answer, payment.attemptId()))
                    .compose(report -> refreshed(report, payment.attemptId()));
        }
        return get(intentPath(id))
                .map(answer -> found(answer, payment.attemptId(), id))
                .otherwise(failure -> PaymentReport.noAnswer(PspHttp.reason(failure)));
    }

    Future<PaymentReport> close(PaymentRef payment) {
        String id = payment.pspPaymentId();
        if (id == null) {
            return query(payment).compose(report -> closeFound(payment, report));
        }
        return post(intentPath(id) + "/cancel", Map.of(), null)
                .compose(answer -> closed(answer, payment, id))
                .otherwise(failure -> PaymentReport.noAnswer(PspHttp.reason(failure)));
    }

    Future<Answer> get(String path) {
        return http.send(HttpMethod.GET, settings.apiBase() + path, headers(null), Buffer.buffer());
    }

    Future<Answer> post(String path, Map<String, String> form, @Nullable String idempotencyKey) {
        Map<String, String> headers = headers(idempotencyKey);
        headers.put("Content-Type", "application/x-www-form-urlencoded");
        Buffer body = Buffer.buffer(FormBody.encode(form));
        return http.send(HttpMethod.POST, settings.apiBase() + path, headers, body);
    }

    /** The error's code word, or its type if it has no code. */
    static String errorCode(Answer answer) {
        JsonObject body = JsonFields.parse(answer.body());
        JsonObject error = body == null ? null : JsonFields.object(body, "error");
        String code = JsonFields.code(error, error != null && error.containsKey("code") ? "code" : "type");
        return "status " + answer.status() + ", " + code;
    }

    /**
     * Whether Stripe refused for good. A conflict, a rate limit, and a key that was used with other parameters all leave
     * open what became of the first call.
     */
    static boolean isRefusal(Answer answer) {
        if (answer.status() < 400 || answer.status() >= 500 || answer.status() == 409 || answer.status() == 429) {
            return false;
        }
        JsonObject body = JsonFields.parse(answer.body());
        JsonObject error = body == null ? null : JsonFields.object(body, "error");
        return error != null && !"idempotency_error".equals(JsonFields.text(error, "type"));
    }

    private Future<PaymentReport> send(NewPayment payment, Function<Answer, PaymentReport> reader) {
        Optional<Long> amount = StripeAmounts.write(payment.amount());
        if (amount.isEmpty()) {
            return Future.succeededFuture(
                    PaymentReport.of(Status.FAILED, null, "Stripe cannot charge this amount of this currency"));
        }
        Map<String, String> form = new LinkedHashMap<>();
        form.put("amount", Long.toString(amount.get()));
        form.put("currency", payment.amount().currency().toLowerCase(Locale.ROOT));
        form.put("automatic_payment_methods[enabled]", "true");
        form.put("description", payment.orderNo());
        form.put("metadata[attempt_id]", payment.attemptId());
        return post("/v1/payment_intents", form, payment.attemptId())
                .map(reader)
                .otherwise(failure -> PaymentReport.noAnswer(PspHttp.reason(failure)));
    }

    /** A key that is not let in now says nothing about what it did the first time. */
    private PaymentReport repeated(Answer answer, String attemptId) {
        boolean shutOut = answer.status() == 401 || answer.status() == 403 || answer.status() == 404;
        return shutOut ? PaymentReport.noAnswer(errorCode(answer)) : created(answer, attemptId);
    }

    private Future<PaymentReport> refreshed(PaymentReport report, String attemptId) {
        String id = report.pspPaymentId();
        return id == null
                ? Future.succeededFuture(report)
                : get(intentPath(id))
                        .map(answer -> found(answer, attemptId, id))
                        .otherwise(failure -> PaymentReport.noAnswer(PspHttp.reason(failure)));
    }

    private Future<PaymentReport> closeFound(PaymentRef payment, PaymentReport report) {
        String id = report.pspPaymentId();
        if (report.status() != Status.PENDING || id == null) {
            return Future.succeededFuture(report);
        }
        return close(new PaymentRef(payment.attemptId(), id, payment.original()));
    }

    private Future<PaymentReport> closed(Answer answer, PaymentRef payment, String id) {
        if (answer.status() == 200 || answer.status() == 404) {
            return Future.succeededFuture(found(answer, payment.attemptId(), id));
        }
        // Stripe refuses to cancel what was paid or is being paid.
        return isRefusal(answer) ? query(payment) : Future.succeededFuture(PaymentReport.noAnswer(errorCode(answer)));
    }

    private PaymentReport created(Answer answer, String attemptId) {
        if (answer.status() == 200) {
            return read(answer, attemptId);
        }
        return isRefusal(answer)
                ? PaymentReport.of(Status.FAILED, null, errorCode(answer))
                : PaymentReport.noAnswer(errorCode(answer));
    }

    private PaymentReport found(Answer answer, String attemptId, String id) {
        if (answer.status() == 404 && isRefusal(answer)) {
            return PaymentReport.of(Status.NOT_FOUND, null, errorCode(answer));
        }
        if (answer.status() != 200) {
            return PaymentReport.noAnswer(errorCode(answer));
        }
        PaymentReport report = read(answer, attemptId);
        return id.equals(report.pspPaymentId())
                ? report
                : PaymentReport.noAnswer("the answer is about another payment");
    }

    private PaymentReport read(Answer answer, String attemptId) {
        JsonObject intent = JsonFields.parse(answer.body());
        String id = intent == null ? null : JsonFields.filled(intent, "id");
        String status = intent == null ? null : JsonFields.text(intent, "status");
        if (intent == null || id == null || status == null) {
            return PaymentReport.noAnswer("the answer is not a PaymentIntent");
        }
        String reference = JsonFields.textIn(intent, "metadata", "attempt_id");
        if (reference != null && !reference.equals(attemptId)) {
            return PaymentReport.noAnswer("the answer is about another payment");
        }
        PaymentReport report = byStatus(status, id, intent);
        Boolean livemode = JsonFields.bool(intent, "livemode");
        boolean otherMode = livemode != null
                && settings.live().map(live -> !live.equals(livemode)).orElse(false);
        return otherMode ? report.withMismatch(Mismatch.MODE) : report;
    }

    private static PaymentReport byStatus(String status, String id, JsonObject intent) {
        return switch (status) {
            case "succeeded" -> succeeded(id, intent);
            case "canceled" -> PaymentReport.of(Status.CLOSED, id, status);
            case "requires_payment_method",
                    "requires_confirmation",
                    "requires_action",
                    "requires_capture",
                    "processing" -> pending(id, intent);
            default -> PaymentReport.noAnswer("the PaymentIntent has an unknown status");
        };
    }

    private static PaymentReport succeeded(String id, JsonObject intent) {
        Optional<Money> received = StripeAmounts.read(intent, "amount_received");
        return received.isPresent()
                ? PaymentReport.succeeded(id, received.get())
                : PaymentReport.noAnswer("amount_received and currency are not an exact amount");
    }

    private static PaymentReport pending(String id, JsonObject intent) {
        String clientSecret = JsonFields.filled(intent, "client_secret");
        JsonObject pay = clientSecret == null ? new JsonObject() : new JsonObject().put("client_secret", clientSecret);
        return PaymentReport.created(id, pay, null);
    }

    private Map<String, String> headers(@Nullable String idempotencyKey) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Authorization", "Bearer " + settings.apiKey());
        headers.put("Stripe-Version", API_VERSION);
        if (idempotencyKey != null) {
            headers.put("Idempotency-Key", idempotencyKey);
        }
        return headers;
    }

    private static String intentPath(String id) {
        return "/v1/payment_intents/" + FormBody.escape(id);
    }
}
