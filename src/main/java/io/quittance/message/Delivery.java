package io.quittance.message;

import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A verified notification on its way to the log.
 *
 * @param id given at receipt; the same for all facts of one notification
 * @param eventId the PSP's id of the event, the same over its repetitions, if it has one
 * @param part which of the notification's facts, from 0
 * @param receivedAt the moment of receipt at this gateway
 * @param keyLabel which key matched, loggable
 * @param body the raw bytes, kept as evidence
 */
public record Delivery(
        UUID id,
        String psp,
        String account,
        @Nullable String eventId,
        int part,
        Instant receivedAt,
        String keyLabel,
        Buffer body) {}
