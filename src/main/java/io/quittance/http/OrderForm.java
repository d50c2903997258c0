package io.quittance.http;

import io.quittance.domain.LatePolicy;
import io.quittance.domain.Money;
import io.quittance.message.Checkout.Item;
import io.quittance.message.Checkout.PlaceOrder;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Currency;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** The body of POST /v1/orders. */
final class OrderForm {

    static final long QUANTITY_MAX = 1_000_000;

    private static final Pattern DECIMAL = Pattern.compile("-?[0-9]{1,19}(\\.[0-9]{1,4})?");
    private static final String DECIMAL_IN_WORDS =
            "a decimal number above zero in a string, such as \"19.99\", with no more decimals than the currency has";
    private static final Pattern CURRENCY = Pattern.compile("[A-Z]{3}");
    private static final Pattern DURATION = Pattern.compile("P[0-9DTHMS.]{2,30}");
    private static final Money NONE = new Money(0, "XXX");

    private final OrderTerms terms;

    OrderForm(OrderTerms terms) {
        this.terms = terms;
    }

    /** What is asked for; worth something only if the members have no mistakes afterwards. */
    PlaceOrder read(String merchantId, Members body) {
        String orderNo = body.text("order_no", Forms.NUMBER, Forms.NUMBER_IN_WORDS);
        Money amount = body.object("amount", "an object of value and currency")
                .map(OrderForm::amount)
                .orElse(NONE);
        List<Item> items = body.has("items") ? items(body) : List.of();
        Duration time = body.has("expires_in") ? time(body) : terms.timeDefault();
        LatePolicy usual = terms.latePolicyOf(merchantId);
        LatePolicy policy = body.has("late_policy")
                ? body.oneOf("late_policy", LatePolicy.class).orElse(usual)
                : usual;
        body.nothingElse();
        return new PlaceOrder(merchantId, orderNo, amount, items, time, policy);
    }

    /** An object of value and currency; worth something only if it has no mistakes afterwards. */
    static Money amount(Members amount) {
        String value = amount.text("value", DECIMAL, DECIMAL_IN_WORDS);
        String code = amount.text("currency", CURRENCY, "the three upper-case letters of an ISO 4217 currency");
        amount.nothingElse();
        if (code.isEmpty()) {
            return NONE;
        }
        int decimals = decimals(code);
        if (decimals < 0) {
            amount.mistake("currency", code + " is not known; wanted: an ISO 4217 currency that can be paid in");
            return NONE;
        }
        return value.isEmpty() ? NONE : money(amount, value, code);
    }

    private static Money money(Members amount, String value, String code) {
        int decimals = Money.isoExponent(code);
        try {
            Money money = Money.ofDecimal(value, code, decimals);
            if (money.minor() > 0) {
                return money;
            }
            amount.mistake("value", "is not above zero; wanted: " + DECIMAL_IN_WORDS);
        } catch (ArithmeticException inexact) {
            amount.mistake(
                    "value", "is too large or has too many decimals; wanted: at most " + decimals + " for " + code);
        }
        return NONE;
    }

    /** -1 for what is no currency, and for those without money, such as gold and tests. */
    private static int decimals(String code) {
        try {
            return Currency.getInstance(code).getDefaultFractionDigits();
        } catch (IllegalArgumentException unknown) {
            return -1;
        }
    }

    private List<Item> items(Members body) {
        List<Item> items = new ArrayList<>();
        Set<String> skus = new HashSet<>();
        for (Members entry : body.objects("items", terms.itemsMax(), "a list of objects of sku and quantity")) {
            String sku = entry.text("sku", Forms.NUMBER, Forms.NUMBER_IN_WORDS);
            long quantity = entry.whole("quantity", 1, QUANTITY_MAX);
            entry.nothingElse();
            if (!sku.isEmpty() && !skus.add(sku)) {
                entry.mistake("sku", "is named twice; wanted: one entry a product, with the whole quantity");
            }
            items.add(new Item(sku, quantity));
        }
        return List.copyOf(items);
    }

    private Duration time(Members body) {
        String wanted =
                "an ISO 8601 duration from " + terms.timeMin() + " to " + shown(terms.timeMax()) + ", such as PT30M";
        Optional<Duration> time = duration(body.text("expires_in", DURATION, wanted));
        if (time.isEmpty()) {
            if (body.mistakes().stream().noneMatch(mistake -> mistake.field().equals("expires_in"))) {
                body.mistake("expires_in", "is not a duration; wanted: " + wanted);
            }
            return terms.timeDefault();
        }
        if (time.get().compareTo(terms.timeMin()) < 0 || time.get().compareTo(terms.timeMax()) > 0) {
            body.mistake("expires_in", "is out of range; wanted: " + wanted);
        }
        return time.get();
    }

    /** Whole days as days, which Java never writes. */
    private static String shown(Duration time) {
        boolean wholeDays = time.equals(Duration.ofDays(time.toDays()));
        return wholeDays ? "P" + time.toDays() + "D" : time.toString();
    }

    private static Optional<Duration> duration(String text) {
        try {
            return Optional.of(Duration.parse(text));
        } catch (DateTimeParseException unreadable) {
            return Optional.empty();
        }
    }
}
