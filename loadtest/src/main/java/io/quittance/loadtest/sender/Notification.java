package io.quittance.loadtest.sender;

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
}
