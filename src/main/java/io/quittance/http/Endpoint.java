package io.quittance.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.quittance.message.Broken;
import io.quittance.message.Unavailable;
import io.quittance.store.Away;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.time.Clock;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The frame around each operation of the merchant API: who asks, the body's limits and form before the operation, and
 * what its failures mean after it.
 */
final class Endpoint {

    /** An order with a hundred items has less than 10 KiB. */
    static final long BODY_LIMIT_BYTES = 64 * 1024;

    /** When to try again what is not possible now, in seconds. */
    static final long RETRY_AFTER_SECONDS = 2;

    private static final Logger LOG = LoggerFactory.getLogger(Endpoint.class);

    private final Merchants merchants;
    private final BoundedBody body;
    private final JsonReader json = new JsonReader();

    Endpoint(Merchants merchants, Clock clock) {
        this.merchants = merchants;
        this.body = new BoundedBody(BODY_LIMIT_BYTES, clock);
    }

    /** The handler of one operation, which needs a body unless its method is GET. */
    Handler<RoutingContext> of(Function<Call, Future<Answer>> operation) {
        return handler(operation, true);
    }

    /** The handler of one operation that needs no body, whatever its method. */
    Handler<RoutingContext> withoutBody(Function<Call, Future<Answer>> operation) {
        return handler(operation, false);
    }

    /** The handler of one operation that answers by itself, with the merchant's id. */
    Handler<RoutingContext> streaming(BiConsumer<RoutingContext, String> operation) {
        return context -> authenticated(context, merchantId -> operation.accept(context, merchantId));
    }

    private Handler<RoutingContext> handler(Function<Call, Future<Answer>> operation, boolean needsBody) {
        return context -> authenticated(context, merchantId -> answer(context, merchantId, operation, needsBody)
                .recover(failure -> Future.succeededFuture(explain(failure)))
                .onComplete(done -> done.result().send(context)));
    }

    private void authenticated(RoutingContext context, Consumer<String> operation) {
        merchants
                .authenticate(context.request().headers().getAll("Authorization"))
                .ifPresentOrElse(operation, () -> unauthenticated().closing().send(context));
    }

    private Future<Answer> answer(
            RoutingContext context, String merchantId, Function<Call, Future<Answer>> operation, boolean needsBody) {
        HttpServerRequest request = context.request();
        if (request.method().equals(HttpMethod.GET)) {
            return Future.succeededFuture(call(context, merchantId, Buffer.buffer(), MissingNode.getInstance()))
                    .compose(operation);
        }
        boolean untyped = !request.headers().contains("Content-Type");
        if (!isPlainJson(request.headers()) && (needsBody || !untyped)) {
            return Future.succeededFuture(Problem.MEDIA_TYPE
                    .answer("The body must be application/json, without a Content-Encoding.")
                    .closing());
        }
        return body.read(request).compose(bytes -> {
            if (!needsBody && bytes.length() == 0) {
                return operation.apply(call(context, merchantId, bytes, MissingNode.getInstance()));
            }
            JsonNode parsed;
            try {
                parsed = json.object(bytes);
            } catch (JsonReader.NotJson notJson) {
                return Future.succeededFuture(Problem.NOT_JSON.answer(notJson.detail()));
            }
            return operation.apply(call(context, merchantId, bytes, parsed));
        });
    }

    private static Call call(RoutingContext context, String merchantId, Buffer raw, JsonNode body) {
        HttpServerRequest request = context.request();
        return new Call(
                merchantId,
                request.method() + " " + context.normalizedPath(),
                context.pathParams(),
                request.headers().getAll("Idempotency-Key"),
                raw,
                body);
    }

    private static boolean isPlainJson(MultiMap headers) {
        String type = headers.get("Content-Type");
        String encoding = headers.get("Content-Encoding");
        return type != null
                && MediaType.isJson(MediaType.essence(type))
                && (encoding == null || encoding.strip().equalsIgnoreCase("identity"));
    }

    private static Answer unauthenticated() {
        return Problem.UNAUTHENTICATED
                .answer("Send the header Authorization: Bearer <API key>, with a key that is configured here.")
                .with("WWW-Authenticate", "Bearer realm=\"quittance\"");
    }

    /** What a failure means for the one who asked; only bugs are logged. */
    static Answer explain(Throwable failure) {
        if (failure instanceof BoundedBody.Unread unread) {
            return unread.answer();
        }
        if (failure instanceof Unavailable || failure instanceof Away) {
            return Problem.UNAVAILABLE
                    .answer("This cannot be done now; the same request may be sent again. If a payment was begun, its"
                            + " outcome is not known here now: do not pay again.")
                    .retryAfter(RETRY_AFTER_SECONDS);
        }
        if (!(failure instanceof Broken)) {
            LOG.error("a request of a merchant could not be handled", failure);
        }
        return Problem.INTERNAL.answer("The request could not be handled; the cause is in the gateway's log.");
    }
}
