package io.quittance.http;

import io.quittance.domain.Money;
import io.quittance.psp.FormBody;
import io.quittance.store.OrderReads;
import io.quittance.store.OrderView;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.ext.web.RoutingContext;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * GET /pay/{order_no}: what became of an order, for its payer. It only reads. As long as a payment is being confirmed, the
 * page loads itself again, at first often and then less, until it stops and leaves it to the payer.
 */
final class ResultPage implements Handler<RoutingContext> {

    /** How long after an order's end its link still shows something: by then every refund has arrived. */
    static final Duration LINK_LIFE = Duration.ofDays(90);

    /** A minute of quick looks, while nearly every payment is confirmed. */
    static final int QUICK_LOOKS_MAX = 20;

    static final int QUICK_PAUSE_SECONDS = 3;

    /** Half an hour in all. */
    static final int LOOKS_MAX = 140;

    static final int SLOW_PAUSE_SECONDS = 15;

    private static final Logger LOG = LoggerFactory.getLogger(ResultPage.class);

    private final OrderReads reads;
    private final ResultLinks links;
    private final Clock clock;

    ResultPage(OrderReads reads, ResultLinks links, Clock clock) {
        this.reads = reads;
        this.links = links;
        this.clock = clock;
    }

    @Override
    public void handle(RoutingContext context) {
        Language language = Language.preferred(context.request().headers().getAll("Accept-Language"));
        String orderNo = context.pathParam("order_no");
        Map<String, String> fields = fields(context.request().query());
        String token = fields.getOrDefault("token", "");
        Optional<String> merchantId = links.merchantOf(token, orderNo);
        if (merchantId.isEmpty()) {
            notRecognised(language).send(context);
            return;
        }
        reads.byNumber(merchantId.get(), orderNo)
                .map(found -> found.filter(this::isShown)
                        .map(order -> show(order, language, token, looks(fields.getOrDefault("look", ""))))
                        .orElseGet(() -> notRecognised(language)))
                .recover(failure -> Future.succeededFuture(explain(failure, language)))
                .onComplete(done -> done.result().send(context));
    }

    /** Empty if the query cannot be read, or names a field twice. */
    private static Map<String, String> fields(@Nullable String query) {
        return query == null
                ? Map.of()
                : FormBody.decode(query.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8)
                        .orElse(Map.of());
    }

    private boolean isShown(OrderView order) {
        return clock.instant().isBefore(order.expiresAt().plus(LINK_LIFE));
    }

    private static Answer notRecognised(Language language) {
        return NoticePage.NOT_RECOGNISED.answer(404, language);
    }

    static Answer explain(Throwable failure, Language language) {
        if (!(failure instanceof OrderReads.Away)) {
            LOG.error("a payer's page could not be shown", failure);
        }
        return NoticePage.notNow(language);
    }

    /** How often the page has loaded itself; whatever is not such a number counts as the first time. */
    private static int looks(String text) {
        return text.matches("[0-9]{1,3}") ? Integer.parseInt(text) : 0;
    }

    /** @param looks how often the page has loaded itself before */
    static Answer show(OrderView order, Language language, String token, int looks) {
        PageState state = PageState.of(order);
        String title = state.title(language);
        StringBuilder main = new StringBuilder(Page.heading(state.tone(), title));
        paragraph(main, "", state.text(language));
        if (state.mustNotPayAgain()) {
            paragraph(main, " class=\"warning\"", language.choose("Do not pay again.", "请勿重复支付。"));
        }
        main.append("<dl>\n");
        entry(main, language.choose("Order", "订单号"), order.orderNo());
        entry(main, language.choose("Amount", "金额"), shown(order.amount()));
        main.append("</dl>\n");
        if (state.isPassing()) {
            main.append("<a href=\"?token=%s\">%s</a>\n"
                    .formatted(Page.escape(token), Page.escape(language.choose("Look again now", "立即刷新"))));
        }
        String head = state.isPassing() && looks < LOOKS_MAX ? refresh(token, looks) : "";
        return Page.answer(200, language, title, head, main.toString());
    }

    private static String refresh(String token, int looks) {
        int seconds = looks < QUICK_LOOKS_MAX ? QUICK_PAUSE_SECONDS : SLOW_PAUSE_SECONDS;
        return "<meta http-equiv=\"refresh\" content=\"%d;url=?token=%s&amp;look=%d\">\n"
                .formatted(seconds, Page.escape(token), looks + 1);
    }

    private static void paragraph(StringBuilder html, String attributes, String text) {
        html.append("<p")
                .append(attributes)
                .append('>')
                .append(Page.escape(text))
                .append("</p>\n");
    }

    private static void entry(StringBuilder html, String name, String value) {
        html.append("<dt>%s</dt><dd>%s</dd>\n".formatted(Page.escape(name), Page.escape(value)));
    }

    private static String shown(Money amount) {
        return amount.toIsoDecimal() + " " + amount.currency();
    }
}
