package io.quittance.psp.wechatpay;

import com.wechat.pay.java.core.cipher.AeadAesCipher;
import com.wechat.pay.java.core.cipher.RSASigner;
import io.quittance.psp.Acknowledgement;
import io.quittance.psp.PspAdapter;
import io.quittance.psp.PspEvent;
import io.quittance.psp.PspFixture;
import io.quittance.psp.PspHttp;
import io.quittance.psp.RawNotification;
import io.quittance.psp.TestKeys;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.security.PrivateKey;
import java.time.Clock;
import java.util.List;
import java.util.Map;

/** WeChat Pay notifications, signed and encrypted by WeChat Pay's own library. */
public final class WechatpayFixture implements PspFixture {

    static final String SERIAL = "PUB_KEY_ID_0114000000000000000000000000000001";
    static final String API_V3_KEY = "0123456789abcdef0123456789abcdef";
    static final String NONCE = "EcZ9Cmy4Xyx1i6RlJQzLcCyEqDa26NBz";

    @Override
    public PspAdapter adapter(JsonObject settings, PspHttp http, Clock clock) {
        return new WechatpayAdapter("acme", WechatpaySettings.parse(settings), http, clock);
    }

    @Override
    public JsonObject settingsFor(String address) {
        return settings(address);
    }

    static JsonObject settings(String address) {
        return new JsonObject()
                .put("api_base", address)
                .put("mch_id", "1900000001")
                .put("app_id", "wx0000000000000001")
                .put("api_v3_key", API_V3_KEY)
                .put("merchant_serial", "5157F09EFDC096DE15EBE81A47057A7200000000")
                .put("merchant_private_key", TestKeys.pem(TestKeys.OWN.getPrivate()))
                .put("platform_keys", new JsonObject().put(SERIAL, TestKeys.pem(TestKeys.PSP.getPublic())));
    }

    @Override
    public RawNotification good() {
        return signed(event("TRANSACTION.SUCCESS", transaction()), TestKeys.PSP.getPrivate());
    }

    @Override
    public Buffer plain() {
        return transaction().toBuffer();
    }

    @Override
    public Buffer around(Buffer plain) {
        return event("TRANSACTION.SUCCESS", plain.getBytes(), API_V3_KEY).toBuffer();
    }

    @Override
    public RawNotification signedByAStranger() {
        return signed(event("TRANSACTION.SUCCESS", transaction()), TestKeys.STRANGER.getPrivate());
    }

    @Override
    public List<PspEvent> events() {
        JsonObject combined = transaction().put("combine_out_trade_no", ATTEMPT);
        return List.of(
                about("TRANSACTION.SUCCESS", transaction(), "PAYMENT_SUCCEEDED of 19.99 CNY"),
                about("REFUND.SUCCESS", refund("SUCCESS"), "REFUND_SUCCEEDED of 5.00 CNY"),
                about("REFUND.ABNORMAL", refund("ABNORMAL"), "REFUND_FAILED of 5.00 CNY"),
                about("REFUND.CLOSED", refund("CLOSED"), "REFUND_FAILED of 5.00 CNY"),
                about("TRANSACTION.SUCCESS", combined),
                about("TRANSACTION.PAY_BACK", transaction()));
    }

    private PspEvent about(String type, JsonObject plain, String... says) {
        RawNotification raw = signed(event(type, plain), TestKeys.PSP.getPrivate());
        return new PspEvent(type, adapter(settings()), raw, List.of(says));
    }

    @Override
    public List<String> signatureHeaders() {
        return List.of("Wechatpay-Timestamp", "Wechatpay-Nonce", "Wechatpay-Signature", "Wechatpay-Serial");
    }

    @Override
    public List<RawNotification> shifted() {
        RawNotification good = good();
        return List.of(withTime(good, -1), withTime(good, 1), withTime(good, 1_000_000));
    }

    private static RawNotification withTime(RawNotification good, long shift) {
        MultiMap headers = MultiMap.caseInsensitiveMultiMap().addAll(good.headers());
        headers.set("Wechatpay-Timestamp", Long.toString(NOW.getEpochSecond() + shift));
        return new RawNotification(headers, good.body(), NOW);
    }

    @Override
    public Map<Acknowledgement, String> acknowledgements() {
        return Map.of(
                Acknowledgement.ACCEPTED, "204  ",
                Acknowledgement.REFUSED, "401 application/json {\"code\":\"FAIL\",\"message\":\"not verified\"}",
                Acknowledgement.UNREADABLE, "400 application/json {\"code\":\"FAIL\",\"message\":\"not readable\"}",
                Acknowledgement.RETRY_LATER,
                        "503 application/json {\"code\":\"FAIL\",\"message\":\"try again later\"}");
    }

    @Override
    public void answer(HttpServerRequest request, int status, Buffer body) {
        HttpServerResponse response = request.response().setStatusCode(status);
        headers(body, TestKeys.PSP.getPrivate(), NOW.getEpochSecond())
                .forEach((name, value) -> response.putHeader(name, value));
        response.end(body);
    }

    @Override
    public boolean answerUnsigned(HttpServerResponse response) {
        response.end("{\"out_trade_no\":\"" + ATTEMPT + "\",\"trade_state\":\"SUCCESS\",\"code_url\":\"weixin://x\","
                + "\"out_refund_no\":\"" + REFUND + "\",\"status\":\"SUCCESS\",\"amount\":{\"total\":1999}}");
        return true;
    }

    @Override
    public Map<String, RawNotification> hostile() {
        int bytes = 700_000;
        JsonArray objects = new JsonArray();
        for (int i = 0; i < bytes / 3; i++) {
            objects.add(new JsonObject());
        }
        return Map.of(
                "a large text inside",
                signed(
                        event("TRANSACTION.SUCCESS", transaction().put("attach", "x".repeat(bytes))),
                        TestKeys.PSP.getPrivate()),
                "a large text inside that is read",
                signed(
                        event("TRANSACTION.SUCCESS", transaction().put("mchid", "x".repeat(bytes))),
                        TestKeys.PSP.getPrivate()),
                "empty objects inside",
                signed(event("TRANSACTION.SUCCESS", transaction().put("attach", objects)), TestKeys.PSP.getPrivate()));
    }

    static JsonObject transaction() {
        return new JsonObject()
                .put("mchid", "1900000001")
                .put("appid", "wx0000000000000001")
                .put("out_trade_no", ATTEMPT)
                .put("transaction_id", "4200000000000000000000000001")
                .put("trade_state", "SUCCESS")
                .put("trade_state_desc", "支付成功")
                .put("payer", new JsonObject().put("openid", "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o"))
                .put(
                        "amount",
                        new JsonObject()
                                .put("total", 1_999)
                                .put("payer_total", 1_000)
                                .put("currency", "CNY"));
    }

    static JsonObject refund(String status) {
        return new JsonObject()
                .put("mchid", "1900000001")
                .put("out_trade_no", ATTEMPT)
                .put("transaction_id", "4200000000000000000000000001")
                .put("refund_id", "50000000000000000000000000001")
                .put("out_refund_no", REFUND)
                .put("refund_status", status)
                .put("amount", new JsonObject().put("total", 1_999).put("refund", 500));
    }

    static JsonObject event(String type, JsonObject plain) {
        return event(type, plain, API_V3_KEY);
    }

    static JsonObject event(String type, JsonObject plain, String key) {
        return event(type, plain.encode().getBytes(StandardCharsets.UTF_8), key);
    }

    private static JsonObject event(String type, byte[] plain, String key) {
        String nonce = "uluk4a9R25RW";
        String ciphertext = new AeadAesCipher(key.getBytes(StandardCharsets.UTF_8))
                .encrypt("transaction".getBytes(StandardCharsets.UTF_8), nonce.getBytes(StandardCharsets.UTF_8), plain);
        return new JsonObject()
                .put("id", "EV-1")
                .put("create_time", "2026-03-01T20:00:00+08:00")
                .put("resource_type", "encrypt-resource")
                .put("event_type", type)
                .put("summary", "支付成功")
                .put(
                        "resource",
                        new JsonObject()
                                .put("original_type", "transaction")
                                .put("algorithm", "AEAD_AES_256_GCM")
                                .put("ciphertext", ciphertext)
                                .put("associated_data", "transaction")
                                .put("nonce", nonce));
    }

    /** Line ends between members and an escaped slash are signed as they are. */
    static RawNotification signed(JsonObject event, PrivateKey key) {
        Buffer body = Buffer.buffer(event.encodePrettily().replace("/", "\\/") + "\n");
        return new RawNotification(headers(body, key, NOW.getEpochSecond()), body, NOW);
    }

    static MultiMap headers(Buffer body, PrivateKey key, long time) {
        String sign = new RSASigner(SERIAL, key)
                .sign(time + "\n" + NONCE + "\n" + body + "\n")
                .getSign();
        return MultiMap.caseInsensitiveMultiMap()
                .add("Wechatpay-Timestamp", Long.toString(time))
                .add("Wechatpay-Nonce", NONCE)
                .add("Wechatpay-Signature", sign)
                .add("Wechatpay-Serial", SERIAL);
    }

    @Override
    public String toString() {
        return "wechatpay";
    }
}
