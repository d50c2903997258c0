package io.quittance.psp;

import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import java.security.GeneralSecurityException;
import java.time.Instant;

/**
 * A notification exactly as it came in.
 *
 * @param headers names are compared without case; a repeated header keeps all of its values
 * @param body the bytes as received, never re-encoded
 * @param receivedAt the moment of receipt, which signature time stamps are measured against
 */
public record RawNotification(MultiMap headers, Buffer body, Instant receivedAt) {

    private static final int PIECE_BYTES = 8 * 1024;

    /** Hands on the body's bytes, as {@link SignedBytes} does. */
    public void bodyInto(SignedBytes.Sink sink) throws GeneralSecurityException {
        byte[] piece = new byte[Math.min(body.length(), PIECE_BYTES)];
        for (int from = 0; from < body.length(); from += piece.length) {
            int to = Math.min(from + piece.length, body.length());
            body.getBytes(from, to, piece);
            sink.update(piece, 0, to - from);
        }
    }
}
