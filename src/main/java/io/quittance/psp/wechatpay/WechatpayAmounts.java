package io.quittance.psp.wechatpay;

import io.quittance.domain.Money;
import io.quittance.psp.JsonFields;
import io.quittance.psp.MinorUnits;
import io.vertx.core.json.JsonObject;
import java.util.Optional;

/** WeChat Pay's amounts: integers in fen. */
final class WechatpayAmounts {

    static final String CURRENCY = "CNY";
    static final int EXPONENT = 2;

    private WechatpayAmounts() {}

    /**
     * Reads one member of the {@code amount} object.
     *
     * @return empty if it is not an integer of at least nothing, or the currency is no currency; without a currency, as
     *     in refunds, it is CNY
     */
    static Optional<Money> read(JsonObject from, String name) {
        JsonObject amount = JsonFields.object(from, "amount");
        Long fen = amount == null ? null : JsonFields.integer(amount, name);
        if (amount == null || fen == null || fen < 0) {
            return Optional.empty();
        }
        Object currency = amount.getValue("currency", CURRENCY);
        try {
            return currency instanceof String code
                    ? Optional.of(MinorUnits.toMoney(fen, code, EXPONENT))
                    : Optional.empty();
        } catch (ArithmeticException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Empty for other currencies. */
    static Optional<Long> write(Money money) {
        return CURRENCY.equals(money.currency()) ? Optional.of(money.minor()) : Optional.empty();
    }
}
