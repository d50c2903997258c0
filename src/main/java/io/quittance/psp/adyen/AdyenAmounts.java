package io.quittance.psp.adyen;

import io.quittance.domain.Money;
import io.quittance.psp.MinorUnits;
import java.util.Optional;
import java.util.Set;

/** Adyen's amounts: integers in Adyen's own minor units (docs.adyen.com/development-resources/currency-codes). */
final class AdyenAmounts {

    /** CVE and IDR are here although ISO 4217 gives them two decimals; CLP and ISK are not although it gives none. */
    private static final Set<String> ZERO_DECIMALS = Set.of(
            "CVE", "DJF", "GNF", "IDR", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "VND", "VUV", "XAF", "XOF", "XPF");

    private static final Set<String> THREE_DECIMALS = Set.of("BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND");

    private AdyenAmounts() {}

    /**
     * Reads an amount.
     *
     * @param value digits, or empty
     * @return empty if it is not at least nothing, or cannot be said exactly in the ISO unit
     */
    static Optional<Money> read(String value, String currency) {
        try {
            long minor = Long.parseLong(value);
            return minor < 0 ? Optional.empty() : Optional.of(MinorUnits.toMoney(minor, currency, exponent(currency)));
        } catch (ArithmeticException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Empty if Adyen's unit cannot express the amount. */
    static Optional<Long> write(Money money) {
        try {
            return Optional.of(MinorUnits.fromMoney(money, exponent(money.currency())));
        } catch (ArithmeticException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static int exponent(String currency) {
        if (ZERO_DECIMALS.contains(currency)) {
            return 0;
        }
        return THREE_DECIMALS.contains(currency) ? 3 : 2;
    }
}
