package io.quittance.psp.sandbox;

import static io.quittance.psp.sandbox.WechatPayObjects.error;
import static io.quittance.psp.sandbox.WechatPayObjects.newNumber;

import io.quittance.psp.sandbox.SandboxPayment.State;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * WeChat Pay's API v3 (pay.weixin.qq.com/doc/v3): native payments, domestic refunds and trade bills. Requests must be
 * signed by the merchant over the path as requested, which begins with {@code /wechatpay} here; every answer but the file
 * of a bill is signed by the platform.
 *
 * <p>After {@code time_expire} a payment cannot be paid and stays NOTPAY until it is closed. A refund's answer says
 * PROCESSING, as WeChat Pay's mostly does, although the money has moved by the time of the first query.
 */
final class WechatPaySide implements PspSide {

    static final String PSP = "wechatpay";

    private static final String BY_NUMBER = "/v3/pay/transactions/out-trade-no/";
    private static final String REFUNDS = "/v3/refund/domestic/refunds";

    private final SandboxKeys.WechatPay keys;
    private final Ledger ledger;
    private final WechatPayCrypto crypto;
    private final WechatPayNotices notices;
    private final WechatPayBills bills;
    private final Consumer<List<Notice>> outbox;

    WechatPaySide(SandboxKeys.WechatPay keys, Ledger ledger, Consumer<List<Notice>> outbox) {
        this.keys = keys;
        this.ledger = ledger;
        this.crypto = new WechatPayCrypto(keys);
        this.notices = new WechatPayNotices(keys, crypto);
        this.bills = new WechatPayBills(keys, ledger);
        this.outbox = outbox;
    }

    @Override
    public String psp() {
        return PSP;
    }

    @Override
    public JsonObject settings(String sandboxBase) {
        return new JsonObject()
                .put("api_base", sandboxBase + "/wechatpay")
                .put("mch_id", keys.mchId())
                .put("app_id", keys.appId())
                .put("api_v3_key", keys.apiV3Key())
                .put("merchant_serial", keys.merchantSerial())
                .put("merchant_private_key", Rsa.pem(keys.merchant().getPrivate()))
                .put(
                        "platform_keys",
                        new JsonObject()
                                .put(
                                        keys.platformSerial(),
                                        Rsa.pem(keys.platform().getPublic())));
    }

    @Override
    public Reply answer(Call call, Instant now) {
        boolean isSigned = crypto.isSignedByMerchant(call, now);
        if (isSigned && call.isGet() && call.path().equals(WechatPayBills.DOWNLOAD_PATH)) {
            // the one answer that WeChat Pay does not sign
            return bills.download(Form.query(call.query()), now);
        }
        Reply reply = isSigned ? route(call, now) : error(401, "SIGN_ERROR", "the request's signature is wrong");
        return reply.with(crypto.signed(reply.body(), now));
    }

    private Reply route(Call call, Instant now) {
        String path = call.path();
        if (call.isGet() && path.startsWith(BY_NUMBER)) {
            return query(path.substring(BY_NUMBER.length()), call.query());
        }
        if (call.isGet() && path.equals(WechatPayBills.PATH)) {
            return bills.prepare(Form.query(call.query()), call.header("Host"), now);
        }
        if (call.isGet() && path.startsWith(REFUNDS + "/")) {
            return queryRefund(path.substring(REFUNDS.length() + 1));
        }
        if (!call.isPost()) {
            return error(404, "RESOURCE_NOT_EXISTS", "no such address");
        }
        JsonObject body;
        try {
            body = call.body().toJsonObject();
        } catch (DecodeException | ClassCastException e) {
            return error(400, "PARAM_ERROR", "the body is not a JSON object");
        }
        return post(path, body, now);
    }

    private Reply post(String path, JsonObject body, Instant now) {
        if (path.equals("/v3/pay/transactions/native")) {
            return create(body, now);
        }
        if (path.startsWith(BY_NUMBER) && path.endsWith("/close")) {
            return close(path.substring(BY_NUMBER.length(), path.length() - "/close".length()), body);
        }
        if (path.equals(REFUNDS)) {
            return refund(body, now);
        }
        return error(404, "RESOURCE_NOT_EXISTS", "no such address");
    }

    private Reply create(JsonObject body, Instant now) {
        if (!keys.mchId().equals(text(body, "mchid")) || !keys.appId().equals(text(body, "appid"))) {
            return error(400, "APPID_MCHID_NOT_MATCH", "appid and mchid do not match");
        }
        Optional<Trade.Terms> read = terms(body, now);
        if (read.isEmpty()) {
            return error(400, "PARAM_ERROR", "description, out_trade_no, notify_url, amount or time_expire is wrong");
        }
        Trade.Terms terms = read.get();
        Optional<Trade> known = ledger.byAttempt(terms.attemptId());
        if (known.isEmpty() && ledger.isFull()) {
            return error(429, "FREQUENCY_LIMITED", "the sandbox keeps no more payments");
        }
        return known.map(trade -> createAgain(trade, terms)).orElseGet(() -> codeUrl(ledger.open(terms)));
    }

    private static Reply createAgain(Trade trade, Trade.Terms wanted) {
        if (!trade.terms().sameAs(wanted)) {
            return error(403, "OUT_TRADE_NO_USED", "out_trade_no is used with other parameters");
        }
        return switch (trade.state()) {
            case OPEN -> codeUrl(trade);
            case PAID -> error(400, "ORDERPAID", "the order is paid");
            case CLOSED -> error(400, "ORDER_CLOSED", "the order is closed");
        };
    }

    private static Reply codeUrl(Trade trade) {
        String url = "weixin://wxpay/bizpayurl?pr=" + trade.terms().pspPaymentId();
        return Reply.json(200, new JsonObject().put("code_url", url));
    }

    private Optional<Trade.Terms> terms(JsonObject body, Instant now) {
        String number = text(body, "out_trade_no");
        String notifyUrl = text(body, "notify_url");
        String description = text(body, "description");
        JsonObject amount = object(body, "amount");
        long total = fen(amount, "total");
        boolean cny = amount.getValue("currency", "CNY").equals("CNY");
        boolean urlOk = notifyUrl.startsWith("http") && !notifyUrl.contains("?");
        if (!number.matches("[0-9A-Za-z_*-]{6,32}") || !urlOk || description.isEmpty() || total <= 0 || !cny) {
            return Optional.empty();
        }
        Instant expiresAt = null;
        try {
            String expiry = text(body, "time_expire");
            expiresAt = expiry.isEmpty() ? null : OffsetDateTime.parse(expiry).toInstant();
        } catch (DateTimeException e) {
            return Optional.empty();
        }
        Map<String, String> texts = Map.of("description", description, "attach", text(body, "attach"));
        return Optional.of(
                new Trade.Terms(PSP, number, newNumber("42"), total, "CNY", notifyUrl, now, expiresAt, texts));
    }

    private Reply query(String number, String query) {
        if (!keys.mchId().equals(Form.query(query).get("mchid"))) {
            return error(400, "PARAM_ERROR", "mchid is missing or wrong");
        }
        return ours(number)
                .map(trade -> Reply.json(200, WechatPayObjects.transaction(keys, trade)))
                .orElseGet(WechatPaySide::noSuchOrder);
    }

    private Reply close(String number, JsonObject body) {
        if (!keys.mchId().equals(text(body, "mchid"))) {
            return error(400, "PARAM_ERROR", "mchid is missing or wrong");
        }
        Optional<Trade> found = ours(number);
        if (found.isEmpty()) {
            return noSuchOrder();
        }
        if (found.get().isPaid()) {
            return error(400, "ORDERPAID", "the order is paid");
        }
        if (found.get().state() == State.OPEN) {
            ledger.close(found.get());
        }
        return Reply.empty(204);
    }

    private Reply refund(JsonObject body, Instant now) {
        JsonObject amount = object(body, "amount");
        String refundNo = text(body, "out_refund_no");
        long wanted = fen(amount, "refund");
        if (!refundNo.matches("[0-9A-Za-z_|*@-]{1,64}") || wanted <= 0) {
            return error(400, "PARAM_ERROR", "out_refund_no or amount is wrong");
        }
        Optional<Trade> found = refundTarget(body);
        if (found.isEmpty()) {
            return error(404, "RESOURCE_NOT_EXISTS", "no such order");
        }
        Trade trade = found.get();
        if (fen(amount, "total") != trade.terms().amountMinor()) {
            return error(400, "PARAM_ERROR", "amount.total is not the order's");
        }
        Optional<Refund> earlier = trade.refund(refundNo);
        if (earlier.isPresent()) {
            return earlier.get().amountMinor() == wanted
                    ? Reply.json(200, WechatPayObjects.refund(trade, earlier.get(), "SUCCESS"))
                    : error(400, "PARAM_ERROR", "out_refund_no is used with another amount");
        }
        if (!trade.isPaid() || wanted > trade.refundableMinor()) {
            return error(400, "INVALID_REQUEST", "not paid, or less is left than shall be refunded");
        }
        if (ledger.byPspId(refundKey(refundNo)).isPresent()) {
            return error(400, "PARAM_ERROR", "out_refund_no is used for another order");
        }
        return refund(trade, refundNo, wanted, text(body, "notify_url"), now);
    }

    private Reply refund(Trade trade, String refundNo, long wanted, String notifyUrl, Instant now) {
        Refund refund = new Refund(refundNo, newNumber("50"), wanted, now, Map.of());
        Trade refunded = ledger.refund(trade, refund);
        ledger.alsoFindBy(refundKey(refundNo), refunded);
        if (!notifyUrl.isEmpty()) {
            outbox.accept(List.of(notices.refunded(refunded, refund, notifyUrl, now)));
        }
        return Reply.json(200, WechatPayObjects.refund(refunded, refund, "PROCESSING"));
    }

    private Reply queryRefund(String refundNo) {
        return ledger.byPspId(refundKey(refundNo))
                .flatMap(trade ->
                        trade.refund(refundNo).map(refund -> WechatPayObjects.refund(trade, refund, "SUCCESS")))
                .map(body -> Reply.json(200, body))
                .orElseGet(() -> error(404, "RESOURCE_NOT_EXISTS", "no such refund"));
    }

    @Override
    public Optional<Notice> paid(Trade trade, Instant now) {
        return notices.paid(trade, now);
    }

    @Override
    public Notice.Signed sign(Notice notice, Instant now) {
        return notices.sign(notice, now);
    }

    @Override
    public boolean isAcknowledged(int status, Buffer body) {
        return status == 200 || status == 204;
    }

    @Override
    public String tamperMark() {
        return "\"ciphertext\":\"";
    }

    private Optional<Trade> refundTarget(JsonObject body) {
        String transactionId = text(body, "transaction_id");
        return transactionId.isEmpty()
                ? ours(text(body, "out_trade_no"))
                : ledger.byPspId(transactionId)
                        .filter(trade -> trade.terms().psp().equals(PSP));
    }

    private Optional<Trade> ours(String number) {
        return ledger.byAttempt(number).filter(trade -> trade.terms().psp().equals(PSP));
    }

    private static Reply noSuchOrder() {
        return error(404, "ORDER_NOT_EXIST", "no such order");
    }

    private static String refundKey(String refundNo) {
        return PSP + ":" + refundNo;
    }

    private static String text(JsonObject body, String key) {
        return body.getValue(key) instanceof String text ? text : "";
    }

    private static JsonObject object(JsonObject body, String key) {
        return body.getValue(key) instanceof JsonObject object ? object : new JsonObject();
    }

    /** 0 if it is not a whole number. */
    private static long fen(JsonObject amount, String key) {
        @Nullable Object value = amount.getValue(key);
        return value instanceof Integer || value instanceof Long ? ((Number) value).longValue() : 0;
    }
}
