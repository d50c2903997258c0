package io.quittance.psp;

import java.security.GeneralSecurityException;

/** A message that a signature is over, handed on in pieces, so that checking it takes no copy of all of it. */
@FunctionalInterface
public interface SignedBytes {

    /** Hands on every byte, in order. */
    void into(Sink sink) throws GeneralSecurityException;

    /** What takes the pieces, such as {@code Mac::update} or {@code Signature::update}; it keeps no array. */
    @FunctionalInterface
    interface Sink {
        void update(byte[] bytes, int from, int count) throws GeneralSecurityException;
    }

    static SignedBytes of(byte[] message) {
        return sink -> sink.update(message, 0, message.length);
    }
}
