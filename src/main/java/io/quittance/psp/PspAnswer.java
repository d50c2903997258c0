package io.quittance.psp;

import io.vertx.core.buffer.Buffer;

/**
 * The HTTP answer to a notification, byte by byte as the PSP wants it.
 *
 * @param status the HTTP status code
 * @param contentType empty if there is no body
 */
public record PspAnswer(int status, String contentType, Buffer body) {

    public static PspAnswer empty(int status) {
        return new PspAnswer(status, "", Buffer.buffer());
    }

    public static PspAnswer text(int status, String body) {
        return new PspAnswer(status, "text/plain; charset=utf-8", Buffer.buffer(body));
    }

    public static PspAnswer json(int status, String body) {
        return new PspAnswer(status, "application/json", Buffer.buffer(body));
    }
}
