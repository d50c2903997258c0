package io.quittance.psp;

import io.quittance.domain.Money;
import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * Between a PSP's integer amounts and ours. Ours are always in the minor unit of ISO 4217; a PSP's are in whatever its
 * own table says.
 */
public final class MinorUnits {

    private MinorUnits() {}

    /**
     * Reads a PSP's integer.
     *
     * @param minor in units of 10<sup>-exponent</sup>
     * @param exponent the number of decimals that the PSP gives the currency
     * @throws ArithmeticException if the amount is not a whole number of the ISO minor unit
     * @throws IllegalArgumentException if ISO 4217 does not know the currency
     */
    public static Money toMoney(long minor, String currency, int exponent) {
        return new Money(rescaled(minor, exponent, Money.isoExponent(currency)), currency);
    }

    /**
     * Writes a PSP's integer.
     *
     * @param exponent the number of decimals that the PSP gives the currency
     * @throws ArithmeticException if the PSP's unit cannot express the amount
     * @throws IllegalArgumentException if ISO 4217 does not know the currency
     */
    public static long fromMoney(Money money, int exponent) {
        return rescaled(money.minor(), Money.isoExponent(money.currency()), exponent);
    }

    private static long rescaled(long minor, int from, int to) {
        return BigDecimal.valueOf(minor, from)
                .setScale(to, RoundingMode.UNNECESSARY)
                .unscaledValue()
                .longValueExact();
    }
}
