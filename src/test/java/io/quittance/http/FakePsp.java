package io.quittance.http;

import io.quittance.domain.Evidence;
import io.quittance.domain.FactSource;
import io.quittance.domain.Money;
import io.quittance.domain.PaymentFact;
import io.quittance.psp.Acknowledgement;
import io.quittance.psp.BodyFormat;
import io.quittance.psp.BrowserReturn;
import io.quittance.psp.FormBody;
import io.quittance.psp.PaymentReport;
import io.quittance.psp.PspAdapter;
import io.quittance.psp.PspAnswer;
import io.quittance.psp.RawNotification;
import io.quittance.psp.RefundReport;
import io.quittance.psp.Returned;
import io.quittance.psp.SettlementFormat;
import io.quittance.psp.Translation;
import io.quittance.psp.Verification;
import io.vertx.core.Future;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

/**
 * A PSP whose signature is the header X-Signature with the value {@code right}, and whose body is
 * {@code {"id": event id, "facts": number of facts}} or {@code {"id": event id, "other": event type}}.
 */
final class FakePsp implements PspAdapter {

    static final String REFERENCE = "0199c0de4a6b7c8d9e0f1a2b3c4d5e6f";

    private final String psp;
    private final String account;

    /** What was verified last. */
    final AtomicReference<RawNotification> seen = new AtomicReference<>();

    /** What a browser brought back last. */
    final AtomicReference<BrowserReturn> returned = new AtomicReference<>();

    FakePsp(String psp, String account) {
        this.psp = psp;
        this.account = account;
    }

    @Override
    public String psp() {
        return psp;
    }

    @Override
    public String account() {
        return account;
    }

    @Override
    public Capabilities capabilities() {
        return new Capabilities(false, false, false, false);
    }

    @Override
    public Verification verify(RawNotification raw) {
        seen.set(raw);
        List<String> signatures = raw.headers().getAll("X-Signature");
        if (signatures.size() != 1) {
            return new Verification.Refused(
                    Verification.Reason.MALFORMED_SIGNATURE, "X-Signature is there " + signatures.size() + " times");
        }
        return switch (signatures.get(0)) {
            case "right" -> new Verification.Verified(raw, "key 1");
            case "old" -> new Verification.Refused(Verification.Reason.STALE, "signed 600 s ago");
            case "bug" -> throw new IllegalStateException("a bug in verify");
            default -> new Verification.Refused(Verification.Reason.BAD_SIGNATURE, "no key matches");
        };
    }

    @Override
    public Translation translate(Verification.Verified verified) {
        JsonObject body;
        try {
            body = verified.raw().body().toJsonObject();
        } catch (DecodeException | ClassCastException unreadable) {
            return new Translation.Malformed("the body is not a JSON object");
        }
        if (body.containsKey("bug")) {
            throw new IllegalStateException("a bug in translate");
        }
        String id = body.getString("id");
        if (body.containsKey("other")) {
            return new Translation.NotOurs(id, body.getString("other"));
        }
        Evidence evidence = new Evidence(FactSource.NOTIFICATION, psp, account, id, Instant.EPOCH);
        return new Translation.Facts(
                id,
                IntStream.range(0, body.getInteger("facts"))
                        .mapToObj(i -> PaymentFact.succeeded(REFERENCE, evidence, "pay-" + i, new Money(1999, "CNY")))
                        .toList());
    }

    @Override
    public PspAnswer acknowledge(Acknowledgement acknowledgement) {
        boolean empty = psp.equals("quiet");
        return switch (acknowledgement) {
            case ACCEPTED -> empty ? PspAnswer.empty(204) : PspAnswer.text(200, "success");
            case REFUSED -> PspAnswer.text(401, "fail");
            case UNREADABLE -> PspAnswer.text(400, "fail");
            case RETRY_LATER -> PspAnswer.text(503, "fail");
        };
    }

    @Override
    public BodyFormat notificationFormat() {
        return psp.equals("alipay") ? BodyFormat.FORM : BodyFormat.JSON;
    }

    /** {@code attempt=} an attempt's id, {@code payment=} the PSP's id, {@code sign=wrong}, or {@code bug=}. */
    @Override
    public Returned readReturn(BrowserReturn back) {
        returned.set(back);
        Map<String, String> fields = FormBody.decode(back.fields().getBytes(), StandardCharsets.ISO_8859_1)
                .orElse(Map.of());
        if (fields.containsKey("bug")) {
            throw new IllegalStateException("a bug in readReturn");
        }
        return "wrong".equals(fields.get("sign"))
                ? new Returned.Unreadable("the signature is wrong")
                : Returned.payment("attempt", fields.get("attempt"), fields.get("payment"), true);
    }

    @Override
    public Optional<SettlementFormat> settlement() {
        return Optional.empty();
    }

    @Override
    public Future<PaymentReport> create(NewPayment payment) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Future<PaymentReport> query(PaymentRef payment) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Future<PaymentReport> close(PaymentRef payment) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Future<RefundReport> refund(RefundOrder refund) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Future<RefundReport> queryRefund(RefundOrder refund) {
        throw new UnsupportedOperationException();
    }
}
