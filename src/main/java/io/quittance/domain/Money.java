package io.quittance.domain;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Currency;
import java.util.Locale;

/**
 * An exact amount: a whole number of minor units and an ISO 4217 currency code.
 *
 * <p>How many decimals a currency has is not a property of this type: the tables of PSPs differ from ISO 4217 and from
 * each other, so whoever reads or writes a decimal says the exponent ({@link #ofDecimal}, {@link #toDecimal}).
 *
 * @param minor the amount in minor units of the currency, for example cents
 * @param currency three upper-case letters
 */
public record Money(long minor, String currency) {

    public Money {
        if (!isCurrencyCode(currency)) {
            throw new IllegalArgumentException("currency must be three upper-case letters, was \"" + currency + "\"");
        }
    }

    /**
     * Reads a decimal number such as {@code 19.99}.
     *
     * @param exponent the number of decimals that the currency has for the one who wrote the number
     * @throws ArithmeticException if the number has more decimals than the exponent, or does not fit in a long
     * @throws NumberFormatException if it is not a plain decimal number
     */
    public static Money ofDecimal(String decimal, String currency, int exponent) {
        if (decimal.length() > MAX_DECIMAL_CHARS || !isPlainDecimal(decimal)) {
            throw new NumberFormatException(
                    "not a plain decimal number of at most " + MAX_DECIMAL_CHARS + " characters");
        }
        BigDecimal scaled = new BigDecimal(decimal).setScale(exponent, RoundingMode.UNNECESSARY);
        return new Money(scaled.unscaledValue().longValueExact(), currency);
    }

    /** The amount as a decimal number with exactly {@code exponent} decimals. */
    public String toDecimal(int exponent) {
        return BigDecimal.valueOf(minor, exponent).toPlainString();
    }

    /**
     * The number of decimals that ISO 4217 gives a currency, which is the one that the merchant API uses.
     *
     * @throws IllegalArgumentException if ISO 4217 does not know the currency
     */
    public static int isoExponent(String currency) {
        return Math.max(0, Currency.getInstance(currency).getDefaultFractionDigits());
    }

    /** The amount as the merchant API shows it. */
    public String toIsoDecimal() {
        return toDecimal(isoExponent(currency));
    }

    /**
     * Adds an amount of the same currency.
     *
     * @throws IllegalArgumentException if the currencies differ
     * @throws ArithmeticException if the sum does not fit in a long
     */
    public Money plus(Money other) {
        requireSameCurrency(other);
        return new Money(Math.addExact(minor, other.minor), currency);
    }

    /**
     * Takes away an amount of the same currency.
     *
     * @throws IllegalArgumentException if the currencies differ
     */
    public Money minus(Money other) {
        requireSameCurrency(other);
        return new Money(Math.subtractExact(minor, other.minor), currency);
    }

    /** Whether this is at least as much as the other amount, which must be of the same currency. */
    public boolean covers(Money other) {
        requireSameCurrency(other);
        return minor >= other.minor;
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%d minor units %s", minor, currency);
    }

    private static final int MAX_DECIMAL_CHARS = 24;

    private void requireSameCurrency(Money other) {
        if (!currency.equals(other.currency)) {
            throw new IllegalArgumentException("cannot combine " + currency + " with " + other.currency);
        }
    }

    private static boolean isCurrencyCode(String text) {
        return text.length() == 3 && isUpper(text.charAt(0)) && isUpper(text.charAt(1)) && isUpper(text.charAt(2));
    }

    private static boolean isUpper(char c) {
        return c >= 'A' && c <= 'Z';
    }

    private static boolean isPlainDecimal(String text) {
        int digits = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean digit = c >= '0' && c <= '9';
            boolean sign = c == '-' && i == 0;
            boolean point = c == '.' && digits > 0 && text.indexOf('.') == i && i < text.length() - 1;
            if (!digit && !sign && !point) {
                return false;
            }
            digits += digit ? 1 : 0;
        }
        return digits > 0;
    }
}
