package io.quittance.http;

import io.quittance.message.Broken;
import io.quittance.message.Bus;
import io.quittance.message.Inquiry;
import io.quittance.message.Inquiry.Answer.Known;
import io.quittance.message.Inquiry.Subject;
import io.quittance.message.Unavailable;
import io.quittance.psp.BodyFormat;
import io.quittance.psp.BrowserReturn;
import io.quittance.psp.PspAdapter;
import io.quittance.psp.Psps;
import io.quittance.psp.Returned;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * GET and POST /v1/return/{psp}/{account}: a payer's browser comes back from the PSP. Nothing that it brings is believed
 * but which payment it is about: the PSP is asked, and the browser goes on to the result page. What it brought stays
 * here, because there may be secrets of the payment in it.
 */
final class ReturnHandler implements Handler<RoutingContext> {

    /** Every PSP's return fits into an address, which has less. */
    static final long BODY_LIMIT_BYTES = 16 * 1024;

    /** Each waits for a PSP at most; the next one is asked to come again. */
    static final int IN_FLIGHT_MAX = 1_000;

    private static final Logger LOG = LoggerFactory.getLogger(ReturnHandler.class);

    private final Psps psps;
    private final Bus bus;
    private final ResultLinks links;
    private final Clock clock;
    private final Duration wait;
    private final BoundedBody body;
    private int inFlight;

    /** @param wait how long a browser waits for the PSP's answer */
    ReturnHandler(Psps psps, Bus bus, ResultLinks links, Clock clock, Duration wait) {
        this.psps = psps;
        this.bus = bus;
        this.links = links;
        this.clock = clock;
        this.wait = wait;
        this.body = new BoundedBody(BODY_LIMIT_BYTES, clock);
    }

    @Override
    public void handle(RoutingContext context) {
        HttpServerRequest request = context.request();
        Instant receivedAt = clock.instant();
        Language language = Language.preferred(request.headers().getAll("Accept-Language"));
        PspAdapter adapter = psps.find(context.pathParam("psp"), context.pathParam("account"))
                .orElse(null);
        if (adapter == null) {
            NoticePage.NOT_RECOGNISED.answer(404, language).closing().send(context);
            return;
        }
        boolean posted = request.method().equals(HttpMethod.POST);
        if (posted && !isForm(request.headers())) {
            NoticePage.NOT_RECOGNISED.answer(415, language).closing().send(context);
            return;
        }
        if (inFlight >= IN_FLIGHT_MAX) {
            NoticePage.notNow(language).closing().send(context);
            return;
        }
        inFlight++;
        Future<Buffer> fields = posted ? body.read(request) : Future.succeededFuture(query(request));
        fields.compose(read -> follow(adapter, new BrowserReturn(read, receivedAt), language))
                .recover(failure -> Future.succeededFuture(explain(failure, language)))
                .onComplete(done -> {
                    inFlight--;
                    done.result().send(context);
                });
    }

    /** The bytes as they came in: what was no ASCII is read so that each byte is one character. */
    private static Buffer query(HttpServerRequest request) {
        String query = request.query();
        return Buffer.buffer(query == null ? "" : query, "ISO-8859-1");
    }

    private static boolean isForm(MultiMap headers) {
        return headers.getAll("Content-Encoding").stream().allMatch(NotifyHead::isPlain)
                && headers.getAll("Content-Type").stream()
                        .map(MediaType::essence)
                        .allMatch(BodyFormat.FORM.mediaType()::equals);
    }

    private Future<Answer> follow(PspAdapter adapter, BrowserReturn back, Language language) {
        Returned returned = adapter.readReturn(back);
        if (returned instanceof Returned.Unreadable unreadable) {
            LOG.info("a browser came back to {}/{}: {}", adapter.psp(), adapter.account(), unreadable.detail());
            return Future.succeededFuture(NoticePage.NOT_RECOGNISED.answer(400, language));
        }
        return bus.ask(new Inquiry(subject(adapter, (Returned.Payment) returned), wait))
                .map(answer -> answer instanceof Known known
                        ? seeOther(links.to(known.merchantId(), known.orderNo()))
                        : NoticePage.NOT_RECOGNISED.answer(404, language));
    }

    /** Our own id is the surer one: the PSP's may not have become known here yet. */
    private static Subject subject(PspAdapter adapter, Returned.Payment payment) {
        String attemptId = payment.attemptId();
        return attemptId != null
                ? new Subject.OfAttempt(adapter.psp(), adapter.account(), attemptId)
                : new Subject.OfPayment(adapter.psp(), adapter.account(), String.valueOf(payment.pspPaymentId()));
    }

    private static Answer seeOther(String location) {
        return Page.unkept(Answer.of(303, "", Buffer.buffer()).with("Location", location));
    }

    private static Answer explain(Throwable failure, Language language) {
        if (failure instanceof BoundedBody.Unread unread) {
            return NoticePage.NOT_RECOGNISED
                    .answer(unread.problem().status(), language)
                    .closing();
        }
        if (!(failure instanceof Unavailable || failure instanceof Broken)) {
            LOG.error("a browser's return could not be handled", failure);
        }
        return NoticePage.notNow(language);
    }
}
