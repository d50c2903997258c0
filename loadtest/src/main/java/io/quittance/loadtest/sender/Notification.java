package io.quittance.loadtest.sender;

import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/**
 * A notification as it goes over the wire.
 *
 * @param eventId by which the gateway knows a repetition
 * @param rsa what a bare check of its signature is about; empty for an HMAC
 */
public record Notification(String eventId, Map<String, String> headers, String body, Optional<Rsa> rsa) {

    /** An RSA signature and the bytes that it is over. */
    public record Rsa(byte[] message, byte[] signature) {}

    /** The whole HTTP/1.1 request that brings it there. */
    public Buffer request(String path) {
        StringBuilder head = new StringBuilder("POST " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n");
        headers.forEach(
                (name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        head.append("Content-Length: ").append(bytes.length).append("\r\n\r\n");
        return Buffer.buffer(head.toString()).appendBytes(bytes);
    }
}
