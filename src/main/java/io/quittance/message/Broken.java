package io.quittance.message;

/** A fault of our own in the room that was asked, which has written it to the log; not to be asked again as it is. */
public final class Broken extends RuntimeException {

    public Broken(String message) {
        super(message);
    }
}
