package io.quittance.http;

import io.quittance.http.NotifyCounters.Reason;
import io.vertx.core.MultiMap;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a notification's head must not say. A missing header is no fault: the signature decides. */
final class NotifyHead {

    /** The PSPs that send HTML forms; all others send JSON. */
    private static final Set<String> FORM_PSPS = Set.of("alipay");

    private NotifyHead() {}

    /** The answer, counted, to a head that promises a body which is not read at all; null if it is fine. */
    static @Nullable Answer refusal(MultiMap headers, String psp, NotifyCounters counters) {
        if (!headers.getAll("Content-Encoding").stream().allMatch(NotifyHead::isPlain)) {
            counters.count(psp, Reason.CONTENT_ENCODING);
            return Problem.MEDIA_TYPE.answer("A Content-Encoding is not taken: signatures are over plain bytes.");
        }
        String wanted = FORM_PSPS.contains(psp) ? "application/x-www-form-urlencoded" : "application/json";
        if (!headers.getAll("Content-Type").stream().allMatch(type -> fits(type, wanted))) {
            counters.count(psp, Reason.CONTENT_TYPE);
            return Problem.MEDIA_TYPE.answer("The Content-Type must be " + wanted + ".");
        }
        return null;
    }

    private static boolean isPlain(String encoding) {
        return encoding.isBlank() || encoding.strip().equalsIgnoreCase("identity");
    }

    /** Without regard to parameters such as the charset; JSON may be of a more special kind. */
    private static boolean fits(String contentType, String wanted) {
        String type = MediaType.essence(contentType);
        boolean json = wanted.endsWith("/json") && MediaType.isJson(type);
        return type.isEmpty() || json || type.equals(wanted.toLowerCase(Locale.ROOT));
    }
}
