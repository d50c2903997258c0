package io.quittance.message;

/** Not now: overloaded, or a store is away. Nothing was acknowledged; the sender should try again later. */
public final class Unavailable extends RuntimeException {

    public Unavailable(String message) {
        super(message);
    }

    public Unavailable(String message, Throwable cause) {
        super(message, cause);
    }
}
