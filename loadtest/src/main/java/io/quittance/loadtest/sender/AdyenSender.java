package io.quittance.loadtest.sender;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Adyen's standard webhooks (docs.adyen.com/development-resources/webhooks): HMAC-SHA256 over some fields of the item. */
public record AdyenSender(String merchantAccount, byte[] hmacKey) implements Sender {

    private static final int REFERENCE_CHARS = 16;

    /** Arguments: signature, currency, amount, event, time, merchant account, attempt, payment, filler. */
    private static final String BODY = """
            {"live":"false","notificationItems":[{"NotificationRequestItem":{\
            "additionalData":{"hmacSignature":"%s","cardSummary":"7777","expiryDate":"12/2030","authCode":"1234"},\
            "amount":{"currency":"%s","value":%d},"eventCode":"%s",\
            "eventDate":"%s","merchantAccountCode":"%s","merchantReference":"%s",\
            "operations":["CANCEL","CAPTURE","REFUND"],"paymentMethod":"visa","pspReference":"%s",\
            "reason":"%s","success":"true"}}]}""";

    @Override
    public String psp() {
        return "adyen";
    }

    @Override
    public Notification sign(News news, Instant now) {
        String reference = reference(news.payment());
        String code = news.succeeded() ? "AUTHORISATION" : "PENDING";
        String signed = String.join(
                ":",
                reference,
                "",
                merchantAccount,
                news.attempt(),
                Long.toString(news.amountMinor()),
                news.currency(),
                code,
                "true");
        String body = BODY.formatted(
                Signing.base64(Signing.hmac(hmacKey, signed)),
                news.currency(),
                news.amountMinor(),
                code,
                time(news.at()),
                merchantAccount,
                news.attempt(),
                reference,
                news.filler());
        // Adyen gives its events no id; the gateway makes it of what tells them apart.
        String id = reference + ":" + code + ":true:";
        return new Notification(id, Map.of("Content-Type", "application/json; charset=utf-8"), body, Optional.empty());
    }

    /** Sixteen characters, the last ones, in which ids of the same moment differ. */
    private static String reference(String payment) {
        return payment.substring(Math.max(0, payment.length() - REFERENCE_CHARS))
                .toUpperCase(Locale.ROOT);
    }

    private static String time(Instant at) {
        OffsetDateTime seconds = at.truncatedTo(ChronoUnit.SECONDS).atOffset(ZoneOffset.ofHours(1));
        return DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(seconds);
    }

    @Override
    public String toString() {
        return "AdyenSender[" + merchantAccount + "]";
    }
}
