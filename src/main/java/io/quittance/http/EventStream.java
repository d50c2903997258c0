package io.quittance.http;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.streams.WriteStream;
import org.jspecify.annotations.Nullable;

/**
 * One open answer of the type text/event-stream (WHATWG HTML, section 9.2, server-sent events). A reader that is slower
 * than the changes gets the latest state when it has taken what is under way; what it missed in between is not kept.
 */
final class EventStream {

    /** What may be under way to a reader beyond what the network holds, in bytes: about two orders. */
    static final int QUEUE_BYTES_MAX = 16 * 1024;

    private static final Buffer HEARTBEAT = Buffer.buffer(":\n\n");

    private final WriteStream<Buffer> out;
    private final String event;
    private String knownId;
    private @Nullable LiveState waiting;
    private boolean ended;

    /**
     * @param event the name of its events
     * @param knownId the id of the state that the reader has, from Last-Event-ID; empty if it has none
     */
    EventStream(WriteStream<Buffer> out, String event, String knownId) {
        this.out = out;
        this.event = event;
        this.knownId = knownId;
        out.setWriteQueueMaxSize(QUEUE_BYTES_MAX);
        out.drainHandler(drained -> flush());
    }

    /** @param retryMs how long the reader is to wait before it comes again after an end, in milliseconds */
    void begin(long retryMs) {
        out.write(Buffer.buffer("retry: " + retryMs + "\n\n"));
    }

    /** Tells the state unless the reader has it. Ends the stream after the last one. */
    void offer(LiveState state) {
        waiting = state;
        flush();
    }

    /** Shows that the stream lives, unless that can be seen by what is under way. */
    void heartbeat() {
        if (!ended && !out.writeQueueFull()) {
            out.write(HEARTBEAT.copy());
        }
    }

    void end() {
        if (!ended) {
            ended = true;
            waiting = null;
            out.end();
        }
    }

    private void flush() {
        LiveState next = waiting;
        if (ended || next == null || out.writeQueueFull()) {
            return;
        }
        waiting = null;
        if (!next.id().equals(knownId)) {
            knownId = next.id();
            out.write(Buffer.buffer("event: " + event + "\nid: " + next.id() + "\ndata: " + next.data() + "\n\n"));
        }
        if (next.last()) {
            end();
        }
    }
}
