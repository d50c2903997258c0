package io.quittance.psp.sandbox;

import static io.quittance.psp.sandbox.AlipayObjects.argumentError;
import static io.quittance.psp.sandbox.AlipayObjects.businessError;
import static io.quittance.psp.sandbox.AlipayObjects.fen;

import io.vertx.core.json.JsonObject;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Alipay's page pay (opendocs.alipay.com: alipay.trade.page.pay). The trade begins to exist when the payer opens the signed
 * address, not before; after {@code time_expire} or {@code timeout_express} it can neither be opened nor paid.
 */
final class AlipayCheckout {

    private static final int TRADE_NO_DIGITS = 18;

    private final Ledger ledger;

    AlipayCheckout(Ledger ledger) {
        this.ledger = ledger;
    }

    /** Registers the trade of a verified request; opening it again is fine. Returns what is wrong, if anything. */
    Optional<JsonObject> open(AlipayRequest request, Instant now) {
        String number = request.business("out_trade_no");
        long amount = fen(request.business("total_amount"));
        if (!number.matches("[0-9A-Za-z_-]{1,64}")
                || amount <= 0
                || request.business("subject").isEmpty()) {
            return Optional.of(argumentError("isv.invalid-parameter", "out_trade_no, total_amount or subject"));
        }
        @Nullable Instant expiresAt;
        try {
            expiresAt = expiry(request, now);
        } catch (DateTimeException | ArithmeticException e) {
            return Optional.of(argumentError("isv.invalid-parameter", "time_expire or timeout_express"));
        }
        String notifyUrl = request.field("notify_url");
        Trade.Terms terms = new Trade.Terms(
                AlipaySide.PSP,
                number,
                newTradeNo(now),
                amount,
                "CNY",
                notifyUrl.isEmpty() ? null : notifyUrl,
                now,
                expiresAt,
                texts(request));
        return ledger.byAttempt(number)
                .map(trade -> openAgain(trade, terms, now))
                .orElseGet(() -> openFirst(terms, now));
    }

    /** What the payer sees. */
    Reply page(AlipayRequest request) {
        String number = request.business("out_trade_no");
        String html = """
                <!doctype html><html lang="en"><meta charset="utf-8"><title>Sandbox cashier</title>
                <p>Payment %s of CNY %s is open.
                <form method="post" action="/pay/%s"><button>Pay</button></form></html>
                """.formatted(number, AlipayObjects.yuan(fen(request.business("total_amount"))), number);
        return Reply.text(200, "text/html; charset=utf-8", html);
    }

    private Optional<JsonObject> openFirst(Trade.Terms terms, Instant now) {
        if (ledger.isFull()) {
            return Optional.of(businessError("ACQ.SYSTEM_ERROR", "the sandbox keeps no more payments"));
        }
        if (Trade.opened(terms).isExpired(now)) {
            return Optional.of(businessError("ACQ.TRADE_HAS_CLOSE", "交易已经关闭"));
        }
        ledger.open(terms);
        return Optional.empty();
    }

    private static Optional<JsonObject> openAgain(Trade trade, Trade.Terms wanted, Instant now) {
        if (!trade.terms().sameAs(wanted)) {
            return Optional.of(businessError("ACQ.CONTEXT_INCONSISTENT", "交易信息被篡改"));
        }
        if (trade.isExpired(now)) {
            return Optional.of(businessError("ACQ.TRADE_HAS_CLOSE", "交易已经关闭"));
        }
        return switch (trade.state()) {
            case OPEN -> Optional.empty();
            case PAID -> Optional.of(businessError("ACQ.TRADE_HAS_SUCCESS", "交易已被支付"));
            case CLOSED -> Optional.of(businessError("ACQ.TRADE_HAS_CLOSE", "交易已经关闭"));
        };
    }

    /** The absolute time counts; a duration such as {@code 90m}, {@code 2h} or {@code 1d} begins at the opening. */
    private static @Nullable Instant expiry(AlipayRequest request, Instant now) {
        String absolute = request.business("time_expire");
        if (!absolute.isEmpty()) {
            return AlipayObjects.instant(absolute);
        }
        String relative = request.business("timeout_express");
        if (!relative.matches("[0-9]{1,5}[mhd]")) {
            return null;
        }
        long count = Long.parseLong(relative.substring(0, relative.length() - 1));
        return switch (relative.charAt(relative.length() - 1)) {
            case 'm' -> now.plus(Duration.ofMinutes(count));
            case 'h' -> now.plus(Duration.ofHours(count));
            default -> now.plus(Duration.ofDays(count));
        };
    }

    /** What comes back with notifications. */
    private static Map<String, String> texts(AlipayRequest request) {
        Map<String, String> texts = new LinkedHashMap<>();
        for (String name : new String[] {"subject", "body", "passback_params"}) {
            if (!request.business(name).isEmpty()) {
                texts.put(name, request.business(name));
            }
        }
        return texts;
    }

    private static String newTradeNo(Instant now) {
        String date = AlipayObjects.time(now).substring(0, 10).replace("-", "");
        String random =
                Long.toUnsignedString((UUID.randomUUID().getMostSignificantBits() & Long.MAX_VALUE) | (1L << 62));
        return date + "22" + random.substring(0, TRADE_NO_DIGITS);
    }
}
