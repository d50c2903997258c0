package io.quittance.psp.alipay;

import io.quittance.psp.FormBody;
import io.quittance.psp.PspHttp;
import io.quittance.psp.RsaSha256;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Signs calls to the gateway: the common parameters and the business content, RSA2 over all of them. */
final class AlipayRequest {

    /** Alipay writes times in China's zone and without saying so. */
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss").withZone(ZoneId.of("GMT+8"));

    private static final String CONTENT = "biz_content";

    private final AlipaySettings settings;
    private final AlipaySignature signature;
    private final PspHttp http;
    private final Clock clock;

    AlipayRequest(AlipaySettings settings, PspHttp http, Clock clock) {
        this.settings = settings;
        this.signature = new AlipaySignature(settings);
        this.http = http;
        this.clock = clock;
    }

    static String time(Instant instant) {
        return TIME.format(instant);
    }

    /** An address that a browser can open: everything stands in the query. */
    String address(String method, Map<String, String> extra, JsonObject content) {
        return settings.gateway() + "?" + FormBody.encode(signed(method, extra, content));
    }

    /** Calls a method; empty if the answer's signature is missing or wrong. A failed future is a broken call. */
    Future<Optional<JsonObject>> call(String method, JsonObject content) {
        Map<String, String> query = signed(method, Map.of(), content);
        String body = FormBody.encode(Map.of(CONTENT, content.encode()));
        query.remove(CONTENT);
        String url = settings.gateway() + "?" + FormBody.encode(query);
        Map<String, String> headers = Map.of("Content-Type", "application/x-www-form-urlencoded;charset=utf-8");
        String node = method.replace('.', '_') + "_response";
        return http.send(HttpMethod.POST, url, headers, Buffer.buffer(body))
                .map(answer -> answer.status() == 200
                        ? AlipayAnswer.verified(answer.body(), node, signature)
                        : Optional.empty());
    }

    private Map<String, String> signed(String method, Map<String, String> extra, JsonObject content) {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("app_id", settings.appId());
        fields.put("method", method);
        fields.put("format", "JSON");
        fields.put("charset", "utf-8");
        fields.put("sign_type", "RSA2");
        fields.put("timestamp", time(clock.instant()));
        fields.put("version", "1.0");
        fields.putAll(extra);
        fields.put(CONTENT, content.encode());
        // Unlike in notices, sign_type is signed in requests.
        byte[] text = AlipayForm.signedText(fields, Set.of(), false).getBytes(StandardCharsets.UTF_8);
        fields.put("sign", RsaSha256.sign(settings.appPrivateKey(), text));
        return fields;
    }
}
