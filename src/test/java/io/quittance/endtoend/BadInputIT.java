package io.quittance.endtoend;

import static io.quittance.endtoend.Stage.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.quittance.testing.Services;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;

/** What no PSP sends, sent to the whole gateway. It is refused at the door, and leaves no trace behind it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BadInputIT {

    private static final int BODY_BYTES_MAX = 1 << 20;
    private static final long STALE_SECONDS = 3_600;

    private final Signer signer = new Signer(Stage.KEYS);
    private final Map<String, Notification> genuine = new HashMap<>();
    private final Map<String, Notification> other = new HashMap<>();
    private TestGateway gateway;
    private Stage stage;
    private Redis redis;

    @BeforeAll
    void start() {
        gateway = TestGateway.start();
        stage = gateway.stage();
        redis = Redis.createClient(stage.vertx(), Services.redisUri());
        await(stage.merchant().product("tee", "STOCK", 100));
        capture("good", genuine);
        capture("other", other);
    }

    @AfterAll
    void close() {
        gateway.close();
    }

    private void capture(String prefix, Map<String, Notification> byPsp) {
        stage.mailbox().hold();
        for (String psp : Stage.PSPS) {
            await(stage.placeAndOpen(prefix + "-" + psp, psp, "REFUND")
                    .compose(attempt -> stage.psp().pay(attempt)));
        }
        await(stage.psp().settled());
        stage.mailbox().take().forEach(notification -> byPsp.put(notification.psp(), notification));
    }

    /** Something bad, and the status that it deserves. */
    private record Bad(Notification notification, int status, boolean chunked) {}

    @TestFactory
    List<DynamicTest> bad_notifications_are_refused_and_leave_nothing_behind() {
        List<DynamicTest> tests = new ArrayList<>();
        for (String psp : Stage.PSPS) {
            Map<String, Bad> bad = new LinkedHashMap<>();
            addBodies(bad, psp);
            addHeads(bad, psp);
            addForged(bad, psp);
            bad.forEach((name, what) -> tests.add(dynamicTest(psp + ": " + name, () -> refused(what))));
        }
        return tests;
    }

    private void addBodies(Map<String, Bad> bad, String psp) {
        Notification good = genuine.get(psp);
        int half = good.body().length() / 2;
        put(bad, "an empty body", good.withBody(Buffer.buffer()), 401);
        put(bad, "garbage", good.withBody(Buffer.buffer(new byte[] {0, -1, 127, '{', '%', '&', -64, -128})), 401);
        put(bad, "a truncated body", good.withBody(good.body().getBuffer(0, half)), 401);
        put(bad, "a body of exactly the limit", good.withBody(filled(good, BODY_BYTES_MAX)), 401);
        put(bad, "a body one byte above the limit", good.withBody(filled(good, BODY_BYTES_MAX + 1)), 413);
        put(bad, "a body of four times the limit", good.withBody(filled(good, 4 * BODY_BYTES_MAX)), 413);
        bad.put(
                "a body above the limit that does not say its length",
                new Bad(good.withBody(filled(good, BODY_BYTES_MAX + 1)), 413, true));
        put(bad, "the signature of another body", mixed(psp), 401);
    }

    private void addHeads(Map<String, Bad> bad, String psp) {
        Notification good = genuine.get(psp);
        put(bad, "a wrong content type", good.withHeader("Content-Type", "text/xml"), 415);
        put(bad, "a compressed body", good.withHeader("Content-Encoding", "gzip"), 415);
        put(bad, "an unknown PSP", good.withPath("/v1/notify/nobody/" + Stage.ACCOUNT), 404);
        put(bad, "an unknown account", good.withPath("/v1/notify/" + psp + "/nobody"), 404);
        for (String header : signatureHeaders(psp)) {
            put(bad, "without " + header, good.withoutHeader(header), 401);
            put(bad, "with " + header + " twice", good.withRepeatedHeader(header), 401);
            put(bad, "with an empty " + header, good.withHeader(header, ""), 401);
            put(bad, "with garbage for " + header, good.withHeader(header, "t=,,v1==~"), 401);
        }
    }

    private static Set<String> signatureHeaders(String psp) {
        return switch (psp) {
            case "stripe" -> Set.of("Stripe-Signature");
            case "wechatpay" ->
                new TreeSet<>(
                        Set.of("Wechatpay-Signature", "Wechatpay-Serial", "Wechatpay-Timestamp", "Wechatpay-Nonce"));
            default -> Set.of();
        };
    }

    /** Rightly signed, and nonsense; or old. */
    private void addForged(Map<String, Bad> bad, String psp) {
        long now = Clock.systemUTC().instant().getEpochSecond();
        String good = genuine.get(psp).body().toString();
        String truncated = good.substring(0, good.length() / 2);
        switch (psp) {
            case "stripe" -> {
                put(bad, "signed and not JSON", signer.stripe(truncated, now), 400);
                put(bad, "signed and not an object", signer.stripe("[1]", now), 400);
                put(bad, "signed long ago", signer.stripe(good, now - STALE_SECONDS), 401);
                put(bad, "signed in the future", signer.stripe(good, now + STALE_SECONDS), 401);
            }
            case "wechatpay" -> {
                put(bad, "signed and not JSON", signer.wechatpay(truncated, now), 400);
                put(bad, "signed and not an object", signer.wechatpay("[1]", now), 400);
                put(bad, "signed and not to be opened", signer.wechatpay(tampered(good), now), 400);
                put(bad, "signed long ago", signer.wechatpay(good, now - STALE_SECONDS), 401);
                put(bad, "signed in the future", signer.wechatpay(good, now + STALE_SECONDS), 401);
            }
            default -> {
                put(bad, "signed and without any number", signer.alipay(Map.of("charset", "utf-8")), 400);
                Notification twice = genuine.get(psp);
                put(bad, "a field twice", twice.withBody(Buffer.buffer(good + "&trade_status=TRADE_SUCCESS")), 401);
                put(bad, "no signature", twice.withBody(Buffer.buffer(good.replaceAll("&sign=[^&]*", ""))), 401);
                put(bad, "a broken escape", twice.withBody(Buffer.buffer(good + "&more=%G1")), 401);
            }
        }
    }

    private static String tampered(String event) {
        int at = event.indexOf("\"ciphertext\":\"") + "\"ciphertext\":\"".length();
        char changed = event.charAt(at) == 'A' ? 'B' : 'A';
        return event.substring(0, at) + changed + event.substring(at + 1);
    }

    /** Alipay signs in the body, the others in the head. */
    private Notification mixed(String psp) {
        Notification good = genuine.get(psp);
        if (!psp.equals("alipay")) {
            return good.withBody(other.get(psp).body());
        }
        String sign = field(other.get(psp));
        return good.withBody(Buffer.buffer(good.body().toString().replace(field(good), sign)));
    }

    private static String field(Notification form) {
        for (String field : form.body().toString().split("&", -1)) {
            if (field.startsWith("sign=")) {
                return field;
            }
        }
        throw new IllegalStateException("no signature");
    }

    private static Buffer filled(Notification good, int bytes) {
        Buffer filled = Buffer.buffer(good.body().getBytes());
        return filled.appendString(" ".repeat(bytes - filled.length()));
    }

    private static void put(Map<String, Bad> bad, String name, Notification notification, int status) {
        bad.put(name, new Bad(notification, status, false));
    }

    private void refused(Bad bad) {
        long before = stored();
        Set<String> keysBefore = keys();
        Poster.Answer answer;
        List<ILoggingEvent> logged;
        try (LogTape tape = new LogTape()) {
            answer = await(stage.poster().send(bad.notification(), bad.chunked()));
            logged = tape.events();
        }

        assertThat(answer.status()).isEqualTo(bad.status());
        assertThat(answer.isSuccessFor(bad.notification().psp())).isFalse();
        assertThat(logged).allSatisfy(event -> {
            assertThat(event.getThrowableProxy())
                    .as(event.getFormattedMessage())
                    .isNull();
            assertThat(event.getLevel().isGreaterOrEqual(Level.ERROR))
                    .as(event.getFormattedMessage())
                    .isFalse();
        });
        assertThat(stored()).as("rows").isEqualTo(before);
        assertThat(keys()).as("keys").isSubsetOf(keysBefore);
    }

    @Test
    void a_probe_of_the_address_is_answered_and_changes_nothing() {
        for (String psp : Stage.PSPS) {
            long before = stored();
            Notification empty =
                    new Notification(genuine.get(psp).path(), MultiMap.caseInsensitiveMultiMap(), Buffer.buffer());
            for (HttpMethod method : List.of(HttpMethod.GET, HttpMethod.HEAD)) {
                Poster.Answer answer = await(stage.poster().send(method, empty, false));
                assertThat(answer.status()).as(method + " " + psp).isEqualTo(200);
                assertThat(answer.body().length()).as(method + " " + psp).isZero();
            }
            assertThat(stored()).isEqualTo(before);
        }
    }

    @Test
    void the_same_notifications_are_taken_when_nothing_is_wrong_with_them() {
        for (String psp : Stage.PSPS) {
            long before = stored();
            Notification good = other.get(psp);
            Notification fit = psp.equals("stripe") ? good.withoutHeader("Content-Type") : good;
            assertThat(await(stage.poster().post(fit))).as(psp).isTrue();
            assertThat(stored()).as(psp).isEqualTo(before + 1);
        }
    }

    private long stored() {
        return await(stage.count("select (select count(*) from callbacks) + (select count(*) from unmatched)"));
    }

    private Set<String> keys() {
        Response keys = await(redis.send(Request.cmd(Command.KEYS).arg("quittance:*")));
        return keys.stream().map(Response::toString).collect(Collectors.toSet());
    }
}
