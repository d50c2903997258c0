package io.quittance.http;

import io.quittance.store.OrderView;
import io.vertx.core.json.JsonObject;
import java.util.Locale;
import java.util.OptionalLong;

/**
 * What the result page says of an order, whether it is rendered, asked for or streamed.
 *
 * @param mustNotPayAgain whether that is said
 * @param secondsLeft to pay; 0 if that time is over and the order is not closed yet; empty if no time matters
 * @param last whether the page can stop looking
 */
record PageContent(
        PageState state, Language language, boolean mustNotPayAgain, OptionalLong secondsLeft, boolean last) {

    static PageContent of(OrderView order, Language language) {
        PageState state = PageState.of(order);
        return new PageContent(
                state,
                language,
                PageState.mustNotPayAgain(order),
                state.hasTime() ? OptionalLong.of(order.secondsLeft()) : OptionalLong.empty(),
                order.isSettledForPayer());
    }

    String tone() {
        return state.tone().name().toLowerCase(Locale.ROOT);
    }

    String title() {
        return state.title(language);
    }

    String text() {
        return state.text(language);
    }

    /** Empty if there is nothing to warn of. */
    String warning() {
        return mustNotPayAgain ? language.choose("Do not pay again.", "请勿重复支付。") : "";
    }

    /** What is said when the time is over; only the order's state says that it has expired. */
    static String timeOver(Language language) {
        return language.choose(
                "The time to pay is over and the order is being closed. Please do not begin a payment now.",
                "支付时间已到，订单正在关闭，请不要再发起付款。");
    }

    /** What the script says when it cannot learn anything for a while: whatever the page shows may be over. */
    static String unreachable(Language language) {
        return language.choose(
                "We cannot look it up right now. If you have paid, do not pay again: your payment is not lost.",
                "暂时无法查询。如果您已付款，请勿重复支付：款项不会丢失。");
    }

    JsonObject json() {
        JsonObject json = new JsonObject()
                .put("state", state.name())
                .put("tone", tone())
                .put("sign", state.tone().sign())
                .put("title", title())
                .put("text", text())
                .put("warning", warning())
                .put("final", last);
        secondsLeft.ifPresent(seconds -> json.put("seconds_left", seconds));
        return json;
    }
}
