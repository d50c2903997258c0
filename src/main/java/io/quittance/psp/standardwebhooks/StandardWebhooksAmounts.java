package io.quittance.psp.standardwebhooks;

import io.quittance.domain.Money;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Amounts, exact or not at all. In major units they are a decimal in a text, since a JSON number may have passed through
 * floating point somewhere; in minor units a whole number.
 */
final class StandardWebhooksAmounts {

    private static final Pattern CURRENCY = Pattern.compile("[A-Za-z]{3}");
    private static final Pattern MAJOR = Pattern.compile("[0-9]{1,18}(?:\\.[0-9]{1,4})?");
    private static final Pattern MINOR = Pattern.compile("[0-9]{1,18}");

    private StandardWebhooksAmounts() {}

    /**
     * Reads an amount and its currency, which may be in lower case.
     *
     * @return empty for a sign, an exponent, more decimals than ISO 4217 gives the currency, or a currency that it does
     *     not know
     */
    static Optional<Money> read(@Nullable Object amount, @Nullable Object currency, boolean minorUnits) {
        if (!(currency instanceof String text) || !CURRENCY.matcher(text).matches()) {
            return Optional.empty();
        }
        String code = text.toUpperCase(Locale.ROOT);
        try {
            int exponent = Money.isoExponent(code);
            return minorUnits ? minor(amount, code) : major(amount, code, exponent);
        } catch (ArithmeticException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static Optional<Money> major(@Nullable Object amount, String code, int exponent) {
        if (!(amount instanceof String text) || !MAJOR.matcher(text).matches()) {
            return Optional.empty();
        }
        int point = text.indexOf('.');
        int decimals = point < 0 ? 0 : text.length() - point - 1;
        return decimals > exponent ? Optional.empty() : Optional.of(Money.ofDecimal(text, code, exponent));
    }

    private static Optional<Money> minor(@Nullable Object amount, String code) {
        if (amount instanceof Integer || amount instanceof Long) {
            long whole = ((Number) amount).longValue();
            return whole < 0 ? Optional.empty() : Optional.of(new Money(whole, code));
        }
        return amount instanceof String text && MINOR.matcher(text).matches()
                ? Optional.of(new Money(Long.parseLong(text), code))
                : Optional.empty();
    }
}
