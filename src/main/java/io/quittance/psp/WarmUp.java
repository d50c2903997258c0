package io.quittance.psp;

import io.quittance.psp.Verification.Verified;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * Has the parsers read what nobody sent, before anything is let in. A process that has just started runs its code slowly
 * until it has been compiled: the first large body would hold up the event loop, and with it all that comes in behind,
 * for many times what the same body takes a second later.
 */
public final class WarmUp {

    private static final int BODY_BYTES = 32 * 1024;
    private static final int RUNS = 10;

    /** Of each kind of body, those with which the parsers have most to do. */
    private static final Map<BodyFormat, List<Buffer>> BODIES = Map.of(
            BodyFormat.JSON,
            List.of(
                    filled("{\"resource\":{\"ciphertext\":\"", i -> "\\/ab", "\"}}"),
                    filled("{\"a\":[", i -> "{},7,", "\"\"]}"),
                    filled("{", i -> "\"" + i + "\":[{\"a\":1},\"a\",true],", "\"id\":\"\\u4e2d\"}"),
                    filled("{", i -> "\"" + i + "\":" + i + ",", "\"id\":\"1\"}"),
                    filled("{", i -> "\"\\u0061\\n" + i + "\":\"\\u4e2d\",", "\"id\":\"1\"}")),
            BodyFormat.FORM,
            List.of(
                    filled(form("utf-8"), i -> i + "=a%26signs%3D%E4%B8%AD&", "b=1"),
                    filled(form("gbk"), i -> i + "=" + "%E4%B8".repeat(600) + "&", "b=1"),
                    filled(form("gbk") + "subject=", i -> "%26signs%3D", "")));

    private WarmUp() {}

    /** Takes about half a second in a process that has just started, and blocks for as long. */
    public static void read(Collection<? extends PspAdapter> adapters) {
        for (int run = 0; run < RUNS; run++) {
            adapters.forEach(WarmUp::readOnce);
        }
    }

    private static void readOnce(PspAdapter adapter) {
        for (Buffer body : BODIES.getOrDefault(adapter.notificationFormat(), List.of())) {
            RawNotification raw = new RawNotification(MultiMap.caseInsensitiveMultiMap(), body, Instant.EPOCH);
            adapter.verify(raw);
            adapter.translate(new Verified(raw, "nobody's"));
        }
    }

    private static String form(String charset) {
        return "charset=" + charset + "&sign_type=RSA2&sign=AAAA&";
    }

    private static Buffer filled(String head, IntFunction<String> piece, String tail) {
        StringBuilder body = new StringBuilder(head);
        for (int i = 0; body.length() < BODY_BYTES; i++) {
            body.append(piece.apply(i));
        }
        return Buffer.buffer(body.append(tail).toString());
    }
}
