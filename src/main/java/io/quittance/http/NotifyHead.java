package io.quittance.http;

import io.quittance.http.NotifyCounters.Reason;
import io.quittance.psp.BodyFormat;
import io.quittance.psp.PspAdapter;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a notification's head must not say. A missing header is no fault: the signature decides. */
final class NotifyHead {

    private NotifyHead() {}

    /** The answer, counted, to a head that promises a body which is not read at all; null if it is fine. */
    static @Nullable Answer refusal(MultiMap headers, PspAdapter adapter, NotifyCounters counters) {
        if (!isPlain(headers.getAll(HttpHeaders.CONTENT_ENCODING))) {
            counters.count(adapter.psp(), Reason.CONTENT_ENCODING);
            return Problem.MEDIA_TYPE.answer("A Content-Encoding is not taken: signatures are over plain bytes.");
        }
        BodyFormat wanted = adapter.notificationFormat();
        if (!fit(headers.getAll(HttpHeaders.CONTENT_TYPE), wanted)) {
            counters.count(adapter.psp(), Reason.CONTENT_TYPE);
            return Problem.MEDIA_TYPE.answer("The Content-Type must be " + wanted.mediaType() + ".");
        }
        return null;
    }

    private static boolean isPlain(List<String> encodings) {
        for (String encoding : encodings) {
            if (!isPlain(encoding)) {
                return false;
            }
        }
        return true;
    }

    private static boolean fit(List<String> contentTypes, BodyFormat wanted) {
        for (String type : contentTypes) {
            if (!fits(type, wanted)) {
                return false;
            }
        }
        return true;
    }

    /** Whether this Content-Encoding leaves the body's bytes as they are. */
    static boolean isPlain(String encoding) {
        return encoding.isBlank() || encoding.strip().equalsIgnoreCase("identity");
    }

    /** Without regard to parameters such as the charset; JSON may be of a more special kind. */
    private static boolean fits(String contentType, BodyFormat wanted) {
        String type = MediaType.essence(contentType);
        boolean json = wanted == BodyFormat.JSON && MediaType.isJson(type);
        return type.isEmpty() || json || type.equals(wanted.mediaType());
    }
}
