package io.quittance.psp.stripe;

import io.quittance.domain.Money;
import io.quittance.psp.JsonFields;
import io.quittance.psp.MinorUnits;
import io.vertx.core.json.JsonObject;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Stripe's amounts: integers in Stripe's own smallest unit, with a lower-case currency (docs.stripe.com/currencies). */
final class StripeAmounts {

    /** UGX and ISK are not here: both have no decimals, and Stripe keeps writing them with two. */
    private static final Set<String> ZERO_DECIMALS = Set.of(
            "BIF", "CLP", "DJF", "GNF", "JPY", "KMF", "KRW", "MGA", "PYG", "RWF", "VND", "VUV", "XAF", "XOF", "XPF");

    private static final Set<String> THREE_DECIMALS = Set.of("BHD", "JOD", "KWD", "OMR", "TND");

    private StripeAmounts() {}

    /** Empty if it is not an integer of at least nothing, or cannot be said exactly in the ISO unit. */
    static Optional<Money> read(JsonObject from, String amountName) {
        Long amount = JsonFields.integer(from, amountName);
        String currency = JsonFields.text(from, "currency");
        if (amount == null || amount < 0 || currency == null || currency.length() != 3) {
            return Optional.empty();
        }
        String code = currency.toUpperCase(Locale.ROOT);
        try {
            return Optional.of(MinorUnits.toMoney(amount, code, exponent(code)));
        } catch (ArithmeticException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Empty if Stripe cannot charge this amount: it wants the last digit of three decimals to be nought. */
    static Optional<Long> write(Money money) {
        try {
            long amount = MinorUnits.fromMoney(money, exponent(money.currency()));
            boolean chargeable = !THREE_DECIMALS.contains(money.currency()) || amount % 10 == 0;
            return chargeable ? Optional.of(amount) : Optional.empty();
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
