package io.quittance.psp.alipay;

import com.alipay.api.AlipayApiException;
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
import java.net.URLEncoder;
import java.nio.charset.Charset;
import java.security.PrivateKey;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Alipay notices, signed by Alipay's own library. */
public final class AlipayFixture implements PspFixture {

    @Override
    public PspAdapter adapter(JsonObject settings, PspHttp http, Clock clock) {
        return new AlipayAdapter("acme", AlipaySettings.parse(settings), http, clock);
    }

    @Override
    public JsonObject settingsFor(String address) {
        return settings(address);
    }

    static JsonObject settings(String address) {
        return new JsonObject()
                .put("gateway", address + "/gateway.do")
                .put("app_id", "2021000000000001")
                .put("seller_id", "2088000000000001")
                .put("alipay_public_keys", new JsonArray().add(TestKeys.base64(TestKeys.PSP.getPublic())))
                .put("app_private_key", TestKeys.base64(TestKeys.OWN.getPrivate()));
    }

    @Override
    public RawNotification good() {
        return raw(signed(notice("TRADE_SUCCESS"), TestKeys.PSP.getPrivate(), "RSA2"));
    }

    @Override
    public RawNotification signedByAStranger() {
        return raw(signed(notice("TRADE_SUCCESS"), TestKeys.STRANGER.getPrivate(), "RSA2"));
    }

    @Override
    public List<PspEvent> events() {
        Map<String, String> other = notice("TRADE_SUCCESS");
        other.put("notify_type", "servicemarket_order_notify");
        return List.of(
                about("WAIT_BUYER_PAY", notice("WAIT_BUYER_PAY"), "PAYMENT_PENDING"),
                about("TRADE_SUCCESS", notice("TRADE_SUCCESS"), "PAYMENT_SUCCEEDED of 19.99 CNY"),
                about("TRADE_FINISHED", notice("TRADE_FINISHED"), "PAYMENT_SUCCEEDED of 19.99 CNY"),
                about("TRADE_CLOSED", notice("TRADE_CLOSED"), "PAYMENT_CLOSED"),
                about(
                        "TRADE_SUCCESS after a part went back",
                        refunded("TRADE_SUCCESS", "5.00"),
                        "REFUND_SUCCEEDED, 5.00 CNY in all"),
                about(
                        "TRADE_FINISHED after a part went back",
                        refunded("TRADE_FINISHED", "5.00"),
                        "REFUND_SUCCEEDED, 5.00 CNY in all"),
                about(
                        "TRADE_CLOSED after all went back",
                        refunded("TRADE_CLOSED", "19.99"),
                        "REFUND_SUCCEEDED, 19.99 CNY in all"),
                about("another kind of notice", other));
    }

    private PspEvent about(String name, Map<String, String> fields, String... says) {
        return new PspEvent(
                name, adapter(settings()), raw(signed(fields, TestKeys.PSP.getPrivate(), "RSA2")), List.of(says));
    }

    private static Map<String, String> refunded(String status, String inAll) {
        Map<String, String> fields = notice(status);
        fields.put("refund_fee", inAll);
        fields.put("gmt_refund", "2026-03-01 20:00:00.123");
        fields.put("out_biz_no", REFUND);
        return fields;
    }

    @Override
    public List<String> signatureHeaders() {
        return List.of();
    }

    @Override
    public List<RawNotification> shifted() {
        return List.of();
    }

    @Override
    public Map<Acknowledgement, String> acknowledgements() {
        return Map.of(
                Acknowledgement.ACCEPTED, "200 text/plain; charset=utf-8 success",
                Acknowledgement.REFUSED, "401 text/plain; charset=utf-8 fail",
                Acknowledgement.UNREADABLE, "400 text/plain; charset=utf-8 fail",
                Acknowledgement.RETRY_LATER, "503 text/plain; charset=utf-8 fail");
    }

    /** The node is named after the method that was called. */
    @Override
    public boolean creationCallsThePsp() {
        return false;
    }

    @Override
    public void answer(HttpServerRequest request, int status, Buffer body) {
        String node = request.getParam("method").replace('.', '_') + "_response";
        String sign = sign(body.toString(), TestKeys.PSP.getPrivate(), "utf-8", "RSA2");
        request.response().setStatusCode(status).end("{\"" + node + "\":" + body + ",\"sign\":\"" + sign + "\"}");
    }

    @Override
    public boolean answerUnsigned(HttpServerResponse response) {
        String node = "{\"code\":\"10000\",\"out_trade_no\":\"" + ATTEMPT
                + "\",\"trade_no\":\"1\",\"trade_status\":\"TRADE_SUCCESS\",\"total_amount\":\"19.99\","
                + "\"fund_change\":\"Y\",\"refund_status\":\"REFUND_SUCCESS\"}";
        response.end("{\"alipay_trade_query_response\":" + node + ",\"alipay_trade_close_response\":" + node
                + ",\"alipay_trade_refund_response\":" + node
                + ",\"alipay_trade_fastpay_refund_query_response\":" + node + "}");
        return true;
    }

    /** The fields of a payment notice, without the signature. */
    static Map<String, String> notice(String status) {
        Map<String, String> fields = new TreeMap<>();
        fields.put("app_id", "2021000000000001");
        fields.put("charset", "utf-8");
        fields.put("fund_bill_list", "[{\"amount\":\"19.99\",\"fundChannel\":\"ALIPAYACCOUNT\"}]");
        fields.put("gmt_create", "2026-03-01 19:59:00");
        fields.put("notify_id", "2026030100222200000000000000000001");
        fields.put("notify_time", "2026-03-01 20:00:00");
        fields.put("notify_type", "trade_status_sync");
        fields.put("out_trade_no", ATTEMPT);
        fields.put("passback_params", "%7B%22a%22%7D");
        fields.put("seller_id", "2088000000000001");
        fields.put("subject", "支付 \\ \"quoted\" + ");
        fields.put("total_amount", "19.99");
        fields.put("trade_no", "2026030122001400000000000001");
        fields.put("trade_status", status);
        fields.put("version", "1.0");
        return fields;
    }

    /** The fields with sign and sign_type, over the text that Alipay's library makes, which skips empty values. */
    static Map<String, String> signed(Map<String, String> fields, PrivateKey key, String signType) {
        String text = com.alipay.api.internal.util.AlipaySignature.getSignContent(fields);
        return signed(fields, text, key, signType);
    }

    static Map<String, String> signed(Map<String, String> fields, String text, PrivateKey key, String signType) {
        Map<String, String> all = new TreeMap<>(fields);
        all.put("sign", sign(text, key, fields.get("charset"), signType));
        all.put("sign_type", signType);
        return all;
    }

    static String sign(String text, PrivateKey key, String charset, String signType) {
        try {
            return com.alipay.api.internal.util.AlipaySignature.sign(text, TestKeys.base64(key), charset, signType);
        } catch (AlipayApiException e) {
            throw new IllegalStateException(e);
        }
    }

    static RawNotification raw(Map<String, String> fields) {
        Charset charset = Charset.forName(fields.get("charset"));
        return raw(fields.entrySet().stream()
                .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), charset))
                .collect(Collectors.joining("&")));
    }

    static RawNotification raw(String body) {
        return new RawNotification(MultiMap.caseInsensitiveMultiMap(), Buffer.buffer(body), NOW);
    }

    @Override
    public String toString() {
        return "alipay";
    }
}
