package io.quittance.psp.adyen;

import io.quittance.psp.JsonFields;
import io.quittance.psp.PspHttp;
import io.quittance.psp.PspHttp.Answer;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Requests to Adyen's Checkout API, and what its refusals mean (docs.adyen.com/development-resources/error-codes). */
final class AdyenApi {

    /** "Request already processed or in progress": says nothing about what becomes of the first one. */
    private static final String IN_PROGRESS = "704";

    private final AdyenSettings settings;
    private final PspHttp http;

    AdyenApi(AdyenSettings settings, PspHttp http) {
        this.settings = settings;
        this.http = http;
    }

    Future<Answer> get(String path) {
        return http.send(HttpMethod.GET, settings.apiBase() + path, headers(null), Buffer.buffer());
    }

    Future<Answer> patch(String path, JsonObject body) {
        return send(HttpMethod.PATCH, path, body, null);
    }

    Future<Answer> post(String path, JsonObject body, String idempotencyKey) {
        return send(HttpMethod.POST, path, body, idempotencyKey);
    }

    /** The status and the error's number; the message beside it may quote what was sent. */
    static String errorCode(Answer answer) {
        return "status " + answer.status() + ", " + JsonFields.code(JsonFields.parse(answer.body()), "errorCode");
    }

    /** Whether Adyen itself refused for good, so that this request did nothing and never will. */
    static boolean isRefusal(Answer answer) {
        int status = answer.status();
        boolean open = status == 408 || status == 409 || status == 429;
        if (status < 400
                || status >= 500
                || open
                || "true".equalsIgnoreCase(answer.headers().get("transient-error"))) {
            return false;
        }
        JsonObject body = JsonFields.parse(answer.body());
        String code = body == null ? null : JsonFields.filled(body, "errorCode");
        return code != null && !code.equals(IN_PROGRESS);
    }

    /** Whether we were not let in, which says nothing about what an earlier request under the same key has done. */
    static boolean isShutOut(Answer answer) {
        return answer.status() == 401 || answer.status() == 403 || answer.status() == 404;
    }

    private Future<Answer> send(HttpMethod method, String path, JsonObject body, @Nullable String idempotencyKey) {
        Map<String, String> headers = headers(idempotencyKey);
        headers.put("Content-Type", "application/json");
        return http.send(method, settings.apiBase() + path, headers, body.toBuffer());
    }

    private Map<String, String> headers(@Nullable String idempotencyKey) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("X-API-Key", settings.apiKey());
        if (idempotencyKey != null) {
            headers.put("Idempotency-Key", idempotencyKey);
        }
        return headers;
    }
}
