package io.quittance.dispatch;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.util.Optional;

/** What a call to a target came to. */
sealed interface Reply {

    /** Longer ids are not ids. */
    int ID_CHARS_MAX = 200;

    String REFUSAL = "fulfilment_failed";

    /** The target has the order, under this id. */
    record Has(String id) implements Reply {}

    /** The target has heard what became of the order. */
    record Heard() implements Reply {}

    /** The target, asked, does not have the order. */
    record Lacks() implements Reply {}

    /** The target will never fulfil the order. */
    record Refuses() implements Reply {}

    /** Nobody knows whether the target has the order. */
    record Unclear(String reason) implements Reply {}

    /** The request never left. */
    record NotSent(String reason) implements Reply {}

    /** The target is left alone for now; nothing was tried. */
    record Resting() implements Reply {}

    static Reply toPost(int status, Buffer body) {
        Optional<JsonObject> answer = object(body);
        Optional<String> id = answer.flatMap(Reply::id);
        boolean settles = isSuccess(status) || status == 409;
        if (settles && id.isPresent()) {
            return new Has(id.get());
        }
        if (settles) {
            return new Unclear("answered " + status + " without an id");
        }
        if (status == 422 && answer.map(a -> REFUSAL.equals(a.getValue("code"))).orElse(false)) {
            return new Refuses();
        }
        return new Unclear("answered " + status);
    }

    /** A notice creates nothing, so that any success will do, and a conflict says that it came before. */
    static Reply toNotice(int status, Buffer body) {
        return isSuccess(status) || status == 409 ? new Heard() : new Unclear("answered " + status);
    }

    static Reply toLookup(int status, Buffer body) {
        if (status == 404) {
            return new Lacks();
        }
        Optional<String> id = status == 200 ? object(body).flatMap(Reply::id) : Optional.empty();
        return id.<Reply>map(Has::new)
                .orElseGet(() -> new Unclear("asked, it answered " + status + (status == 200 ? " without an id" : "")));
    }

    private static boolean isSuccess(int status) {
        return status >= 200 && status < 300;
    }

    private static Optional<JsonObject> object(Buffer body) {
        try {
            return Optional.of(new JsonObject(body));
        } catch (DecodeException | ClassCastException notAnObject) {
            return Optional.empty();
        }
    }

    /** Some systems number their records; a whole number is as good an id as a text. */
    private static Optional<String> id(JsonObject answer) {
        Object value = answer.getValue("id");
        boolean known = value instanceof String || value instanceof Integer || value instanceof Long;
        return known ? Optional.of(String.valueOf(value)).filter(Reply::isId) : Optional.empty();
    }

    private static boolean isId(String text) {
        return !text.isBlank() && text.length() <= ID_CHARS_MAX && text.chars().noneMatch(Character::isISOControl);
    }
}
