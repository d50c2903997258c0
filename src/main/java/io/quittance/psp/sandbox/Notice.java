package io.quittance.psp.sandbox;

import io.vertx.core.buffer.Buffer;
import java.util.Map;

/**
 * A notification before it is signed for one journey.
 *
 * @param eventId the same over all journeys
 * @param kind the PSP's name for what happened
 * @param content what is to be signed, in a form that only the PSP's own side reads
 * @param forged whether it will be signed with a wrong key
 */
record Notice(String eventId, String psp, String attemptId, String kind, String url, String content, boolean forged) {

    Notice asForged() {
        return new Notice(eventId, psp, attemptId, kind, url, content, true);
    }

    /** A notification as it goes over the wire. */
    record Signed(Map<String, String> headers, Buffer body) {

        /** Changes the byte after the first occurrence of a text, which must be there. */
        Signed changedAfter(String mark) {
            byte[] bytes = body.getBytes();
            int at = body.toString("ISO-8859-1").indexOf(mark) + mark.length();
            if (at < mark.length() || at >= bytes.length) {
                throw new IllegalStateException("no " + mark + " in the notification");
            }
            bytes[at] = (byte) (bytes[at] == '1' ? '2' : '1');
            return new Signed(headers, Buffer.buffer(bytes));
        }
    }
}
