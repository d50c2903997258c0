package io.quittance.dev;

/** An embedded server could not be started or stopped. The message is for the person at the terminal. */
public final class EmbeddedServerFailed extends RuntimeException {

    EmbeddedServerFailed(String message) {
        super(message);
    }

    EmbeddedServerFailed(String message, Throwable cause) {
        super(message, cause);
    }
}
