package io.quittance.http;

import io.quittance.domain.Money;
import io.quittance.psp.FormBody;
import io.quittance.store.Away;
import io.quittance.store.OrderReads;
import io.quittance.store.OrderView;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * GET /pay/{order_no}: what became of an order, for its payer. It only reads. The page is complete as it is rendered, and
 * its script makes it turn by itself; without the script it loads itself again, at first often and then less, until it
 * stops and leaves it to the payer.
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

    /** After so long without a first event the page takes it that something on the way keeps events back. */
    static final int FIRST_EVENT_SECONDS_MAX = 5;

    private static final Logger LOG = LoggerFactory.getLogger(ResultPage.class);

    private final OrderReads reads;
    private final ResultLinks links;
    private final Clock clock;

    ResultPage(OrderReads reads, ResultLinks links, Clock clock) {
        this.reads = reads;
        this.links = links;
        this.clock = clock;
    }

    /**
     * A payer with a link.
     *
     * @param merchantId whose order it is; empty if the link is not a good one
     * @param looks how often the page has loaded itself before
     */
    record Visit(Language language, String orderNo, String token, Optional<String> merchantId, int looks) {}

    @Override
    public void handle(RoutingContext context) {
        Visit visit = visit(context);
        boolean asData = wantsData(context.request().headers().getAll("Accept"));
        order(visit)
                .map(found -> found.map(order -> asData ? data(order, visit) : show(order, visit))
                        .orElseGet(() -> NoticePage.NOT_RECOGNISED.answer(404, visit.language())))
                .recover(failure -> Future.succeededFuture(explain(failure, visit.language())))
                .onComplete(done -> done.result().send(context));
    }

    Visit visit(RoutingContext context) {
        HttpServerRequest request = context.request();
        Map<String, String> fields = fields(request.query());
        String orderNo = context.pathParam("order_no");
        String token = fields.getOrDefault("token", "");
        return new Visit(
                Language.preferred(request.headers().getAll("Accept-Language")),
                orderNo,
                token,
                links.merchantOf(token, orderNo),
                looks(fields.getOrDefault("look", "")));
    }

    /** The order that the link shows; empty if it shows none. */
    Future<Optional<OrderView>> order(Visit visit) {
        return visit.merchantId().isEmpty()
                ? Future.succeededFuture(Optional.empty())
                : reads.byNumber(visit.merchantId().get(), visit.orderNo()).map(found -> found.filter(this::isShown));
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

    /** The page's script names this type alone, and no browser does when it opens an address. */
    private static boolean wantsData(List<String> accept) {
        return accept.equals(List.of(Answer.JSON));
    }

    static Answer explain(Throwable failure, Language language) {
        if (!(failure instanceof Away)) {
            LOG.error("a payer's page could not be shown", failure);
        }
        return NoticePage.notNow(language);
    }

    /** How often the page has loaded itself; whatever is not such a number counts as the first time. */
    private static int looks(String text) {
        return text.matches("[0-9]{1,3}") ? Integer.parseInt(text) : 0;
    }

    private static Answer data(OrderView order, Visit visit) {
        return Page.unkept(
                        Answer.json(200, PageContent.of(order, visit.language()).json()))
                .with("Content-Language", visit.language().tag())
                .with("Vary", "Accept, Accept-Language")
                .with("X-Content-Type-Options", "nosniff");
    }

    static Answer show(OrderView order, Visit visit) {
        PageContent content = PageContent.of(order, visit.language());
        Language language = visit.language();
        String main = """
                <div role="status" aria-atomic="true">
                %s<p id="text">%s</p>
                <p id="over"%s data-text="%s">%s</p>
                <p id="warning" class="warning"%s>%s</p>
                </div>
                %s<dl>
                %s%s</dl>
                <a id="again" href="?token=%s"%s>%s</a>
                """.formatted(
                        Page.heading(content.state().tone(), content.title()),
                        Page.escape(content.text()),
                        hiddenUnless(isTimeOver(content)),
                        Page.escape(PageContent.timeOver(language)),
                        isTimeOver(content) ? Page.escape(PageContent.timeOver(language)) : "",
                        hiddenUnless(content.mustNotPayAgain()),
                        Page.escape(content.warning()),
                        timeLeft(content),
                        entry(language.choose("Order", "订单号"), order.orderNo()),
                        entry(language.choose("Amount", "金额"), shown(order.amount())),
                        Page.escape(visit.token()),
                        hiddenUnless(!content.last()),
                        Page.escape(language.choose("Look again now", "立即刷新")));
        String head = content.state().refreshes() && visit.looks() < LOOKS_MAX ? refresh(content, visit) : "";
        return Page.live(language, content.title(), head, attributes(content, visit.token()), main);
    }

    /** What the script is told; the paces stand here only. */
    private static String attributes(PageContent content, String token) {
        return """
                 data-token="%s" data-final="%s" data-seconds-left="%s" data-first-event="%d" data-quick="%d" data-slow="%d"\
                 data-quick-looks="%d" data-looks="%d" data-unreachable="%s"\
                """.formatted(
                Page.escape(token),
                content.last(),
                content.secondsLeft().isPresent() ? content.secondsLeft().getAsLong() : "",
                FIRST_EVENT_SECONDS_MAX,
                QUICK_PAUSE_SECONDS,
                SLOW_PAUSE_SECONDS,
                QUICK_LOOKS_MAX,
                LOOKS_MAX,
                Page.escape(PageContent.unreachable(content.language())));
    }

    /** Not a part of what is read aloud at a change: it changes all the time. */
    private static String timeLeft(PageContent content) {
        long seconds = content.secondsLeft().orElse(0);
        return "<p id=\"time\" class=\"time\" role=\"timer\"%s>%s <span id=\"left\">%s</span></p>\n"
                .formatted(
                        hiddenUnless(seconds > 0),
                        Page.escape(content.language().choose("Time left to pay", "剩余支付时间")),
                        seconds > 0 ? clockFace(seconds) : "");
    }

    /** 0:59, 12:34, 1:02:03; the script writes it in the same way. */
    static String clockFace(long seconds) {
        return seconds < 3600
                ? "%d:%02d".formatted(seconds / 60, seconds % 60)
                : "%d:%02d:%02d".formatted(seconds / 3600, seconds / 60 % 60, seconds % 60);
    }

    private static boolean isTimeOver(PageContent content) {
        return content.secondsLeft().isPresent() && content.secondsLeft().getAsLong() == 0;
    }

    private static String refresh(PageContent content, Visit visit) {
        boolean quick = content.state().isPassing() && visit.looks() < QUICK_LOOKS_MAX;
        return "<noscript><meta http-equiv=\"refresh\" content=\"%d;url=?token=%s&amp;look=%d\"></noscript>\n"
                .formatted(
                        quick ? QUICK_PAUSE_SECONDS : SLOW_PAUSE_SECONDS,
                        Page.escape(visit.token()),
                        visit.looks() + 1);
    }

    private static String hiddenUnless(boolean shown) {
        return shown ? "" : " hidden";
    }

    private static String entry(String name, String value) {
        return "<dt>%s</dt><dd>%s</dd>\n".formatted(Page.escape(name), Page.escape(value));
    }

    private static String shown(Money amount) {
        return amount.toIsoDecimal() + " " + amount.currency();
    }
}
