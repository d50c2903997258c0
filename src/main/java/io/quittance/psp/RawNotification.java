package io.quittance.psp;

import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;

/**
 * A notification exactly as it came in.
 *
 * @param headers names are compared without case; a repeated header keeps all of its values
 * @param body the bytes as received, never re-encoded
 * @param receivedAt the moment of receipt, which signature time stamps are measured against
 */
public record RawNotification(MultiMap headers, Buffer body, Instant receivedAt) {}
