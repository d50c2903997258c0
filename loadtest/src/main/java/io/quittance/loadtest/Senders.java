package io.quittance.loadtest;

import io.quittance.loadtest.SignedNotification.RsaSigned;
import io.quittance.psp.PspHttp;
import io.quittance.psp.RawNotification;
import io.quittance.psp.adyen.AdyenAdapter;
import io.quittance.psp.adyen.AdyenSettings;
import io.quittance.psp.alipay.AlipayAdapter;
import io.quittance.psp.alipay.AlipaySettings;
import io.quittance.psp.standardwebhooks.StandardWebhooksAdapter;
import io.quittance.psp.standardwebhooks.StandardWebhooksSettings;
import io.quittance.psp.stripe.StripeAdapter;
import io.quittance.psp.stripe.StripeSettings;
import io.quittance.psp.wechatpay.WechatpayAdapter;
import io.quittance.psp.wechatpay.WechatpaySettings;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The PSPs whose notifications are measured, each with a body of exactly {@link #BODY_BYTES} bytes. */
final class Senders {

    static final int BODY_BYTES = 1_024;

    private static final Map<String, Supplier<SignedNotification>> ALL = new TreeMap<>(Map.of(
            "stripe", Senders::stripe,
            "alipay", Senders::alipay,
            "wechatpay", Senders::wechatpay,
            "adyen", Senders::adyen,
            "standardwebhooks", Senders::standardWebhooks));

    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final Clock CLOCK = Clock.fixed(NOW, ZoneOffset.UTC);
    private static final String ATTEMPT = "0195b1c2d3e47f5a8b6c7d8e9f0a1b2c";
    private static final String ADDRESS = "https://psp.example";
    private static final String ACCOUNT = "acme";

    /** Nothing here calls a PSP. */
    private static final PspHttp NO_CALLS = null;

    private Senders() {}

    static List<String> names() {
        return List.copyOf(ALL.keySet());
    }

    /** Those whose signatures are RSA. */
    static List<String> rsaNames() {
        return names().stream().filter(name -> of(name).signed().isPresent()).toList();
    }

    /** Makes the notification anew, under keys of its own. */
    static SignedNotification of(String name) {
        return ALL.get(name).get();
    }

    private static SignedNotification stripe() {
        String secret = "whsec_benchmark";
        StripeSettings settings = StripeSettings.parse(new JsonObject()
                .put("api_base", ADDRESS)
                .put("api_key", "sk_test_benchmark")
                .put("webhook_secrets", new JsonArray().add(secret)));
        String body = padded(Bodies.STRIPE.formatted(ATTEMPT));
        long time = NOW.getEpochSecond();
        MultiMap headers = MultiMap.caseInsensitiveMultiMap()
                .add(
                        "Stripe-Signature",
                        "t=" + time + ",v1="
                                + HexFormat.of()
                                        .formatHex(Signing.hmac(
                                                secret.getBytes(StandardCharsets.UTF_8), time + "." + body)));
        return new SignedNotification(
                new StripeAdapter(ACCOUNT, settings, NO_CALLS, CLOCK), raw(headers, body), Optional.empty());
    }

    private static SignedNotification alipay() {
        KeyPair psp = Signing.rsaPair();
        AlipaySettings settings = AlipaySettings.parse(new JsonObject()
                .put("gateway", ADDRESS)
                .put("app_id", "2021000000000001")
                .put("seller_id", "2088000000000001")
                .put("alipay_public_keys", new JsonArray().add(Signing.base64(psp.getPublic())))
                .put("app_private_key", Signing.base64(Signing.rsaPair().getPrivate())));
        Map<String, String> fields = new TreeMap<>(Bodies.alipay(ATTEMPT));
        // The signature's length in the form depends on its characters, so that the padding is found by trying.
        for (int padding = 0; padding < BODY_BYTES; padding++) {
            fields.put("passback_params", "x".repeat(padding));
            byte[] message = joined(fields).getBytes(StandardCharsets.UTF_8);
            byte[] signature = Signing.rsa(psp.getPrivate(), message);
            String body = form(fields) + "&sign_type=RSA2&sign=" + escape(Signing.base64(signature));
            if (body.length() == BODY_BYTES) {
                return new SignedNotification(
                        new AlipayAdapter(ACCOUNT, settings, NO_CALLS, CLOCK),
                        raw(MultiMap.caseInsensitiveMultiMap(), body),
                        Optional.of(new RsaSigned(psp.getPublic(), message, signature)));
            }
        }
        return alipay();
    }

    private static SignedNotification wechatpay() {
        KeyPair psp = Signing.rsaPair();
        String serial = "PUB_KEY_ID_0114000000000000000000000000000001";
        String apiV3Key = "0123456789abcdef0123456789abcdef";
        WechatpaySettings settings = WechatpaySettings.parse(new JsonObject()
                .put("api_base", ADDRESS)
                .put("mch_id", "1900000001")
                .put("app_id", "wx0000000000000001")
                .put("api_v3_key", apiV3Key)
                .put("merchant_serial", "5157F09EFDC096DE15EBE81A47057A7200000000")
                .put("merchant_private_key", Signing.pem(Signing.rsaPair().getPrivate()))
                .put("platform_keys", new JsonObject().put(serial, Signing.pem(psp.getPublic()))));
        String nonce = "uluk4a9R25RW";
        String sealed = Signing.aesGcm(apiV3Key, nonce, "transaction", Bodies.WECHATPAY_PLAIN.formatted(ATTEMPT));
        String body = padded(Bodies.WECHATPAY.formatted(sealed, nonce));
        long time = NOW.getEpochSecond();
        byte[] message = (time + "\n" + nonce + "\n" + body + "\n").getBytes(StandardCharsets.UTF_8);
        byte[] signature = Signing.rsa(psp.getPrivate(), message);
        MultiMap headers = MultiMap.caseInsensitiveMultiMap()
                .add("Wechatpay-Timestamp", Long.toString(time))
                .add("Wechatpay-Nonce", nonce)
                .add("Wechatpay-Signature", Signing.base64(signature))
                .add("Wechatpay-Serial", serial);
        return new SignedNotification(
                new WechatpayAdapter(ACCOUNT, settings, NO_CALLS, CLOCK),
                raw(headers, body),
                Optional.of(new RsaSigned(psp.getPublic(), message, signature)));
    }

    private static SignedNotification adyen() {
        byte[] key = Signing.randomKey();
        AdyenSettings settings = AdyenSettings.parse(new JsonObject()
                .put("api_base", ADDRESS)
                .put("merchant_account", "AcmeECOM")
                .put("api_key", "AQE_benchmark")
                .put("hmac_keys", new JsonArray().add(HexFormat.of().formatHex(key))));
        String signed = "8815658961765250::AcmeECOM:" + ATTEMPT + ":1999:EUR:AUTHORISATION:true";
        String body = padded(Bodies.ADYEN.formatted(Signing.base64(Signing.hmac(key, signed)), ATTEMPT));
        return new SignedNotification(
                new AdyenAdapter(ACCOUNT, settings, NO_CALLS, CLOCK),
                raw(MultiMap.caseInsensitiveMultiMap(), body),
                Optional.empty());
    }

    private static SignedNotification standardWebhooks() {
        byte[] key = Signing.randomKey();
        StandardWebhooksSettings settings = StandardWebhooksSettings.parse(
                new JsonObject().put("webhook_secrets", new JsonArray().add("whsec_" + Signing.base64(key))));
        String body = padded(Bodies.STANDARD_WEBHOOKS.formatted(ATTEMPT));
        String time = Long.toString(NOW.getEpochSecond());
        String signature = Signing.base64(Signing.hmac(key, "msg_1." + time + "." + body));
        MultiMap headers = MultiMap.caseInsensitiveMultiMap()
                .add("webhook-id", "msg_1")
                .add("webhook-timestamp", time)
                .add("webhook-signature", "v1," + signature);
        return new SignedNotification(
                new StandardWebhooksAdapter(ACCOUNT, settings, NO_CALLS, CLOCK), raw(headers, body), Optional.empty());
    }

    private static RawNotification raw(MultiMap headers, String body) {
        Buffer bytes = Buffer.buffer(body);
        if (bytes.length() != BODY_BYTES) {
            throw new IllegalStateException("the body has " + bytes.length() + " bytes, not " + BODY_BYTES);
        }
        return new RawNotification(headers, bytes, NOW);
    }

    /** Fills the place marked with a tilde. */
    private static String padded(String body) {
        int missing = BODY_BYTES - body.getBytes(StandardCharsets.UTF_8).length + 1;
        return body.replace("~", "x".repeat(missing));
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
}
