package io.quittance.cli;

import io.quittance.config.InvalidConfig;
import io.quittance.psp.InvalidSettings;

/** What a command says when it cannot go on: every mistake on a line, and no stack trace for what a user can mend. */
final class Failures {

    private Failures() {}

    static String explain(Throwable failure) {
        if (failure instanceof InvalidConfig invalid) {
            return String.valueOf(invalid.getMessage());
        }
        if (failure instanceof InvalidSettings invalid) {
            return "The PSP accounts in the configuration cannot be used:\n  - "
                    + String.join("\n  - ", invalid.mistakes());
        }
        return failure.getMessage() == null ? failure.toString() : failure.getMessage();
    }
}
