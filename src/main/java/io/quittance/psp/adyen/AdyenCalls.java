package io.quittance.psp.adyen;

import io.quittance.psp.FormBody;
import io.quittance.psp.JsonFields;
import io.quittance.psp.PaymentReport;
import io.quittance.psp.PaymentReport.Status;
import io.quittance.psp.PspAdapter.NewPayment;
import io.quittance.psp.PspAdapter.PaymentRef;
import io.quittance.psp.PspHttp;
import io.quittance.psp.PspHttp.Answer;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Creates, asks about and closes payment links (docs.adyen.com/api-explorer/Checkout/71/post/paymentLinks). A link ends
 * at its {@code expiresAt}, which Adyen takes up to 70 days ahead, or when it is closed.
 *
 * <p>A link is not a payment: its id is never told as the payment's. Each try of the payer has a pspReference of its own,
 * refunds need that of the one that succeeded, and only the notifications name it. So that an attempt is not tied to an
 * id that no later news would fit, the link's id is not kept at all but learned again by repeating the creation, which
 * the idempotency key makes a question.
 *
 * <p>For the same reason a link that is "completed" is not a success here, but a payment that is not decided: the answer
 * names no payment that could be refunded, and does not say whether its money was captured. Adyen repeats the
 * notification that says both for 30 days; until it comes the order neither expires nor is paid.
 */
final class AdyenCalls {

    private static final String LINKS = "/paymentLinks";
    private static final int DESCRIPTION_CHARS_MAX = 280;

    /**
     * A forgotten key would not ask but make a second link. Adyen keeps keys for at least 7 days
     * (docs.adyen.com/development-resources/api-idempotency); an hour is left for clocks that differ.
     */
    private static final Duration KEY_AGE_MAX = Duration.ofDays(7).minusHours(1);

    private final AdyenSettings settings;
    private final AdyenApi api;
    private final Clock clock;

    AdyenCalls(AdyenSettings settings, AdyenApi api, Clock clock) {
        this.settings = settings;
        this.api = api;
        this.clock = clock;
    }

    Future<PaymentReport> create(NewPayment payment) {
        return post(payment, answer -> Future.succeededFuture(created(answer, payment.attemptId())));
    }

    Future<PaymentReport> query(PaymentRef payment) {
        return withLink(payment, link -> ask(link, payment.attemptId()));
    }

    /** Only an active link is closed: a payment that is under way must come to its end first. */
    Future<PaymentReport> close(PaymentRef payment) {
        String attemptId = payment.attemptId();
        return withLink(payment, link -> api.get(path(link)).compose(answer -> {
            PaymentReport now = found(answer, attemptId);
            boolean active = now.status() == Status.PENDING && !now.pay().isEmpty();
            return active ? expire(link, attemptId) : Future.succeededFuture(now);
        }));
    }

    private Future<PaymentReport> expire(String link, String attemptId) {
        return api.patch(path(link), new JsonObject().put("status", "expired")).compose(answer -> {
            if (answer.status() == 200) {
                return Future.succeededFuture(found(answer, attemptId));
            }
            // Adyen refuses if it was paid, is being paid or has ended in the meantime.
            return AdyenApi.isRefusal(answer)
                    ? ask(link, attemptId)
                    : Future.succeededFuture(PaymentReport.noAnswer(AdyenApi.errorCode(answer)));
        });
    }

    private Future<PaymentReport> ask(String link, String attemptId) {
        return api.get(path(link)).map(answer -> found(answer, attemptId));
    }

    /** Learns the link's id by asking for its creation once more, and goes on with it. */
    private Future<PaymentReport> withLink(PaymentRef payment, Function<String, Future<PaymentReport>> next) {
        if (bornAt(payment.attemptId()).plus(KEY_AGE_MAX).isBefore(clock.instant())) {
            return Future.succeededFuture(
                    PaymentReport.noAnswer("Adyen may have forgotten the key under which the link was created"));
        }
        return post(payment.original(), answer -> repeated(answer, payment.attemptId(), next));
    }

    private Future<PaymentReport> repeated(
            Answer answer, String attemptId, Function<String, Future<PaymentReport>> next) {
        String link = isCreated(answer) ? link(answer, attemptId) : null;
        if (link != null) {
            return next.apply(link);
        }
        return Future.succeededFuture(
                AdyenApi.isShutOut(answer)
                        ? PaymentReport.noAnswer(AdyenApi.errorCode(answer))
                        : created(answer, attemptId));
    }

    private Future<PaymentReport> post(NewPayment payment, Function<Answer, Future<PaymentReport>> reader) {
        Optional<Long> amount = AdyenAmounts.write(payment.amount());
        if (amount.isEmpty()) {
            return Future.succeededFuture(
                    PaymentReport.of(Status.FAILED, null, "Adyen cannot charge this amount of this currency"));
        }
        return api.post(LINKS, creation(payment, amount.get()), payment.attemptId())
                .compose(reader)
                .otherwise(failure -> PaymentReport.noAnswer(PspHttp.reason(failure)));
    }

    /** The same for each repetition. */
    private JsonObject creation(NewPayment payment, long amount) {
        String orderNo = payment.orderNo();
        return new JsonObject()
                .put("reference", new AdyenReference(payment.attemptId(), null).text())
                .put(
                        "amount",
                        new JsonObject()
                                .put("value", amount)
                                .put("currency", payment.amount().currency()))
                .put("merchantAccount", settings.merchantAccount())
                .put(
                        "expiresAt",
                        payment.expiresAt().truncatedTo(ChronoUnit.SECONDS).toString())
                .put(
                        "returnUrl",
                        payment.returnUrl() + "?" + AdyenReturns.REFERENCE + "=" + FormBody.escape(payment.attemptId()))
                .put("description", orderNo.substring(0, Math.min(orderNo.length(), DESCRIPTION_CHARS_MAX)));
    }

    private PaymentReport created(Answer answer, String attemptId) {
        if (isCreated(answer)) {
            return read(answer, attemptId);
        }
        return AdyenApi.isRefusal(answer)
                ? PaymentReport.of(Status.FAILED, null, AdyenApi.errorCode(answer))
                : PaymentReport.noAnswer(AdyenApi.errorCode(answer));
    }

    private PaymentReport found(Answer answer, String attemptId) {
        if (answer.status() == 404 && AdyenApi.isRefusal(answer)) {
            return PaymentReport.of(Status.NOT_FOUND, null, AdyenApi.errorCode(answer));
        }
        return answer.status() == 200 ? read(answer, attemptId) : PaymentReport.noAnswer(AdyenApi.errorCode(answer));
    }

    private PaymentReport read(Answer answer, String attemptId) {
        JsonObject body = JsonFields.parse(answer.body());
        if (body == null || link(answer, attemptId) == null) {
            return PaymentReport.noAnswer("the answer is not this payment's link");
        }
        String status = String.valueOf(JsonFields.text(body, "status"));
        return switch (status) {
            case "active" -> active(body);
            case "paymentPending", "completed", "paid" -> PaymentReport.of(Status.PENDING, null, status);
            case "expired" -> PaymentReport.of(Status.CLOSED, null, status);
            default -> PaymentReport.noAnswer("the link has an unknown status");
        };
    }

    private static PaymentReport active(JsonObject body) {
        String url = JsonFields.filled(body, "url");
        return url == null
                ? PaymentReport.noAnswer("the link has no url")
                : PaymentReport.created(null, new JsonObject().put("url", url), instant(body, "expiresAt"));
    }

    /** The id of the link that an answer is about; null unless it is this attempt's. */
    private static @Nullable String link(Answer answer, String attemptId) {
        JsonObject body = JsonFields.parse(answer.body());
        boolean ours = body != null && attemptId.equals(JsonFields.text(body, "reference"));
        return body == null || !ours ? null : JsonFields.filled(body, "id");
    }

    private static boolean isCreated(Answer answer) {
        return answer.status() == 200 || answer.status() == 201;
    }

    private static @Nullable Instant instant(JsonObject body, String name) {
        String text = JsonFields.filled(body, name);
        try {
            return text == null ? null : OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeException e) {
            return null;
        }
    }

    /** Attempts carry the time of their birth: their ids are UUIDs of version 7 (RFC 9562, section 5.7). */
    private static Instant bornAt(String attemptId) {
        return Instant.ofEpochMilli(Long.parseLong(attemptId.substring(0, 12), 16));
    }

    private static String path(String link) {
        return LINKS + "/" + FormBody.escape(link);
    }
}
