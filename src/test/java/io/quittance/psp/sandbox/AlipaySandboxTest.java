package io.quittance.psp.sandbox;

import static io.quittance.psp.sandbox.SandboxBench.await;
import static io.quittance.psp.sandbox.SandboxBench.newAttemptId;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.alipay.api.AlipayApiException;
import com.alipay.api.AlipayClient;
import com.alipay.api.DefaultAlipayClient;
import com.alipay.api.internal.util.AlipaySignature;
import com.alipay.api.request.AlipayTradeCloseRequest;
import com.alipay.api.request.AlipayTradeFastpayRefundQueryRequest;
import com.alipay.api.request.AlipayTradePagePayRequest;
import com.alipay.api.request.AlipayTradeQueryRequest;
import com.alipay.api.request.AlipayTradeRefundRequest;
import com.alipay.api.response.AlipayTradeCloseResponse;
import com.alipay.api.response.AlipayTradeFastpayRefundQueryResponse;
import com.alipay.api.response.AlipayTradeQueryResponse;
import com.alipay.api.response.AlipayTradeRefundResponse;
import io.quittance.psp.sandbox.SandboxBench.Answer;
import io.quittance.psp.sandbox.SandboxBench.Received;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The Alipay side, with Alipay's own SDK as the merchant; it verifies each answer's signature. */
class AlipaySandboxTest {

    private final SandboxBench bench = new SandboxBench();
    private final JsonObject settings = bench.settings("alipay");
    private final AlipayClient alipay = client(settings.getString("app_private_key"), "UTF-8");

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void a_trade_does_not_exist_before_the_payer_opens_its_address() throws Exception {
        String attemptId = newAttemptId();
        payUrl(attemptId, "19.99");
        assertThat(query(attemptId).getSubCode()).isEqualTo("ACQ.TRADE_NOT_EXIST");
        assertThatThrownBy(() -> await(bench.sandbox.pay(attemptId))).hasMessageContaining("knows no payment");
    }

    @Test
    void a_paid_trade_is_told_of_under_a_signature_that_alipay_believes() throws Exception {
        String attemptId = newAttemptId();
        await(bench.sandbox.open(payUrl(attemptId, "19.99")));
        assertThat(query(attemptId).getTradeStatus()).isEqualTo("WAIT_BUYER_PAY");

        await(bench.sandbox.pay(attemptId));

        Map<String, String> fields = believed(bench.only());
        assertThat(fields)
                .containsEntry("trade_status", "TRADE_SUCCESS")
                .containsEntry("total_amount", "19.99")
                .containsEntry("out_trade_no", attemptId)
                .containsEntry("app_id", settings.getString("app_id"))
                .containsEntry("seller_id", settings.getString("seller_id"))
                .containsEntry("subject", "订单 7 + 100%")
                .doesNotContainKey("refund_fee");
        AlipayTradeQueryResponse asked = query(attemptId);
        assertThat(asked.getTradeStatus()).isEqualTo("TRADE_SUCCESS");
        assertThat(asked.getTotalAmount()).isEqualTo("19.99");
        assertThat(asked.getTradeNo()).isEqualTo(fields.get("trade_no"));
    }

    @Test
    void a_browser_that_follows_the_address_opens_the_trade() throws Exception {
        String attemptId = newAttemptId();
        HttpRequest get =
                HttpRequest.newBuilder(URI.create(payUrl(attemptId, "19.99"))).build();
        HttpResponse<String> page = HttpClient.newHttpClient().send(get, HttpResponse.BodyHandlers.ofString());
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.body()).contains("/pay/" + attemptId);
        assertThat(query(attemptId).getTradeStatus()).isEqualTo("WAIT_BUYER_PAY");
    }

    @Test
    void an_address_that_was_changed_is_not_opened() throws Exception {
        String changed = payUrl(newAttemptId(), "19.99").replace("19.99", "10.99");
        assertThatThrownBy(() -> await(bench.sandbox.open(changed))).hasMessageContaining("isv.invalid-signature");
    }

    @Test
    void an_address_whose_time_is_over_is_not_opened() throws Exception {
        String past = AlipayObjects.time(Instant.now().minusSeconds(60));
        String url = payUrl(newAttemptId(), "19.99", past);
        assertThatThrownBy(() -> await(bench.sandbox.open(url))).hasMessageContaining("ACQ.TRADE_HAS_CLOSE");
    }

    @Test
    void a_closed_trade_cannot_be_paid_and_a_paid_one_not_closed() throws Exception {
        String closed = newAttemptId();
        await(bench.sandbox.open(payUrl(closed, "5.00")));
        assertThat(close(closed).isSuccess()).isTrue();
        assertThat(query(closed).getTradeStatus()).isEqualTo("TRADE_CLOSED");
        assertThatThrownBy(() -> await(bench.sandbox.pay(closed))).hasMessageContaining("CLOSED");

        String paid = newAttemptId();
        await(bench.sandbox.open(payUrl(paid, "5.00")));
        await(bench.sandbox.pay(paid));
        assertThat(close(paid).getSubCode()).isEqualTo("ACQ.TRADE_STATUS_ERROR");
    }

    @Test
    void refunds_are_made_once_a_number_and_told_at_the_payments_address() throws Exception {
        String attemptId = newAttemptId();
        await(bench.sandbox.open(payUrl(attemptId, "10.00")));
        await(bench.sandbox.pay(attemptId));
        bench.settled();

        assertThat(refund(attemptId, "4.00", "r-1").getFundChange()).isEqualTo("Y");
        assertThat(refund(attemptId, "4.00", "r-1").getFundChange()).isEqualTo("N");
        assertThat(refund(attemptId, "4.01", "r-1").getSubCode()).isEqualTo("ACQ.DISCORDANT_REPEAT_REQUEST");
        assertThat(refund(attemptId, "6.01", "r-2").isSuccess()).isFalse();
        assertThat(query(attemptId).getTradeStatus()).isEqualTo("TRADE_SUCCESS");
        assertThat(refund(attemptId, "6.00", "r-3").getRefundFee()).isEqualTo("10.00");
        assertThat(query(attemptId).getTradeStatus()).isEqualTo("TRADE_CLOSED");
        assertThat(refundQuery(attemptId, "r-1").getRefundStatus()).isEqualTo("REFUND_SUCCESS");
        assertThat(refundQuery(attemptId, "r-2").getRefundStatus()).isNull();

        List<Map<String, String>> told =
                bench.settled().stream().map(this::believed).toList();
        assertThat(told).hasSize(3);
        assertThat(told.get(1))
                .containsEntry("trade_status", "TRADE_SUCCESS")
                .containsEntry("refund_fee", "4.00")
                .containsEntry("out_biz_no", "r-1")
                .containsKey("gmt_refund");
        assertThat(told.get(2))
                .containsEntry("trade_status", "TRADE_CLOSED")
                .containsEntry("refund_fee", "10.00")
                .containsKey("gmt_close");
    }

    @Test
    void a_request_that_the_application_did_not_sign_is_refused_in_alipays_words() throws Exception {
        String stranger = Rsa.text(Rsa.generate().getPrivate());
        AlipayTradeQueryRequest request = new AlipayTradeQueryRequest();
        request.setBizContent(new JsonObject().put("out_trade_no", "x").encode());
        AlipayTradeQueryResponse answer = client(stranger, "UTF-8").execute(request);
        assertThat(answer.getCode()).isEqualTo("40002");
        assertThat(answer.getSubCode()).isEqualTo("isv.invalid-signature");
    }

    @Test
    void a_request_in_gbk_is_understood_and_answered_in_gbk() throws Exception {
        AlipayTradeQueryRequest request = new AlipayTradeQueryRequest();
        request.setBizContent(new JsonObject().put("out_trade_no", "无此单").encode());
        AlipayTradeQueryResponse answer =
                client(settings.getString("app_private_key"), "GBK").execute(request);
        assertThat(answer.getSubMsg()).isEqualTo("交易不存在");
    }

    @Test
    void alipay_refuses_what_is_forged_or_tampered() throws Exception {
        bench.sandbox.faults(new Faults(0, 0, 0, 1, 1, 1, Duration.ZERO, 1));
        String attemptId = newAttemptId();
        await(bench.sandbox.open(payUrl(attemptId, "19.99")));
        await(bench.sandbox.pay(attemptId));
        List<Received> lies = bench.settled();
        assertThat(lies).hasSize(2);
        assertThat(lies).allSatisfy(lie -> assertThat(isBelieved(fields(lie))).isFalse());
    }

    @Test
    void only_the_word_success_ends_the_retries() throws Exception {
        bench.answerWith(notification -> new Answer(200, "ok"));
        String attemptId = newAttemptId();
        await(bench.sandbox.open(payUrl(attemptId, "19.99")));
        await(bench.sandbox.pay(attemptId));
        List<Map<String, String>> tries =
                bench.settled().stream().map(this::believed).toList();
        assertThat(tries).hasSize(4);
        assertThat(tries)
                .extracting(fields -> fields.get("notify_id"))
                .containsOnly(tries.get(0).get("notify_id"));
        assertThat(bench.sandbox.counts().abandoned()).isEqualTo(1);
    }

    private AlipayClient client(String privateKey, String charset) {
        String publicKey = settings.getJsonArray("alipay_public_keys").getString(0);
        return new DefaultAlipayClient(
                settings.getString("gateway"),
                settings.getString("app_id"),
                privateKey,
                "json",
                charset,
                publicKey,
                "RSA2");
    }

    private String payUrl(String attemptId, String amount) throws AlipayApiException {
        return payUrl(attemptId, amount, AlipayObjects.time(Instant.now().plusSeconds(1800)));
    }

    private String payUrl(String attemptId, String amount, String timeExpire) throws AlipayApiException {
        AlipayTradePagePayRequest request = new AlipayTradePagePayRequest();
        request.setNotifyUrl(bench.notifyUrl("alipay"));
        request.setBizContent(new JsonObject()
                .put("out_trade_no", attemptId)
                .put("total_amount", amount)
                .put("subject", "订单 7 + 100%")
                .put("product_code", "FAST_INSTANT_TRADE_PAY")
                .put("time_expire", timeExpire)
                .encode());
        return alipay.pageExecute(request, "GET").getBody();
    }

    private AlipayTradeQueryResponse query(String attemptId) throws AlipayApiException {
        AlipayTradeQueryRequest request = new AlipayTradeQueryRequest();
        request.setBizContent(new JsonObject().put("out_trade_no", attemptId).encode());
        return alipay.execute(request);
    }

    private AlipayTradeCloseResponse close(String attemptId) throws AlipayApiException {
        AlipayTradeCloseRequest request = new AlipayTradeCloseRequest();
        request.setBizContent(new JsonObject().put("out_trade_no", attemptId).encode());
        return alipay.execute(request);
    }

    private AlipayTradeRefundResponse refund(String attemptId, String amount, String number) throws AlipayApiException {
        AlipayTradeRefundRequest request = new AlipayTradeRefundRequest();
        request.setBizContent(new JsonObject()
                .put("out_trade_no", attemptId)
                .put("refund_amount", amount)
                .put("out_request_no", number)
                .put("refund_reason", "a/b")
                .encode());
        return alipay.execute(request);
    }

    private AlipayTradeFastpayRefundQueryResponse refundQuery(String attemptId, String number)
            throws AlipayApiException {
        AlipayTradeFastpayRefundQueryRequest request = new AlipayTradeFastpayRefundQueryRequest();
        request.setBizContent(new JsonObject()
                .put("out_trade_no", attemptId)
                .put("out_request_no", number)
                .encode());
        return alipay.execute(request);
    }

    private Map<String, String> believed(Received notification) {
        Map<String, String> fields = fields(notification);
        assertThat(isBelieved(fields)).isTrue();
        return fields;
    }

    private boolean isBelieved(Map<String, String> fields) {
        String publicKey = settings.getJsonArray("alipay_public_keys").getString(0);
        try {
            return AlipaySignature.rsaCheckV1(new HashMap<>(fields), publicKey, "UTF-8", "RSA2");
        } catch (AlipayApiException e) {
            throw new AssertionError(e);
        }
    }

    private static Map<String, String> fields(Received notification) {
        return Form.parse(notification.text(), StandardCharsets.UTF_8);
    }
}
