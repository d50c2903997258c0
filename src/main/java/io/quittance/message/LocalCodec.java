package io.quittance.message;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.MessageCodec;

/** Hands a record over as it is: everything on this bus is immutable and stays in this process. */
final class LocalCodec implements MessageCodec<Object, Object> {

    static final String NAME = "quittance.local";

    @Override
    public void encodeToWire(Buffer buffer, Object body) {
        throw new IllegalStateException("messages stay in the process: " + body.getClass());
    }

    @Override
    public Object decodeFromWire(int position, Buffer buffer) {
        throw new IllegalStateException("messages stay in the process");
    }

    @Override
    public Object transform(Object body) {
        return body;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public byte systemCodecID() {
        return -1;
    }
}
