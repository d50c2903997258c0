package io.quittance.loadtest.gatling;

import io.quittance.loadtest.sender.News;
import io.quittance.loadtest.sender.News.Kind;
import io.quittance.loadtest.sender.Sender;
import io.vertx.core.json.JsonObject;
import java.time.Instant;

/** An order of the run with an attempt to pay it. */
record Placed(String orderNo, Sender sender, String attempt, String payment, Instant at) {

    static final long AMOUNT_MINOR = 1_999;
    static final String AMOUNT = "19.99";

    /** The one currency that all PSPs here take. */
    static final String CURRENCY = "CNY";

    /** WeChat Pay's and Alipay's ids have 28 characters; the attempt's last ones tell it from others. */
    private static final int ATTEMPT_CHARS_LEFT_OUT = 4;

    /** @param attempt as the gateway answered */
    static Placed of(String orderNo, Sender sender, JsonObject attempt) {
        String id = attempt.getString("id");
        String told = attempt.getString("psp_payment_id");
        String payment = told == null ? id.substring(ATTEMPT_CHARS_LEFT_OUT) : told;
        return new Placed(orderNo, sender, id, payment, Instant.now());
    }

    Shot tells(Kind kind) {
        return new Shot(sender, new News(kind, attempt, payment, AMOUNT_MINOR, CURRENCY, at));
    }
}
