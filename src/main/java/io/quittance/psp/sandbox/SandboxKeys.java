package io.quittance.psp.sandbox;

import io.vertx.core.json.JsonObject;
import java.security.KeyPair;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;

/**
 * The secrets and account numbers of both sides. They can be kept as JSON, so that a gateway that is started again still
 * believes what was signed before. None of them is worth anything outside the sandbox.
 */
public final class SandboxKeys {

    static final String WEBHOOK_SECRET_PREFIX = "whsec_";

    private static final int WEBHOOK_SECRET_BYTES = 32;

    final Stripe stripe;
    final Alipay alipay;
    final WechatPay wechatPay;
    final Adyen adyen;
    final StandardWebhooks standardWebhooks;

    private SandboxKeys(
            Stripe stripe, Alipay alipay, WechatPay wechatPay, Adyen adyen, StandardWebhooks standardWebhooks) {
        this.stripe = stripe;
        this.alipay = alipay;
        this.wechatPay = wechatPay;
        this.adyen = adyen;
        this.standardWebhooks = standardWebhooks;
    }

    /** Makes new keys. Four RSA pairs of 2048 bits: takes up to a second or two of one core. */
    public static SandboxKeys generate() {
        return new SandboxKeys(
                new Stripe("sk_test_" + hex(16), "whsec_" + hex(16)),
                new Alipay("2021" + digits(12), "2088" + digits(12), Rsa.generate(), Rsa.generate()),
                new WechatPay(
                        "19" + digits(8),
                        "wx" + hex(8),
                        hex(16),
                        hex(20).toUpperCase(Locale.ROOT),
                        Rsa.generate(),
                        "PUB_KEY_ID_01" + digits(24),
                        Rsa.generate()),
                Adyen.generate(),
                new StandardWebhooks(newWebhookSecret()));
    }

    /** For keeping in a private file: it holds private keys. */
    public JsonObject toJson() {
        return new JsonObject()
                .put(
                        "stripe",
                        new JsonObject().put("api_key", stripe.apiKey).put("webhook_secret", stripe.webhookSecret))
                .put(
                        "alipay",
                        new JsonObject()
                                .put("app_id", alipay.appId)
                                .put("seller_id", alipay.sellerId)
                                .put("alipay", json(alipay.alipay))
                                .put("app", json(alipay.app)))
                .put(
                        "wechatpay",
                        new JsonObject()
                                .put("mch_id", wechatPay.mchId)
                                .put("app_id", wechatPay.appId)
                                .put("api_v3_key", wechatPay.apiV3Key)
                                .put("merchant_serial", wechatPay.merchantSerial)
                                .put("merchant", json(wechatPay.merchant))
                                .put("platform_serial", wechatPay.platformSerial)
                                .put("platform", json(wechatPay.platform)))
                .put(
                        "adyen",
                        new JsonObject()
                                .put("merchant_account", adyen.merchantAccount)
                                .put("api_key", adyen.apiKey)
                                .put("hmac_key", adyen.hmacKey)
                                .put("report_user", adyen.reportUser)
                                .put("report_password", adyen.reportPassword))
                .put("standardwebhooks", new JsonObject().put("webhook_secret", standardWebhooks.webhookSecret));
    }

    /**
     * Reads what {@link #toJson} wrote. What was kept before there were Adyen and Standard Webhooks gets new keys for them.
     *
     * @throws IllegalArgumentException if something is missing or is no key
     */
    public static SandboxKeys fromJson(JsonObject json) {
        JsonObject stripe = object(json, "stripe");
        JsonObject alipay = object(json, "alipay");
        JsonObject wechatPay = object(json, "wechatpay");
        return new SandboxKeys(
                new Stripe(text(stripe, "api_key"), text(stripe, "webhook_secret")),
                new Alipay(
                        text(alipay, "app_id"), text(alipay, "seller_id"), pair(alipay, "alipay"), pair(alipay, "app")),
                new WechatPay(
                        text(wechatPay, "mch_id"),
                        text(wechatPay, "app_id"),
                        text(wechatPay, "api_v3_key"),
                        text(wechatPay, "merchant_serial"),
                        pair(wechatPay, "merchant"),
                        text(wechatPay, "platform_serial"),
                        pair(wechatPay, "platform")),
                json.containsKey("adyen") ? adyen(object(json, "adyen")) : Adyen.generate(),
                new StandardWebhooks(
                        json.containsKey("standardwebhooks")
                                ? text(object(json, "standardwebhooks"), "webhook_secret")
                                : newWebhookSecret()));
    }

    private static Adyen adyen(JsonObject json) {
        return new Adyen(
                text(json, "merchant_account"),
                text(json, "api_key"),
                text(json, "hmac_key"),
                text(json, "report_user"),
                text(json, "report_password"));
    }

    /** Stripe's API key and signing secret. */
    record Stripe(String apiKey, String webhookSecret) {
        @Override
        public String toString() {
            return "Stripe[secret]";
        }
    }

    /**
     * Alipay's account.
     *
     * @param alipay signs notifications and answers
     * @param app signs the merchant's requests
     */
    record Alipay(String appId, String sellerId, KeyPair alipay, KeyPair app) {
        @Override
        public String toString() {
            return "Alipay[" + appId + "]";
        }
    }

    /**
     * WeChat Pay's account.
     *
     * @param apiV3Key 32 ASCII characters: the AES-256 key of notifications
     * @param merchant signs the merchant's requests
     * @param platform signs notifications and answers
     */
    record WechatPay(
            String mchId,
            String appId,
            String apiV3Key,
            String merchantSerial,
            KeyPair merchant,
            String platformSerial,
            KeyPair platform) {
        @Override
        public String toString() {
            return "WechatPay[" + mchId + "]";
        }
    }

    /**
     * Adyen's account.
     *
     * @param hmacKey 64 hex digits: signs notifications
     * @param reportUser may download reports, with its password
     */
    record Adyen(String merchantAccount, String apiKey, String hmacKey, String reportUser, String reportPassword) {

        static Adyen generate() {
            return new Adyen(
                    "Sandbox" + digits(6) + "ECOM",
                    "AQ" + hex(24),
                    hex(32).toUpperCase(Locale.ROOT),
                    "report_" + digits(6) + "@Company.Sandbox",
                    hex(12));
        }

        @Override
        public String toString() {
            return "Adyen[" + merchantAccount + "]";
        }
    }

    /**
     * The signing secret of a PSP that signs after Standard Webhooks.
     *
     * @param webhookSecret {@code whsec_} and base64
     */
    record StandardWebhooks(String webhookSecret) {
        @Override
        public String toString() {
            return "StandardWebhooks[secret]";
        }
    }

    static String newWebhookSecret() {
        byte[] random = new byte[WEBHOOK_SECRET_BYTES];
        new SecureRandom().nextBytes(random);
        return WEBHOOK_SECRET_PREFIX + Base64.getEncoder().encodeToString(random);
    }

    private static JsonObject json(KeyPair pair) {
        return new JsonObject().put("public", Rsa.text(pair.getPublic())).put("private", Rsa.text(pair.getPrivate()));
    }

    private static KeyPair pair(JsonObject json, String key) {
        JsonObject pair = object(json, key);
        return Rsa.pair(text(pair, "public"), text(pair, "private"));
    }

    private static JsonObject object(JsonObject json, String key) {
        if (json.getValue(key) instanceof JsonObject object) {
            return object;
        }
        throw new IllegalArgumentException(key + " is missing in the sandbox's keys");
    }

    private static String text(JsonObject json, String key) {
        if (json.getValue(key) instanceof String text) {
            return text;
        }
        throw new IllegalArgumentException(key + " is missing in the sandbox's keys");
    }

    private static String hex(int bytes) {
        byte[] random = new byte[bytes];
        new SecureRandom().nextBytes(random);
        return HexFormat.of().formatHex(random);
    }

    private static String digits(int count) {
        StringBuilder text = new StringBuilder(count);
        new SecureRandom().ints(count, 0, 10).forEach(text::append);
        return text.toString();
    }
}
