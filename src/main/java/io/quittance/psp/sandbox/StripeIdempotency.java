package io.quittance.psp.sandbox;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Stripe's idempotency keys (docs.stripe.com/api/idempotent_requests): the first answer is given again, word by word; the
 * same key with other parameters is an error. Errors are not kept, so that a call can be repeated once it can succeed.
 */
final class StripeIdempotency {

    static final String HEADER = "Idempotency-Key";

    /** The oldest is forgotten first; Stripe forgets after a day. */
    static final int KEYS_MAX = 100_000;

    private final Map<String, Kept> answers = new LinkedHashMap<>();

    private record Kept(String request, Reply reply) {}

    Reply once(Call call, Map<String, String> form, Supplier<Reply> work) {
        String key = call.header(HEADER);
        if (key.isEmpty()) {
            return work.get();
        }
        String request = call.path() + "\n" + new TreeMap<>(form);
        Kept kept = answers.get(key);
        if (kept == null) {
            return keep(key, request, work.get());
        }
        if (!kept.request.equals(request)) {
            return StripeObjects.error(
                    400,
                    "idempotency_error",
                    null,
                    "Keys for idempotent requests can only be used with the same parameters they were first used with.");
        }
        return kept.reply.with(Map.of("Idempotent-Replayed", "true"));
    }

    private Reply keep(String key, String request, Reply reply) {
        if (reply.status() >= 400) {
            return reply;
        }
        if (answers.size() == KEYS_MAX) {
            answers.remove(answers.keySet().iterator().next());
        }
        answers.put(key, new Kept(request, reply));
        return reply;
    }
}
