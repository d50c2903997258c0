package io.quittance.loadtest.sender;

import java.math.BigDecimal;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.PrivateKey;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Alipay's asynchronous notifications (opendocs.alipay.com): a form, signed with RSA2 over its decoded fields in the order
 * of their names, without {@code sign} and {@code sign_type}.
 */
public record AlipaySender(String appId, String sellerId, PrivateKey key) implements Sender {

    /** Alipay's times are China's and name no zone. */
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss").withZone(ZoneOffset.ofHours(8));

    @Override
    public String psp() {
        return "alipay";
    }

    @Override
    public Notification sign(News news, Instant now) {
        String id = news.eventId("");
        Map<String, String> fields = fields(news, id);
        fields.put("notify_time", TIME.format(now));
        byte[] message = joined(fields).getBytes(StandardCharsets.UTF_8);
        byte[] signature = Signing.rsa(key, message);
        String body = form(fields) + "&sign_type=RSA2&sign=" + escape(Signing.base64(signature));
        return new Notification(
                id,
                Map.of("Content-Type", "application/x-www-form-urlencoded; charset=utf-8"),
                body,
                Optional.of(new Notification.Rsa(message, signature)));
    }

    @Override
    public boolean isAcknowledged(int status, String body) {
        return status == 200 && body.equals("success");
    }

    private Map<String, String> fields(News news, String id) {
        Map<String, String> fields = new TreeMap<>();
        fields.put("app_id", appId);
        fields.put("buyer_id", "2088000000000002");
        fields.put("charset", "utf-8");
        fields.put("gmt_create", TIME.format(news.at()));
        fields.put("notify_id", id);
        fields.put("notify_type", "trade_status_sync");
        fields.put("out_trade_no", news.attempt());
        fields.put("passback_params", news.filler());
        fields.put("seller_id", sellerId);
        fields.put("subject", "订单");
        fields.put("total_amount", BigDecimal.valueOf(news.amountMinor(), 2).toPlainString());
        fields.put("trade_no", news.payment());
        fields.put("trade_status", news.succeeded() ? "TRADE_SUCCESS" : "WAIT_BUYER_PAY");
        fields.put("version", "1.0");
        if (news.succeeded()) {
            fields.put("gmt_payment", TIME.format(news.at()));
        }
        return fields;
    }

    private static String joined(Map<String, String> fields) {
        return fields.entrySet().stream()
                .filter(field -> !field.getValue().isEmpty())
                .map(field -> field.getKey() + "=" + field.getValue())
                .collect(Collectors.joining("&"));
    }

    private static String form(Map<String, String> fields) {
        return fields.entrySet().stream()
                .filter(field -> !field.getValue().isEmpty())
                .map(field -> field.getKey() + "=" + escape(field.getValue()))
                .collect(Collectors.joining("&"));
    }

    private static String escape(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        return "AlipaySender[" + appId + "]";
    }
}
