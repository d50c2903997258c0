package io.quittance.http;

import io.quittance.message.Bus;
import io.quittance.message.Checkout.BeginKey;
import io.quittance.message.Checkout.EndKey;
import io.quittance.message.Checkout.KeyAnswer;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The Idempotency-Key header: the same key with the same request has one effect and one answer. */
final class Idempotency {

    private static final Logger LOG = LoggerFactory.getLogger(Idempotency.class);

    private static final String HEADER = "Idempotency-Key";
    private static final Pattern KEY = Pattern.compile("[\\x21-\\x7E]{1,255}");

    /** When to ask again for the answer of a request that is under way, in seconds. */
    private static final long RETRY_AFTER_SECONDS = 1;

    private final Bus bus;

    Idempotency(Bus bus) {
        this.bus = bus;
    }

    /** Works once for a key, or always if there is none. Call it only when the request has no mistakes. */
    Future<Answer> once(Call call, Supplier<Future<Answer>> work) {
        if (call.idempotencyKeys().isEmpty()) {
            return work.get();
        }
        String key = call.idempotencyKeys().get(0);
        if (call.idempotencyKeys().size() > 1 || !KEY.matcher(key).matches()) {
            Mistake mistake = new Mistake(HEADER, "wanted: once, with 1 to 255 printable ASCII characters");
            return Future.succeededFuture(Problem.INVALID.answer("A header has a mistake.", List.of(mistake)));
        }
        return bus.ask(new BeginKey(call.merchantId(), key, hash(call)))
                .compose(begun -> go(begun, call.merchantId(), key, work));
    }

    private Future<Answer> go(KeyAnswer begun, String merchantId, String key, Supplier<Future<Answer>> work) {
        if (begun instanceof KeyAnswer.Replay replay) {
            return Future.succeededFuture(replayed(replay));
        }
        if (begun instanceof KeyAnswer.OtherRequest) {
            return Future.succeededFuture(Problem.KEY_REUSED.answer(
                    "Another request was sent with this key; use a new key for each request."));
        }
        if (begun instanceof KeyAnswer.InProgress) {
            return Future.succeededFuture(Problem.KEY_IN_PROGRESS
                    .answer("Ask again with the same key to get the first request's answer.")
                    .retryAfter(RETRY_AFTER_SECONDS));
        }
        // begun inside a chain, so that whatever the work throws is a failure whose key is given back
        return Future.succeededFuture()
                .compose(begin -> work.get())
                .compose(answer -> keep(merchantId, key, answer), failure -> giveBack(merchantId, key, failure));
    }

    private Future<Answer> keep(String merchantId, String key, Answer answer) {
        return end(new EndKey(merchantId, key, answer.status(), answer.body().toString(StandardCharsets.UTF_8)))
                .map(answer);
    }

    private Future<Answer> giveBack(String merchantId, String key, Throwable failure) {
        return end(new EndKey(merchantId, key, null, null)).compose(done -> Future.failedFuture(failure));
    }

    /** If the end cannot be told, the answer is true all the same, and the key's own time limit ends it. */
    private Future<Boolean> end(EndKey end) {
        return bus.ask(end).recover(failure -> {
            LOG.warn("an Idempotency-Key of {} stays open: {}", end.merchantId(), failure.toString());
            return Future.succeededFuture(false);
        });
    }

    private static Answer replayed(KeyAnswer.Replay replay) {
        String type = replay.status() < 400 ? Answer.JSON : Answer.PROBLEM_JSON;
        return Answer.of(replay.status(), type, Buffer.buffer(replay.body())).with("Idempotency-Replayed", "true");
    }

    private static String hash(Call call) {
        byte[] target = (call.target() + "\n").getBytes(StandardCharsets.UTF_8);
        return HexFormat.of().formatHex(Digests.sha256(target, call.raw().getBytes()));
    }
}
