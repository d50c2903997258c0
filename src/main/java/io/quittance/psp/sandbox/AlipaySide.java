package io.quittance.psp.sandbox;

import static io.quittance.psp.sandbox.AlipayObjects.argumentError;
import static io.quittance.psp.sandbox.AlipayObjects.businessError;
import static io.quittance.psp.sandbox.AlipayObjects.fen;

import io.quittance.psp.sandbox.SandboxPayment.State;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Alipay's open gateway, RSA2 (opendocs.alipay.com): page pay, query, close, refund, refund query, bills. Answers are
 * signed over the exact text of their node, in which slashes are escaped, as Alipay escapes them; errors about the request
 * as such are not signed.
 */
final class AlipaySide implements PspSide {

    static final String PSP = "alipay";

    private final SandboxKeys.Alipay keys;
    private final Ledger ledger;
    private final AlipayNotices notices;
    private final AlipayCheckout checkout;
    private final AlipayBills bills;
    private final Consumer<List<Notice>> outbox;

    AlipaySide(SandboxKeys.Alipay keys, Ledger ledger, Consumer<List<Notice>> outbox) {
        this.keys = keys;
        this.ledger = ledger;
        this.notices = new AlipayNotices(keys);
        this.checkout = new AlipayCheckout(ledger);
        this.bills = new AlipayBills(keys, ledger);
        this.outbox = outbox;
    }

    @Override
    public String psp() {
        return PSP;
    }

    @Override
    public JsonObject settings(String sandboxBase) {
        return new JsonObject()
                .put("gateway", sandboxBase + "/alipay/gateway.do")
                .put("app_id", keys.appId())
                .put("seller_id", keys.sellerId())
                .put(
                        "alipay_public_keys",
                        new JsonArray().add(Rsa.text(keys.alipay().getPublic())))
                .put("app_private_key", Rsa.text(keys.app().getPrivate()));
    }

    @Override
    public Reply answer(Call call, Instant now) {
        if (call.isGet() && call.path().equals(AlipayBills.PATH)) {
            return bills.download(call.query(), now);
        }
        if (!call.path().equals("/gateway.do") || !(call.isGet() || call.isPost())) {
            return Reply.text(404, "text/plain", "no such address");
        }
        AlipayRequest request;
        try {
            String body = call.isPost() ? call.body().toString("ISO-8859-1") : "";
            request = AlipayRequest.read(call.query(), body);
        } catch (IllegalArgumentException e) {
            return unsigned("error_response", argumentError("isv.invalid-parameter", "" + e.getMessage()));
        }
        String method = request.field("method");
        Optional<JsonObject> refused = refusal(request);
        if (method.equals("alipay.trade.page.pay")) {
            return refused.or(() -> checkout.open(request, now))
                    .map(error -> Reply.text(400, "text/plain; charset=utf-8", error.encode()))
                    .orElseGet(() -> checkout.page(request));
        }
        String node = method.replace('.', '_') + "_response";
        return refused.map(error -> unsigned(node, error)).orElseGet(() -> business(call, request, node, now));
    }

    /**
     * The payer opens the address of a page payment.
     *
     * @param query the address's query string
     * @throws Cashier.NotPayable if the address is not signed by the merchant, or the payment cannot be opened
     */
    void open(String query, Instant now) {
        AlipayRequest request;
        try {
            request = AlipayRequest.read(query, "");
        } catch (IllegalArgumentException e) {
            throw new Cashier.NotPayable("not an address of Alipay's page pay: " + e.getMessage(), false);
        }
        if (!request.field("method").equals("alipay.trade.page.pay")) {
            throw new Cashier.NotPayable("not an address of Alipay's page pay", false);
        }
        refusal(request).or(() -> checkout.open(request, now)).ifPresent(error -> {
            throw new Cashier.NotPayable("Alipay refuses to open it: " + error.getString("sub_code"), false);
        });
    }

    /** What is wrong with a request whatever it asks for. */
    private Optional<JsonObject> refusal(AlipayRequest request) {
        if (!keys.appId().equals(request.field("app_id"))) {
            return Optional.of(argumentError("isv.invalid-app-id", "app_id is unknown"));
        }
        if (!request.isSignedBy(keys.app().getPublic())) {
            return Optional.of(argumentError("isv.invalid-signature", "the signature is wrong"));
        }
        return Optional.empty();
    }

    private Reply business(Call call, AlipayRequest request, String node, Instant now) {
        JsonObject answer =
                switch (request.field("method")) {
                    case "alipay.trade.query" -> onTrade(request, trade -> AlipayObjects.query(trade, now));
                    case "alipay.trade.close" -> onTrade(request, trade -> close(trade, now));
                    case "alipay.trade.refund" -> onTrade(request, trade -> refund(trade, request, now));
                    case "alipay.trade.fastpay.refund.query" ->
                        onTrade(
                                request,
                                trade -> AlipayObjects.refundQuery(
                                        trade, trade.refund(request.business("out_request_no"))));
                    case AlipayBills.METHOD -> bills.prepare(request, call.header("Host"), now);
                    default -> argumentError("isv.invalid-method", "the sandbox has no such method");
                };
        return signed(node, answer, request);
    }

    /** {@code trade_no} counts if both are given. */
    private JsonObject onTrade(AlipayRequest request, Function<Trade, JsonObject> work) {
        String tradeNo = request.business("trade_no");
        Optional<Trade> found =
                tradeNo.isEmpty() ? ledger.byAttempt(request.business("out_trade_no")) : ledger.byPspId(tradeNo);
        return found.filter(trade -> trade.terms().psp().equals(PSP))
                .map(work)
                .orElseGet(() -> businessError("ACQ.TRADE_NOT_EXIST", "交易不存在"));
    }

    private JsonObject close(Trade trade, Instant now) {
        if (trade.state() != State.OPEN || trade.isExpired(now)) {
            return businessError("ACQ.TRADE_STATUS_ERROR", "交易状态不合法");
        }
        return AlipayObjects.closed(ledger.close(trade));
    }

    private JsonObject refund(Trade trade, AlipayRequest request, Instant now) {
        long wanted = fen(request.business("refund_amount"));
        String named = request.business("out_request_no");
        String refundNo = named.isEmpty() ? trade.terms().attemptId() : named;
        if (wanted <= 0 || (named.isEmpty() && wanted < trade.terms().amountMinor())) {
            return businessError("ACQ.INVALID_PARAMETER", "参数无效");
        }
        Optional<Refund> earlier = trade.refund(refundNo);
        if (earlier.isPresent()) {
            return earlier.get().amountMinor() == wanted
                    ? AlipayObjects.refunded(trade, earlier.get(), false)
                    : businessError("ACQ.DISCORDANT_REPEAT_REQUEST", "不一致的请求");
        }
        if (!trade.isPaid()) {
            return businessError("ACQ.TRADE_STATUS_ERROR", "交易状态不合法");
        }
        if (wanted > trade.refundableMinor()) {
            return businessError("ACQ.REFUND_AMT_NOT_EQUAL_TOTAL", "退款金额超限");
        }
        Map<String, String> texts = Map.of("refund_reason", request.business("refund_reason"));
        // Alipay names refunds by the trade's number and the merchant's request number, not by a number of its own.
        String pspRefundId = trade.terms().pspPaymentId() + "#" + refundNo;
        Refund refund = new Refund(refundNo, pspRefundId, wanted, now, texts);
        Trade refunded = ledger.refund(trade, refund);
        outbox.accept(notices.refunded(refunded, refund).stream().toList());
        return AlipayObjects.refunded(refunded, refund, true);
    }

    private Reply signed(String node, JsonObject answer, AlipayRequest request) {
        String text = escaped(answer);
        String sign = Rsa.sign(keys.alipay().getPrivate(), text.getBytes(request.charset()));
        String body = "{\"" + node + "\":" + text + ",\"sign\":\"" + sign + "\"}";
        return new Reply(
                200,
                Map.of(
                        "Content-Type",
                        "text/html;charset=" + request.charset().name().toLowerCase(Locale.ROOT)),
                Buffer.buffer(body.getBytes(request.charset())));
    }

    private static Reply unsigned(String node, JsonObject answer) {
        return Reply.text(200, "text/html;charset=utf-8", "{\"" + node + "\":" + escaped(answer) + "}");
    }

    private static String escaped(JsonObject answer) {
        return answer.encode().replace("/", "\\/");
    }

    @Override
    public Optional<Notice> paid(Trade trade, Instant now) {
        return notices.paid(trade);
    }

    @Override
    public Notice.Signed sign(Notice notice, Instant now) {
        return notices.sign(notice, now);
    }

    @Override
    public boolean isAcknowledged(int status, Buffer body) {
        return status == 200 && body.toString().equals("success");
    }

    @Override
    public String tamperMark() {
        return "total_amount=";
    }
}
