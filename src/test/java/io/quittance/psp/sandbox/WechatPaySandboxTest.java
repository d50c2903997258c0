package io.quittance.psp.sandbox;

import static io.quittance.psp.sandbox.SandboxBench.await;
import static io.quittance.psp.sandbox.SandboxBench.newAttemptId;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.wechat.pay.java.core.exception.ServiceException;
import com.wechat.pay.java.core.exception.ValidationException;
import com.wechat.pay.java.core.http.HttpClient;
import com.wechat.pay.java.core.notification.NotificationParser;
import com.wechat.pay.java.core.notification.RSAPublicKeyNotificationConfig;
import com.wechat.pay.java.core.notification.RequestParam;
import com.wechat.pay.java.service.payments.model.Transaction;
import com.wechat.pay.java.service.payments.nativepay.NativePayService;
import com.wechat.pay.java.service.payments.nativepay.model.Amount;
import com.wechat.pay.java.service.payments.nativepay.model.CloseOrderRequest;
import com.wechat.pay.java.service.payments.nativepay.model.PrepayRequest;
import com.wechat.pay.java.service.payments.nativepay.model.QueryOrderByOutTradeNoRequest;
import com.wechat.pay.java.service.refund.RefundService;
import com.wechat.pay.java.service.refund.model.AmountReq;
import com.wechat.pay.java.service.refund.model.CreateRequest;
import com.wechat.pay.java.service.refund.model.QueryByOutRefundNoRequest;
import com.wechat.pay.java.service.refund.model.Refund;
import com.wechat.pay.java.service.refund.model.RefundNotification;
import com.wechat.pay.java.service.refund.model.Status;
import io.quittance.psp.sandbox.SandboxBench.Answer;
import io.quittance.psp.sandbox.SandboxBench.Received;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The WeChat Pay side, with WeChat Pay's own SDK as the merchant; it verifies each answer's signature. */
class WechatPaySandboxTest {

    private final SandboxBench bench = new SandboxBench();
    private final JsonObject settings = bench.settings("wechatpay");
    private final HttpClient client = WechatPayClient.of(settings, settings.getString("merchant_private_key"));
    private final NativePayService payments =
            new NativePayService.Builder().httpClient(client).build();
    private final RefundService refunds =
            new RefundService.Builder().httpClient(client).build();

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void a_paid_order_is_told_of_in_an_envelope_that_wechat_pay_opens() {
        String attemptId = newAttemptId();
        assertThat(create(attemptId, 1999)).startsWith("weixin://");
        assertThat(query(attemptId).getTradeState()).isEqualTo(Transaction.TradeStateEnum.NOTPAY);

        await(bench.sandbox.pay(attemptId));

        Received notification = bench.only();
        assertThat(notification.path()).isEqualTo("/v1/notify/wechatpay/acme");
        Transaction told = opened(notification, Transaction.class);
        assertThat(told.getOutTradeNo()).isEqualTo(attemptId);
        assertThat(told.getMchid()).isEqualTo(settings.getString("mch_id"));
        assertThat(told.getAppid()).isEqualTo(settings.getString("app_id"));
        assertThat(told.getTradeState()).isEqualTo(Transaction.TradeStateEnum.SUCCESS);
        assertThat(told.getAmount().getTotal()).isEqualTo(1999);
        assertThat(told.getAmount().getCurrency()).isEqualTo("CNY");
        Transaction asked = query(attemptId);
        assertThat(asked.getTradeState()).isEqualTo(Transaction.TradeStateEnum.SUCCESS);
        assertThat(asked.getTransactionId()).isEqualTo(told.getTransactionId());
    }

    @Test
    void creating_again_gives_the_same_code_and_another_amount_is_refused() {
        String attemptId = newAttemptId();
        assertThat(create(attemptId, 1999)).isEqualTo(create(attemptId, 1999));
        assertThat(refusal(() -> create(attemptId, 2000)).getErrorCode()).isEqualTo("OUT_TRADE_NO_USED");
        assertThat(bench.sandbox.counts().created()).isEqualTo(1);
    }

    @Test
    void an_unknown_order_does_not_exist_in_wechat_pays_words() {
        ServiceException e = refusal(() -> query(newAttemptId()));
        assertThat(e.getHttpStatusCode()).isEqualTo(404);
        assertThat(e.getErrorCode()).isEqualTo("ORDER_NOT_EXIST");
    }

    @Test
    void a_closed_order_cannot_be_paid_and_a_paid_one_not_closed() {
        String closed = newAttemptId();
        create(closed, 500);
        closeOrder(closed);
        assertThat(query(closed).getTradeState()).isEqualTo(Transaction.TradeStateEnum.CLOSED);
        assertThatThrownBy(() -> await(bench.sandbox.pay(closed))).hasMessageContaining("CLOSED");
        await(bench.sandbox.payLateEvenIfClosed(closed));
        assertThat(query(closed).getTradeState()).isEqualTo(Transaction.TradeStateEnum.SUCCESS);

        ServiceException e = refusal(() -> closeOrder(closed));
        assertThat(e.getHttpStatusCode()).isEqualTo(400);
        assertThat(e.getErrorCode()).isEqualTo("ORDERPAID");
    }

    @Test
    void refunds_are_made_once_a_number_and_told_at_their_own_address() {
        String attemptId = newAttemptId();
        create(attemptId, 1000);
        await(bench.sandbox.pay(attemptId));
        bench.settled();

        Refund first = refund(attemptId, 400, "r-1");
        assertThat(first.getStatus()).isEqualTo(Status.PROCESSING);
        assertThat(refund(attemptId, 400, "r-1").getRefundId()).isEqualTo(first.getRefundId());
        assertThat(refusal(() -> refund(attemptId, 401, "r-1")).getHttpStatusCode())
                .isEqualTo(400);
        assertThat(refusal(() -> refund(attemptId, 601, "r-2")).getErrorCode()).isEqualTo("INVALID_REQUEST");
        assertThat(queryRefund("r-1").getStatus()).isEqualTo(Status.SUCCESS);
        assertThat(refusal(() -> queryRefund("r-2")).getErrorCode()).isEqualTo("RESOURCE_NOT_EXISTS");
        assertThat(query(attemptId).getTradeState()).isEqualTo(Transaction.TradeStateEnum.REFUND);

        List<Received> all = bench.settled();
        assertThat(all).hasSize(2);
        assertThat(all.get(1).body().toJsonObject().getString("event_type")).isEqualTo("REFUND.SUCCESS");
        RefundNotification told = opened(all.get(1), RefundNotification.class);
        assertThat(told.getOutRefundNo()).isEqualTo("r-1");
        assertThat(told.getAmount().getRefund()).isEqualTo(400);
        assertThat(told.getRefundStatus()).isEqualTo(Status.SUCCESS);
    }

    @Test
    void an_order_whose_time_is_over_cannot_be_paid_and_waits_to_be_closed() {
        String attemptId = newAttemptId();
        PrepayRequest order = order(attemptId, 100);
        order.setTimeExpire("2020-01-01T00:00:00+08:00");
        payments.prepay(order);
        assertThatThrownBy(() -> await(bench.sandbox.pay(attemptId))).hasMessageContaining("time to pay");
        assertThat(query(attemptId).getTradeState()).isEqualTo(Transaction.TradeStateEnum.NOTPAY);
        closeOrder(attemptId);
        assertThat(query(attemptId).getTradeState()).isEqualTo(Transaction.TradeStateEnum.CLOSED);
    }

    @Test
    void a_request_that_the_merchant_did_not_sign_is_refused_in_wechat_pays_words() {
        NativePayService stranger = new NativePayService.Builder()
                .httpClient(WechatPayClient.of(settings, Rsa.pem(Rsa.generate().getPrivate())))
                .build();
        ServiceException e = refusal(() -> stranger.prepay(order(newAttemptId(), 100)));
        assertThat(e.getHttpStatusCode()).isEqualTo(401);
        assertThat(e.getErrorCode()).isEqualTo("SIGN_ERROR");
    }

    @Test
    void wechat_pay_refuses_what_is_forged_or_tampered() {
        bench.sandbox.faults(new Faults(0, 0, 0, 1, 1, 1, Duration.ZERO, 1));
        String attemptId = newAttemptId();
        create(attemptId, 1999);
        await(bench.sandbox.pay(attemptId));
        List<Received> lies = bench.settled();
        assertThat(lies).hasSize(2);
        assertThat(lies).allSatisfy(lie -> assertThatThrownBy(() -> opened(lie, Transaction.class))
                .isInstanceOf(ValidationException.class));
    }

    @Test
    void a_word_of_failure_under_status_200_is_a_success_and_ends_the_retries() {
        bench.answerWith(notification -> new Answer(200, "{\"code\":\"FAIL\"}"));
        String attemptId = newAttemptId();
        create(attemptId, 1999);
        await(bench.sandbox.pay(attemptId));
        assertThat(bench.settled()).hasSize(1);
    }

    private String create(String attemptId, int fen) {
        return payments.prepay(order(attemptId, fen)).getCodeUrl();
    }

    private PrepayRequest order(String attemptId, int fen) {
        Amount amount = new Amount();
        amount.setTotal(fen);
        amount.setCurrency("CNY");
        PrepayRequest request = new PrepayRequest();
        request.setMchid(settings.getString("mch_id"));
        request.setAppid(settings.getString("app_id"));
        request.setDescription("订单 7");
        request.setOutTradeNo(attemptId);
        request.setNotifyUrl(bench.notifyUrl("wechatpay"));
        request.setTimeExpire("2099-01-01T00:00:00+08:00");
        request.setAmount(amount);
        return request;
    }

    private Transaction query(String attemptId) {
        QueryOrderByOutTradeNoRequest request = new QueryOrderByOutTradeNoRequest();
        request.setMchid(settings.getString("mch_id"));
        request.setOutTradeNo(attemptId);
        return payments.queryOrderByOutTradeNo(request);
    }

    private void closeOrder(String attemptId) {
        CloseOrderRequest request = new CloseOrderRequest();
        request.setMchid(settings.getString("mch_id"));
        request.setOutTradeNo(attemptId);
        payments.closeOrder(request);
    }

    private Refund refund(String attemptId, long fen, String number) {
        AmountReq amount = new AmountReq();
        amount.setRefund(fen);
        amount.setTotal(1000L);
        amount.setCurrency("CNY");
        CreateRequest request = new CreateRequest();
        request.setOutTradeNo(attemptId);
        request.setOutRefundNo(number);
        request.setNotifyUrl(bench.notifyUrl("wechatpay"));
        request.setAmount(amount);
        return refunds.create(request);
    }

    private Refund queryRefund(String number) {
        QueryByOutRefundNoRequest request = new QueryByOutRefundNoRequest();
        request.setOutRefundNo(number);
        return refunds.queryByOutRefundNo(request);
    }

    private static ServiceException refusal(ThrowingCallable call) {
        return catchThrowableOfType(ServiceException.class, call);
    }

    private <T> T opened(Received notification, Class<T> type) {
        String serial =
                settings.getJsonObject("platform_keys").fieldNames().iterator().next();
        NotificationParser parser = new NotificationParser(new RSAPublicKeyNotificationConfig.Builder()
                .publicKey(settings.getJsonObject("platform_keys").getString(serial))
                .publicKeyId(serial)
                .apiV3Key(settings.getString("api_v3_key"))
                .build());
        RequestParam param = new RequestParam.Builder()
                .serialNumber(notification.header("Wechatpay-Serial"))
                .nonce(notification.header("Wechatpay-Nonce"))
                .timestamp(notification.header("Wechatpay-Timestamp"))
                .signature(notification.header("Wechatpay-Signature"))
                .signType(notification.header("Wechatpay-Signature-Type"))
                .body(notification.text())
                .build();
        return parser.parse(param, type);
    }
}
