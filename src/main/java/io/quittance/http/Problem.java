package io.quittance.http;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Locale;

/** Everything that a request can be refused for, told as problem+json (RFC 9457). */
enum Problem {
    NOT_JSON(400, "The body is not JSON"),
    BAD_REQUEST(400, "The request cannot be understood"),
    BODY_BROKEN(400, "The body is not complete"),
    UNAUTHENTICATED(401, "A valid API key is needed"),
    NOT_FOUND(404, "There is nothing here"),
    METHOD_NOT_ALLOWED(405, "This address does not take this method"),
    TOO_SLOW(408, "The body did not come in time"),
    OTHER_CONTENT(409, "The order exists with other content"),
    OUT_OF_STOCK(409, "Too little is left"),
    PRODUCT_REFUSED(409, "The product cannot be changed like this"),
    NOT_PAYABLE(409, "The order cannot be paid"),
    NOT_CANCELLABLE(409, "The order cannot be called off"),
    NOT_REFUNDABLE(409, "This money cannot be sent back"),
    ATTEMPT_LIVE(409, "Another attempt may still be paid"),
    ATTEMPTS_EXHAUSTED(409, "The order has had all its attempts"),
    KEY_IN_PROGRESS(409, "The first request with this Idempotency-Key is not answered yet"),
    TOO_LARGE(413, "The body is too large"),
    MEDIA_TYPE(415, "The body has the wrong type or encoding"),
    INVALID(422, "The request has mistakes"),
    KEY_REUSED(422, "The Idempotency-Key was used for another request"),
    UNKNOWN_PRODUCT(422, "There is no such product"),
    UNKNOWN_ACCOUNT(422, "There is no such PSP account"),
    INTERNAL(500, "Something is broken here"),
    UNAVAILABLE(503, "Not now");

    private static final String TYPE_PREFIX = "urn:quittance:problem:";

    private final int status;
    private final String title;

    Problem(int status, String title) {
        this.status = status;
        this.title = title;
    }

    int status() {
        return status;
    }

    String type() {
        return TYPE_PREFIX + name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    Answer answer(String detail) {
        return answer(detail, List.of(), new JsonObject());
    }

    Answer answer(String detail, List<Mistake> mistakes) {
        return answer(detail, mistakes, new JsonObject());
    }

    /** @param more extension members of this kind of problem */
    Answer answer(String detail, List<Mistake> mistakes, JsonObject more) {
        JsonObject body = new JsonObject()
                .put("type", type())
                .put("title", title)
                .put("status", status)
                .put("detail", detail);
        if (!mistakes.isEmpty()) {
            body.put("errors", errors(mistakes));
        }
        return Answer.of(status, Answer.PROBLEM_JSON, body.mergeIn(more).toBuffer());
    }

    private static JsonArray errors(List<Mistake> mistakes) {
        JsonArray errors = new JsonArray();
        mistakes.forEach(mistake ->
                errors.add(new JsonObject().put("field", mistake.field()).put("problem", mistake.problem())));
        return errors;
    }
}
