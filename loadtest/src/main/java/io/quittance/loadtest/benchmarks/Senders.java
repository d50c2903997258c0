package io.quittance.loadtest.benchmarks;

import io.quittance.loadtest.benchmarks.SignedNotification.RsaSigned;
import io.quittance.loadtest.sender.AdyenSender;
import io.quittance.loadtest.sender.AlipaySender;
import io.quittance.loadtest.sender.News;
import io.quittance.loadtest.sender.Notification;
import io.quittance.loadtest.sender.Sender;
import io.quittance.loadtest.sender.Signing;
import io.quittance.loadtest.sender.StandardWebhooksSender;
import io.quittance.loadtest.sender.StripeSender;
import io.quittance.loadtest.sender.WechatpaySender;
import io.quittance.psp.PspAdapter;
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
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.PublicKey;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/** The PSPs whose notifications are measured, each with a body of exactly {@link #BODY_BYTES} bytes. */
final class Senders {

    static final int BODY_BYTES = 1_024;

    /** A filler can bring its field's name with it, and a longer signature. */
    private static final int FILLER_SHORTER_MAX = 48;

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
        return signed(
                new StripeSender(secret),
                success("pi_3Ocr5LLkdIwHu7ix0000abcd", "EUR"),
                new StripeAdapter(ACCOUNT, settings, NO_CALLS, CLOCK),
                null);
    }

    private static SignedNotification alipay() {
        KeyPair psp = Signing.rsaPair();
        String appId = "2021000000000001";
        String sellerId = "2088000000000001";
        AlipaySettings settings = AlipaySettings.parse(new JsonObject()
                .put("gateway", ADDRESS)
                .put("app_id", appId)
                .put("seller_id", sellerId)
                .put("alipay_public_keys", new JsonArray().add(Signing.base64(psp.getPublic())))
                .put("app_private_key", Signing.base64(Signing.rsaPair().getPrivate())));
        return signed(
                new AlipaySender(appId, sellerId, psp.getPrivate()),
                success("2026030122001400000000000001", "CNY"),
                new AlipayAdapter(ACCOUNT, settings, NO_CALLS, CLOCK),
                psp.getPublic());
    }

    private static SignedNotification wechatpay() {
        KeyPair psp = Signing.rsaPair();
        String mchId = "1900000001";
        String appId = "wx0000000000000001";
        String serial = "PUB_KEY_ID_0114000000000000000000000000000001";
        String apiV3Key = "0123456789abcdef0123456789abcdef";
        WechatpaySettings settings = WechatpaySettings.parse(new JsonObject()
                .put("api_base", ADDRESS)
                .put("mch_id", mchId)
                .put("app_id", appId)
                .put("api_v3_key", apiV3Key)
                .put("merchant_serial", "5157F09EFDC096DE15EBE81A47057A7200000000")
                .put("merchant_private_key", Signing.pem(Signing.rsaPair().getPrivate()))
                .put("platform_keys", new JsonObject().put(serial, Signing.pem(psp.getPublic()))));
        return signed(
                new WechatpaySender(mchId, appId, apiV3Key, serial, psp.getPrivate()),
                success("4200000000202603010000000001", "CNY"),
                new WechatpayAdapter(ACCOUNT, settings, NO_CALLS, CLOCK),
                psp.getPublic());
    }

    private static SignedNotification adyen() {
        byte[] key = Signing.randomKey();
        AdyenSettings settings = AdyenSettings.parse(new JsonObject()
                .put("api_base", ADDRESS)
                .put("merchant_account", "AcmeECOM")
                .put("api_key", "AQE_benchmark")
                .put("hmac_keys", new JsonArray().add(HexFormat.of().formatHex(key))));
        return signed(
                new AdyenSender("AcmeECOM", key),
                success("8815658961765250", "EUR"),
                new AdyenAdapter(ACCOUNT, settings, NO_CALLS, CLOCK),
                null);
    }

    private static SignedNotification standardWebhooks() {
        byte[] key = Signing.randomKey();
        StandardWebhooksSettings settings = StandardWebhooksSettings.parse(new JsonObject()
                .put(
                        "webhook_secrets",
                        new JsonArray().add(StandardWebhooksSender.SECRET_PREFIX + Signing.base64(key))));
        return signed(
                new StandardWebhooksSender(key),
                success("pay_1", "EUR"),
                new StandardWebhooksAdapter(ACCOUNT, settings, NO_CALLS, CLOCK),
                null);
    }

    private static News success(String payment, String currency) {
        return new News(News.Kind.SUCCEEDED, ATTEMPT, payment, 1_999, currency, NOW);
    }

    /** @param rsaKey under which its signature is right; null for an HMAC */
    private static SignedNotification signed(Sender sender, News news, PspAdapter adapter, PublicKey rsaKey) {
        Notification notification = sized(sender, news);
        MultiMap headers = MultiMap.caseInsensitiveMultiMap().addAll(notification.headers());
        return new SignedNotification(
                adapter,
                new RawNotification(headers, Buffer.buffer(notification.body()), NOW),
                notification.rsa().map(rsa -> new RsaSigned(rsaKey, rsa.message(), rsa.signature())));
    }

    /** A signature in a form is longer or shorter by its characters, which other fillers change until the size is right. */
    private static Notification sized(Sender sender, News news) {
        int missing = BODY_BYTES - bytes(sender.sign(news, NOW));
        for (char letter = 'a'; letter <= 'z'; letter++) {
            for (int chars = missing; chars >= Math.max(0, missing - FILLER_SHORTER_MAX); chars--) {
                Notification filled =
                        sender.sign(news.filledWith(String.valueOf(letter).repeat(chars)), NOW);
                if (bytes(filled) == BODY_BYTES) {
                    return filled;
                }
            }
        }
        throw new IllegalStateException("no notification of " + sender.psp() + " has " + BODY_BYTES + " bytes");
    }

    private static int bytes(Notification notification) {
        return notification.body().getBytes(StandardCharsets.UTF_8).length;
    }
}
