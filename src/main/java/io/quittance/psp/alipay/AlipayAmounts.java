package io.quittance.psp.alipay;

import io.quittance.domain.Money;
import java.util.Optional;

/** Alipay's amounts: yuan as a decimal text of at most two places. */
final class AlipayAmounts {

    private static final String CURRENCY = "CNY";
    private static final int EXPONENT = 2;

    private AlipayAmounts() {}

    /** Empty if it is anything else, or less than nothing. */
    static Optional<Money> read(String yuan) {
        return signed(yuan).filter(money -> money.minor() >= 0);
    }

    /** As bills have it, where refunds are less than nothing; empty if it is anything else, or has no opposite. */
    static Optional<Money> signed(String yuan) {
        try {
            Money money = Money.ofDecimal(yuan, CURRENCY, EXPONENT);
            return money.minor() == Long.MIN_VALUE ? Optional.empty() : Optional.of(money);
        } catch (ArithmeticException | NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** Empty for other currencies. */
    static Optional<String> write(Money money) {
        return CURRENCY.equals(money.currency()) ? Optional.of(money.toDecimal(EXPONENT)) : Optional.empty();
    }
}
