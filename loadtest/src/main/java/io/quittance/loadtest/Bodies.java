package io.quittance.loadtest;

import java.util.Map;

/** What the PSPs write about one successful payment. A tilde marks where a body is filled up to its size. */
final class Bodies {

    /** One argument: the attempt's id. */
    static final String STRIPE = """
            {
              "id": "evt_3Ocr5LLkdIwHu7ix0000abcd", "object": "event", "api_version": "2025-11-17.clover",
              "created": 1772366400, "data": {
                "object": {
                  "id": "pi_3Ocr5LLkdIwHu7ix0000abcd", "object": "payment_intent", "amount": 1999,
                  "amount_capturable": 0, "amount_details": {"tip": {}}, "amount_received": 1999,
                  "automatic_payment_methods": {"allow_redirects": "always", "enabled": true},
                  "canceled_at": null, "cancellation_reason": null, "capture_method": "automatic",
                  "client_secret": "pi_3Ocr5LLkdIwHu7ix0000abcd_secret_x", "currency": "eur",
                  "description": "~", "last_payment_error": null, "livemode": false,
                  "metadata": {"attempt_id": "%s"}, "payment_method_types": ["card"], "status": "succeeded"
                }
              },
              "livemode": false, "pending_webhooks": 1, "request": {"id": null}, "type": "payment_intent.succeeded"
            }
            """;

    /** Two arguments: the ciphertext and the nonce. */
    static final String WECHATPAY = """
            {"id":"EV-2026030112000000000000000001","create_time":"2026-03-01T20:00:00+08:00",\
            "resource_type":"encrypt-resource","event_type":"TRANSACTION.SUCCESS","summary":"~",\
            "resource":{"original_type":"transaction","algorithm":"AEAD_AES_256_GCM","ciphertext":"%s",\
            "associated_data":"transaction","nonce":"%s"}}""";

    /** One argument: the attempt's id. */
    static final String WECHATPAY_PLAIN = """
            {"mchid":"1900000001","appid":"wx0000000000000001","out_trade_no":"%s",\
            "transaction_id":"4200000000202603010000000001","trade_type":"NATIVE","trade_state":"SUCCESS",\
            "trade_state_desc":"支付成功","bank_type":"OTHERS","attach":"","success_time":"2026-03-01T20:00:00+08:00",\
            "payer":{"openid":"oUpF8uMuAJO_M2pxb1Q9zNjWeS6o"},\
            "amount":{"total":1999,"payer_total":1999,"currency":"CNY","payer_currency":"CNY"}}""";

    /** Two arguments: the signature and the attempt's id. */
    static final String ADYEN = """
            {"live":"false","notificationItems":[{"NotificationRequestItem":{\
            "additionalData":{"hmacSignature":"%s","cardSummary":"7777","expiryDate":"12/2030","authCode":"1234"},\
            "amount":{"currency":"EUR","value":1999},"eventCode":"AUTHORISATION",\
            "eventDate":"2026-03-01T13:00:00+01:00","merchantAccountCode":"AcmeECOM","merchantReference":"%s",\
            "operations":["CANCEL","CAPTURE","REFUND"],"paymentMethod":"visa","pspReference":"8815658961765250",\
            "reason":"~","success":"true"}}]}""";

    /** One argument: the attempt's id. */
    static final String STANDARD_WEBHOOKS = """
            {"type":"payment.succeeded","timestamp":"2026-03-01T12:00:00Z","data":{"id":"pay_1","reference":"%s",\
            "amount":{"value":"19.99","currency":"EUR"},"description":"~","customer":{"id":"c_1","tags":["a","b"]}}}""";

    private Bodies() {}

    /** The fields without the signature. */
    static Map<String, String> alipay(String attempt) {
        return Map.ofEntries(
                Map.entry("app_id", "2021000000000001"),
                Map.entry("buyer_id", "2088000000000002"),
                Map.entry("charset", "utf-8"),
                Map.entry("gmt_create", "2026-03-01 19:59:00"),
                Map.entry("gmt_payment", "2026-03-01 19:59:58"),
                Map.entry("notify_id", "2026030100222200000000000000000001"),
                Map.entry("notify_time", "2026-03-01 20:00:00"),
                Map.entry("notify_type", "trade_status_sync"),
                Map.entry("out_trade_no", attempt),
                Map.entry("seller_id", "2088000000000001"),
                Map.entry("subject", "订单"),
                Map.entry("total_amount", "19.99"),
                Map.entry("trade_no", "2026030122001400000000000001"),
                Map.entry("trade_status", "TRADE_SUCCESS"),
                Map.entry("version", "1.0"));
    }
}
