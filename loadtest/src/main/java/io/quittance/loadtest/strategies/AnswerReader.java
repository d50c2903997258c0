package io.quittance.loadtest.strategies;

import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Reads HTTP answers that have a Content-Length, one after the other. */
final class AnswerReader {

    private static final String END_OF_HEAD = "\r\n\r\n";
    private static final String LENGTH = "\r\ncontent-length:";
    private static final int STATUS_AT = 9;

    private final StringBuilder text = new StringBuilder();
    private int status;

    /** Takes bytes; true as soon as an answer is whole. */
    boolean feed(Buffer bytes) {
        text.append(bytes.toString(StandardCharsets.ISO_8859_1));
        int head = text.indexOf(END_OF_HEAD);
        if (head < 0) {
            return false;
        }
        int length = contentLength(text.substring(0, head));
        if (text.length() < head + END_OF_HEAD.length() + length) {
            return false;
        }
        status = Integer.parseInt(text.substring(STATUS_AT, STATUS_AT + 3));
        text.delete(0, head + END_OF_HEAD.length() + length);
        return true;
    }

    /** Of the answer that was whole last. */
    int status() {
        return status;
    }

    private static int contentLength(String head) {
        int at = head.toLowerCase(Locale.ROOT).indexOf(LENGTH);
        if (at < 0) {
            return 0;
        }
        int from = at + LENGTH.length();
        int to = head.indexOf('\r', from);
        return Integer.parseInt(
                head.substring(from, to < 0 ? head.length() : to).strip());
    }
}
