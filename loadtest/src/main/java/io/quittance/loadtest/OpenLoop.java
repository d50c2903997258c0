package io.quittance.loadtest;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;

/**
 * Sends notifications at their appointed times, whether earlier ones have been answered or not. The latency counts from the
 * appointed time, so that waiting to be sent is part of it.
 */
final class OpenLoop {

    private static final int CONNECTIONS_MAX = 256;
    private static final int WAIT_MAX = 10_000;
    private static final long ANSWERS_SECONDS_MAX = 60;
    private static final double NANOS_A_MILLI = 1e6;

    private final HttpClient client;
    private final Context context;
    private final String url;
    private final byte[] key;

    /** @param key of the account's signatures */
    OpenLoop(Vertx vertx, String url, byte[] key) {
        this.client = vertx.createHttpClient(
                new PoolOptions().setHttp1MaxSize(CONNECTIONS_MAX).setMaxWaitQueueSize(WAIT_MAX));
        this.context = vertx.getOrCreateContext();
        this.url = url;
        this.key = key;
    }

    /**
     * What came of it.
     *
     * @param startedAt on the clock of System.nanoTime
     * @param spacing from one appointed time to the next, in nanoseconds
     * @param nanos each notification's latency, in the order of their times
     * @param refused how many were not answered with a success
     */
    record Run(long startedAt, long spacing, long[] nanos, int refused) {

        /** Milliseconds within which this share of the notifications was answered whose times lie between two others. */
        double milliseconds(double share, long from, long to) {
            List<Long> within = new ArrayList<>();
            for (int i = 0; i < nanos.length; i++) {
                long at = startedAt + i * spacing;
                if (at - from >= 0 && at - to < 0) {
                    within.add(nanos[i]);
                }
            }
            within.sort(Long::compare);
            if (within.isEmpty()) {
                throw new IllegalStateException("no notification was due in this time");
            }
            return within.get((int) Math.ceil(share * within.size()) - 1) / NANOS_A_MILLI;
        }

        long endsAt() {
            return startedAt + nanos.length * spacing;
        }
    }

    /** Says that these attempts were paid, one after the other; blocks until all are answered. */
    Run run(List<String> attempts, int perSecond) throws InterruptedException {
        List<RequestOptions> requests = new ArrayList<>();
        List<Buffer> bodies = new ArrayList<>();
        for (String attempt : attempts) {
            Buffer body = body(attempt);
            bodies.add(body);
            requests.add(signed(attempt, body));
        }
        long spacing = TimeUnit.SECONDS.toNanos(1) / perSecond;
        AtomicLongArray nanos = new AtomicLongArray(attempts.size());
        AtomicInteger refused = new AtomicInteger();
        CountDownLatch left = new CountDownLatch(attempts.size());
        long start = System.nanoTime() + spacing;
        for (int i = 0; i < attempts.size(); i++) {
            long due = start + i * spacing;
            while (due - System.nanoTime() > 0) {
                LockSupport.parkNanos(due - System.nanoTime());
            }
            int place = i;
            context.runOnContext(
                    now -> send(requests.get(place), bodies.get(place)).onComplete(answered -> {
                        nanos.set(place, System.nanoTime() - due);
                        if (answered.failed() || answered.result() >= 300) {
                            refused.incrementAndGet();
                        }
                        left.countDown();
                    }));
        }
        if (!left.await(ANSWERS_SECONDS_MAX, TimeUnit.SECONDS)) {
            throw new IllegalStateException(left.getCount() + " notifications were never answered");
        }
        long[] all = new long[attempts.size()];
        for (int i = 0; i < all.length; i++) {
            all[i] = nanos.get(i);
        }
        return new Run(start, spacing, all, refused.get());
    }

    private Future<Integer> send(RequestOptions options, Buffer body) {
        return client.request(options).compose((HttpClientRequest request) -> request.send(body)
                .compose(answer -> answer.body().map(read -> answer.statusCode())));
    }

    private static Buffer body(String attempt) {
        return new JsonObject()
                .put("type", "payment.succeeded")
                .put(
                        "data",
                        new JsonObject()
                                .put("id", "pay_" + attempt)
                                .put("reference", attempt)
                                .put(
                                        "amount",
                                        new JsonObject().put("value", "19.99").put("currency", "CNY")))
                .toBuffer();
    }

    private RequestOptions signed(String attempt, Buffer body) {
        String id = "msg_" + attempt;
        String time = Long.toString(System.currentTimeMillis() / 1_000);
        String text = id + "." + time + "." + body.toString(StandardCharsets.UTF_8);
        return new RequestOptions()
                .setMethod(HttpMethod.POST)
                .setAbsoluteURI(url)
                .putHeader("Content-Type", "application/json")
                .putHeader("webhook-id", id)
                .putHeader("webhook-timestamp", time)
                .putHeader("webhook-signature", "v1," + Signing.base64(Signing.hmac(key, text)));
    }
}
