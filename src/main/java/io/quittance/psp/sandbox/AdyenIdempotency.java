package io.quittance.psp.sandbox;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Adyen's idempotency keys (docs.adyen.com/development-resources/api-idempotency): the first answer is given again. Errors
 * are not kept. The sandbox is stricter in one thing: a key that comes with another request is refused, since only a
 * mistake of the merchant's can bring it.
 */
final class AdyenIdempotency {

    static final String HEADER = "Idempotency-Key";

    /** The oldest is forgotten first; Adyen forgets after a week at the earliest. */
    static final int KEYS_MAX = 100_000;

    private final Map<String, Kept> answers = new LinkedHashMap<>();

    private record Kept(String request, Reply reply) {}

    Reply once(Call call, Supplier<Reply> work) {
        String key = call.header(HEADER);
        if (key.isEmpty()) {
            return work.get();
        }
        String request = call.path() + "\n" + call.body();
        Kept kept = answers.get(key);
        if (kept != null) {
            return kept.request.equals(request)
                    ? kept.reply.with(Map.of("idempotency-key", key))
                    : AdyenObjects.error(422, "704", "request already processed or in progress");
        }
        Reply reply = work.get();
        if (reply.status() < 400) {
            keep(key, new Kept(request, reply));
        }
        return reply;
    }

    private void keep(String key, Kept kept) {
        if (answers.size() == KEYS_MAX) {
            answers.remove(answers.keySet().iterator().next());
        }
        answers.put(key, kept);
    }
}
