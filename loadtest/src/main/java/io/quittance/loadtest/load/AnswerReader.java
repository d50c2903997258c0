package io.quittance.loadtest.load;

import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Reads HTTP answers that have a Content-Length, one after the other. */
final class AnswerReader {

    private static final String END_OF_HEAD = "\r\n\r\n";
    private static final String LENGTH = "\r\ncontent-length:";
    private static final String RETRY_AFTER = "\r\nretry-after:";
    private static final int STATUS_AT = 9;
    private static final int UNAVAILABLE = 503;

    private final StringBuilder text = new StringBuilder();
    private int status;
    private boolean saysWhenToComeAgain;

    /** Takes bytes; true as soon as an answer is whole. */
    boolean feed(Buffer bytes) {
        text.append(bytes.toString(StandardCharsets.ISO_8859_1));
        int head = text.indexOf(END_OF_HEAD);
        if (head < 0) {
            return false;
        }
        String headers = text.substring(0, head).toLowerCase(Locale.ROOT);
        int length = contentLength(headers);
        if (text.length() < head + END_OF_HEAD.length() + length) {
            return false;
        }
        status = Integer.parseInt(text.substring(STATUS_AT, STATUS_AT + 3));
        saysWhenToComeAgain = status == UNAVAILABLE && headers.contains(RETRY_AFTER);
        text.delete(0, head + END_OF_HEAD.length() + length);
        return true;
    }

    /** Of the answer that was whole last. */
    int status() {
        return status;
    }

    /** Whether it was 503 with Retry-After. */
    boolean saysWhenToComeAgain() {
        return saysWhenToComeAgain;
    }

    private static int contentLength(String head) {
        int at = head.indexOf(LENGTH);
        if (at < 0) {
            return 0;
        }
        int from = at + LENGTH.length();
        int to = head.indexOf('\r', from);
        return Integer.parseInt(
                head.substring(from, to < 0 ? head.length() : to).strip());
    }
}
