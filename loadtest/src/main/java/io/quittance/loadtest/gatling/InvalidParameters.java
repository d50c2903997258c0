package io.quittance.loadtest.gatling;

import java.util.List;

/** Parameters that cannot be used; the message names each with what is wrong and the way out. */
final class InvalidParameters extends RuntimeException {

    InvalidParameters(List<String> mistakes) {
        super("The run cannot start:\n  - " + String.join("\n  - ", mistakes));
    }
}
